package outline

import (
	"strings"

	"assay/languages/syntax"
	"assay/languages/token"
)

// language is what putting functions into a file needs to know of a language.
type language struct {
	name string
	// qualified is the name by which a function of a file is called.
	qualified func(syntax.Symbol) string
	// place chooses where code goes, after the function that was named.
	place func(f *File, code string, prior Function) spot
	// empty is the place in a file without functions.
	empty func(f *File) spot
	// unwrap takes the functions out of a class that a model put around them.
	unwrap func(f *File, code string) string
	// tokens splits source.
	tokens func([]byte) []token.Token
	// apart are the blank lines between functions that are not indented.
	apart int
	// newFile makes a file of code that is to be alone in it.
	newFile func(path, code string) string
}

// languageOf is what is known of a language; of an unknown one, that functions
// follow each other.
func languageOf(name string) language {
	for _, l := range []language{pythonLanguage(), javaLanguage(), cppLanguage()} {
		if l.name == name {
			return l
		}
	}
	return language{
		name: name, apart: 1, qualified: joined("."), tokens: func([]byte) []token.Token { return nil },
		place:   func(f *File, _ string, prior Function) spot { return f.after(prior) },
		empty:   func(f *File) spot { return spot{line: len(f.lines)} },
		unwrap:  func(_ *File, code string) string { return code },
		newFile: func(_, code string) string { return code },
	}
}

// joined puts a separator between classes and function.
func joined(separator string) func(syntax.Symbol) string {
	return func(s syntax.Symbol) string {
		return strings.Join(append(append([]string(nil), s.Parents...), s.Name), separator)
	}
}
