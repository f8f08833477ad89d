package badpatch

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"assay/languages/syntax"
)

// Symptoms is the source of fixes at the wrong place: the failure caught where
// it shows, gold's guard in the caller or too late, gold's lines in a function
// that only looks like the right one, one of several functions left unfixed.
// It takes what the subject knows of the failures on base, and does without.
type Symptoms struct{}

var _ Source = Symptoms{}

// Name is symptom.
func (Symptoms) Name() string { return "symptom" }

// Candidates gives what can be known from the text alone.
func (Symptoms) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		give := func(category Category, kind Kind, operator string, d Detail, texts map[string][]byte, whole bool) bool {
			diff, err := s.diff(texts, whole)
			if err == nil {
				err = ctx.Err()
			}
			return yield(Candidate{
				Patch: diff, Source: "symptom", Operator: operator, Category: category, Kind: kind, Seed: s.Seed, Detail: d,
			}, err) && err == nil
		}
		caught := func(d Detail, path string, text []byte) bool {
			texts := s.reverted()
			texts[path] = text
			return give(WrongLayer, KindIncorrect, "catch", d, texts, false)
		}
		moved := func(operator string, d Detail, texts map[string][]byte) bool {
			return give(WrongLayer, KindIncorrect, operator, d, texts, true)
		}
		unfixed := func(operator string, d Detail, texts map[string][]byte) bool {
			return give(Partial, KindPartial, operator, d, texts, true)
		}
		_ = s.catches(caught) && s.late(moved) && s.callers(moved) && s.lookalikes(moved) && s.oneFunction(unfixed)
	}
}

// target is a function of base in which a failure may be caught.
type target struct {
	code *code
	fn   *syntax.Node
	line int // of the failure; 0 where that is not known
	what string
}

// catches wraps the function of a failing frame, or those that gold changes.
func (s *Subject) catches(give func(Detail, string, []byte) bool) bool {
	targets := s.framed()
	for _, f := range s.files {
		targets = append(targets, f.fixedFunctions()...)
	}
	seen := map[string]bool{}
	for _, t := range targets {
		key := fmt.Sprint(t.code.path, t.fn.Start, t.what)
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, exception := range s.exceptions(t.code, t.what) {
			for _, m := range t.code.catching(t, exception) {
				text, ok := apply(t.code.src, m.edits)
				if ok && !give(Detail{t.code.path, t.fn.Line, m.what}, t.code.path, text) {
					return false
				}
			}
		}
	}
	return true
}

// exceptions are the types to catch: the one that is known, else any.
func (s *Subject) exceptions(c *code, known string) []string {
	switch {
	case known != "":
		return []string{known}
	case c.python():
		return []string{"Exception"}
	case c.java():
		return []string{"RuntimeException"}
	}
	return []string{"..."}
}

// framed are the functions of the failing frames that are known.
func (s *Subject) framed() []target {
	var out []target
	for _, f := range s.Failures {
		name := f.Exception[strings.LastIndexByte(f.Exception, '.')+1:]
		if strings.Contains(name, "Assertion") || f.Path == "" || !isCode(s.Language, f.Path) {
			continue
		}
		entry, err := s.base.Read(f.Path)
		if err != nil {
			continue
		}
		c, err := parse(s.Language, f.Path, present(entry.Data))
		if err != nil {
			continue
		}
		if fn := c.scopeAt(f.Line); c.isFunction(orRoot(fn, c)) {
			out = append(out, target{c, fn, f.Line, f.Exception})
		}
	}
	return out
}

func orRoot(n *syntax.Node, c *code) *syntax.Node {
	if n == nil {
		return c.root
	}
	return n
}

// fixedFunctions are the functions of base that gold changes.
func (f *change) fixedFunctions() []target {
	var out []target
	seen := map[*syntax.Node]bool{}
	if f.base == nil || f.gold == nil {
		return nil
	}
	for _, h := range f.hunks {
		for line := h.from + 1; line <= max(h.to, h.from+1); line++ {
			if fn := f.base.scopeAt(line); fn != nil && f.base.isFunction(fn) && !seen[fn] {
				seen[fn] = true
				out = append(out, target{code: f.base, fn: fn})
			}
		}
	}
	return out
}

