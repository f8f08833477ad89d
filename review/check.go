package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// Class is a kind of leak.
type Class string

// The classes of leaks.
const (
	LeakIdentifier Class = "identifier" // a name that only gold has
	LeakNumber     Class = "number"     // a number that only gold has
	LeakLiteral    Class = "literal"    // a string that only gold has
	LeakCopy       Class = "copy"       // five tokens in a row of the code that gold adds
	LeakCode       Class = "code"       // quoted code that is mostly one of gold's hunks
	LeakLine       Class = "line"       // a line number that makes sense in gold's files only
	LeakDiff       Class = "diff"       // marks of a diff
	LeakAnswer     Class = "answer"     // words that reveal an answer
	LeakCanary     Class = "canary"     // the mark in the gold that a model was shown
)

// Leak is one place where a review gives gold away. Token is what it reveals,
// for logs and for the model that is asked again; String, which goes into
// data sets, leaves it out, so that a report of leaks leaks nothing.
type Leak struct {
	Class Class
	Word  int // in which word of the review, from 1
	Token string
}

// String is the class and the place.
func (l Leak) String() string { return fmt.Sprintf("%s (word %d)", l.Class, l.Word) }

// Check reports the leaks of a text. It is deterministic.
func (s *Subject) Check(text string) bench.LeakReport {
	report := bench.LeakReport{Checkable: s.Checkable()}
	for _, l := range s.Leaks(text) {
		report.Leaks = append(report.Leaks, l.String())
	}
	return report
}

// Checkable reports whether gold adds anything that base, the bad patch, the
// issue and the tests do not contain. Where it does not, only diffs, line
// numbers and revealing words can be found.
func (s *Subject) Checkable() bool { return !s.secret.empty() }

// Leaks finds the leaks of a text, in order of their place.
func (s *Subject) Leaks(text string) []Leak {
	t := read(text)
	var out []Leak
	out = append(out, s.tokenLeaks(t)...)
	out = append(out, s.literalLeaks(t)...)
	out = append(out, s.copyLeaks(t)...)
	out = append(out, s.codeLeaks(t)...)
	out = append(out, s.lineLeaks(t)...)
	out = append(out, diffLeaks(t)...)
	out = append(out, s.answerLeaks(t)...)
	slices.SortStableFunc(out, func(a, b Leak) int { return a.Word - b.Word })
	return slices.Compact(out)
}

// prose is a parsed review.
type prose struct {
	text   string
	tokens []span
	code   []codeSpan
}

func read(text string) prose {
	return prose{text: text, tokens: scan(text), code: codeSpans(text)}
}

