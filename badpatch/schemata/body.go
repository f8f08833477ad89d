package schemata

import (
	"bytes"
	"slices"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// body is the inside of an outermost function, in bytes: from after the bracket,
// or after a statement that must be the first, to the closing bracket.
type body struct {
	fn         *syntax.Node
	start, end int
}

// bodiesOf lists the functions of a file that are in no other function.
func bodiesOf(d dialect, c *code.File) []body {
	var out []body
	c.Root.Walk(func(n *syntax.Node) bool {
		if !c.IsFunction(n) {
			return true
		}
		at := n.Get("body")
		if !slices.Contains(d.bodies, at.Kind) || at.End-at.Start < 2 || c.Src[at.Start] != '{' || c.Src[at.End-1] != '}' {
			return false
		}
		b := body{fn: n, start: at.Start + 1, end: at.End - 1}
		if first := d.first(at); first != nil {
			b.start = first.End
		}
		out = append(out, b)
		return false
	})
	return out
}

// change is one difference between two texts: the bytes [from, to) of the one give
// way to [newFrom, newTo) of the other.
type change struct{ from, to, newFrom, newTo int }

// changes lists the differences between two texts, each as short as may be.
func changes(before, after []byte) []change {
	old, new := code.Lines(before), code.Lines(after)
	head, tail := 0, 0
	for head < len(old) && head < len(new) && bytes.Equal(old[head], new[head]) {
		head++
	}
	for head+tail < len(old) && head+tail < len(new) && bytes.Equal(old[len(old)-1-tail], new[len(new)-1-tail]) {
		tail++
	}
	// Most of a file is the same: that need not be compared line by line.
	skipped := len(bytes.Join(old[:head], nil))
	old, new = old[head:len(old)-tail], new[head:len(new)-tail]
	oldAt, newAt := offsets(old, skipped), offsets(new, skipped)
	var out []change
	for _, h := range code.HunksBetween(bytes.Join(old, nil), bytes.Join(new, nil)) {
		out = append(out, change{oldAt[h.From], oldAt[h.To], newAt[h.NewFrom], newAt[h.NewTo]}.trimmed(before, after))
	}
	return out
}

// trimmed leaves out what a change begins and ends with on both sides.
func (c change) trimmed(before, after []byte) change {
	for c.from < c.to && c.newFrom < c.newTo && before[c.from] == after[c.newFrom] {
		c.from, c.newFrom = c.from+1, c.newFrom+1
	}
	for c.from < c.to && c.newFrom < c.newTo && before[c.to-1] == after[c.newTo-1] {
		c.to, c.newTo = c.to-1, c.newTo-1
	}
	return c
}

// offsets are those of lines that begin at an offset, and of their end.
func offsets(lines [][]byte, at int) []int {
	out := []int{at}
	for _, l := range lines {
		at += len(l)
		out = append(out, at)
	}
	return out
}

// versions are a text's versions of the bodies that it changes, by the body's
// place; ok is false where it changes anything else, or where a version has
// brackets that do not close.
func versions(d dialect, src []byte, bodies []body, text []byte) (out map[int]string, ok bool) {
	out = map[int]string{}
	shift, last := 0, -1
	for _, ch := range changes(src, text) {
		i := slices.IndexFunc(bodies, func(b body) bool { return b.start <= ch.from && ch.to <= b.end })
		if i < 0 {
			return nil, false
		}
		if i != last {
			out[i] = string(src[bodies[i].start:ch.from])
		} else {
			out[i] = out[i][:len(out[i])-(bodies[i].end-ch.from)]
		}
		out[i] += string(text[ch.newFrom:ch.newTo]) + string(src[ch.to:bodies[i].end])
		shift, last = shift+(ch.newTo-ch.newFrom)-(ch.to-ch.from), i
	}
	for _, version := range out {
		if !closed(d, []byte(version)) {
			return nil, false
		}
	}
	return out, shift == len(text)-len(src)
}

// closed reports whether every bracket of a text is closed within it, and no
// other.
func closed(d dialect, text []byte) bool {
	depth := 0
	for _, t := range d.lex(text) {
		word := text[t.Start:t.End]
		switch {
		case bytes.Equal(word, []byte("{")):
			depth++
		case bytes.Equal(word, []byte("}")):
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
