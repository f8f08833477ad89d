package style

import (
	"fmt"
	"slices"

	"assay/bench"
)

// Matching pairs the findings of two states of a tree, one to one and only
// within a rule: what is in no pair was resolved or is new. Per rule,
// before - resolved = after - new.
type Matching struct {
	Pairs    []Pair          // sorted by Before
	Resolved []bench.Finding // sorted
	New      []bench.Finding // sorted
}

// Pair is one finding in both states.
type Pair struct {
	Before, After bench.Finding
	Step          Step
}

// Step is how a pair was found, from surest to weakest.
type Step string

// The steps of the cascade, in its order.
const (
	StepLine   Step = "line"   // the line that the diff maps to
	StepMoved  Step = "moved"  // the line of a moved block, in the same file or another
	StepText   Step = "text"   // message and text of the line
	StepHash   Step = "hash"   // text of the line
	StepSymbol Step = "symbol" // enclosing symbol, and message without numbers, or the place of the edit
)

// Strategy is a way of matching. Only Cascade judges; the others are what
// other tools do, for comparison.
type Strategy int

// The strategies.
const (
	Cascade    Strategy = iota
	ByRuleLine          // rule, path and line number
	ByRuleText          // rule, path and text of the line
)

// Match pairs findings by the cascade. Order and doublets in the input do not
// matter; text of lines and symbols are taken from the change where it has
// the file, from the findings elsewhere.
func Match(before, after []bench.Finding, change Change) Matching {
	return MatchBy(Cascade, before, after, change)
}

// MatchBy pairs findings by any strategy.
func MatchBy(strategy Strategy, before, after []bench.Finding, change Change) Matching {
	m := newMatcher(before, after, change)
	for _, r := range m.rounds(strategy) {
		m.run(r)
	}
	return m.result()
}

// Check reports whether the matching is one of these findings: each taken
// once, pairs within a rule, and so the net of every rule right.
func (m Matching) Check(before, after []bench.Finding) error {
	for _, side := range []struct {
		name       string
		given, own []bench.Finding
	}{
		{"before", before, slices.Concat(m.Resolved, sideOf(m.Pairs, true))},
		{"after", after, slices.Concat(m.New, sideOf(m.Pairs, false))},
	} {
		count := map[bench.Finding]int{}
		for _, f := range side.given {
			count[f]++
		}
		for _, f := range side.own {
			if count[f]--; count[f] < 0 {
				return fmt.Errorf("checking a matching: %s %s:%d is taken more often %s than it occurs", f.Rule, f.Path, f.Range.Line, side.name)
			}
		}
		if len(side.own) != len(side.given) {
			return fmt.Errorf("checking a matching: %d of %d findings %s are accounted for", len(side.own), len(side.given), side.name)
		}
	}
	for _, p := range m.Pairs {
		if p.Before.Rule != p.After.Rule || p.Before.Tool != p.After.Tool {
			return fmt.Errorf("checking a matching: %s is paired with %s", p.Before.Rule, p.After.Rule)
		}
	}
	return nil
}

func sideOf(pairs []Pair, before bool) []bench.Finding {
	out := make([]bench.Finding, len(pairs))
	for i, p := range pairs {
		if out[i] = p.After; before {
			out[i] = p.Before
		}
	}
	return out
}

// item is a finding with what it is matched by.
type item struct {
	bench.Finding
	path    string // where the file is afterwards
	line    int    // where the line is afterwards, 0 where it was removed
	known   bool   // line means something; 0 is then the whole file
	about   int    // where the line would be afterwards
	gap     int    // place between kept lines; -1 where not known
	changed bool   // the line was removed, or was added
	edge    bool   // is at the first or last line: linters pin there what has no place
	text    string // the line without white space
	symbol  string
	plain   string // message without numbers
	masked  string // message without names, too
	moved   place  // where the line is after its block moved
	done    bool
}

// matcher holds both sides, sorted, so that the outcome does not depend on the
// order of the input.
type matcher struct {
	before, after []*item
	pairs         []Pair
}

func newMatcher(before, after []bench.Finding, change Change) *matcher {
	s := newSurvey(change)
	m := &matcher{}
	for _, f := range sortedFindings(before) {
		m.before = append(m.before, s.before(f))
	}
	for _, f := range sortedFindings(after) {
		m.after = append(m.after, s.after(f))
	}
	return m
}

// SortFindings sorts by path, line, column, rule and message, the order in
// which findings are kept everywhere.
func SortFindings(findings []bench.Finding) { slices.SortStableFunc(findings, compareFindings) }

func sortedFindings(findings []bench.Finding) []bench.Finding {
	out := slices.Clone(findings)
	SortFindings(out)
	return out
}

func (m *matcher) result() Matching {
	out := Matching{Pairs: m.pairs}
	for _, b := range m.before {
		if !b.done {
			out.Resolved = append(out.Resolved, b.Finding)
		}
	}
	for _, a := range m.after {
		if !a.done {
			out.New = append(out.New, a.Finding)
		}
	}
	slices.SortStableFunc(out.Pairs, func(a, b Pair) int { return compareFindings(a.Before, b.Before) })
	return out
}
