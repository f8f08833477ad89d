package outline

import (
	"assay/languages"
	"assay/languages/syntax"
	"assay/languages/token"
)

func cppLanguage() language {
	return language{
		name: languages.Cpp, apart: 1, qualified: cppName, tokens: token.Cpp,
		place:  placeCpp,
		empty:  func(f *File) spot { return spot{line: len(f.lines)} },
		unwrap: func(_ *File, code string) string { return code }, newFile: func(_, code string) string { return code + "\n" },
	}
}

// cppName calls a test by its suite and name, or by its text.
func cppName(s syntax.Symbol) string {
	switch {
	case s.Kind != syntax.TestCase:
		return joined("::")(s)
	case s.Suite != "":
		return s.Suite + "." + s.Name
	}
	return s.Name
}

// placeCpp puts a test after a function, never into a class. A function that is
// indented and has no parent is a method of a class that could not be parsed, such
// as one below a macro that opens a namespace: the test is put at the file's end.
func placeCpp(f *File, _ string, prior Function) spot {
	out := f.outermost(prior)
	indent := indentOf(f.line(out.Start))
	if indent != "" && len(out.Parents) == 0 && out.Kind != syntax.Class {
		return spot{line: len(f.lines)}
	}
	return spot{line: out.End, indent: indent}
}
