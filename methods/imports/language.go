package imports

import (
	"assay/languages"
	"assay/languages/syntax"
)

// language is what the repair of imports needs to know of a language.
type language struct {
	name    string
	correct func(f *Finder, statement string) []string
	find    func(f *Finder, name string) (string, bool)
	// fallback is a statement for a name that is nowhere to be found.
	fallback func(name string) string
	unknown  func(f *Finder, src []byte, lines []syntax.Range) []string
	inner    func(src []byte, lines []syntax.Range) []Statement
	// inside puts a statement into a function that uses what it makes known; nil
	// for a language that has imports at a file's head only.
	inside func(src []byte, lines []syntax.Range, statement string) ([]byte, bool)
	// head is after how many lines imports may begin.
	head func(lines []string) int
}

// languageOf is what is known of a language; of an unknown one, nothing is
// repaired.
func languageOf(name string) language {
	for _, l := range []language{pythonLanguage(), javaLanguage(), cppLanguage()} {
		if l.name == name {
			return l
		}
	}
	return plainLanguage(name)
}

func plainLanguage(name string) language {
	return language{
		name:     name,
		correct:  func(_ *Finder, statement string) []string { return []string{statement} },
		find:     func(*Finder, string) (string, bool) { return "", false },
		fallback: func(string) string { return "" },
		unknown:  func(*Finder, []byte, []syntax.Range) []string { return nil },
		inner:    func([]byte, []syntax.Range) []Statement { return nil },
		head:     func([]string) int { return 0 },
	}
}

// isTest reports whether a file belongs to the tests.
func (l language) isTest(p string) bool {
	return languages.IsTest(languages.Default().Named(l.name), p)
}

// on reports whether a line is one of some.
func on(lines []syntax.Range, line int) bool {
	for _, r := range lines {
		if line >= r.Start && line <= r.End {
			return true
		}
	}
	return false
}