// catching wraps a function's body, and the failing statement where its line is
// known, so that an error gives a default.
func (c *code) catching(t target, exception string) []mutation {
	body := t.fn.Get("body")
	head := string(c.src[t.fn.Start:body.Start])
	if len(body.Items()) == 0 || strings.Contains(c.text(body), "yield") || strings.Contains(strings.ToLower(head), "constexpr") ||
		is(t.fn, "constructor_declaration") || c.cpp() && (broken(body) || len(find(body, "preproc_if", "preproc_ifdef")) > 0) {
		return nil
	}
	var out []mutation
	what := exception + " caught where it shows"
	values := c.defaults(t.fn)
	for _, value := range values[:min(2, len(values))] {
		if c.python() {
			items := body.Items()
			if is(items[0], "expression_statement") && is(items[0].Items()[0], "string") && len(items) > 1 {
				items = items[1:]
			}
			out = append(out, mutation{c.pythonTry(items[0], last(items), exception, c.exits(value)), what})
			continue
		}
		out = append(out, mutation{c.braceTry(body, exception, c.exits(value)), what})
	}
	if at := c.statementAt(t.fn, t.line); at != nil && c.python() && !leaves(at) {
		out = append(out, mutation{c.pythonTry(at, at, exception, "pass"), what + ", and passed over"})
	}
	return out
}

// statementAt is the innermost statement on a line of a function.
func (c *code) statementAt(fn *syntax.Node, line int) *syntax.Node {
	var out *syntax.Node
	fn.Get("body").Walk(func(n *syntax.Node) bool {
		if is(n, "expression_statement", "return_statement") && n.Line <= line && line <= c.endLine(n) {
			out = n
		}
		return true
	})
	return out
}

// pythonTry indents statements under a try. Lines inside of strings stay.
func (c *code) pythonTry(from, to *syntax.Node, exception, handler string) []edit {
	indent, nl := c.indent(from.Start), c.newline()
	if _, _, ok := c.alone(from.Start, to.End); !ok {
		return nil
	}
	step := "    "
	if strings.HasSuffix(indent, "\t") {
		step = "\t"
	}
	edits := []edit{{from.Start, from.Start, "try:" + nl + indent + step}}
	texts := find(c.root, "string")
	for line := c.line(from.Start) + 1; line <= c.line(to.End-1); line++ {
		start := c.starts[line-1]
		if blank(c.src[start:]) || insideAny(start, texts) {
			continue
		}
		edits = append(edits, edit{start, start, step})
	}
	if dot := strings.LastIndexByte(exception, '.'); dot >= 0 {
		exception = exception[dot+1:]
	}
	return append(edits, edit{to.End, to.End, nl + indent + "except " + exception + ":" + nl + indent + step + handler})
}

// blank reports whether a text begins with an empty line.
func blank(text []byte) bool {
	rest := strings.TrimLeft(string(text[:min(len(text), 200)]), " \t")
	return rest == "" || rest[0] == '\n' || rest[0] == '\r'
}

func insideAny(at int, nodes []*syntax.Node) bool {
	for _, n := range nodes {
		if n.Start < at && at < n.End {
			return true
		}
	}
	return false
}

// braceTry puts a try inside of the braces of a body.
func (c *code) braceTry(body *syntax.Node, exception, handler string) []edit {
	indent, nl := c.indent(body.End-1), c.newline()
	catch := "catch (...)"
	switch {
	case c.java():
		catch = "catch (" + exception + " ignored)"
	case exception != "...":
		catch = "catch (const " + exception + "&)"
	}
	step := indent + "    "
	return []edit{
		{body.Start + 1, body.Start + 1, nl + step + "try {"},
		{body.End - 1, body.End - 1, strings.TrimPrefix(step, indent) + "} " + catch + " {" + nl + step + "    " + handler + nl + step + "}" + nl + indent},
	}
}
