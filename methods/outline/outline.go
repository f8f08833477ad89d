// Package outline reads a source file as a list of functions that can be shown
// to a model, and that it can name; and puts whole functions, as a model wrote
// them, into the file.
package outline

import (
	"fmt"
	"slices"
	"strings"

	"assay/languages/syntax"
	"assay/methods/nearest"
)

// File is one source file. It is not changed after Read.
type File struct {
	Path   string
	Source []byte
	// Functions are in order of their lines: functions, methods and tests.
	Functions []Function
	// Imports are the statements of the file's head, as written.
	Imports []string

	lang   language
	lines  []string // without their ends
	parsed *syntax.File
}

// Function is a function, a method or a test.
type Function struct {
	// Name is unique in most files: Class.method, Suite.Name, or a test case's
	// text. Overloads share one.
	Name string
	// Bare is the name without its class.
	Bare       string
	Test       bool
	Start, End int // lines from 1, decorators and annotations included
	symbol     syntax.Symbol
}

// Read reads a file. language is the name of one that syntax can parse.
func Read(language, path string, src []byte) (*File, error) {
	parsed, err := syntax.Parse(language, src)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	f := &File{Path: path, Source: src, lang: languageOf(language), lines: splitLines(src), parsed: parsed}
	for _, r := range parsed.Imports {
		f.Imports = append(f.Imports, strings.TrimSpace(f.span(r.Start, r.End)))
	}
	tests := map[[2]int]bool{}
	for _, t := range syntax.Tests(language, path, parsed) {
		tests[[2]int{t.Start, t.End}] = true
	}
	symbols := parsed.Symbols
	parsed.Symbols = nil
	for _, s := range symbols {
		test := s.Kind == syntax.TestCase || tests[[2]int{s.Start, s.End}]
		if s.Start < 1 || s.Start > len(f.lines) {
			continue
		}
		// A symbol of damaged code may end after the last line.
		s.End = min(max(s.End, s.Start), len(f.lines))
		parsed.Symbols = append(parsed.Symbols, s)
		if s.Kind == syntax.Function || s.Kind == syntax.TestCase {
			f.Functions = append(f.Functions, Function{Name: f.lang.qualified(s), Bare: s.Name, Test: test, Start: s.Start, End: s.End, symbol: s})
		}
	}
	return f, nil
}

// Names are the names of functions, each once, in order; with tests only those
// of tests.
func (f *File) Names(tests bool) []string {
	var out []string
	for _, fn := range f.Functions {
		if (fn.Test || !tests) && !slices.Contains(out, fn.Name) {
			out = append(out, fn.Name)
		}
	}
	return out
}

// Find returns the function that a name means: as Names gives it, or as people
// write it, with parentheses, without the class, or with the file before it.
func (f *File) Find(name string) (Function, bool) {
	name = bareName(name)
	if name == "" {
		return Function{}, false
	}
	for _, same := range []func(Function) bool{
		func(fn Function) bool { return fn.Name == name },
		func(fn Function) bool { return dotted(fn.Name) == dotted(name) },
		func(fn Function) bool { return strings.HasSuffix(dotted(name), "."+dotted(fn.Name)) },
		func(fn Function) bool { return strings.HasSuffix(dotted(fn.Name), "."+dotted(name)) },
	} {
		if i := slices.IndexFunc(f.Functions, same); i >= 0 {
			return f.Functions[i], true
		}
	}
	return Function{}, false
}

// FindClose is Find, or else the function whose name is close to the given one.
func (f *File) FindClose(name string) (Function, bool) {
	if fn, ok := f.Find(name); ok {
		return fn, true
	}
	for _, of := range []func(Function) string{
		func(fn Function) string { return fn.Name },
		func(fn Function) string { return fn.Bare },
	} {
		var names []string
		for _, fn := range f.Functions {
			names = append(names, of(fn))
		}
		if best, ok := nearest.Close(bareName(name), names); ok {
			return f.Functions[slices.Index(names, best)], true
		}
	}
	return Function{}, false
}

// Members are the functions of a class that a name means; none where there is no
// such class.
func (f *File) Members(name string) []Function {
	name = dotted(bareName(name))
	var out []Function
	for _, fn := range f.Functions {
		class := dotted(strings.Join(fn.symbol.Parents, "."))
		if name != "" && (class == name || strings.HasSuffix(class, "."+name)) {
			out = append(out, fn)
		}
	}
	return out
}

// Text is a function's text, with the ends of lines that the file has.
func (f *File) Text(fn Function) string { return f.span(fn.Start, fn.End) }

// AddedTo are the functions that the file has and an older version of it has
// not, or not with this text.
func (f *File) AddedTo(older *File) []Function {
	had := map[string]bool{}
	for _, fn := range older.Functions {
		had[fn.Name+"\n"+older.Text(fn)] = true
	}
	var out []Function
	for _, fn := range f.Functions {
		if !had[fn.Name+"\n"+f.Text(fn)] {
			out = append(out, fn)
		}
	}
	return out
}

// Structure is what a model must know of a file to put a function into it:
// the imports, then the heads of classes and functions, indented as they are.
func (f *File) Structure() string {
	var b strings.Builder
	for _, i := range f.Imports {
		b.WriteString(i + "\n")
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, s := range f.parsed.Symbols {
		if s.Kind != syntax.Section {
			b.WriteString(f.head(s) + "\n")
		}
	}
	return b.String()
}

// head is the line in which a symbol's definition begins.
func (f *File) head(s syntax.Symbol) string {
	return strings.TrimRight(f.line(max(s.Start, s.HeadEnd+1)), " \t\r{")
}

func (f *File) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

func (f *File) span(from, to int) string {
	from, to = max(from, 1), min(to, len(f.lines))
	if from > to {
		return ""
	}
	return strings.Join(f.lines[from-1:to], "\n")
}

// splitLines splits a text into lines without "\n"; no line follows the last
// one's end.
func splitLines(src []byte) []string {
	if len(src) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
}

// bareName drops what people write around a function's name.
func bareName(name string) string {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "`'\"*"))
	name = strings.TrimPrefix(name, "def ")
	if head, args, ok := strings.Cut(name, "("); ok && strings.HasSuffix(args, ")") && !strings.ContainsAny(head, " ") {
		name = head
	}
	return name
}

// dotted spells the separators of all languages in one way.
func dotted(name string) string {
	return strings.NewReplacer("::", ".", "$", ".", "#", ".").Replace(name)
}
