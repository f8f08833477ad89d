// Package export writes base instances in the forms of other benchmarks:
// SWE-bench's records and task folders, Multi-SWE-bench's records, Harbor's
// task folders. What a form has no place for is left out.
package export

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/atomicfile"
)

// writer puts one instance into a folder.
type writer func(dir string, inst bench.Instance) error

// writers are the forms.
func writers() map[string]writer {
	return map[string]writer{
		"swebench":       sweBench,
		"swebench-tasks": sweBenchTask,
		"multiswebench":  multiSWEBench,
		"harbor":         harbor,
	}
}

// Forms lists the names of the forms, sorted.
func Forms() []string {
	var names []string
	for name := range writers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Write writes instances in one of the forms into a folder, which must be
// empty or absent.
func Write(dir, form string, instances []bench.Instance) error {
	write, ok := writers()[form]
	if !ok {
		return fmt.Errorf("form %q is not known (%s)", form, strings.Join(Forms(), ", "))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(dir); err != nil || len(there) > 0 {
		return fmt.Errorf("%s: expected an empty folder", dir)
	}
	for _, inst := range instances {
		if err := write(dir, inst); err != nil {
			return fmt.Errorf("instance %s: %w", inst.ID, err)
		}
	}
	return nil
}

// appendTo adds text to a file of the folder.
func appendTo(dir, name string, text []byte) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// put writes a file with the folders above it.
func put(path, text string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(text), atomicfile.Options{Mode: mode})
}
