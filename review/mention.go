package review

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// mentions are the files and symbols that a review names.
type mentions struct {
	files   []string // as written
	symbols []string // the last part of qualified names
}

var fileName = regexp.MustCompile(`[\w~@+-]+(?:[./][\w@+-]+)*\.[A-Za-z][\w+]{0,9}\b|(?:[\w@+-]+/)+[\w@+.-]*[\w+-]`)

// mentionsOf reads a review. A symbol is a name in quoted code, or one that
// no sentence has by chance: with an underscore, an inner capital or
// parentheses. Keywords are not symbols.
func mentionsOf(text string) mentions {
	p := read(text)
	var m mentions
	var taken []codeSpan
	for _, at := range fileName.FindAllStringIndex(text, -1) {
		name := strings.Trim(text[at[0]:at[1]], "./")
		if _, code := dialectOf("", name); code || strings.Contains(name, "/") && path.Ext(name) != "" {
			m.files = append(m.files, name)
			taken = append(taken, codeSpan{start: at[0], end: at[1]})
		}
	}
	for i, t := range p.tokens {
		inFile := slices.ContainsFunc(taken, func(c codeSpan) bool { return t.start >= c.start && t.start < c.end })
		if t.class == word && !inFile && !keyword(t.text) && p.symbol(t) && !p.qualifies(i) {
			m.symbols = append(m.symbols, t.text)
		}
	}
	m.files, m.symbols = unique(m.files), unique(m.symbols)
	return m
}

// symbol reports whether a name is written as one.
func (p prose) symbol(t span) bool {
	if letters(t.text) < 2 {
		return false
	}
	if p.inCode(t.start) || strings.HasPrefix(p.text[t.end:], "(") && wordStart(t.text[0]) {
		return true
	}
	return strings.Contains(strings.Trim(t.text, "_"), "_") || mixed(t.text)
}

// mixed reports whether small letters go before a capital.
func mixed(w string) bool {
	small := false
	for _, r := range w {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = small || unicode.IsLower(r)
	}
	return false
}

// qualifies reports whether a name is but the first part of another.
func (p prose) qualifies(i int) bool {
	if i+2 >= len(p.tokens) {
		return false
	}
	t, sep, next := p.tokens[i], p.tokens[i+1], p.tokens[i+2]
	joined := sep.text == "." || sep.text == "::" || sep.text == "->"
	return joined && next.class == word && t.end == sep.start && sep.end == next.start
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// fileOf finds the file that a review names, perhaps by its last parts. A
// touched file goes first; others must exist at base by their full path.
func (s *Subject) fileOf(name string) (p string, ok bool) {
	for _, f := range s.files {
		if f.bad != nil && (f.path == name || strings.HasSuffix(f.path, "/"+name)) {
			return f.path, true
		}
	}
	if !fs.ValidPath(name) {
		return "", false
	}
	_, err := s.in.Base(name)
	return name, err == nil || !errors.Is(err, fs.ErrNotExist)
}
