package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/internal/patch"
)

// large is a tree of 50 files of 2,000 lines, and a diff that changes every
// fortieth line of each.
func large() (entries, []byte) {
	tree := make(entries)
	var diff []byte
	for n := range 50 {
		lines := numbered(2000)
		old := text(lines...)
		for i := 20; i < len(lines); i += 40 {
			lines[i] = "changed " + lines[i]
		}
		path := fmt.Sprintf("src/file%d.py", n)
		tree[path] = file(old)
		diff = append(diff, patch.Between(path, []byte(old), []byte(text(lines...)))...)
	}
	return tree, diff
}

func BenchmarkParse(b *testing.B) {
	_, diff := large()
	b.SetBytes(int64(len(diff)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := patch.Parse(diff); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	tree, diff := large()
	shifted := make(entries)
	for path, entry := range tree {
		shifted[path] = file(strings.Repeat("shift\n", 5) + string(entry.Data))
	}
	p, err := patch.Parse(diff)
	if err != nil {
		b.Fatal(err)
	}
	for name, tree := range map[string]entries{"strict": tree, "offset": shifted} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := patch.Apply(patch.MapTree(tree), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
