package llm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"assay/internal/atomicfile"
)

// writeJSON replaces a file as a whole. Only the owner may read it: prompts and
// answers hold other people's code.
func writeJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("making a directory: %w", err)
	}
	return atomicfile.Write(name, append(data, '\n'), atomicfile.Options{})
}
