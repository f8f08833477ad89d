package bench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExtensionsAreInOneList(t *testing.T) {
	of := map[string]string{}
	for _, l := range KnownLanguages() {
		for _, ext := range slices.Concat(l.Sources, l.Headers, l.Fragments, l.Dialects) {
			require.Empty(t, of[ext], "%s of %s", ext, l.Name)
			of[ext] = l.Name
		}
		for _, ext := range l.Common {
			require.Equal(t, l.Name, of[ext], ext)
		}
		require.NotEmpty(t, l.Tests)
	}
}

func TestLanguageFiles(t *testing.T) {
	for p, want := range map[string]struct {
		language                       string
		whole, code, related, runnable bool
	}{
		"a.cc": {"cpp", true, true, true, true}, "a.CPP": {"cpp", true, true, true, false}, "a.C": {"cpp", true, true, true, true},
		"a.h": {"cpp", true, true, true, false}, "a.h++": {"cpp", true, true, true, false}, "a.tcc": {"cpp", false, true, true, false},
		"a.inc": {"cpp", false, true, true, false}, "a.cu": {"cpp", false, false, true, false}, "a.py": {"cpp", false, false, false, false},
		"b.py": {"python", true, true, true, true}, "b.pyi": {"python", false, true, true, false}, "b.pyx": {"python", false, false, true, false},
		"C.java": {"java", true, true, true, true}, "C.kt": {"java", false, false, false, true},
	} {
		l, ok := KnownLanguages().Lookup(want.language)
		require.True(t, ok)
		require.Equal(t, want.whole, l.IsWhole(p), p)
		require.Equal(t, want.code, l.IsCode(p), p)
		require.Equal(t, want.related, l.IsRelated(p), p)
		require.Equal(t, want.runnable, l.IsRunnable(p), p)
	}
}

func TestLanguageOfPatches(t *testing.T) {
	diff := func(files ...string) string {
		out := ""
		for _, f := range files {
			out += "--- a/" + f + "\n+++ b/" + f + "\n"
		}
		return out
	}
	for name, c := range map[string]struct{ tests, gold, want string }{
		"tests count first":           {diff("T.java"), diff("a.py"), "java"},
		"then gold":                   {diff("data.txt"), diff("a.hxx"), "cpp"},
		"most files":                  {diff("a.py", "b.cpp", "c.cpp"), "", "cpp"},
		"even: the first":             {diff("b.cpp", "a.py"), "", "python"},
		"even without the first":      {diff("b.cpp", "A.java"), "", "java"},
		"build files":                 {diff("x.txt"), diff("build.gradle.kts"), "java"},
		"CMake":                       {"", diff("cmake/x.cmake", "CMakeLists.txt"), "cpp"},
		"nothing":                     {"", diff("x.txt"), "python"},
		".inc says nothing":           {"", diff("x.inc"), "python"},
		"upper case":                  {"", diff("X.CPP"), "cpp"},
		"code comes before its build": {"", diff("pom.xml", "a.py"), "python"},
	} {
		require.Equal(t, c.want, KnownLanguages().ofPatches(c.tests, c.gold), name)
	}
	require.Empty(t, Languages{}.ofPatches("", diff("a.py")))
	require.True(t, KnownLanguages().touched(diff("a.cc")))
	require.False(t, KnownLanguages().touched(diff("a.php", "b.inc")))
}

func TestLanguageNames(t *testing.T) {
	require.Equal(t, []string{"python", "java", "cpp"}, KnownLanguages().Names())
	require.Equal(t, []string{"python", "cpp", "java"}, KnownLanguages().InTables(), "the order of the paper's tables")
	require.Equal(t, "python", DefaultLanguage())
	for spelling, want := range map[string]string{" C++ ": "cpp", "cxx": "cpp", "Py": "python", "JAVA": "java"} {
		got, known := KnownLanguages().Normalise(spelling)
		require.True(t, known)
		require.Equal(t, want, got)
	}
	got, known := KnownLanguages().Normalise("Shell")
	require.False(t, known)
	require.Equal(t, "Shell", got)
	_, ok := KnownLanguages().Lookup("c++")
	require.False(t, ok, "an alias is no name")
}
