package languages

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/languages/syntax"
)

// genericLanguage stands for every language that assay does not know. It
// serves instances that have an image and a test command.
type genericLanguage struct{ name string }

// About implements Language.
func (l genericLanguage) About() bench.Language {
	return bench.Language{Name: l.name, Title: l.name}
}

// Classify implements Language.
func (l genericLanguage) Classify(p string) PathKind { return classify(l.name, p) }

// Tests implements Language.
func (l genericLanguage) Tests(string, []byte) ([]syntax.Test, error) {
	return nil, fmt.Errorf("finding tests: language %q is not known", l.name)
}

// Finder implements Language.
func (genericLanguage) Finder(known []string) func(string) []string { return ExactIDs(known) }

// PublishedFiles implements Language. Ids do not show it.
func (genericLanguage) PublishedFiles([]string, Repository) []string { return nil }

var errGeneric = errors.New("only bug fixes can be judged in this language, in an image with a test command")

// Defaults implements Language: an image is complete.
func (genericLanguage) Defaults(bench.Env, Facts) (bench.Env, []bench.Decision, error) {
	return bench.Env{}, nil, errGeneric
}

// Warm implements Language.
func (genericLanguage) Warm(bench.Env, Suite) string { return "" }

// Command implements Language. It is not reached: the instance has its own.
func (genericLanguage) Command(bench.Env, Suite) Command { return Command{Script: "exit 1\n"} }

// genericTestName follows the habits of the runners of other languages:
// x.test.js, x.spec.ts, x_test.go, x_spec.rb, XTest.php, test_x.rb.
func genericTestName(stem string) bool {
	for _, suffix := range []string{".test", ".spec", "_test", "_tests", "_spec", "-test", "-spec", "Test", "Tests", "Spec"} {
		if strings.HasSuffix(stem, suffix) {
			return true
		}
	}
	return strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "test-") || stem == "tests" || stem == "test"
}

// genericTestDir adds the folders of those runners to the usual ones.
func genericTestDir(dirs []string) bool {
	for _, d := range dirs {
		switch path.Base(d) {
		case "__tests__", "__mocks__", "__snapshots__", "spec", "specs", "features", "cypress":
			return true
		}
	}
	return false
}

// ExactIDs matches published ids of tests whose names assay cannot parse: as
// they are, except for blanks at their ends.
func ExactIDs(known []string) func(string) []string {
	byName := map[string][]string{}
	for _, id := range known {
		name := strings.TrimSpace(id)
		byName[name] = append(byName[name], id)
	}
	return func(published string) []string { return byName[strings.TrimSpace(published)] }
}
