package bench

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// WriteAtomic writes a file so that readers see the old content or the new,
// never a part, also after a crash: into a temporary file of the same
// directory, synced and then renamed. The directory must exist. A symbolic
// link at path is replaced, not followed.
func WriteAtomic(path string, data []byte) error {
	dir, base := filepath.Split(path)
	tmp := filepath.Join(dir, "."+base+"."+rand.Text()[:8]+".tmp")
	err := writeSynced(tmp, data)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, removeIfThere(tmp)))
	}
	return syncDir(dir)
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir makes a rename last. File systems that can't sync a directory
// say EINVAL or ENOTSUP; the rename was done all the same.
func syncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	_ = d.Sync()
	return d.Close()
}
