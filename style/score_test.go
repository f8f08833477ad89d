package style

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func at(rule string, line int) bench.Finding {
	return bench.Finding{Tool: "t", Rule: rule, Path: "f", Message: "m", Range: bench.Range{Line: line}}
}

func TestScore(t *testing.T) {
	pair := func(rule string, line int) Pair { return Pair{Before: at(rule, line), After: at(rule, line+10)} }
	m := Matching{
		Pairs:    []Pair{pair("a", 1), pair("b", 2)},
		Resolved: []bench.Finding{at("a", 3), at("a", 4), at("c", 5)},
		New:      []bench.Finding{at("d", 6), at("z", 7)},
	}
	cases := map[string]struct {
		m     Matching
		scope Scope
		want  bench.Style
	}{
		"all": {m, Scope{}, bench.Style{Original: 5, Resolved: 3, New: 2, Score: 0.2, Net: 0.2, FixRate: 0.6, ErrorRatio: 0.8, OverallFixRate: 3.0 / 7,
			Rules: map[string]bench.RuleCount{"a": {Original: 3, Resolved: 2, Remaining: 1}, "b": {Original: 1, Remaining: 1},
				"c": {Original: 1, Resolved: 1}, "d": {New: 1}, "z": {New: 1}},
			Remaining: []bench.Finding{at("a", 11), at("b", 12)}, Added: []bench.Finding{at("d", 6), at("z", 7)}}},
		"listed ones, and new ones of the rule list": {m, Scope{Listed: []bench.Finding{at("a", 1), at("a", 3)}, Rules: []string{"a", "b", "d"}},
			bench.Style{Original: 2, Resolved: 1, New: 1, Score: 0, Net: 0, FixRate: 0.5, ErrorRatio: 1, OverallFixRate: 1.0 / 3,
				Rules:     map[string]bench.RuleCount{"a": {Original: 2, Resolved: 1, Remaining: 1}, "d": {New: 1}},
				Remaining: []bench.Finding{at("a", 11)}, Added: []bench.Finding{at("d", 6)}}},
		"harm shows in the net only": {Matching{Pairs: m.Pairs[:1], New: m.New}, Scope{},
			bench.Style{Original: 1, New: 2, Net: -2, ErrorRatio: 3, Remaining: []bench.Finding{at("a", 11)}, Added: m.New,
				Rules: map[string]bench.RuleCount{"a": {Original: 1, Remaining: 1}, "d": {New: 1}, "z": {New: 1}}}},
		"nothing to mend": {Matching{}, Scope{}, bench.Style{Rules: map[string]bench.RuleCount{}}},
		"nothing to mend, and harm": {Matching{New: m.New}, Scope{}, bench.Style{New: 2, Net: -2, ErrorRatio: 2, Added: m.New,
			Rules: map[string]bench.RuleCount{"d": {New: 1}, "z": {New: 1}}}},
		"nothing listed": {m, Scope{Listed: []bench.Finding{}, Rules: []string{}}, bench.Style{Rules: map[string]bench.RuleCount{}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Score(c.m, c.scope)
			require.NoError(t, err)
			require.InDelta(t, c.want.OverallFixRate, got.OverallFixRate, 1e-12)
			got.OverallFixRate = c.want.OverallFixRate
			require.Equal(t, c.want, got)
		})
	}
}

func TestScoreRefusesWhatWasNotThere(t *testing.T) {
	m := Matching{Resolved: []bench.Finding{at("a", 1)}}
	_, err := Score(m, Scope{Listed: []bench.Finding{at("a", 1), at("a", 1), at("b", 2)}})
	var stale *StaleError
	require.ErrorAs(t, err, &stale)
	require.Equal(t, []bench.Finding{at("a", 1), at("b", 2)}, stale.Missing)
	require.ErrorContains(t, err, "2 listed findings")
}

func TestPasses(t *testing.T) {
	half, one := 0.5, 1
	cases := map[string]struct {
		task bench.StyleTask
		s    bench.Style
		want bool
	}{
		"clean":               {bench.StyleTask{}, bench.Style{Original: 3, Resolved: 3, Score: 1}, true},
		"one left":            {bench.StyleTask{}, bench.Style{Original: 3, Resolved: 2, Score: .66}, false},
		"one new":             {bench.StyleTask{}, bench.Style{Original: 3, Resolved: 3, New: 1, Score: .66}, false},
		"score is enough":     {bench.StyleTask{MinScore: &half}, bench.Style{Original: 3, Resolved: 2, Score: .66}, true},
		"score is too low":    {bench.StyleTask{MinScore: &half}, bench.Style{Original: 3, Resolved: 1, Score: .33}, false},
		"few enough left":     {bench.StyleTask{MaxRemaining: &one}, bench.Style{Original: 3, Resolved: 3, New: 1}, true},
		"both bounds, one no": {bench.StyleTask{MinScore: &half, MaxRemaining: &one}, bench.Style{Original: 3, Resolved: 1, Score: .33}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Passes(c.task, c.s)) })
	}
}
