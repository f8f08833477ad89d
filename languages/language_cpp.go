package languages

import (
	"assay/bench"
	"assay/languages/syntax"
)

// About implements Language.
func (cppLanguage) About() bench.Language { return about(Cpp) }

// Classify implements Language.
func (cppLanguage) Classify(p string) PathKind { return classify(Cpp, p) }

// Tests implements Language.
func (cppLanguage) Tests(p string, src []byte) ([]syntax.Test, error) {
	return syntaxTests(Cpp, p, src)
}

// Finder implements Language.
func (cppLanguage) Finder(known []string) func(string) []string { return newCppIDs(known).find }

// PublishedFiles implements Language.
func (cppLanguage) PublishedFiles(ids []string, repo Repository) []string {
	return cppPublishedFiles(ids, repo)
}
