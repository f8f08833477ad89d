package outline

import (
	"slices"
	"strings"

	"assay/languages/syntax"
)

// spot is where code goes: after a line (0 is before the first), indented.
type spot struct {
	line   int
	indent string
	// drop removes the parameter of a method's object.
	drop bool
}

func (f *File) after(fn Function) spot {
	return spot{line: fn.End, indent: indentOf(f.line(fn.Start))}
}

// Insert returns the file with the functions of code after the first of priors
// that there is, by its name or one that is close; else after the last test or
// function. code may be indented in any way; one that is a class holds the
// functions in it. A function whose name is taken already is renamed.
func (f *File) Insert(code string, priors ...string) []byte {
	code = f.fresh(f.lang.unwrap(f, dedent(f.lang.name, code)))
	if len(strings.TrimSpace(string(f.Source))) == 0 {
		return []byte(f.lang.newFile(f.Path, code))
	}
	at := f.lang.empty(f)
	if fn, ok := f.prior(priors); ok {
		at = f.lang.place(f, code, fn)
	}
	return f.put(code, at)
}

// prior is the function after which a new one goes.
func (f *File) prior(names []string) (Function, bool) {
	for _, name := range names {
		if fn, ok := f.FindClose(name); ok {
			return fn, true
		}
	}
	for _, wanted := range []func(Function) bool{func(fn Function) bool { return fn.Test }, func(Function) bool { return true }} {
		for i := len(f.Functions) - 1; i >= 0; i-- {
			if wanted(f.Functions[i]) {
				return f.Functions[i], true
			}
		}
	}
	return Function{}, false
}

func (f *File) put(code string, at spot) []byte {
	if at.drop {
		code = pythonSelf.ReplaceAllString(code, "$1")
	}
	blank := 1
	if at.indent == "" {
		blank = f.lang.apart
	}
	var out []string
	out = append(out, f.lines[:at.line]...)
	if last := at.line - 1; last >= 0 && !opens(f.lines[last]) {
		out = append(out, make([]string, blank)...)
	}
	out = append(out, strings.Split(indent(f.lang.name, code, at.indent), "\n")...)
	if rest := f.lines[at.line:]; len(rest) > 0 {
		if s := strings.TrimSpace(rest[0]); s != "" && !strings.HasPrefix(s, "}") {
			out = append(out, make([]string, blank)...)
		}
		out = append(out, rest...)
	}
	return f.joined(out)
}

// opens reports whether a line opens a block: no blank line follows it.
func opens(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, "{") || strings.HasSuffix(line, ":")
}

// joined puts lines together, each with the end that the file's first has.
func (f *File) joined(lines []string) []byte {
	if len(f.lines) > 0 && strings.HasSuffix(f.lines[0], "\r") {
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\r") + "\r"
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// Replace returns the file with code in the place of a function. Code that does
// not hold a function of that name is put after it instead.
func (f *File) Replace(fn Function, code string) []byte {
	code = f.lang.unwrap(f, dedent(f.lang.name, code))
	if !slices.ContainsFunc(f.declared(code), func(s syntax.Symbol) bool { return s.Name == fn.Bare }) {
		return f.Insert(code, fn.Name)
	}
	lines := slices.Clone(f.lines[:fn.Start-1])
	lines = append(lines, strings.Split(indent(f.lang.name, code, indentOf(f.line(fn.Start))), "\n")...)
	return f.joined(append(lines, f.lines[min(fn.End, len(f.lines)):]...))
}

// declared are the functions and tests that a piece of code declares itself.
func (f *File) declared(code string) []syntax.Symbol {
	parsed, err := syntax.Parse(f.lang.name, []byte(code))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(parsed.Symbols, func(s syntax.Symbol) bool {
		return s.Kind == syntax.Class || s.Kind == syntax.Section || len(s.Parents) > 0
	})
}

// fresh renames tests of code whose names the file has already.
func (f *File) fresh(code string) string {
	for _, s := range f.declared(code) {
		if !f.taken(s.Suite, s.Name) {
			continue
		}
		name := s.Name
		for f.taken(s.Suite, name) {
			name = extended(name)
		}
		code = renamed(code, s, name)
	}
	return code
}

func (f *File) taken(suite, name string) bool {
	return slices.ContainsFunc(f.parsed.Symbols, func(s syntax.Symbol) bool { return s.Name == name && s.Suite == suite })
}

// extended is a name with one more word.
func extended(name string) string {
	switch {
	case strings.Contains(name, " "):
		return name + " too"
	case strings.Contains(name, "_"):
		return name + "_too"
	}
	return name + "Too"
}

// renamed changes a function's name wherever code uses it; that of a test macro
// where it is defined.
func renamed(code string, s syntax.Symbol, name string) string {
	lines := strings.Split(code, "\n")
	for i := range lines {
		defined := i+1 >= max(s.Start, s.HeadEnd+1) && i+1 <= s.End
		for from := 0; s.Kind == syntax.Function || defined; {
			at := wordIndex(lines[i][from:], s.Name)
			if at < 0 {
				break
			}
			at += from
			lines[i] = lines[i][:at] + name + lines[i][at+len(s.Name):]
			if from = at + len(name); s.Kind != syntax.Function {
				return strings.Join(lines, "\n")
			}
		}
	}
	return strings.Join(lines, "\n")
}

// NewFile returns the file that holds code and nothing else.
func NewFile(language, path, code string) []byte {
	return []byte(languageOf(language).newFile(path, dedent(language, code)))
}
