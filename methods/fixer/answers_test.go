package fixer

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/searchreplace"
)

// known are the paths of a tree.
func known() []string {
	return []string{"a b/odd.py", "lib/core/slug.py", "lib/fold.py", "lib/other/slug.py", "setup.py"}
}

func TestPathsIn(t *testing.T) {
	for name, tt := range map[string]struct{ answer, want string }{
		"plain":          {"lib/fold.py\nsetup.py\n", "lib/fold.py,setup.py"},
		"list":           {"1. `lib/fold.py`\n2) **setup.py**: as it says\n- ./lib/core/slug.py", "lib/fold.py,setup.py,lib/core/slug.py"},
		"fence":          {"Here:\n```\nlib/fold.py\n```", "lib/fold.py"},
		"in a sentence":  {"I would look at lib/fold.py (and setup.py).", "lib/fold.py,setup.py"},
		"twice":          {"lib/fold.py\nlib/fold.py", "lib/fold.py"},
		"blank in it":    {"a b/odd.py", "a b/odd.py"},
		"end of a path":  {"fold.py\ncore/slug.py", "lib/fold.py,lib/core/slug.py"},
		"more in front":  {"/testbed/lib/fold.py", "lib/fold.py"},
		"two it may be":  {"slug.py", ""},
		"not there":      {"lib/gone.py\nlib/Fold.py", ""},
		"a word":         {"lib", ""},
		"empty":          {"", ""},
		"nothing but it": {"...", ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, strings.Join(pathsIn(tt.answer, known()), ","))
		})
	}
}

func TestPlacesIn(t *testing.T) {
	lines := func(path string, from, to int) place {
		return place{path: path, span: searchreplace.Span{Start: from, End: to}}
	}
	for name, tt := range map[string]struct {
		answer string
		want   []place
	}{
		"names":            {"lib/fold.py\nfunction: Purse.close\nclass: Purse\n", []place{{path: "lib/fold.py", name: "Purse.close"}, {path: "lib/fold.py", name: "Purse"}}},
		"separators":       {"lib/fold.py\nmethod: shop::Purse::close(int x)\nfunction: Purse#open()\nfunction: A$B.c", []place{{path: "lib/fold.py", name: "shop.Purse.close"}, {path: "lib/fold.py", name: "Purse.open"}, {path: "lib/fold.py", name: "A.B.c"}}},
		"a return type":    {"lib/fold.py\nfunction: static int *count(int)", []place{{path: "lib/fold.py", name: "count"}}},
		"lines":            {"lib/fold.py\nline: 12\nlines: 3-5, 8\nLine: 20 to 22\n", []place{lines("lib/fold.py", 12, 12), lines("lib/fold.py", 3, 5), lines("lib/fold.py", 8, 8), lines("lib/fold.py", 20, 22)}},
		"two files":        {"### lib/fold.py\n- function: f\n\n### setup.py\n* line: 1", []place{{path: "lib/fold.py", name: "f"}, lines("setup.py", 1, 1)}},
		"fences and prose": {"These:\n```\nlib/fold.py\nfunction: `f`\n```\nThat is all.", []place{{path: "lib/fold.py", name: "f"}}},
		"no path":          {"function: f\nline: 3", nil},
		"another file":     {"lib/gone.py\nfunction: f", nil},
		"no number":        {"lib/fold.py\nline: twelve\nline: 0\nline: 9-3\nline: 99999999999999999999", nil},
		"no name":          {"lib/fold.py\nfunction: ()", nil},
		"empty":            {"", nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, placesIn(tt.answer, known())) })
	}
}

// FuzzAnswers checks that what an answer names exists, or could.
func FuzzAnswers(f *testing.F) {
	f.Add("lib/fold.py\nfunction: Purse::close()\nlines: 3-5\n")
	f.Add("1. `fold.py`\nclass: A$B#c\nline: 99999999999\n\xff")
	f.Fuzz(func(t *testing.T, answer string) {
		paths := pathsIn(answer, known())
		for _, p := range paths {
			require.Contains(t, known(), p)
		}
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(paths))), len(paths), "each once")
		for _, p := range placesIn(answer, known()) {
			require.Contains(t, known(), p.path)
			if p.name == "" {
				require.Positive(t, p.span.Start)
				require.GreaterOrEqual(t, p.span.End, p.span.Start)
			}
		}
	})
}
