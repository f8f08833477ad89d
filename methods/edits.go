package methods

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
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
		if !inside(p) {
			return "", fmt.Errorf("%q is no path in the repository", p)
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

// inside reports whether a path is one in the repository, as trees name it.
func inside(p string) bool {
	return fs.ValidPath(p) && p != "." && path.Clean(p) == p && strings.Split(p, "/")[0] != ".git"
}
