package antipattern

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// Symptoms is the source of fixes at the wrong place: the failure caught where
// it shows, gold's guard in the caller or too late, gold's lines in a function
// that only looks like the right one, one of several functions left unfixed.
// It takes what the subject knows of the failures on base, and does without.
type Symptoms struct{}

var _ badpatch.Source = Symptoms{}

// Name is symptom.
func (Symptoms) Name() string { return "symptom" }

// Candidates returns what can be known from the text alone.
func (Symptoms) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		give := func(category badpatch.Category, kind badpatch.MistakeKind, operator string, d badpatch.Detail, texts map[string][]byte, whole bool) bool {
			diff, err := s.Diff(texts, whole)
			if err == nil {
				err = ctx.Err()
			}
			return yield(badpatch.Candidate{
				Patch: diff, Source: "symptom", Operator: operator, Category: category, Kind: kind, Seed: s.Seed, Detail: d,
			}, err) && err == nil
		}
		caught := func(d badpatch.Detail, path string, text []byte) bool {
			texts := s.Reverted()
			texts[path] = text
			return give(badpatch.WrongLayer, badpatch.KindIncorrect, "catch", d, texts, false)
		}
		moved := func(operator string, d badpatch.Detail, texts map[string][]byte) bool {
			return give(badpatch.WrongLayer, badpatch.KindIncorrect, operator, d, texts, true)
		}
		unfixed := func(operator string, d badpatch.Detail, texts map[string][]byte) bool {
			return give(badpatch.Partial, badpatch.KindPartial, operator, d, texts, true)
		}
		_ = catches(s, caught) && late(s, moved) && callers(s, moved) && lookalikes(s, moved) && oneFunction(s, unfixed)
	}
}

// target is a function of base in which a failure may be caught.
type target struct {
	code *code.File
	fn   *syntax.Node
	line int // of the failure; 0 where that is not known
	what string
}

// catches wraps the function of a failing frame, or those that gold changes.
func catches(s *badpatch.Subject, give func(badpatch.Detail, string, []byte) bool) bool {
	targets := framed(s)
	for _, f := range s.Files {
		targets = append(targets, fixedFunctions(f)...)
	}
	seen := map[string]bool{}
	for _, t := range targets {
		key := fmt.Sprint(t.code.Path, t.fn.Start, t.what)
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, exception := range exceptions(t.code, t.what) {
			for _, m := range catching(t.code, t, exception) {
				text, ok := code.Apply(t.code.Src, m.Edits)
				if ok && !give(badpatch.Detail{Path: t.code.Path, Line: t.fn.Line, What: m.What}, t.code.Path, text) {
					return false
				}
			}
		}
	}
	return true
}

// exceptions are the types to catch: the one that is known, else any.
func exceptions(c *code.File, known string) []string {
	switch {
	case known != "":
		return []string{known}
	case c.Python():
		return []string{"Exception"}
	case c.Java():
		return []string{"RuntimeException"}
	}
	return []string{"..."}
}

// framed are the functions of the failing frames that are known.
func framed(s *badpatch.Subject) []target {
	var out []target
	for _, f := range s.Failures {
		name := f.Exception[strings.LastIndexByte(f.Exception, '.')+1:]
		if strings.Contains(name, "Assertion") || f.Path == "" || !code.IsSource(s.Language, f.Path) {
			continue
		}
		entry, err := s.Base.Read(f.Path)
		if err != nil {
			continue
		}
		c, err := code.Parse(s.Language, f.Path, code.Present(entry.Data))
		if err != nil {
			continue
		}
		if fn := c.ScopeAt(f.Line); c.IsFunction(code.OrRoot(fn, c)) {
			out = append(out, target{c, fn, f.Line, f.Exception})
		}
	}
	return out
}

// fixedFunctions are the functions of base that gold changes.
func fixedFunctions(f *badpatch.ChangedFile) []target {
	var out []target
	seen := map[*syntax.Node]bool{}
	if f.Base == nil || f.Gold == nil {
		return nil
	}
	for _, h := range f.Hunks {
		for line := h.From + 1; line <= max(h.To, h.From+1); line++ {
			if fn := f.Base.ScopeAt(line); fn != nil && f.Base.IsFunction(fn) && !seen[fn] {
				seen[fn] = true
				out = append(out, target{code: f.Base, fn: fn})
			}
		}
	}
	return out
}

