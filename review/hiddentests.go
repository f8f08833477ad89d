package review

import (
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
)

// learnTests makes secret what the hidden test patch adds: names of tests,
// values that they expect, names that only they use. An agent that read them
// could write code for these tests alone.
func (s *Subject) learnTests() {
	tests, err := patch.Parse([]byte(s.in.Instance.TestPatch))
	if err != nil {
		return // reported when the tests are applied
	}
	for _, f := range tests.Files {
		d, _ := dialectByName(f.Path())
		for _, run := range f.AddedText() {
			tokens := lex([]byte(run), d)
			s.secret.learn(tokens)
			s.secret.learnNumbers(tokens)
		}
	}
}

// learnNumbers takes in the numbers within strings: a number can reveal an
// expected value, too.
func (s *secrets) learnNumbers(run []token) {
	for _, t := range run {
		if t.class != literal {
			continue
		}
		for _, part := range scan(t.text) {
			if part.class == number {
				s.addNumber(part.text)
			}
		}
	}
}

// tellOldTests makes known what the touched test files hold at base.
func (s *Subject) tellOldTests() {
	for _, p := range patch.PathsIn(s.in.Instance.TestPatch) {
		s.markKnown(p)
		if text, err := s.in.Base(p); err == nil {
			s.markKnown(string(text))
		}
	}
}

// tellTests makes known all that the tests say: for reviews that may quote
// them.
func (s *Subject) tellTests() {
	for _, t := range slices.Concat(s.in.FailToPass, s.in.PassToPass) {
		s.markKnown(t.ID)
		s.markKnown(t.Message)
	}
	s.markKnown(s.in.Instance.TestPatch)
}

// quotable reports whether a review may name a failing test and describe what
// it expects: one that base has as it is. Fail-to-pass tests are hidden, as
// they are or by what they expect now.
func (s *Subject) quotable(t bench.Test) bool {
	if s.in.QuoteTests {
		return true
	}
	hiddenID := func(list []bench.Test) bool {
		return slices.ContainsFunc(list, func(o bench.Test) bool { return o.ID == t.ID })
	}
	name := writingOf(s.language).test(t.ID)
	return !hiddenID(s.in.FailToPass) && !strings.Contains(s.mask(name), hidden)
}

// hiddenFailures describe tests that must not be named: how many end in the
// same way, without names and values.
func (s *Subject) hiddenFailures(failures []failure) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range failures {
		text := "A case that the issue describes does not give what it asks for."
		switch {
		case f.unbuilt:
			text = "A case that the issue describes cannot even be run."
		case strings.Contains(f.exception, " "):
			text = "A case that the issue describes ends in " + f.exception + "."
		case f.exception != "" && s.mask(f.exception) == f.exception:
			text = "A case that the issue describes ends in " + code(f.exception) + "."
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}
