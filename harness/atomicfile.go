package harness

import (
	"os"
	"path/filepath"

	"assay/internal/atomicfile"
)

// writeAtomic replaces a file as a whole, and makes its directory. It does
// not sync: after a power failure the file may be broken, which all readers
// here tolerate.
func writeAtomic(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(name, data, atomicfile.Options{})
}