// catching wraps a function's body, and the failing statement where its line is
// known, so that an error gives a default.
func catching(c *code.File, t target, exception string) []code.Mutation {
	body := t.fn.Get("body")
	head := string(c.Src[t.fn.Start:body.Start])
	if len(body.Items()) == 0 || strings.Contains(c.Text(body), "yield") || strings.Contains(strings.ToLower(head), "constexpr") ||
		code.Is(t.fn, "constructor_declaration") || c.Cpp() && (code.Broken(body) || len(code.Find(body, "preproc_if", "preproc_ifdef")) > 0) {
		return nil
	}
	var out []code.Mutation
	what := exception + " caught where it shows"
	values := c.DefaultReturns(t.fn)
	for _, value := range values[:min(2, len(values))] {
		if c.Python() {
			items := body.Items()
			if code.Is(items[0], "expression_statement") && code.Is(items[0].Items()[0], "string") && len(items) > 1 {
				items = items[1:]
			}
			out = append(out, code.Mutation{Edits: pythonTry(c, items[0], code.Last(items), exception, c.ReturnStatement(value)), What: what})
			continue
		}
		out = append(out, code.Mutation{Edits: braceTry(c, body, exception, c.ReturnStatement(value)), What: what})
	}
	if at := statementAt(c, t.fn, t.line); at != nil && c.Python() && !code.Leaves(at) {
		out = append(out, code.Mutation{Edits: pythonTry(c, at, at, exception, "pass"), What: what + ", and passed over"})
	}
	return out
}

// statementAt is the innermost statement on a line of a function.
func statementAt(c *code.File, fn *syntax.Node, line int) *syntax.Node {
	var out *syntax.Node
	fn.Get("body").Walk(func(n *syntax.Node) bool {
		if code.Is(n, "expression_statement", "return_statement") && n.Line <= line && line <= c.EndLine(n) {
			out = n
		}
		return true
	})
	return out
}

// pythonTry indents statements under a try. Lines inside of strings stay.
func pythonTry(c *code.File, from, to *syntax.Node, exception, handler string) []code.Edit {
	indent, nl := c.Indent(from.Start), c.Newline()
	if _, _, ok := c.OwnLines(from.Start, to.End); !ok {
		return nil
	}
	step := "    "
	if strings.HasSuffix(indent, "\t") {
		step = "\t"
	}
	edits := []code.Edit{{Start: from.Start, End: from.Start, Text: "try:" + nl + indent + step}}
	texts := code.Find(c.Root, "string")
	for line := c.Line(from.Start) + 1; line <= c.Line(to.End-1); line++ {
		start := c.Starts[line-1]
		if blank(c.Src[start:]) || insideAny(start, texts) {
			continue
		}
		edits = append(edits, code.Edit{Start: start, End: start, Text: step})
	}
	if dot := strings.LastIndexByte(exception, '.'); dot >= 0 {
		exception = exception[dot+1:]
	}
	return append(edits, code.Edit{Start: to.End, End: to.End, Text: nl + indent + "except " + exception + ":" + nl + indent + step + handler})
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
func braceTry(c *code.File, body *syntax.Node, exception, handler string) []code.Edit {
	indent, nl := c.Indent(body.End-1), c.Newline()
	catch := "catch (...)"
	switch {
	case c.Java():
		catch = "catch (" + exception + " ignored)"
	case exception != "...":
		catch = "catch (const " + exception + "&)"
	}
	step := indent + "    "
	return []code.Edit{
		{Start: body.Start + 1, End: body.Start + 1, Text: nl + step + "try {"},
		{Start: body.End - 1, End: body.End - 1, Text: strings.TrimPrefix(step, indent) + "} " + catch + " {" + nl + step + "    " + handler + nl + step + "}" + nl + indent},
	}
}
