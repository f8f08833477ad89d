package outline

import (
	"regexp"
	"strings"

	"assay/languages"
	"assay/languages/syntax"
	"assay/languages/token"
)

func pythonLanguage() language {
	return language{
		name: languages.Python, apart: 2, qualified: joined("."), tokens: token.Python,
		place: placePython, empty: func(f *File) spot { return spot{line: len(f.lines)} },
		unwrap: unwrapPython, newFile: func(_, code string) string { return code + "\n" },
	}
}

// pythonObject is the first function of a code, if it takes the object that it
// is called on.
var pythonObject = regexp.MustCompile(`(?m)^(?:async )?def \w+\(\s*self\b`)

// pythonSelf is the head of a method up to its first own parameter.
var pythonSelf = regexp.MustCompile(`(?m)^((?:async )?def \w+\()\s*self\s*,?\s*`)

// placePython puts a method after a method and a function after a function:
// the parameter self decides, as models forget the class more easily.
func placePython(f *File, code string, prior Function) spot {
	method, inClass := pythonObject.MatchString(code), len(prior.symbol.Parents) > 0
	switch {
	case method == inClass:
		return f.after(prior)
	case !method:
		return spot{line: f.outermost(prior).End}
	}
	for i := len(f.Functions) - 1; i >= 0; i-- {
		if fn := f.Functions[i]; fn.Test && len(fn.symbol.Parents) > 0 {
			return f.after(fn)
		}
	}
	at := f.after(prior)
	at.drop = true
	return at
}

// outermost is the class at the file's own level that holds a function, or the
// function itself.
func (f *File) outermost(fn Function) syntax.Symbol {
	out := fn.symbol
	for _, s := range f.parsed.Symbols {
		if s.Kind == syntax.Class && s.Start <= out.Start && s.End >= out.End {
			out = s
		}
	}
	return out
}

// unwrapPython takes the functions out of a class that the file has. Another
// class is left as it is.
func unwrapPython(f *File, code string) string {
	parsed, err := syntax.Parse(f.lang.name, []byte(code))
	if err != nil || len(parsed.Symbols) == 0 || parsed.Symbols[0].Kind != syntax.Class {
		return code
	}
	class := parsed.Symbols[0]
	if !f.taken("", class.Name) {
		return code
	}
	lines := strings.Split(code, "\n")
	var out []string
	for _, s := range parsed.Symbols {
		if s.Kind == syntax.Function && len(s.Parents) == 1 && s.Parents[0] == class.Name {
			out = append(out, dedent(f.lang.name, strings.Join(lines[s.Start-1:s.End], "\n")))
		}
	}
	if len(out) == 0 {
		return code
	}
	return strings.Join(out, "\n\n")
}
