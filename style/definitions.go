package style

import (
	"slices"
	"strings"

	"assay/languages/syntax"
	"assay/languages/token"
)

// definition is a function or class of one state of the tree.
type definition struct {
	syntax.Symbol
	path  string // afterwards
	name  string // qualified
	head  string // source from the end of the annotations to the name
	count int    // statements
	words map[string]int
	size  int // words, doublets counted
	// trivial says that the body names nothing: it returns a constant,
	// raises, or is empty.
	trivial bool
}

// definitions reads those of a text, sorted by line.
func definitions(language, path string, src []byte) []definition {
	file, err := syntax.Parse(language, src)
	if err != nil {
		return nil
	}
	lines, stmts, tokens := strings.Split(string(src), "\n"), statements(language, src), lex(language, src)
	var out []definition
	for _, sym := range file.Symbols {
		if sym.Kind != syntax.Class && sym.Kind != syntax.Function || sym.Start < 1 || sym.End > len(lines) || sym.Name == "" {
			continue
		}
		d := definition{Symbol: sym, path: path, name: qualified(sym), words: map[string]int{}, count: within(stmts, sym.Start, sym.End)}
		d.head, _, _ = strings.Cut(strings.Join(lines[min(max(sym.Start-1, sym.HeadEnd), sym.End-1):sym.End], " "), sym.Name)
		d.read(src, tokens)
		d.trivial = d.names(language, src, tokens) == 0
		out = append(out, d)
	}
	return out
}

// read counts the words of the definition's code; a string is one word, so
// that a docstring does not stand for a body.
func (d *definition) read(src []byte, tokens []token.Token) {
	from, _ := slices.BinarySearchFunc(tokens, d.Start, func(t token.Token, line int) int { return t.Line - line })
	for _, t := range tokens[from:] {
		if t.Line > d.End {
			break
		}
		switch t.Kind {
		case token.Word, token.Number, token.String, token.Char:
			d.words[t.Text(src)]++
			d.size++
		}
	}
}

// names counts the words in the body that are not keywords or constants; what
// follows "raise" or "throw" does not count.
func (d *definition) names(language string, src []byte, tokens []token.Token) int {
	open := byte('{')
	if grammarOf(language).indented {
		open = ':'
	}
	n, depth, inside, thrown := 0, 0, false, false
	for _, t := range tokens {
		if t.Line < max(d.Start, d.HeadEnd+1) || t.Line > d.End {
			continue
		}
		text := t.Text(src)
		switch {
		case t.Kind == token.Punct && (text == "(" || text == "["):
			depth++
		case t.Kind == token.Punct && (text == ")" || text == "]"):
			depth--
		case t.Kind == token.Punct && text == string(open) && depth == 0:
			inside = true
		case t.Kind == token.LineEnd || text == ";":
			thrown = false
		case text == "raise" || text == "throw":
			thrown = true
		case inside && !thrown && t.Kind == token.Word && !constantWord(text):
			n++
		}
	}
	return n
}

func constantWord(word string) bool {
	switch word {
	case "return", "pass", "None", "True", "False", "null", "nullptr", "true", "false", "default", "void", "self", "this", "NotImplemented", "std", "string":
		return true
	}
	return false
}

func (d *definition) function() bool { return d.Kind == syntax.Function }

// private recognises what code elsewhere cannot use: by name in Python, by
// the words before the name in Java and C++.
func (d *definition) private(language string) bool {
	if grammarOf(language).indented {
		return slices.ContainsFunc(append([]string{d.Name}, d.Parents...), func(part string) bool {
			return strings.HasPrefix(part, "_") && !strings.HasSuffix(part, "__")
		})
	}
	words := strings.Fields(d.head)
	return slices.Contains(words, "private") || grammarOf(language).fileScope && len(d.Parents) == 0 && slices.Contains(words, "static")
}

// likeness is the share of words that two definitions have in common.
func (d *definition) likeness(o *definition) float64 {
	shared := 0
	for w, n := range d.words {
		shared += min(n, o.words[w])
	}
	return float64(shared) / float64(max(d.size, o.size, 1))
}

// nearest finds what a lost definition became: more than half of the words
// are the same. -1 where there is none.
func nearest(d *definition, gained []definition) int {
	best, likeness := -1, 0.5
	for n := range gained {
		if l := d.likeness(&gained[n]); gained[n].Kind == d.Kind && l > likeness {
			best, likeness = n, l
		}
	}
	return best
}

// paired is a definition in both states.
type paired struct{ old, now definition }

// pairDefinitions pairs by path and name, then by name alone, in order where
// there are several.
func pairDefinitions(old, now []definition) (pairs []paired, lost, gained []definition) {
	for _, key := range []func(definition) string{
		func(d definition) string { return d.path + "\x00" + d.name },
		func(d definition) string { return d.name },
	} {
		open := map[string][]int{}
		for n, d := range now {
			open[key(d)] = append(open[key(d)], n)
		}
		taken := map[int]bool{}
		lost = nil
		for _, d := range old {
			k := key(d)
			if len(open[k]) == 0 {
				lost = append(lost, d)
				continue
			}
			n := open[k][0]
			open[k], taken[n] = open[k][1:], true
			pairs = append(pairs, paired{d, now[n]})
		}
		gained = nil
		for n, d := range now {
			if !taken[n] {
				gained = append(gained, d)
			}
		}
		old, now = lost, gained
	}
	return pairs, lost, gained
}
