package review

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestMentions(t *testing.T) {
	for text, want := range map[string]mentions{
		"": {},
		"The loop is wrong. See e.g. there, i.e. here.":                               {},
		"`Schedule.delay` in `mailqueue/schedule.py` and count() but not `return x`.": {files: []string{"mailqueue/schedule.py"}, symbols: []string{"count", "delay"}},
		"Look into Basket.java at getOrDefault and __init__ and old_name.":            {files: []string{"Basket.java"}, symbols: []string{"getOrDefault", "old_name"}},
		"`store::Ring::values` of src/ring.cpp, ring.h.":                              {files: []string{"ring.h", "src/ring.cpp"}, symbols: []string{"values"}},
	} {
		require.Equal(t, want, mentionsOf(text), text)
	}
}

func TestMeasure(t *testing.T) {
	python, cpp := subject(t, "python-schedule"), subject(t, "cpp-ring")
	f := Measure([]Case{
		// Three of its names exist; one of four symbols and one of two files
		// are places that are named.
		{python, bench.Review{Category: "A", Text: "`Schedule.delay` in mailqueue/schedule.py is wrong, `ceilingFor` and `due` are not."}},
		{cpp, bench.Review{Category: "A", Text: "The correct patch is shorter. See ring.cpp.", Source: "published"}},
		{cpp, bench.Review{Text: "Nothing to see", Source: SourceDeterministic, Leak: &bench.LeakReport{Refused: []string{"empty"}}}},
	})
	require.Equal(t, Figures{
		Reviews: 3, Checkable: Share{3, 3}, Leaking: Share{1, 3}, Replaced: Share{1, 3},
		Grounding:  Share{4, 5},
		Files:      Finding{Recall: Share{2, 6}, Precision: Share{2, 2}},
		Symbols:    Finding{Recall: Share{1, 8}, Precision: Share{1, 2}},
		Words:      Words{Min: 3, Median: 7, Mean: 20.0 / 3, Max: 10},
		Categories: map[string]int{"A": 2},
	}, f)
	require.Equal(t, Figures{}, Measure(nil))
	rate, ok := Share{1, 4}.Rate()
	require.True(t, ok)
	require.InDelta(t, 0.25, rate, 1e-9)
	_, ok = Share{}.Rate()
	require.False(t, ok)
}

// TestDeterministicMeasures checks that reviews of level L2 name real things,
// and nothing that is not a place.
func TestDeterministicMeasures(t *testing.T) {
	var cases []Case
	for _, name := range caseNames(t) {
		s := subject(t, name)
		cases = append(cases, Case{s, s.Deterministic(L2)})
	}
	f := Measure(cases)
	require.Equal(t, f.Grounding.Of, f.Grounding.Count)
	require.Equal(t, f.Files.Precision.Of, f.Files.Precision.Count)
	require.Equal(t, f.Symbols.Precision.Of, f.Symbols.Precision.Count)
	require.Zero(t, f.Leaking.Count)
	require.Greater(t, f.Symbols.Recall.Count, f.Symbols.Recall.Of*3/4)
}
