package style

import (
	"regexp"
	"strings"

	"assay/languages/token"
)

// cpp takes clang-tidy's marks out of comments, and what hides code from it
// out of directives and attributes.
func (n *neutraliser) cpp() {
	pragmas := newPragmas()
	word := ""
	for i, t := range n.tokens {
		switch t.Kind {
		case token.Comment:
			n.nolint(t, true)
			n.iwyu(t, pragmas)
		case token.String, token.Char, token.Word:
			n.nolint(t, false)
			n.attribute(i)
			n.pragmaOperator(i, pragmas)
		case token.Directive:
			n.nolint(t, false)
			if w, begins := directiveWord(t.Text(n.src)); begins {
				word = w // what follows a comment in the line belongs to it, too
			}
			n.directive(t, word, pragmas)
		}
	}
}

// The method nolint finds NOLINT, NOLINTNEXTLINE, NOLINTBEGIN and NOLINTEND. clang-tidy
// looks for them in the raw text, without regard to comments
// (NoLintDirectiveHandler.cpp).
func (n *neutraliser) nolint(t token.Token, comment bool) {
	text := t.Text(n.src)
	each(text, "NOLINT", func(at int) {
		rest := text[at+len("NOLINT"):]
		word := upTo(rest, len("NEXTLINE")+1, isLetter)
		switch word {
		case "", "NEXTLINE", "BEGIN", "END":
		default:
			return
		}
		if comment {
			n.put(t.Start+at, "XOLINT")
		}
		if word != "END" {
			n.report(t, t.Start+at, SuppressNolint, nolintNames(rest[len(word):]), text).Left = !comment
		}
	})
}

func nolintNames(rest string) []string {
	if !strings.HasPrefix(rest, "(") {
		return nil
	}
	list, _, closed := strings.Cut(rest[1:min(len(rest), maxNames)], ")")
	if !closed {
		return nil
	}
	return ruleNames(list)
}

// maxNames bounds the list of rules of one mark, in bytes.
const maxNames = 4096

// upTo is the run of letters that text begins with, most bytes at most.
func upTo(text string, most int, letter func(byte) bool) string {
	n := 0
	for n < len(text) && n < most && letter(text[n]) {
		n++
	}
	return text[:n]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// pragmas are the shapes of directives that hide findings.
type pragmas struct {
	system, diagnostic, marker, analyzer, iwyu *regexp.Regexp
}

func newPragmas() pragmas {
	return pragmas{
		system:     regexp.MustCompile(`\b(?:GCC|clang)\s+(system_header)\b`),
		diagnostic: regexp.MustCompile(`\b(?:GCC|clang)\s+(diagnostic)\s+ignored\b(?:\s*\\?"([^"\\]*))?`),
		marker:     regexp.MustCompile(`^(?:#|%:)\s*(?:line\s+)?\d+\s+"(?:[^"\\]|\\.)*"(?:\s+[124])*\s+(3)\b`),
		analyzer:   regexp.MustCompile(`\b__clang_(?:analyzer|tidy)__`),
		iwyu:       regexp.MustCompile(`IWYU\s+pragma:\s*(?:begin_|always_)?(keep|export)`),
	}
}

// iwyu handles include-cleaner's marks, which misc-include-cleaner honours.
func (n *neutraliser) iwyu(t token.Token, p pragmas) {
	text := t.Text(n.src)
	for _, m := range p.iwyu.FindAllStringSubmatchIndex(text, -1) {
		n.put(t.Start+m[2], "x")
		n.report(t, t.Start+m[0], SuppressInclude, []string{"misc-include-cleaner"}, text)
	}
}

func (n *neutraliser) directive(t token.Token, word string, p pragmas) {
	text := t.Text(n.src)
	switch word {
	case "pragma":
		n.pragma(t, text, p)
	case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "undef", "define":
		for _, m := range p.analyzer.FindAllStringIndex(text, -1) {
			n.put(t.Start+m[1]-len("__"), "_x")
			n.report(t, t.Start+m[0], SuppressAnalyzer, nil, text)
		}
	default:
		if m := p.marker.FindStringSubmatchIndex(text); m != nil {
			n.put(t.Start+m[2], " ")
			n.report(t, t.Start, SuppressHeader, nil, text)
		}
	}
}

// pragma handles the text of a pragma, which may be a string of _Pragma.
func (n *neutraliser) pragma(t token.Token, text string, p pragmas) {
	if m := p.system.FindStringSubmatchIndex(text); m != nil {
		n.put(t.Start+m[2], "x")
		n.report(t, t.Start+m[0], SuppressHeader, nil, text)
	}
	if m := p.diagnostic.FindStringSubmatchIndex(text); m != nil {
		n.put(t.Start+m[2], "x")
		var names []string
		if m[4] >= 0 {
			names = ruleNames(text[m[4]:m[5]])
		}
		n.report(t, t.Start+m[0], SuppressDiagnostic, names, text)
	}
}

// directiveWord is the name of a directive: "ifdef" of "#  ifdef X". No
// directive begins after a comment on its line.
func directiveWord(text string) (word string, begins bool) {
	text, sharp := strings.CutPrefix(text, "#")
	if !sharp {
		if text, begins = strings.CutPrefix(text, "%:"); !begins {
			return "", false
		}
	}
	text = strings.TrimLeft(text, " \t\\\r\n")
	end := 0
	for end < len(text) && token.IsWord(text[end]) {
		end++
	}
	return text[:end], true
}

// pragmaOperator handles _Pragma("...").
func (n *neutraliser) pragmaOperator(i int, p pragmas) {
	if i >= 2 && n.tokens[i].Kind == token.String && n.word(i-2) == "_Pragma" {
		n.pragma(n.tokens[i], n.tokens[i].Text(n.src), p)
	}
}

// attribute handles [[clang::suppress]], [[gsl::suppress(...)]] and
// __attribute__((suppress)), which the analyzer's checks honour.
func (n *neutraliser) attribute(i int) {
	if n.word(i) != "suppress" {
		return
	}
	scope := n.word(i - 3)
	scoped := i >= 3 && n.is(i-1, ':') && n.is(i-2, ':') && (scope == "clang" || scope == "gsl")
	gnu := i >= 3 && n.is(i-1, '(') && n.is(i-2, '(') && scope == "__attribute__"
	if !scoped && !gnu {
		return
	}
	t := n.tokens[i]
	n.put(t.Start, "x")
	n.report(t, t.Start, SuppressAttribute, nil, string(n.src[n.tokens[i-3].Start:t.End]))
}

// word is the text of the i-th token where it is a word.
func (n *neutraliser) word(i int) string {
	if i < 0 || i >= len(n.tokens) || n.tokens[i].Kind != token.Word {
		return ""
	}
	return n.tokens[i].Text(n.src)
}

func (n *neutraliser) is(i int, c byte) bool {
	return i >= 0 && i < len(n.tokens) && n.tokens[i].Kind == token.Punct && n.src[n.tokens[i].Start] == c
}
