package rewrite

import (
	"slices"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// respace puts one more blank between two tokens of each of gold's lines that is
// still as gold has it. It says the least, and is possible nearly everywhere:
// in tables and macros, too.
func respace(d draft) []code.Edit {
	done := map[int]bool{}
	var out []code.Edit
	var last *syntax.Node
	d.Root.Walk(func(n *syntax.Node) bool {
		if code.IsText(n) || n.Comment() || n.Kind == "char_literal" {
			last = n
			return false
		}
		if len(n.Children) > 0 {
			return true
		}
		line := d.Line(n.Start)
		if !done[line] && d.view.Changed[line] {
			if at, ok := d.gap(last, n); ok {
				done[line] = true
				out = append(out, code.Edit{Start: at, End: at, Text: " "})
			}
		}
		last = n
		return false
	})
	return out
}

// gap is where a blank may be put: between two tokens of a line that a blank
// parts already, or before a closing bracket or a comma.
func (d draft) gap(last, n *syntax.Node) (at int, ok bool) {
	if last == nil || d.EndLine(last) != d.Line(n.Start) || last.End > n.Start {
		return 0, false
	}
	between := string(d.Src[last.End:n.Start])
	closes := between == "" && slices.Contains([]string{",", ")", "]", "}", ";"}, d.Text(n))
	return n.Start, between == " " || closes
}
