package review

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/internal/patch"
)

// secrets are what the code that gold adds has and nothing else that an agent
// may see: T of the leak check. Comments, documentation and tests of gold are
// not part of it.
type secrets struct {
	words    map[string]bool // by key
	numbers  map[string]bool
	literals map[string]bool // as they are, blanks included
	grams    map[gram]bool
	hunks    []hunk // the added runs that no one else has as they are
}

// hunk is a run of code that gold adds.
type hunk struct {
	code  stream
	names stream // without operators and keywords
}

// empty reports whether there is nothing by which a copy could be recognised.
func (s secrets) empty() bool {
	return len(s.words)+len(s.numbers)+len(s.literals)+len(s.grams)+len(s.hunks) == 0
}

// learn works out what is known and what is secret. Known are the touched
// files at base and with the bad patch, the test files at base, the bad patch
// as text, and the issue. Secret is what gold and the hidden test patch add.
// Where tests may be quoted they are known, with names and messages of those
// that fail; the strict secrets leave that out, and the deterministic reviewer
// masks by them.
func (s *Subject) learn() {
	s.secret = s.added()
	if !s.in.QuoteTests {
		s.learnTests()
	}
	texts := []string{s.in.Instance.ProblemStatement, s.in.Bad.Patch}
	for _, f := range s.files {
		for _, v := range []*version{f.base, f.bad} {
			if v == nil {
				continue
			}
			s.known.add(codeStream(v.tokens))
			s.secret.forgetCode(v)
		}
		if f.base != nil || f.bad != nil {
			texts = append(texts, f.path)
		}
	}
	for _, text := range texts {
		s.markKnown(text)
	}
	s.tellOldTests()
	s.strict = s.secret.maskable()
	if s.in.QuoteTests {
		s.tellTests()
	}
	s.secret.hunks = slices.DeleteFunc(s.secret.hunks, func(h hunk) bool { return s.known.hold(h.code) })
}

// markKnown makes a text known.
func (s *Subject) markKnown(text string) {
	st := textStream(text)
	s.known.add(st)
	s.secret.forget(st, text)
}

// added collects everything that gold adds.
func (s *Subject) added() secrets {
	all := secrets{words: map[string]bool{}, numbers: map[string]bool{}, literals: map[string]bool{}, grams: map[gram]bool{}}
	for _, f := range s.files {
		for _, run := range f.goldRuns() {
			all.learn(run)
		}
	}
	return all
}

// goldRuns are the runs of code that gold adds to a file, comments left out.
func (f *file) goldRuns() [][]token {
	if f.gold == nil {
		return nil
	}
	var runs [][]token
	var at int
	for _, r := range addedLines(f.path, f.base, f.gold) {
		for at < len(f.gold.tokens) && f.gold.tokens[at].line < r.Start {
			at++
		}
		from := at
		for at < len(f.gold.tokens) && f.gold.tokens[at].line <= r.End {
			at++
		}
		if at > from {
			runs = append(runs, f.gold.tokens[from:at])
		}
	}
	return runs
}

// addedLines are the lines of to that from lacks.
func addedLines(path string, from, to *version) []patch.LineRange {
	var old, text []byte
	if from != nil {
		old = append([]byte{}, from.text...)
	}
	if to != nil {
		text = append([]byte{}, to.text...)
	}
	p, err := patch.Parse(patch.Between(path, old, text))
	if err != nil || len(p.Files) == 0 {
		return nil
	}
	return p.Files[0].AddedLines()
}

// learn takes in one run of added code.
func (s *secrets) learn(run []token) {
	code := codeStream(run)
	for _, t := range run {
		switch {
		case t.class == literal:
			if utf8.RuneCountInString(strings.TrimSpace(t.text)) >= 3 {
				s.literals[t.text] = true
			}
		case t.class == number:
			s.addNumber(t.text)
		case t.class == word && !keyword(t.text) && letters(t.text) >= 3:
			s.words[key(t.text)] = true
		}
	}
	if names := code.names(); len(names) >= 2 {
		s.hunks = append(s.hunks, hunk{code, names})
	}
	code.eachGram(func(g gram, at int) {
		if code[at : at+gramSize].significant() {
			s.grams[g] = true
		}
	})
}

func (s *secrets) addNumber(text string) {
	if n := plainNumber(text); digits(n) >= 2 {
		s.numbers[n] = true
	}
}

// forgetCode takes out what a file holds, comments included.
func (s *secrets) forgetCode(v *version) {
	s.forget(codeStream(v.tokens), string(v.text))
	s.forget(textStream(string(v.text)), "")
}

// forget takes out what a text holds.
func (s *secrets) forget(st stream, text string) {
	for _, t := range st {
		delete(s.words, key(t))
		if isDigit(t[0]) {
			delete(s.numbers, plainNumber(t))
		}
	}
	st.eachGram(func(g gram, _ int) { delete(s.grams, g) })
	for l := range s.literals {
		if text != "" && strings.Contains(text, strings.TrimSpace(l)) {
			delete(s.literals, l)
		}
	}
}

// maskable is a copy of what can be masked.
func (s secrets) maskable() secrets {
	return secrets{words: maps.Clone(s.words), numbers: maps.Clone(s.numbers), literals: maps.Clone(s.literals)}
}
