// Package atomicfile replaces files so that readers, also of other processes,
// see the old content or the new, never a part.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// temporary marks files that are being written, in the middle of their name.
const temporary = ".tmp-"

// Options of a file. The zero value is a file that its owner
// alone may read, and that a power failure may break.
type Options struct {
	Mode fs.FileMode // of the new file, as the umask allows; 0 means 0600
	// Sync makes the new content outlive the machine.
	Sync bool
}

// Write replaces a file by way of a temporary one in the same directory, which
// must exist. A symbolic link at path is replaced, not followed.
func Write(path string, data []byte, o Options) error {
	dir, base := filepath.Split(path)
	tmp := filepath.Join(dir, "."+base+temporary+rand.Text()[:8])
	err := write(tmp, data, o)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, removeIfThere(tmp)))
	}
	if o.Sync {
		return syncDir(dir)
	}
	return nil
}

// IsTemporary reports whether a file is one that Write was writing.
func IsTemporary(name string) bool { return strings.Contains(filepath.Base(name), temporary) }

func write(path string, data []byte, o Options) error {
	mode := o.Mode
	if mode == 0 {
		mode = 0o600
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && o.Sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir makes a rename last. File systems that cannot sync a directory say
// EINVAL or ENOTSUP; the rename was still done.
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
