package mirror

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"
)

// Missing lists the files whose content the mirror does not have, sorted:
// partial clones and snapshots leave out the largest.
func (t *Tree) Missing(ctx context.Context) ([]string, error) {
	paths := map[string][]string{}
	var ids bytes.Buffer
	for path, o := range t.files {
		if o.mode == 0o160000 {
			continue
		}
		if paths[o.id] == nil {
			ids.WriteString(o.id + "\n")
		}
		paths[o.id] = append(paths[o.id], path)
	}
	out, err := gitReading(ctx, "", &ids, "--git-dir", t.repo.gitDir, "cat-file", "--batch-check", "--buffer")
	if err != nil {
		return nil, fmt.Errorf("looking for missing files at %s: %w", t.commit, err)
	}
	var missing []string
	for _, line := range strings.Split(string(out), "\n") {
		if id, ok := strings.CutSuffix(line, " missing"); ok {
			missing = append(missing, paths[id]...)
		}
	}
	sort.Strings(missing)
	return missing, nil
}

// Without are git's sparse patterns that take everything but some files.
func Without(files []string) []string {
	if len(files) == 0 {
		return nil
	}
	out := []string{"/*"}
	for _, f := range files {
		out = append(out, "!/"+strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(f))
	}
	return out
}