// wordAt is the number of the word at an offset.
func (p prose) wordAt(offset int) int {
	n := len(strings.Fields(p.text[:offset]))
	if offset == 0 || offset < len(p.text) && isSpace(p.text[offset-1]) {
		n++
	}
	return max(n, 1)
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (p prose) leak(c Class, offset int, token string) Leak {
	return Leak{Class: c, Word: p.wordAt(offset), Token: token}
}

// inCode reports whether an offset is in quoted code.
func (p prose) inCode(offset int) bool {
	for _, c := range p.code {
		if offset >= c.start && offset < c.end {
			return true
		}
	}
	return false
}

// tokenLeaks finds names and numbers of gold.
func (s *Subject) tokenLeaks(p prose) []Leak {
	var out []Leak
	for i, t := range p.tokens {
		switch {
		case t.class == word && s.secret.words[key(t.text)] && p.meant(t):
			out = append(out, p.leak(LeakIdentifier, t.start, t.text))
		case t.class == number && s.secret.numbers[plainNumber(t.text)] && !p.lineNumber(i):
			out = append(out, p.leak(LeakNumber, t.start, t.text))
		}
	}
	return out
}

// meant reports whether a name stands for code. A name that looks like a word
// of English counts where it is written as code: in backticks or quotes, with
// an underscore, as a call, a member or an assignment, or with a capital
// within a sentence.
func (p prose) meant(t span) bool {
	if !wordlike(t.text) || p.inCode(t.start) {
		return true
	}
	before, after := p.text[:t.start], p.text[t.end:]
	switch {
	case strings.HasPrefix(after, "("), strings.HasPrefix(after, "="), strings.HasPrefix(after, "::"), strings.HasPrefix(after, "->"):
		return true
	case strings.HasSuffix(before, "::"), strings.HasSuffix(before, "->"), strings.HasSuffix(before, "@"):
		return true
	case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."):
		return true
	case len(after) > 1 && after[0] == '.' && wordStart(after[1]):
		return true
	}
	if before != "" && after != "" && strings.ContainsRune(`'"`, rune(after[0])) && before[len(before)-1] == after[0] {
		return true
	}
	return t.text[0] >= 'A' && t.text[0] <= 'Z' && !opensSentence(before)
}

// opensSentence reports whether a sentence begins after this text.
func opensSentence(before string) bool {
	trimmed := strings.TrimRight(before, " \t\r\n*_#>-(\"'")
	return trimmed == "" || strings.ContainsRune(".!?:;", rune(trimmed[len(trimmed)-1])) ||
		strings.Contains(before[len(trimmed):], "\n")
}

// lineNumber reports whether a number names a line; lineLeaks judges those.
func (p prose) lineNumber(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch strings.ToLower(p.tokens[j].text) {
		case "line", "lines":
			return true
		case "-", "–", "to", "and", "through", ",":
		default:
			if p.tokens[j].class != number {
				return false
			}
		}
	}
	return false
}

// literalLeaks finds strings of gold. One that is a single word counts in
// quoted code and in quotes; one without letters or digits in code only.
func (s *Subject) literalLeaks(p prose) []Leak {
	var out []Leak
	for raw := range s.secret.literals {
		l := strings.TrimSpace(raw)
		for at := indexFrom(p.text, l, 0); at >= 0; at = indexFrom(p.text, l, at+len(l)) {
			t := span{literal, l, at, at + len(l)}
			switch {
			case cutsWord(p.text, t):
			case p.inCode(at), p.inQuotes(raw, at), !wordlike(l) && letters(l)+digits(l) >= 2:
				out = append(out, p.leak(LeakLiteral, at, l))
			}
		}
	}
	slices.SortFunc(out, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word), strings.Compare(a.Token, b.Token))
	})
	return out
}

// inQuotes reports whether a string is in quotes of its own; at is where it
// begins, blanks at its ends left out.
func (p prose) inQuotes(raw string, at int) bool {
	start := at - strings.Index(raw, strings.TrimSpace(raw))
	end := start + len(raw)
	if start < 1 || end >= len(p.text) || p.text[start:end] != raw {
		return false
	}
	if start > 1 && (wordStart(p.text[start-2]) || isDigit(p.text[start-2])) {
		return false // the end of another string
	}
	return p.text[start-1] == p.text[end] && strings.IndexByte(`'"`, p.text[end]) >= 0
}

func indexFrom(text, part string, from int) int {
	if i := strings.Index(text[from:], part); i >= 0 {
		return from + i
	}
	return -1
}

// cutsWord reports whether a span begins or ends within a word.
func cutsWord(text string, t span) bool {
	inner := func(c byte) bool { return wordStart(c) || isDigit(c) }
	return t.start > 0 && inner(text[t.start]) && inner(text[t.start-1]) ||
		t.end < len(text) && inner(text[t.end]) && inner(text[t.end-1])
}

// copyLeaks finds runs of tokens that only gold has, also across line breaks.
func (s *Subject) copyLeaks(p prose) []Leak {
	tokens := make(stream, len(p.tokens))
	for i, t := range p.tokens {
		tokens[i] = t.text
	}
	var out []Leak
	last := -gramSize
	tokens.eachGram(func(g gram, at int) {
		if !s.secret.grams[g] {
			return
		}
		if at > last+1 {
			out = append(out, p.leak(LeakCopy, p.tokens[at].start, strings.Join(tokens[at:at+gramSize], " ")))
		}
		last = at
	})
	return out
}
