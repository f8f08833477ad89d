package methods

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"maps"

	"assay/internal/patch"
)

// Patch is the patch on the start that gives files a new content; nil deletes a
// file. A path that leads out of the repository, or into its .git, is an error.
func (d *Desk) Patch(files map[string][]byte) (string, error) {
	var out strings.Builder
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if err := patch.CheckPath(p); err != nil {
			return "", fmt.Errorf("%q is no path in the repository: %w", p, err)
		}
		old, err := d.parts.Tree.Read(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			old = nil
		case err != nil:
			return "", fmt.Errorf("reading %s: %w", p, err)
		case old == nil:
			old = []byte{}
		}
		out.Write(patch.Between(p, old, files[p]))
	}
	return out.String(), nil
}
