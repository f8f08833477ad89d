package badpatchtest

import (
	"embed"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
)

//go:embed testdata/fix testdata/sample.py testdata/Sample.java testdata/sample.cpp
var files embed.FS

// Fixture is a made-up fix in a language.
type Fixture struct {
	Language   string
	Path       string
	Base, Gold Texts
}

// Fixtures are the made-up fixes, one in each language.
func Fixtures(t testing.TB) []Fixture {
	var out []Fixture
	for _, f := range [][3]string{{"python", "py", "lib/store.py"}, {"java", "java", "src/main/java/fix/Store.java"}, {"cpp", "cpp", "src/store.cpp"}} {
		read := func(name string) string {
			text, err := files.ReadFile("testdata/fix/" + f[0] + "/" + name + "." + f[1])
			require.NoError(t, err)
			return string(text)
		}
		out = append(out, Fixture{f[0], f[2], Texts{f[2]: read("base")}, Texts{f[2]: read("gold")}})
	}
	return out
}

// Subject makes a subject of the fix.
func (f Fixture) Subject(t testing.TB, failures ...badpatch.Failure) *badpatch.Subject {
	return Subject(t, f.Language, f.Base, f.Gold, failures...)
}

// Sample is a file of a language with something in it for every operator.
func Sample(t testing.TB, language string) (name string, text []byte) {
	name = map[string]string{"python": "sample.py", "java": "Sample.java", "cpp": "sample.cpp"}[language]
	text, err := files.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return name, text
}

// Golden compares a text with a file, or writes the file.
func Golden(t testing.TB, path, got string, write bool) {
	if write {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// ClampBase is a small file of Python.
const ClampBase = "import re\n\nLIMIT = 3\n\n\ndef clamp(x):\n    return x\n\n\ndef other(x):\n    if x:\n        x = 1\n    return x\n"

// ClampGold is ClampBase with a fix.
const ClampGold = "import re\n\nLIMIT = 3\n\n\ndef clamp(x):\n    if x > LIMIT:\n        x = LIMIT\n    y = x\n    y = x\n    return y\n\n\ndef other(x):\n    if x:\n        x = 1\n    return x\n"
