package collect

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// ownerName takes owner and name from owner/name, a path or a clone URL.
func ownerName(repo string) (owner, name string) {
	repo = strings.TrimSuffix(strings.TrimRight(filepath.ToSlash(repo), "/"), ".git")
	parts := strings.FieldsFunc(repo, func(r rune) bool { return r == '/' || r == ':' })
	switch len(parts) {
	case 0:
		return "local", "repository"
	case 1:
		return "local", parts[0]
	}
	return parts[len(parts)-2], parts[len(parts)-1]
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
