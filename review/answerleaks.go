package review

import (
	"regexp"
	"strings"
)

var diffMarks = regexp.MustCompile(`(?m)^\s*(@@ -\d|diff --git |(---|\+\+\+) (a/|b/|/dev/null)|index [0-9a-f]{7,}\.\.)|@@ -\d+(,\d+)? \+\d+`)

var changedLine = regexp.MustCompile(`(?m)^[ \t]*[+-][^\n]*[A-Za-z0-9_})\]]`)

// diffLeaks finds headers of diffs and hunks anywhere, and lines marked with
// plus or minus in fences; in prose those are lists.
func diffLeaks(p prose) []Leak {
	var out []Leak
	for _, m := range diffMarks.FindAllStringIndex(p.text, -1) {
		out = append(out, p.leak(LeakDiff, contentAt(p.text, m[0]), strings.TrimSpace(p.text[m[0]:m[1]])))
	}
	for _, c := range p.code {
		if !c.fenced {
			continue
		}
		if m := changedLine.FindStringIndex(p.text[c.start:c.end]); m != nil {
			at := contentAt(p.text, c.start+m[0])
			out = append(out, p.leak(LeakDiff, at, strings.TrimSpace(p.text[at:c.start+m[1]])))
		}
	}
	return out
}

// contentAt is the offset of the first character that is not a blank.
func contentAt(text string, at int) int {
	for at < len(text)-1 && isSpace(text[at]) {
		at++
	}
	return at
}

// answerWords are ways to refer to gold. "Reference" and "expected" alone are
// words of any review; with a word for a patch they are not.
var answerWords = regexp.MustCompile(`(?i)\b(` +
	`(correct|reference|gold|golden|ground[- ]truth|upstream|official|merged|accepted|expected|actual|true|intended|real|canonical)` +
	`[ -]+(code )?(patch|fix|solution|diff|answer|commit|pull request)(es|s)?` +
	`|(reference|gold|golden|ground[- ]truth|upstream|official) (implementation|version|change|code)s?` +
	`|gold|ground[- ]truth|canary|answer key)\b`)

// answerLeaks finds words that reveal an answer, unless the issue or the code
// uses them as well.
func (s *Subject) answerLeaks(p prose) []Leak {
	var out []Leak
	for _, m := range answerWords.FindAllStringIndex(p.text, -1) {
		phrase := p.text[m[0]:m[1]]
		if !s.known.hold(textStream(phrase)) && !s.known.hold(textStream(strings.ToLower(phrase))) {
			out = append(out, p.leak(LeakAnswer, m[0], phrase))
		}
	}
	return out
}
