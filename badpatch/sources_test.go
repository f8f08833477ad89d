package badpatch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
	"assay/languages/syntax"
)

// TestSources compares all candidates of the sources with golden files; those
// of the operators, which have files of their own, by name and place.
func TestSources(t *testing.T) {
	for _, f := range fixtures(t) {
		for _, source := range Sources() {
			t.Run(f.language+"/"+source.Name(), func(t *testing.T) {
				var b strings.Builder
				for _, c := range collect(t, source, f.subject(t)) {
					fmt.Fprintf(&b, "# %s %s %s tier %d, %s:%d: %s\n", c.Operator, c.Category, c.Kind, c.Tier, c.Detail.Path, c.Detail.Line, c.Detail.What)
					if source.Name() != "operator" {
						fmt.Fprintf(&b, "%s\n", c.Patch)
					}
				}
				golden(t, filepath.Join("testdata", "fix", f.language, source.Name()+".golden"), b.String(), *update)
			})
		}
	}
}

// TestCandidatesHold holds for every candidate of every source that it says
// where it is from, that its patch applies to base strictly, and that the filter
// finds a cause or a patch that parses.
func TestCandidatesHold(t *testing.T) {
	for _, f := range fixtures(t) {
		s := f.subject(t)
		filter, err := NewFilter(s)
		require.NoError(t, err)
		defer filter.Close()
		kept, made, drops := 0, 0, map[Cause]int{}
		for _, source := range Sources() {
			for _, c := range collect(t, source, s) {
				made++
				require.Equal(t, source.Name(), c.Source)
				require.NotEmpty(t, c.Operator)
				require.NotEmpty(t, c.Detail.What)
				require.Contains(t, "ABCDEF", string(c.Category))
				require.Contains(t, []Kind{KindPartial, KindUnnecessary, KindIncorrect}, c.Kind)
				p, err := patch.Parse([]byte(c.Patch))
				require.NoError(t, err)
				changes, err := patch.Apply(tree(f.base), p)
				require.NoError(t, err)
				require.Equal(t, patch.Strict, changes.Method)
				cause, err := filter.Check(c)
				require.NoError(t, err)
				if cause != "" {
					drops[cause]++
					continue
				}
				kept++
				_, errs, err := syntax.Nodes(f.language, changes.Write[f.path].Data)
				require.NoError(t, err)
				require.Zero(t, errs, "%s\n%s", c.Operator, c.Patch)
				again, err := filter.Check(c)
				require.NoError(t, err)
				require.Equal(t, LikeAnother, again)
			}
		}
		require.Greater(t, kept, made*7/10, "%v", drops)
	}
}

func TestSeedDecidesOrder(t *testing.T) {
	f := fixtures(t)[0]
	list := func(seed uint64) string {
		s := f.subject(t)
		s.Seed = seed
		var b strings.Builder
		for _, source := range Sources() {
			for _, c := range collect(t, source, s) {
				fmt.Fprintf(&b, "%+v\n", c)
			}
		}
		return b.String()
	}
	require.Equal(t, list(1), list(1))
	require.NotEqual(t, list(1), strings.ReplaceAll(list(2), "Seed:2", "Seed:1"))
}

func TestOperatorsStopEarlyWithSomeOfAll(t *testing.T) {
	s := fixtures(t)[0].subject(t)
	seen := map[string]bool{}
	n := 0
	for c, err := range (Operators{}).Candidates(t.Context(), s) {
		require.NoError(t, err)
		require.Equal(t, Lines, c.Tier)
		require.False(t, seen[c.Operator], "%s comes twice before others came once", c.Operator)
		seen[c.Operator] = true
		if n++; n == 20 {
			break
		}
	}
	require.Len(t, seen, 20)
}

func TestOperatorsBounds(t *testing.T) {
	s := fixtures(t)[0].subject(t)
	counts := map[string]int{}
	for _, c := range collect(t, Operators{PerOperator: 1}, s) {
		counts[fmt.Sprint(c.Operator, c.Tier)]++
	}
	for key, n := range counts {
		require.Equal(t, 1, n, key)
	}
}

// TestTwins holds that a function that two files share is mutated in both.
func TestTwins(t *testing.T) {
	base := "int f(int x) {\n  return x;\n}\n"
	gold := "int f(int x) {\n  if (x > 3) return 3;\n  return x;\n}\n"
	s := subject(t, "cpp", texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, texts{"include/a.hpp": gold, "single/all.hpp": "// all\n" + gold})
	for _, c := range collect(t, Operators{}, s) {
		a := state(t, texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, c.Patch, "include/a.hpp")
		b := state(t, texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, c.Patch, "single/all.hpp")
		require.Equal(t, "// all\n"+a, b, c.Operator)
		require.NotEqual(t, gold, a)
	}
}

// TestDeletionTakenBack holds that where gold only takes away, what it takes is
// also got wrong in place.
func TestDeletionTakenBack(t *testing.T) {
	base := texts{"m.py": "def f(x):\n    if not x:\n        raise ValueError('x')\n    y = x\n    return y\n"}
	gold := texts{"m.py": "def f(x):\n    y = x\n    return y\n"}
	s := subject(t, "python", base, gold)
	found := false
	for _, c := range collect(t, Operators{}, s) {
		found = found || state(t, base, c.Patch, "m.py") == strings.Replace(base["m.py"], "raise ValueError('x')", "return None", 1)
	}
	require.True(t, found)
}
