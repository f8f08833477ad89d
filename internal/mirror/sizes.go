package mirror

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Sizes are the sizes of the files in bytes; those whose content the mirror
// lacks are left out.
func (t *Tree) Sizes(ctx context.Context) (map[string]int64, error) {
	paths := map[string][]string{}
	var ids bytes.Buffer
	for path, o := range t.files {
		if o.mode == submodule {
			continue
		}
		if paths[o.id] == nil {
			ids.WriteString(o.id + "\n")
		}
		paths[o.id] = append(paths[o.id], path)
	}
	out, err := gitReading(ctx, "", &ids, "--git-dir", t.repo.gitDir, "cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer")
	if err != nil {
		return nil, fmt.Errorf("measuring files at %s: %w", t.commit, err)
	}
	sizes := map[string]int64{}
	for line := range strings.Lines(string(out)) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(rest, 10, 64)
		if err != nil {
			continue // missing
		}
		for _, p := range paths[id] {
			sizes[p] = n
		}
	}
	return sizes, nil
}
