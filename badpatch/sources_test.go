package badpatch_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/antipattern"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/mutation"
	"assay/badpatch/rewrite"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sources are those that need neither a model nor the attempts of others.
func sources() []badpatch.Source {
	return []badpatch.Source{antipattern.Subsets{}, mutation.Operators{}, antipattern.Symptoms{}, antipattern.Undisciplined{}}
}

// TestSources compares all candidates of the sources with golden files; those
// of the operators, which have files of their own, by name and place.
func TestSources(t *testing.T) {
	for _, f := range badpatchtest.Fixtures(t) {
		for _, source := range sources() {
			t.Run(f.Language+"/"+source.Name(), func(t *testing.T) {
				var b strings.Builder
				for _, c := range badpatchtest.Collect(t, source, f.Subject(t)) {
					fmt.Fprintf(&b, "# %s %s %s tier %d, %s:%d: %s\n", c.Operator, c.Category, c.Kind, c.Tier, c.Detail.Path, c.Detail.Line, c.Detail.What)
					if source.Name() != "operator" {
						fmt.Fprintf(&b, "%s\n", c.Patch)
					}
				}
				badpatchtest.Golden(t, filepath.Join("testdata", "fix", f.Language, source.Name()+".golden"), b.String(), *update)
			})
		}
	}
}

// TestCandidatesHold checks for every candidate of every source that it
// reports where it is from, that its patch applies to base strictly, and that
// the filter finds a cause or a patch that parses.
func TestCandidatesHold(t *testing.T) {
	for _, f := range badpatchtest.Fixtures(t) {
		s := f.Subject(t)
		filter, err := badpatch.NewFilter(s)
		require.NoError(t, err)
		defer filter.Close()
		kept, made, drops := 0, 0, map[badpatch.Cause]int{}
		for _, source := range sources() {
			for _, c := range badpatchtest.Collect(t, source, s) {
				made++
				require.Equal(t, source.Name(), c.Source)
				require.NotEmpty(t, c.Operator)
				require.NotEmpty(t, c.Detail.What)
				require.Contains(t, "ABCDEF", string(c.Category))
				require.Contains(t, []badpatch.MistakeKind{badpatch.KindPartial, badpatch.KindUnnecessary, badpatch.KindIncorrect}, c.Kind)
				p, err := patch.Parse([]byte(c.Patch))
				require.NoError(t, err)
				changes, err := patch.Apply(badpatchtest.Tree(f.Base), p)
				require.NoError(t, err)
				require.Equal(t, patch.Strict, changes.Method)
				cause, err := filter.Check(c)
				require.NoError(t, err)
				if cause != "" {
					drops[cause]++
					continue
				}
				kept++
				_, errs, err := syntax.Nodes(f.Language, changes.Write[f.Path].Data)
				require.NoError(t, err)
				require.Zero(t, errs, "%s\n%s", c.Operator, c.Patch)
				again, err := filter.Check(c)
				require.NoError(t, err)
				require.Equal(t, badpatch.LikeAnother, again)
			}
		}
		require.Greater(t, kept, made*7/10, "%v", drops)
	}
}

func TestSeedDecidesOrder(t *testing.T) {
	f := badpatchtest.Fixtures(t)[0]
	list := func(seed uint64) string {
		s := f.Subject(t)
		s.Seed = seed
		var b strings.Builder
		for _, source := range sources() {
			for _, c := range badpatchtest.Collect(t, source, s) {
				fmt.Fprintf(&b, "%+v\n", c)
			}
		}
		return b.String()
	}
	require.Equal(t, list(1), list(1))
	require.NotEqual(t, list(1), strings.ReplaceAll(list(2), "Seed:2", "Seed:1"))
}

// FuzzSources holds for any fix that variants apply to base and parse no worse
// than gold, and that sources and filter take it.
func FuzzSources(f *testing.F) {
	names := []string{"python", "java", "cpp"}
	for i, x := range badpatchtest.Fixtures(f) {
		f.Add(uint8(i), []byte(x.Base[x.Path]), []byte(x.Gold[x.Path]))
	}
	f.Fuzz(func(t *testing.T, which uint8, before, after []byte) {
		language := names[int(which)%3]
		path := []string{"m.py", "A.java", "a.cc"}[int(which)%3]
		base, gold := badpatchtest.Texts{path: string(before)}, badpatchtest.Texts{path: string(after)}
		s, err := badpatch.NewSubject(badpatch.Input{Instance: &bench.Instance{ID: "a", Language: language, Patch: badpatchtest.Between(base, gold)}, Base: badpatchtest.Tree(base)})
		if err != nil {
			t.Skip(err) // a text that diffs cannot hold
		}
		all, err := rewrite.Variants(s)
		require.NoError(t, err)
		for _, v := range all {
			_, errs, err := syntax.Nodes(language, []byte(badpatchtest.State(t, base, v.Patch, path)))
			require.NoError(t, err)
			require.LessOrEqual(t, errs, s.Files[0].Gold.Errors)
		}
		filter, err := badpatch.NewFilter(s)
		require.NoError(t, err)
		defer filter.Close()
		for _, source := range []badpatch.Source{antipattern.Subsets{}, antipattern.Symptoms{}, antipattern.Undisciplined{}, mutation.Operators{PerOperator: 1}} {
			for c, err := range source.Candidates(t.Context(), s) {
				require.NoError(t, err)
				cause, err := filter.Check(c)
				require.NoError(t, err)
				require.NotContains(t, []badpatch.Cause{badpatch.Unparsed, badpatch.OffLimits}, cause)
			}
		}
	})
}
