package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// temporary marks files that are being written, in the middle of their name.
const temporary = ".tmp-"

// writeAtomic replaces a file so that readers see the old content or the new
// one. It makes the directory. It does not sync: after a power failure the
// file may be broken, which all readers here bear.
func writeAtomic(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

func isTemporary(name string) bool { return strings.Contains(filepath.Base(name), temporary) }
