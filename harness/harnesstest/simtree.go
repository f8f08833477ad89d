package harnesstest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/harness"
)

// tree lists what is below a directory that no link leads to.
func (f *simFS) tree(q harness.TreeQuery) []harness.Entry {
	dir, left := path.Clean(q.Dir), q.Limit
	if left == 0 {
		left = harness.TreeLimit
	}
	limit := left
	var entries []harness.Entry
	for _, p := range slices.Sorted(maps.Keys(f.nodes)) {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
		if p == dir || f.resolve(p) != p && f.nodes[p].link == "" || !strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") || skippedTree(q, rel) {
			continue
		}
		node := f.nodes[p]
		e := harness.Entry{Path: rel, Mode: node.mode, Link: node.link}
		if node.mode.IsRegular() {
			e.Size = int64(len(node.data))
			if e.Omitted = e.Size > limit; !e.Omitted {
				e.SHA256 = fmt.Sprintf("%x", sha256.Sum256(node.data))
				if q.Known[rel] != e.SHA256 {
					if e.Omitted = e.Size > left; !e.Omitted {
						e.Data = slices.Clone(node.data)
						left -= e.Size
					}
				}
			}
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b harness.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries
}

// skippedTree reports whether a path, or a directory above it, is skipped.
func skippedTree(q harness.TreeQuery, rel string) bool {
	for ; rel != "."; rel = path.Dir(rel) {
		if slices.ContainsFunc(q.Skip, func(glob string) bool { return harness.MatchGlob(glob, rel) }) {
			return true
		}
	}
	return false
}
