package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func styleResult(model string, verdict bench.Verdict, score float64, held *bool) bench.Result {
	s := &bench.Style{Original: 4, Resolved: int(4 * score), Score: score, Net: score, FixRate: score, ErrorRatio: 1 - score, FunctionHeld: held}
	if held != nil {
		s.HeldScore = new(float64)
		if *held {
			*s.HeldScore = score
		}
	}
	return bench.Result{Task: "style", Language: "python", Model: model, InstanceID: "i", Verdict: verdict, Style: s}
}

func reviewResult(instance string, verdict bench.Verdict, arm bench.Arm) bench.Result {
	return bench.Result{Task: "review", Language: "java", Model: "m", InstanceID: instance, Verdict: verdict, Review: &bench.ReviewFacts{BadPatch: 1, Arm: arm}}
}

func TestStyleFigures(t *testing.T) {
	yes, no := true, false
	s := &Summary{}
	s.Add(styleResult("m", bench.Resolved, 1, &yes))
	s.Add(styleResult("m", bench.Unresolved, 0.5, &no))
	s.Add(styleResult("m", bench.Unresolved, 0.25, nil))
	s.Add(styleResult("m", bench.Infra, 0, nil)) // is outside
	s.Sort([]string{"style"})
	row := s.Rows[0].Style
	held, ok := row.HeldScore.Value()
	require.True(t, ok)
	require.InDelta(t, 0.5, held, 1e-9, "a lost function counts as nothing, an unknown one not at all")
	score, _ := row.Score.Value()
	require.InDelta(t, 1.75/3, score, 1e-9)
	require.Equal(t, Rate{Yes: 1, Of: 2}, row.FunctionHeld)
	require.Equal(t, 12, row.Original)
	require.Equal(t, 7, row.Resolved)
	var out bytes.Buffer
	require.NoError(t, s.Text(&out))
	require.Contains(t, out.String(), "50.0 %")
	require.NoError(t, s.Markdown(&out))
	_, err := json.Marshal(s)
	require.NoError(t, err)
}

// TestUplift: only pairs of which both sides were judged count.
func TestUplift(t *testing.T) {
	s := &Summary{}
	for _, r := range []bench.Result{
		reviewResult("a", bench.Resolved, bench.ArmReview), reviewResult("a", bench.Unresolved, bench.ArmAlone),
		reviewResult("b", bench.Resolved, bench.ArmReview), reviewResult("b", bench.Infra, bench.ArmAlone),
		reviewResult("c", bench.Unresolved, bench.ArmReview),
		{Task: "bugfix", Language: "java", Model: "m", InstanceID: "a", Verdict: bench.Resolved},
		{Task: "bugfix", Language: "java", Model: "m", InstanceID: "c", Verdict: bench.Resolved},
		{Task: "bugfix", Language: "java", Model: "other", InstanceID: "b", Verdict: bench.Resolved},
	} {
		s.Add(r)
	}
	s.Sort([]string{"bugfix", "review"})
	require.Equal(t, []Uplift{{
		Language: "java", Model: "m",
		BugFix: &Paired{Pairs: 2, Review: 1, Other: 2}, Alone: &Paired{Pairs: 1, Review: 1, Other: 0},
	}}, s.Uplift)
	var out bytes.Buffer
	require.NoError(t, s.Text(&out))
	require.Contains(t, out.String(), "+100.0")
	require.Contains(t, out.String(), "-50.0")
}

func TestDatasetTable(t *testing.T) {
	const diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"
	d := &Dataset{}
	d.Add(&bench.Instance{
		Language: "python", Patch: diff, TestPatch: diff, BadPatches: []bench.BadPatch{{Patch: diff}, {Patch: "--- a/x\n+++ b/x\n@@ what\n"}},
		Reviews: []bench.Review{{Text: "héllo"}, {Arm: bench.ArmAlone}},
		Style:   []bench.StyleTask{{Linter: "pylint", Findings: make([]bench.Finding, 9)}},
	})
	row := d.Languages["python"]
	require.Equal(t, 1, row.Bad.Unparsed)
	complexity, _ := row.Gold.Complexity.Value()
	require.InDelta(t, 1+1+3./10, complexity, 1e-9)
	size, _ := row.ReviewSize.Value()
	require.InDelta(t, 5, size, 1e-9, "characters, and no arm without a review")
	var out bytes.Buffer
	require.NoError(t, d.Text(&out))
	require.Contains(t, out.String(), "9.0")
}
