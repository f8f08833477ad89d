package languages

import (
	"path"
	"slices"
	"strings"
)

// cmakeCommand is one command of a CMake file.
type cmakeCommand struct {
	Name string // lower case
	Args []string
	File string
	Line int // from 1
}

// arg returns an argument, or "".
func (c cmakeCommand) arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

// has reports whether one of the arguments is the word.
func (c cmakeCommand) has(word string) bool { return slices.Contains(c.Args, word) }

// after returns the argument that follows the word, or "".
func (c cmakeCommand) after(word string) string {
	if i := slices.Index(c.Args, word); i >= 0 {
		return c.arg(i + 1)
	}
	return ""
}

// cmakeCommands reads the commands of one file. Text that is not CMake gives
// what can be read of it.
func cmakeCommands(file, text string) []cmakeCommand {
	p := cmakeParser{text: text, line: 1}
	var out []cmakeCommand
	for {
		name, line, ok := p.word()
		if !ok {
			return out
		}
		if !p.open() {
			continue
		}
		out = append(out, cmakeCommand{Name: strings.ToLower(name), Args: p.arguments(), File: file, Line: line})
	}
}

type cmakeParser struct {
	text string
	pos  int
	line int
}

// next takes one byte.
func (p *cmakeParser) next() byte {
	c := p.text[p.pos]
	p.pos++
	if c == '\n' {
		p.line++
	}
	return c
}

func (p *cmakeParser) done() bool { return p.pos >= len(p.text) }

func (p *cmakeParser) peek() byte { return p.text[p.pos] }

// word finds the next identifier outside of comments.
func (p *cmakeParser) word() (word string, line int, ok bool) {
	for !p.done() {
		c := p.peek()
		switch {
		case c == '#':
			p.comment()
		case isWord(c):
			start, at := p.pos, p.line
			for !p.done() && isWord(p.peek()) {
				p.next()
			}
			return p.text[start:p.pos], at, true
		default:
			p.next()
		}
	}
	return "", 0, false
}

// open takes the bracket after a command's name.
func (p *cmakeParser) open() bool {
	for !p.done() && (p.peek() == ' ' || p.peek() == '\t') {
		p.next()
	}
	if p.done() || p.peek() != '(' {
		return false
	}
	p.next()
	return true
}

func (p *cmakeParser) comment() {
	p.next()
	if _, ok := p.bracket(); ok {
		return
	}
	for !p.done() && p.peek() != '\n' {
		p.next()
	}
}

// arguments reads up to the closing bracket; inner brackets are dropped,
// which is enough for if().
func (p *cmakeParser) arguments() []string {
	var out []string
	for depth := 1; !p.done(); {
		switch c := p.peek(); {
		case c == '(':
			depth++
			p.next()
		case c == ')':
			p.next()
			if depth--; depth == 0 {
				return out
			}
		case c == '#':
			p.comment()
		case c == '"':
			out = append(out, p.quoted())
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';':
			p.next()
		default:
			if text, ok := p.bracket(); ok {
				out = append(out, text)
			} else {
				out = append(out, p.plain())
			}
		}
	}
	return out
}

func (p *cmakeParser) quoted() string {
	p.next()
	var b strings.Builder
	for !p.done() {
		c := p.next()
		switch {
		case c == '"':
			return b.String()
		case c == '\\' && !p.done():
			if d := p.next(); d != '\n' {
				b.WriteByte(d)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (p *cmakeParser) plain() string {
	start := p.pos
	for !p.done() && !strings.ContainsRune(" \t\r\n()#;", rune(p.peek())) {
		c := p.next()
		if c == '\\' && !p.done() {
			p.next()
		}
		if c == '"' { // as in -DX="a b"
			for !p.done() && p.next() != '"' {
				continue
			}
		}
	}
	return p.text[start:p.pos]
}

// bracket reads [[text]] and [=[text]=].
func (p *cmakeParser) bracket() (string, bool) {
	rest := p.text[p.pos:]
	if !strings.HasPrefix(rest, "[") {
		return "", false
	}
	n := 1
	for n < len(rest) && rest[n] == '=' {
		n++
	}
	if n >= len(rest) || rest[n] != '[' {
		return "", false
	}
	end := strings.Index(rest[n+1:], "]"+strings.Repeat("=", n-1)+"]")
	if end < 0 {
		return "", false
	}
	for stop := p.pos + n + 1 + end + n + 1; p.pos < stop; {
		p.next()
	}
	return rest[n+1 : n+1+end], true
}

// cmakeFiles are the CMake files of a repository, without those of other
// projects that it contains.
func cmakeFiles(repo Repository) []cmakeCommand {
	var out []cmakeCommand
	for _, p := range repo.Paths() {
		name := path.Base(p)
		if (name != "CMakeLists.txt" && path.Ext(name) != ".cmake") || foreign(p) {
			continue
		}
		out = append(out, cmakeCommands(p, repo.Text(p))...)
	}
	return out
}

// foreign recognises folders with other people's projects, and with small
// projects that only tests or documents use.
func foreign(p string) bool {
	for _, d := range strings.Split(path.Dir(p), "/") {
		switch strings.ToLower(d) {
		case "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "extern", "external", "externals", "vendor", "vendored",
			"deps", "submodules", "googletest", "gtest", "gmock", "example", "examples", "doc", "docs", "fuzz", "fuzzing", "android":
			return true
		}
	}
	return false
}
