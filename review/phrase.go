package review

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
)

// maxExamples bounds the failing tests that a review names.
const maxExamples = 3

// behaviour is the paragraph of what goes wrong, sentence by sentence.
func (s *Subject) behaviour() []string {
	out := s.opening()
	if s.unapplied != nil || s.unbuilt() {
		return out
	}
	fixed, broken := examples(s.language, s.shown(s.in.FailToPass)), examples(s.language, s.shown(s.in.PassToPass))
	if !s.in.QuoteTests {
		out = append(out, s.hiddenFailures(examples(s.language, s.in.FailToPass))...)
	}
	asked := min(len(fixed), max(maxExamples-1, maxExamples-len(broken)))
	named := 0
	for _, f := range fixed[:asked] {
		out = append(out, s.outcome(f, ""))
		named++
	}
	for _, f := range broken[:min(len(broken), maxExamples-named)] {
		out = append(out, s.outcome(f, ", which passed before,"))
		named++
	}
	if len(fixed)+len(broken) > named {
		out = append(out, "Other tests fail as well.")
	}
	return out
}

// shown are the failing tests that may be named.
func (s *Subject) shown(failing []bench.Test) []bench.Test {
	return slices.DeleteFunc(slices.Clone(failing), func(t bench.Test) bool { return !s.quotable(t) })
}

// opening says in general how far the patch gets.
func (s *Subject) opening() []string {
	failing, broken := len(s.in.FailToPass), len(s.in.PassToPass)
	regression := "It also breaks behaviour that worked before."
	switch {
	case s.unapplied != nil:
		return []string{"The patch does not apply to the files as they are, so nothing of it takes effect; make it again on top of the present code."}
	case s.unbuilt():
		return []string{"With this patch the code does not build or load together with the tests, so that none of them gets to run; get that right first."}
	case failing == 0 && broken == 0:
		return []string{"The tests at hand pass with this patch, but it does not settle the whole issue."}
	case failing == 0:
		return []string{"What the issue asks for seems to work, but the patch breaks behaviour that worked before."}
	case failing < len(s.in.Instance.FailToPass):
		out := []string{"The patch solves only a part of the issue."}
		if broken > 0 {
			out = append(out, regression)
		}
		return out
	case broken > 0:
		return []string{"The problem of the issue is still there with this patch.", regression}
	}
	return []string{"The problem of the issue is still there with this patch."}
}

// unbuilt reports whether the bad patch kept all tests from running.
func (s *Subject) unbuilt() bool {
	if s.in.Bad.Level == bench.LevelUnbuilt {
		return true
	}
	all := len(s.in.Instance.FailToPass) + len(s.in.Instance.PassToPass)
	if all == 0 || len(s.in.FailToPass)+len(s.in.PassToPass) < all {
		return false
	}
	for _, list := range [][]bench.Test{s.in.FailToPass, s.in.PassToPass} {
		for _, t := range list {
			if t.Status != bench.Missing {
				return false
			}
		}
	}
	return true
}

// examples are failures with names of their own, the most informative first.
func examples(language string, tests []bench.Test) []failure {
	var told, bare []failure
	seen := map[string]bool{}
	for _, t := range sortedTests(tests) {
		f := readFailure(language, t)
		switch {
		case seen[f.test]:
			continue
		case f.exception == "" && f.expected == "":
			bare = append(bare, f)
		default:
			told = append(told, f)
		}
		seen[f.test] = true
	}
	// A case of Catch2 or doctest fails with its sections, which are more
	// informative.
	return slices.DeleteFunc(append(told, bare...), func(f failure) bool {
		for name := range seen {
			if strings.HasPrefix(name, f.test+"/") {
				return true
			}
		}
		return false
	})
}

// outcome is a sentence on one failing test; what only gold has is masked.
func (s *Subject) outcome(f failure, aside string) string {
	test := s.nameTest(f.test) + aside
	value := func(v string) string { return code(s.mask(v)) }
	switch {
	case f.unbuilt:
		return sentence(test + " does not even run")
	case strings.Contains(f.exception, " "):
		return sentence(test + " ends in " + f.exception)
	case f.exception != "":
		return sentence(test + " ends in " + code(s.mask(f.exception)))
	case f.expected == "" || f.actual == "":
		return sentence(test + " fails")
	case f.unordered:
		return sentence(fmt.Sprintf("in %s, %s and %s should be equal, but are not", strings.TrimSuffix(test, ","), value(f.expected), value(f.actual)))
	}
	return sentence(fmt.Sprintf("%s expects %s, but gets %s", test, value(f.expected), value(f.actual)))
}

// nameTest quotes a test's name: as code, or as a title where it is one.
func (s *Subject) nameTest(name string) string {
	name = s.mask(name)
	switch {
	case strings.Trim(name, hidden+"_./ ") == "":
		return "a test"
	case strings.Contains(name, " "):
		return `the test "` + clean(name) + `"`
	}
	return code(name)
}

func code(text string) string { return "`" + clean(text) + "`" }

// sentence gives a text a capital and a full stop.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// advice is what a review says about a place. n varies the wording; same says
// that the file was named just before.
func (p Place) advice(n int, same bool) string {
	where := p.where(same)
	switch p.Detail {
	case NewFile:
		return "Something is missing that no present file holds; changes of the existing files alone may not be enough."
	case Lacks:
		return pick(n, where+" lacks a piece that a full solution needs.", "A full solution has to add something to "+where+".")
	case Adds:
		return where + ", which is new with this patch, is not needed for this issue."
	case Drops:
		return "The patch removes " + where + ", though it is still needed."
	case Layout:
		return "The edits in " + code(p.Path) + " touch layout or comments only; leave them out."
	}
	switch p.Kind {
	case Missed:
		return pick(n, where+" is left as it is, although it takes part in the problem.",
			"The patch does not touch "+where+", which has to change, too.",
			where+" has to change as well.")
	case Spurious:
		return pick(n, "The change of "+where+" is not needed for this issue; take it back.",
			"The issue does not ask for a change of "+where+", so leave it as it was.")
	}
	return pick(n, "The change of "+where+" does not give the behaviour that the issue describes; go through it with a failing case in hand.",
		where+" is a right place for a change, but what it does now is not enough.",
		"Think again about the change of "+where+" as well.")
}

func pick(n int, variants ...string) string { return variants[n%len(variants)] }

// lossAdvice is what a review says about many symbols that were removed.
func (p Place) lossAdvice(second Place, same bool) string {
	return "The patch removes " + code(p.Symbol) + ", " + code(second.Symbol) + " and others" + p.from(same) + ", though they are still needed."
}

// where names a place by symbol and file.
func (p Place) where(same bool) string {
	switch {
	case p.Symbol != "":
		return code(p.Symbol) + p.from(same)
	case grammarOf(p.Path) != "" && p.Detail == Ordinary:
		return "the code outside of functions and classes" + p.from(same)
	}
	return code(p.Path)
}

func (p Place) from(same bool) string {
	if same {
		return " in the same file"
	}
	return " in " + code(p.Path)
}
