package fixer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/badpatch/searchreplace"
	"assay/languages"
	"assay/languages/syntax"
	"assay/methods"
)

// work is one attempt.
type work struct {
	*methods.Desk
	sources []string         // paths of code without tests, sorted
	files   map[string]*file // those that were opened
}

// file is a source file.
type file struct {
	path    string
	text    []byte
	lines   [][]byte // with their ends
	symbols []syntax.Symbol
	imports []syntax.Range
	errors  int
}

func open(d *methods.Desk) *work {
	w := &work{Desk: d, files: map[string]*file{}}
	l := d.Task().Language
	for _, p := range d.Tree().Paths() {
		if l.Classify(p) == languages.SourcePath && l.About().IsRelated(p) {
			w.sources = append(w.sources, p)
		}
	}
	return w
}

// file opens a source file. One that cannot be parsed has no symbols.
func (w *work) file(path string) (*file, error) {
	if f := w.files[path]; f != nil {
		return f, nil
	}
	text, err := w.Tree().Read(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	f := &file{path: path, text: text, lines: code.Lines(text)}
	if parsed, err := w.Parse(text); err == nil {
		f.symbols, f.imports, f.errors = parsed.Symbols, parsed.Imports, parsed.Errors
	}
	w.files[path] = f
	return f, nil
}

// say asks with a prompt of this method.
func (w *work) say(ctx context.Context, name string, data any) (methods.Answer, error) {
	text, err := w.Template(name, data)
	if err != nil {
		return methods.Answer{}, err
	}
	return w.Ask(ctx, strings.TrimPrefix(name, "fixer-"), methods.Say(text).At(0))
}

// full is a symbol's name with those around it.
func full(s syntax.Symbol) string {
	return strings.ReplaceAll(strings.Join(append(slices.Clone(s.Parents), s.Name), "."), "::", ".")
}

// longClass is up to how many lines a class that is named as a whole is shown
// whole; of a longer one the beginning is.
const longClass = 200

// spansOf are the lines that a place means; nil if the file has no such place. A
// name means every function or class that has it, or ends with it.
func (f *file) spansOf(p place) []searchreplace.Span {
	if p.name == "" {
		if p.span.Start > len(f.lines) {
			return nil
		}
		return []searchreplace.Span{{Start: p.span.Start, End: min(p.span.End, len(f.lines))}}
	}
	var exact, ending []searchreplace.Span
	for _, s := range f.symbols {
		span := searchreplace.Span{Start: s.Start, End: min(s.End, len(f.lines))}
		if s.Kind == syntax.Class {
			span.End = min(span.End, span.Start+longClass-1)
		}
		switch name := full(s); {
		case name == p.name:
			exact = append(exact, span)
		case strings.HasSuffix(name, "."+p.name), strings.HasSuffix(p.name, "."+name):
			ending = append(ending, span)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return ending
}

// around widens a span by some lines, as far as the file goes.
func (f *file) around(s searchreplace.Span, by int) searchreplace.Span {
	return searchreplace.Span{Start: max(1, s.Start-by), End: min(len(f.lines), s.End+by)}
}

// excerpt is the text of some lines, without the last one's end.
func (f *file) excerpt(s searchreplace.Span) string {
	var b strings.Builder
	for _, l := range f.lines[s.Start-1 : s.End] {
		b.Write(l)
	}
	return strings.TrimRight(b.String(), "\r\n")
}

// named are the functions and classes that begin in some lines, joined by commas.
func (f *file) named(s searchreplace.Span) string {
	var out []string
	for _, sym := range f.symbols {
		if sym.Start >= s.Start && sym.Start <= s.End && sym.Kind != syntax.Class {
			out = append(out, full(sym))
		}
	}
	return strings.Join(out[:min(len(out), 5)], ", ")
}
