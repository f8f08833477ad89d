package languages

import (
	"path"
	"strings"

	"assay/bench"
	"assay/languages/syntax"
)

// About implements Language.
func (javaLanguage) About() bench.Language { return about(Java) }

// Classify implements Language.
func (javaLanguage) Classify(p string) PathKind { return classify(Java, p) }

// Tests implements Language.
func (javaLanguage) Tests(p string, src []byte) ([]syntax.Test, error) {
	return syntaxTests(Java, p, src)
}

// Finder implements Language.
func (javaLanguage) Finder(known []string) func(string) []string {
	return newDottedIDs(Java, known).find
}

// PublishedFiles implements Language.
func (javaLanguage) PublishedFiles(ids []string, repo Repository) []string {
	return filesOf(ids, indexPaths(repo.Paths(), about(Java).Tests), javaFile)
}

// TestSettings implements settingsReader.
func (javaLanguage) TestSettings(repo Repository) Settings {
	s := Settings{}
	javaServices(s, repo)
	for _, p := range repo.Paths() {
		if path.Base(p) == "pom.xml" && !strings.Contains("/"+p, "/src/") && !strings.Contains("/"+p, "/target/") {
			pomSubject(s, p, repo.Text(p))
		}
	}
	return s
}
