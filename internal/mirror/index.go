package mirror

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ReadIndex lists the files of a git index file with their modes.
func ReadIndex(ctx context.Context, index []byte) (map[string]uint32, error) {
	dir, err := os.MkdirTemp("", "assay-index-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, err := git(ctx, dir, "init", "--quiet", "--template="); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "index"), index, 0o600); err != nil {
		return nil, err
	}
	out, err := git(ctx, dir, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	modes := map[string]uint32{}
	for _, entry := range bytes.Split(out, []byte{0}) {
		head, path, ok := strings.Cut(string(entry), "\t")
		if !ok {
			continue
		}
		mode, err := strconv.ParseUint(strings.Fields(head)[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("entry %q: %w", entry, err)
		}
		modes[path] = uint32(mode)
	}
	return modes, nil
}
