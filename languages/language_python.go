package languages

import (
	"path"
	"strings"

	"assay/bench"
	"assay/languages/syntax"
)

// About implements Language.
func (pythonLanguage) About() bench.Language { return about(Python) }

// Classify implements Language.
func (pythonLanguage) Classify(p string) PathKind { return classify(Python, p) }

// Tests implements Language.
func (pythonLanguage) Tests(p string, src []byte) ([]syntax.Test, error) {
	return syntaxTests(Python, p, src)
}

// Finder implements Language.
func (pythonLanguage) Finder(known []string) func(string) []string {
	return newDottedIDs(Python, known).find
}

// PublishedFiles implements Language.
func (pythonLanguage) PublishedFiles(ids []string, repo Repository) []string {
	return filesOf(ids, indexPaths(repo.Paths(), about(Python).Tests), pythonFile)
}

// TestSettings implements settingsReader.
func (pythonLanguage) TestSettings(repo Repository) Settings {
	s := Settings{}
	pytestSubject(s, repo)
	return s
}

// HoldsTests implements holder. A file by another name than a test's must hold
// tests: importing a script that is only data could end the runner.
func (pythonLanguage) HoldsTests(p string, repo Repository) bool {
	name := strings.TrimSuffix(path.Base(p), ".py")
	if strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test") || name == "tests" || name == "test" {
		return true
	}
	tests, err := syntaxTests(Python, p, []byte(repo.Text(p)))
	return err == nil && len(tests) > 0
}
