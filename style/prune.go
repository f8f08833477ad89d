package style

import (
	"slices"

	"assay/bench"
)

// Pruned describes what was left out, and why: findings by rule, files by
// number.
type Pruned struct {
	Before     int            `json:"before"` // findings given
	After      int            `json:"after"`  // findings of the rules that are kept
	Suppressed int            `json:"suppressed,omitempty"`
	Zealous    map[string]int `json:"zealous,omitempty"`
	Conflicts  map[string]int `json:"conflicts,omitempty"` // fixing one rule breaks the other
	Common     map[string]int `json:"common,omitempty"`
	FewFiles   int            `json:"files_with_too_few,omitempty"`
	ManyFiles  int            `json:"files_with_too_many,omitempty"`
	OverFiles  int            `json:"files_over_the_limit,omitempty"`
}

// prune drops what makes no task. The share of a common rule is one of what
// the other reasons leave.
func prune(findings []bench.Finding, rules RuleFile, o SelectOptions) ([]bench.Finding, Pruned) {
	p := Pruned{Before: len(findings)}
	kept := slices.DeleteFunc(findings, func(f bench.Finding) bool { return f.Suppressed != "" })
	p.Suppressed = p.Before - len(kept)
	kept, p.Zealous = without(kept, slices.Concat(rules.Zealous, o.Zealous))
	kept, p.Conflicts = without(kept, atOdds(rules.Names, slices.Concat(rules.Conflicts, o.Conflicts)))
	kept, p.Common = without(kept, common(kept, o))
	p.After = len(kept)
	return kept, p
}

// without drops the findings of rules, and counts them.
func without(findings []bench.Finding, rules []string) ([]bench.Finding, map[string]int) {
	var dropped map[string]int
	kept := make([]bench.Finding, 0, len(findings))
	for _, f := range findings {
		if !slices.Contains(rules, f.Rule) {
			kept = append(kept, f)
			continue
		}
		if dropped == nil {
			dropped = map[string]int{}
		}
		dropped[f.Rule]++
	}
	return kept, dropped
}

// common lists the rules that make up too much of all findings.
func common(findings []bench.Finding, o SelectOptions) []string {
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	var out []string
	for rule, n := range count {
		if n >= o.CommonLeast && float64(n) > o.CommonShare*float64(len(findings)) {
			out = append(out, rule)
		}
	}
	return out
}

// atOdds lists the rules of pairs of which the list has both: a new finding
// of either counts, so neither can be asked to be fixed.
func atOdds(names []string, pairs [][]string) []string {
	var out []string
	for _, pair := range pairs {
		if !slices.ContainsFunc(pair, func(rule string) bool { return !slices.Contains(names, rule) }) {
			out = append(out, pair...)
		}
	}
	return out
}
