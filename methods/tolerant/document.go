package tolerant

import (
	"slices"
	"strings"

	"assay/languages/syntax"
)

// document is a file that blocks are applied to, one after the other.
type document struct {
	manner
	lines []string // without their ends
	ends  string   // of lines
	open  bool     // the last line has no end
	file  *syntax.File
	moved []move
}

// move is an edit: from line from on, lines are by lines further down.
type move struct{ from, by int }

func (m manner) document(text []byte) *document {
	d := &document{manner: m, ends: "\n"}
	s := string(text)
	if strings.Contains(s, "\r\n") {
		d.ends = "\r\n"
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	if d.open = s != "" && !strings.HasSuffix(s, "\n"); !d.open {
		s = strings.TrimSuffix(s, "\n")
	}
	if s != "" || d.open {
		d.lines = strings.Split(s, "\n")
	}
	d.read()
	return d
}

// read parses the lines again.
func (d *document) read() {
	f, err := syntax.Parse(d.language, []byte(strings.Join(d.lines, "\n")+"\n"))
	if err != nil {
		f = &syntax.File{}
	}
	// A symbol of damaged code may end after the last line.
	f.Symbols = slices.DeleteFunc(f.Symbols, func(s syntax.Symbol) bool { return s.Start < 1 || s.Start > len(d.lines) })
	for i := range f.Symbols {
		s := &f.Symbols[i]
		s.End = min(max(s.End, s.Start), len(d.lines))
		s.HeadEnd = min(s.HeadEnd, s.End-1)
	}
	f.Imports = slices.DeleteFunc(f.Imports, func(r syntax.Range) bool { return r.Start < 1 || r.End > len(d.lines) || r.End < r.Start })
	d.file = f
}

// text is the content with the file's own line ends. It always ends with one: a
// last line without an end gets one, since added code would otherwise be on that
// line.
func (d *document) text() []byte {
	if len(d.lines) == 0 {
		return []byte{}
	}
	return []byte(strings.Join(d.lines, d.ends) + d.ends)
}

// now is where a line of the start is by now.
func (d *document) now(line int) int {
	for _, m := range d.moved {
		if line >= m.from {
			line += m.by
		}
	}
	return min(max(line, 1), len(d.lines)+1)
}

// replace puts code in place of the lines from..to, counted from 1; to is from-1
// for an insertion before from.
func (d *document) replace(from, to int, code []string) {
	lines := append([]string{}, d.lines[:from-1]...)
	lines = append(lines, code...)
	d.lines = append(lines, d.lines[to:]...)
	d.moved = append(d.moved, move{to + 1, len(code) - (to - from + 1)})
	d.read()
}

// insert puts code before a line, with blank lines around it as the language has
// them between functions.
func (d *document) insert(at, apart int, code []string) {
	var out []string
	if at > 1 {
		have := d.blanksBefore(at)
		if !opens(d.line(at - 1 - have)) {
			out = blanks(apart - have)
		}
	}
	out = append(out, code...)
	if at <= len(d.lines) {
		have := 0
		for at+have <= len(d.lines) && strings.TrimSpace(d.line(at+have)) == "" {
			have++
		}
		if at+have <= len(d.lines) && !closes(d.line(at+have)) {
			out = append(out, blanks(apart-have)...)
		}
	}
	d.replace(at, at-1, out)
}

func (d *document) blanksBefore(at int) int {
	n := 0
	for at-1-n >= 1 && strings.TrimSpace(d.line(at-1-n)) == "" {
		n++
	}
	return n
}

// line is a line by its number; "" outside.
func (d *document) line(n int) string {
	if n < 1 || n > len(d.lines) {
		return ""
	}
	return d.lines[n-1]
}

func blanks(n int) []string { return make([]string, max(n, 0)) }

// opens and closes recognise the borders of a class, at which no blank line is
// needed.
func opens(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasSuffix(line, "{") || strings.HasSuffix(line, ":")
}

func closes(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "}") }

// addImports adds those that the file does not have. Python wants those from
// __future__ before all others.
func (d *document) addImports(imports []string) {
	var missing, future []string
	for _, i := range imports {
		switch {
		case d.hasImport(i):
		case isFuture(i):
			future = append(future, strings.Split(i, "\n")...)
		default:
			missing = append(missing, strings.Split(i, "\n")...)
		}
	}
	if len(future) > 0 {
		at := d.afterOpening()
		d.replace(at, at-1, future)
	}
	if len(missing) == 0 {
		return
	}
	at := d.afterImports()
	if len(d.file.Imports) == 0 && strings.TrimSpace(d.line(at)) != "" {
		missing = append(missing, "")
	}
	d.replace(at, at-1, missing)
}

func isFuture(statement string) bool {
	return strings.HasPrefix(strings.Join(strings.Fields(statement), " "), "from __future__ import")
}

// hasImport reports whether the file imports the same at its top level.
func (d *document) hasImport(statement string) bool {
	return slices.ContainsFunc(d.file.Imports, func(r syntax.Range) bool {
		return squeezed(strings.Join(d.lines[r.Start-1:r.End], "\n")) == squeezed(statement)
	})
}

// squeezed is a statement in which blanks are as they mostly are: "#  include" is
// "#include".
func squeezed(s string) string {
	return strings.Replace(strings.Join(strings.Fields(s), " "), "# ", "#", 1)
}

// has reports whether a line is in the file, wherever.
func (d *document) has(line string) bool {
	for _, l := range d.lines {
		if strings.TrimSpace(l) == strings.TrimSpace(line) {
			return true
		}
	}
	return false
}

// afterImports is the line before which imports go: after those that there are,
// else after what opens the file.
func (d *document) afterImports() int {
	if at := d.file.HeadImports(); at > 0 {
		return min(at, len(d.lines)) + 1
	}
	return d.afterOpening()
}

// afterOpening is the first line after the comments, the text and the package
// line with which a file may begin.
func (d *document) afterOpening() int {
	at, until := 1, ""
	for i := 1; i <= len(d.lines); i++ {
		text := strings.TrimSpace(d.line(i))
		switch {
		case until != "":
			if strings.Contains(text, until) {
				until, at = "", i+1
			}
		case text == "":
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#!"), strings.HasPrefix(text, "# "), text == "#", d.opening != nil && d.opening.MatchString(text):
			at = i + 1
		case strings.HasPrefix(text, "/*"), strings.HasPrefix(text, `"""`), strings.HasPrefix(text, "'''"):
			mark := map[byte]string{'/': "*/", '"': `"""`, '\'': "'''"}[text[0]]
			if strings.Contains(text[2:], mark) && len(text) > 4 {
				at = i + 1
			} else {
				until = mark
			}
		default:
			return at
		}
	}
	return at
}
