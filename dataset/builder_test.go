package dataset

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/review"
)

func TestSources(t *testing.T) {
	paths := []string{
		"setup.py", "lib/a.py", "lib/b.pyi", "tests/test_a.py", "docs/conf.py", "lib/_vendor/six.py", "conftest.py", "README.md",
	}
	require.Equal(t, []string{"lib/a.py"}, sources(languages.Default().Named("python"), paths))
	require.Equal(t, []string{"src/main/java/A.java"}, sources(languages.Default().Named("java"), []string{
		"src/main/java/A.java", "src/test/java/ATest.java", "src/main/java/package-info.java", "pom.xml",
	}))
	require.Equal(t, []string{"include/a.hpp", "src/a.cc"}, sources(languages.Default().Named("cpp"), []string{
		"include/a.hpp", "src/a.cc", "single_include/a.hpp", "third_party/z.c", "test/a_test.cc", "CMakeLists.txt",
	}))
}

func TestSample(t *testing.T) {
	var all []string
	for i := range 50 {
		all = append(all, fmt.Sprintf("f%02d.py", i))
	}
	first := map[string]bool{"f07.py": true, "f31.py": true}
	a := sample(all, first, 10, 1)
	require.Len(t, a, 10)
	require.Contains(t, a, "f07.py")
	require.Contains(t, a, "f31.py")
	require.IsNonDecreasing(t, a)
	require.Equal(t, a, sample(all, first, 10, 1))
	require.NotEqual(t, a, sample(all, first, 10, 2))
	require.Equal(t, all, sample(all, first, 0, 1))
}

func TestReviewable(t *testing.T) {
	var bad []bench.BadPatch
	for i, l := range []bench.Level{
		bench.LevelUnapplied, bench.LevelBreaksP2P, bench.LevelPassesAll, bench.LevelUnbuilt, bench.LevelFailsF2P, bench.LevelUndecided, bench.LevelFailsF2P,
	} {
		bad = append(bad, bench.BadPatch{Index: i, Level: l})
	}
	order := func(most int) []int {
		var out []int
		for _, b := range reviewable(bad, most) {
			out = append(out, b.Index)
		}
		return out
	}
	require.Equal(t, []int{4, 6, 1, 3}, order(0))
	require.Equal(t, []int{4}, order(1))
}

func TestEnvironmentGetsTheLinter(t *testing.T) {
	require.Equal(t, []string{"pmd"}, envWith(nil, "pmd").Linters)
	old := &bench.Env{Framework: "maven", Linters: []string{"pmd"}}
	got := envWith(old, "checkstyle")
	require.Equal(t, []string{"checkstyle", "pmd"}, got.Linters)
	require.Equal(t, "maven", got.Framework)
	require.Equal(t, []string{"pmd"}, old.Linters, "the instance's own stays as it is")
	require.Equal(t, []string{"pmd"}, envWith(old, "pmd").Linters)
}

func TestFigures(t *testing.T) {
	f := &Figures{}
	f.Add(Record{Reviews: []ReviewRecord{{Figures: review.Figures{Reviews: 1, Leaking: review.Share{Count: 1, Of: 1}}}, {Figures: review.Figures{Reviews: 1, Leaking: review.Share{Of: 1}}}}})
	require.Equal(t, 2, f.Reviews)
	require.Equal(t, review.Share{Count: 1, Of: 2}, f.Leaking)
}
