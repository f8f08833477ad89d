package badpatch

import (
	"embed"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/fix testdata/sample.py testdata/Sample.java testdata/sample.cpp
var files embed.FS

// fixture is a made-up fix in a language.
type fixture struct {
	language   string
	path       string
	base, gold texts
}

func fixtures(t testing.TB) []fixture {
	var out []fixture
	for _, f := range [][3]string{{"python", "py", "lib/store.py"}, {"java", "java", "src/main/java/fix/Store.java"}, {"cpp", "cpp", "src/store.cpp"}} {
		read := func(name string) string {
			text, err := files.ReadFile("testdata/fix/" + f[0] + "/" + name + "." + f[1])
			require.NoError(t, err)
			return string(text)
		}
		out = append(out, fixture{f[0], f[2], texts{f[2]: read("base")}, texts{f[2]: read("gold")}})
	}
	return out
}

func (f fixture) subject(t testing.TB, failures ...Failure) *Subject {
	return subject(t, f.language, f.base, f.gold, failures...)
}

// sample is a file of a language with something in it for every operator.
func sample(t testing.TB, language string) (name string, text []byte) {
	name = map[string]string{"python": "sample.py", "java": "Sample.java", "cpp": "sample.cpp"}[language]
	text, err := files.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return name, text
}

// golden compares a text with a file, or writes the file.
func golden(t testing.TB, path, got string, write bool) {
	if write {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
