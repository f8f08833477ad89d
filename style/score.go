package style

import (
	"fmt"
	"slices"

	"assay/bench"
)

// Scope holds the findings of a matching that a task is about.
type Scope struct {
	// Listed are the task's findings; nil means all before. Those are what
	// Original, Resolved and Remaining count.
	Listed []bench.Finding
	// Rules are the present names of the whole rule list; nil means all. A
	// new finding counts if its rule is in the list, whether the task lists
	// one of that rule or not: fixing must not cost another rule.
	Rules []string
}

// StaleError says that a task lists findings that its linter does not report
// at base (any more): another version, other rules, another base.
type StaleError struct{ Missing []bench.Finding }

func (e *StaleError) Error() string {
	f := e.Missing[0]
	return fmt.Sprintf("%d listed findings are not there before the edit, the first %s at %s:%d", len(e.Missing), f.Rule, f.Path, f.Range.Line)
}

// Score counts a matching and computes OmniCode's rates (section 3.2.4 and
// appendix C.1). It leaves the linter's name, function and cheats to others.
//
// Where a rate's denominator would be 0 it counts as 1: without a listed
// finding nothing can be earned, all rates are 0, and Net and ErrorRatio show
// the number of new findings. It fails with a *StaleError for listed findings
// that were not there: an absent one would count as resolved for nothing.
func Score(m Matching, scope Scope) (bench.Style, error) {
	s := bench.Style{Rules: map[string]bench.RuleCount{}}
	listed := newPick(scope.Listed)
	count := func(rule string, add func(*bench.RuleCount)) {
		c := s.Rules[rule]
		add(&c)
		s.Rules[rule] = c
	}
	for _, f := range m.Resolved {
		if listed.take(f) {
			count(f.Rule, func(c *bench.RuleCount) { c.Original++; c.Resolved++ })
		}
	}
	for _, p := range m.Pairs {
		if listed.take(p.Before) {
			count(p.Before.Rule, func(c *bench.RuleCount) { c.Original++; c.Remaining++ })
			s.Remaining = append(s.Remaining, p.After)
		}
	}
	for _, f := range m.New {
		if scope.Rules == nil || slices.Contains(scope.Rules, f.Rule) {
			count(f.Rule, func(c *bench.RuleCount) { c.New++ })
			s.Added = append(s.Added, f)
		}
	}
	for _, c := range s.Rules {
		s.Original += c.Original
		s.Resolved += c.Resolved
		s.New += c.New
	}
	SortFindings(s.Remaining)
	rate(&s)
	if missing := listed.left(); len(missing) > 0 {
		return s, &StaleError{Missing: missing}
	}
	return s, nil
}

func rate(s *bench.Style) {
	original := float64(max(s.Original, 1))
	s.Net = float64(s.Resolved-s.New) / original
	s.Score = max(s.Net, 0)
	s.FixRate = float64(s.Resolved) / original
	s.ErrorRatio = float64(s.Original-s.Resolved+s.New) / original
	s.OverallFixRate = float64(s.Resolved) / float64(max(s.Original+s.New, 1))
}

// Passes reports whether a task counts as resolved: all listed findings gone
// and none new, or what the task's relaxed bounds ask for (section 3.2.4).
// Where both are given both must hold. MaxRemaining bounds what is left to
// fix afterwards, new findings included.
func Passes(task bench.StyleTask, s bench.Style) bool {
	left := s.Original - s.Resolved + s.New
	if task.MinScore == nil && task.MaxRemaining == nil {
		return left == 0
	}
	return (task.MinScore == nil || s.Score >= *task.MinScore) &&
		(task.MaxRemaining == nil || left <= *task.MaxRemaining)
}

// pick takes findings of a list, each once. nil takes all.
type pick struct {
	all  bool
	open map[findingKey]int
	list []bench.Finding
}

// findingKey is what makes findings of one state the same: texts of symbols
// and lines may have been written by another version.
type findingKey struct {
	rule, path, message string
	line, column        int
}

func keyOf(f bench.Finding) findingKey {
	return findingKey{f.Rule, f.Path, f.Message, f.Range.Line, f.Range.Column}
}

func newPick(listed []bench.Finding) *pick {
	p := &pick{all: listed == nil, open: map[findingKey]int{}, list: listed}
	for _, f := range listed {
		p.open[keyOf(f)]++
	}
	return p
}

func (p *pick) take(f bench.Finding) bool {
	k := keyOf(f)
	if !p.all && p.open[k] == 0 {
		return false
	}
	p.open[k]--
	return true
}

// left are the listed findings that were not taken.
func (p *pick) left() []bench.Finding {
	if p.all {
		return nil
	}
	var out []bench.Finding
	for _, f := range p.list {
		if k := keyOf(f); p.open[k] > 0 {
			p.open[k]--
			out = append(out, f)
		}
	}
	return out
}
