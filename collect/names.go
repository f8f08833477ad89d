package collect

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"assay/internal/mirror"
)

// ownerName takes owner and name from owner/name, a path or a clone URL.
func ownerName(repo string) (owner, name string) {
	owner, name = mirror.SplitName(filepath.ToSlash(repo))
	return cmp.Or(owner, "local"), cmp.Or(name, "repository")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
