package mirror

import (
	"context"
	"sort"
	"strings"
)

// Missing lists the files whose content the mirror does not have, sorted:
// partial clones and snapshots leave out the largest.
func (t *Tree) Missing(ctx context.Context) ([]string, error) {
	sizes, err := t.Sizes(ctx)
	if err != nil {
		return nil, err
	}
	var missing []string
	for p, o := range t.files {
		if _, there := sizes[p]; !there && o.mode != submodule {
			missing = append(missing, p)
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
