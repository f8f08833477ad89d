package code

import "strings"

// Normalise is the normal form of source code: its tokens with one blank
// between them, without comments, docstrings and layout; in Python with marks
// for the ends of statements and for what is indented. Two files of the same
// form do the same. Of a text in no known language the words are the form.
//
// It reads text only and never fails: damaged source has a form, too.
func Normalise(language string, src []byte) string {
	l := &lexer{src: string(src), spelling: spellingOf(language), out: make([]byte, 0, len(src))}
	if l.read == nil {
		return strings.Join(strings.Fields(l.src), " ")
	}
	l.read(l)
	return string(l.out)
}

// lexer cuts source into tokens.
type lexer struct {
	spelling
	src string
	at  int
	out []byte

	// Python only.
	depth    int   // open brackets
	indents  []int // open blocks
	first    bool  // at the first token of a statement
	onlyText bool  // the statement so far is one string
	mark     int   // where the statement's form begins
}

func (l *lexer) emit(token string) {
	if len(l.out) > 0 {
		l.out = append(l.out, ' ')
	}
	l.out = append(l.out, token...)
}

// braces reads Java and C++. What the preprocessor reads keeps its line ends.
func (l *lexer) braces() {
	directive := false
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch b := rest[0]; {
		case b == '\n':
			if directive {
				l.emit("\n")
			}
			directive = false
			l.at++
		case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v':
			l.at++
		case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
			l.at += strings.IndexByte(rest, '\n') + 1
		case strings.HasPrefix(rest, "//"):
			l.at += until(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			l.at += past(rest, 2, "*/")
		case b == '#' && l.directives:
			directive = true
			l.take(1)
		case strings.HasPrefix(rest, `"""`) && l.textBlocks:
			l.take(past(rest, 3, `"""`))
		case b == '"' || b == '\'':
			l.take(quoted(rest, 0))
		case IsWord(b):
			l.takeWord(rest)
		default:
			l.take(1)
		}
	}
}

// takeWord takes a name or number, or a string with its prefix.
func (l *lexer) takeWord(rest string) {
	n := 1
	for n < len(rest) && IsWord(rest[n]) {
		n++
	}
	digit := rest[0] >= '0' && rest[0] <= '9'
	if digit {
		for n < len(rest) && (IsWord(rest[n]) || rest[n] == '.' || rest[n] == '\'' && l.quotedDigits && n+1 < len(rest) && IsWord(rest[n+1])) {
			n++
		}
		l.take(n)
		return
	}
	if n < len(rest) && (rest[n] == '"' || rest[n] == '\'') && n <= 3 && l.prefix != nil && l.prefix(rest[:n]) {
		if strings.HasSuffix(rest[:n], "R") && l.rawStrings {
			l.take(rawString(rest, n))
			return
		}
		l.take(quoted(rest, n))
		return
	}
	l.take(n)
}

func (l *lexer) take(n int) {
	n = min(max(n, 1), len(l.src)-l.at)
	l.emit(l.src[l.at : l.at+n])
	l.at += n
}

// IsWord reports whether a byte can be part of a name.
func IsWord(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// until is the length of the text before an end, or all of it.
func until(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i
	}
	return len(text)
}

// past is the length of the text with its end, which is looked for from a
// place on.
func past(text string, from int, end string) int {
	from = min(from, len(text))
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

// quoted is the length of a string with its quotes, which begin at a place. A
// string that does not end in its line ends there.
func quoted(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

// rawString is the length of R"x(...)x", with its prefix of n letters.
func rawString(text string, n int) int {
	open := strings.IndexByte(text[n:], '(')
	if open < 1 || open > 18 {
		return quoted(text, n)
	}
	return past(text, n+open, ")"+text[n+1:n+open]+`"`)
}
