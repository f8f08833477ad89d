package modelsource

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
	"assay/llm"
)

// fewLines is up to how many lines a file may change altogether.
const fewLines = 5

// wholeFile reads a version of a file out of an answer.
func wholeFile(s *badpatch.Subject, f *badpatch.ChangedFile, answer llm.Response) ([]byte, *refusal) {
	if answer.Stop == llm.StopLength {
		return nil, &refusal{Cause: truncated, Why: "the answer was cut off by the limit on its length before the file ended"}
	}
	text := fileIn(f, answer.Text)
	kept, all := sharedLines(f.After, text)
	if len(text) == 0 || all >= fewLines && 5*kept < all {
		return nil, &refusal{Cause: noFile, Why: "the answer is not the file: give its text from the first to the last line, and nothing else"}
	}
	if _, errs, err := syntax.Nodes(s.Language, text); 5*len(text) < 4*len(f.After) && (err != nil || errs > f.Gold.Errors) {
		return nil, &refusal{Cause: truncated, Why: fmt.Sprintf("the answer ends too early: it has %d lines, the file %d, and does not parse", len(code.Lines(text)), len(code.Lines(f.After)))}
	}
	if line := omission(f.After, text); line != "" {
		return nil, &refusal{Cause: truncated, Why: fmt.Sprintf("the answer leaves out a part of the file (%q): give all of it", line)}
	}
	if all >= fewLines && 2*kept < all {
		return nil, &refusal{Cause: truncated, Why: fmt.Sprintf("of the %d lines of the file the answer has only %d", all, kept)}
	}
	return settled(s.Language, f.After, text), nil
}

// fileIn takes off what models put around a file, and gives it gold's line
// ends.
func fileIn(f *badpatch.ChangedFile, answer string) []byte {
	text := strings.ReplaceAll(answer, "\r\n", "\n")
	text = unfenced(text, hasFence(string(f.After)))
	text = unframed(text, f.Path)
	text = strings.Trim(text, "\n")
	if text == "" {
		return nil
	}
	if bytes.HasSuffix(f.After, []byte("\n")) {
		text += "\n"
	}
	if f.Gold.Newline() == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

func hasFence(text string) bool {
	for line := range strings.Lines(text) {
		if isFence(line) {
			return true
		}
	}
	return false
}

// unfenced takes a code fence off, with what is said around it. In a file that
// has fences of its own only the very first and last line can be one.
func unfenced(text string, strict bool) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	first := slices.IndexFunc(all, isFence)
	last := len(all) - 1
	for last > first && !isFence(all[last]) {
		last--
	}
	if first < 0 || strict && (first > 0 || last < len(all)-1) {
		return text
	}
	if last == first { // never closed
		return strings.Join(all[first+1:], "\n")
	}
	return strings.Join(all[first+1:last], "\n")
}

// unframed takes off the lines that frame the file in the prompt.
func unframed(text, path string) string {
	all := strings.Split(strings.Trim(text, "\n"), "\n")
	frame := func(line, word string) bool {
		return strings.HasPrefix(line, "---") && strings.Contains(line, word) && strings.Contains(line, path)
	}
	if len(all) > 0 && frame(all[0], "begin of") {
		all = all[1:]
	}
	if n := len(all); n > 0 && frame(all[n-1], "end of") {
		all = all[:n-1]
	}
	return strings.Join(all, "\n")
}

// sharedLines counts the lines of a text that hold anything, and those of them
// that another one has as well.
func sharedLines(text, other []byte) (kept, all int) {
	have := map[string]int{}
	for _, l := range code.Lines(other) {
		have[string(bytes.TrimSpace(l))]++
	}
	for _, l := range code.Lines(text) {
		word := string(bytes.TrimSpace(l))
		if word == "" {
			continue
		}
		all++
		if have[word] > 0 {
			have[word]--
			kept++
		}
	}
	return kept, all
}

// placeholder is how models say that they leave out a part: "... the rest of
// the file stays the same ...".
var placeholder = regexp.MustCompile(`(?i)^\W*(?:(?:\.\.\.|…).*\b(?:rest|remaining|remainder|unchanged|existing|same|omitted)\b|(?:the )?(?:rest|remainder) of\b.*\b(?:unchanged|same|omitted|as before|as is)\b)`)

// omission is a line that stands for what an answer leaves out.
func omission(gold, text []byte) string {
	for _, l := range code.Lines(text) {
		if line := bytes.TrimSpace(l); placeholder.Match(line) && !bytes.Contains(gold, line) {
			return code.Excerpt(string(line))
		}
	}
	return ""
}

// mostHunks is up to how many changes an answer is settled.
const mostHunks = 200

// settled takes back what an answer changes without changing the code: blanks,
// layout and comments, which would be noise in the diff or give the mistake
// away.
func settled(language string, gold, text []byte) []byte {
	hunks := code.HunksBetween(gold, text)
	if len(hunks) > mostHunks {
		return text
	}
	form := code.Normalise(language, text)
	taken := make([]bool, len(hunks))
	for i := range taken {
		taken[i] = true
	}
	for i := range hunks {
		taken[i] = false
		if code.Normalise(language, code.Weave(gold, text, hunks, func(j int) bool { return taken[j] })) != form {
			taken[i] = true
		}
	}
	return code.Weave(gold, text, hunks, func(j int) bool { return taken[j] })
}
