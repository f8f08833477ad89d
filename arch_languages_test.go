package assay

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// languageFile is the name of a file about one language.
var languageFile = regexp.MustCompile(`_(python|java|cpp)\.go$`)

// namesLanguages lists the other files that may name a language, and why. What
// a package needs to know of a language goes into a file NAME_LANGUAGE.go,
// whose value is in the package's list.
func namesLanguages() map[string]string {
	return map[string]string{
		"style/linters/pylint.go":           "a linter names its language",
		"style/linters/checkstyle.go":       "a linter names its language",
		"style/linters/pmd.go":              "a linter names its language",
		"style/linters/clangtidy.go":        "a linter names its language",
		"badpatch/badpatchtest/fixtures.go": "made-up fixes for tests, one of each language",
		"badpatch/badpatchtest/outcomes.go": "a made-up instance for tests",
		"cmd/assay/doctor.go":               "java is a program there",
	}
}

// TestLanguagesAreNamedInTheirFiles checks that a language's constant or name
// is used only in languages, in the files of that language, and where the
// table above allows it.
func TestLanguagesAreNamedInTheirFiles(t *testing.T) {
	may, used := namesLanguages(), map[string]bool{}
	own := 0
	for _, file := range goFiles(t) {
		p := filepath.ToSlash(file)
		if strings.HasSuffix(p, "_test.go") || strings.HasPrefix(p, "languages/") {
			continue
		}
		names := languagesIn(t, file)
		switch {
		case len(names) == 0:
		case languageFile.MatchString(p):
			own++
		default:
			require.NotEmpty(t, may[p], "%s names languages: %s. Put that into a file of the language (see namesLanguages)", p, strings.Join(names, ", "))
			used[p] = true
		}
	}
	for p := range may {
		require.True(t, used[p], "%s names no language any more: take it out of the table", p)
	}
	require.Positive(t, own, "some files are about one language")
}

// languagesIn lists where a file names a language: the constants of package
// languages, and strings that are a language's name.
func languagesIn(t *testing.T, file string) []string {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, 0)
	require.NoError(t, err)
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "languages" && slices.Contains([]string{"Python", "Java", "Cpp"}, n.Sel.Name) {
				name = "languages." + n.Sel.Name
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && slices.Contains([]string{"python", "java", "cpp"}, text) {
				name = n.Value
			}
		}
		if name != "" {
			out = append(out, name+" in line "+strconv.Itoa(set.Position(n.Pos()).Line))
		}
		return true
	})
	return out
}

// TestLanguagesAreFound keeps the search from finding nothing.
func TestLanguagesAreFound(t *testing.T) {
	require.Contains(t, languagesIn(t, "review/language_cpp.go"), "languages.Cpp in line 10")
	require.Contains(t, languagesIn(t, "bench/language_java.go"), `"java" in line 5`)
}
