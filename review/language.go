package review

import "assay/bench"

// writing is how a language writes code, names and tests.
type writing struct {
	language string
	dialect  dialect
	// separator is between a class and its member.
	separator string
	// macros is set if the grammar may not follow the code, so that it puts
	// functions into the wrong classes.
	macros bool
	// test is the part of a test's id that a person would call it by.
	test func(id string) string
}

// writingOf is how a language writes; of an unknown one names are left as they
// are.
func writingOf(language string) writing {
	for _, w := range []writing{pythonWriting(), javaWriting(), cppWriting()} {
		if w.language == language {
			return w
		}
	}
	return writing{language: language, dialect: plain, separator: ".", test: func(id string) string { return id }}
}

// writingOfFile is that of the language to whose code a path belongs, in a
// dialect or not; false where there is none.
func writingOfFile(p string) (writing, bool) {
	for _, l := range bench.KnownLanguages() {
		if l.IsRelated(p) {
			return writingOf(l.Name), true
		}
	}
	return writingOf(""), false
}
