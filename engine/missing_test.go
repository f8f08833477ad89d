package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/report"
)

// TestMissing: of the kinds that a model submitted to, every task without a
// submission is missing; tasks of other kinds are not.
func TestMissing(t *testing.T) {
	ev := &Evaluation{kinds: Default().Kinds.All()}
	kind := func(name string) int {
		for i, k := range ev.kinds {
			if k.Name() == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	bugfix, review := kind("bugfix"), kind("review")
	at := func(id, language string, parts ...string) candidate {
		c := candidate{entry: bench.Entry{ID: id, Language: language}, parts: []part{{bugfix, ""}}}
		for _, p := range parts {
			c.parts = append(c.parts, part{review, p})
		}
		return c
	}
	found := []candidate{at("a", "python", "0", "1"), at("b", "python"), at("c", "java", "0")}
	by := func(model string, k int, c candidate) item {
		return item{kind: ev.kinds[k], entry: c.entry, prediction: bench.PredictionEntry{Model: model}}
	}
	ev.items = []item{by("m", bugfix, found[0]), by("n", bugfix, found[0]), by("n", bugfix, found[1]), by("n", bugfix, found[2]), by("m", review, found[0])}
	s := &report.Summary{}
	ev.missingOf(found).add(s)
	s.Sort([]string{"bugfix", "review"})
	got := map[string]int{}
	for _, r := range s.Rows {
		got[r.Task+" "+r.Language+" "+r.Model] = r.Missing
	}
	require.Equal(t, map[string]int{"bugfix python m": 1, "bugfix java m": 1, "review python m": 1, "review java m": 1}, got)
}
