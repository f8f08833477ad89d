package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func of(b bool) *bool { return &b }

// TestRowsCount: a row for every kind, language and model, and a total.
func TestRowsCount(t *testing.T) {
	s := &Summary{}
	add := func(task, language, model string, v bench.Verdict, seconds float64) {
		s.Add(bench.Result{Task: task, Language: language, Model: model, Verdict: v, Timing: &bench.Timing{Seconds: seconds}})
	}
	all := []bench.Verdict{
		bench.Resolved, bench.Unresolved, bench.InvalidPatch, bench.EmptyPatch, bench.Timeout, bench.Suspect, bench.Infra, bench.HarnessError, bench.Resolved,
	}
	for _, v := range all {
		add("review", "java", "m", v, 2)
	}
	add("bugfix", "python", "m", bench.Resolved, 1)
	add("bugfix", "java", "n", bench.Unresolved, 1)
	add("bugfix", "java", "m", bench.Infra, 1)
	s.Add(bench.Result{Task: "bugfix", Language: "java", Model: "m", Verdict: bench.Resolved})
	s.Sort([]string{"bugfix", "review"})
	type row struct {
		name                        string
		submitted, judged, resolved int
		seconds                     float64
	}
	var got []row
	for _, r := range append(s.Rows, s.Total) {
		got = append(got, row{r.Task + " " + r.Language + " " + r.Model, r.Submitted, r.Judged, r.Resolved, r.Seconds})
	}
	require.Equal(t, []row{
		{"bugfix java m", 2, 1, 1, 1}, {"bugfix java n", 1, 1, 0, 1}, {"bugfix python m", 1, 1, 1, 1}, {"review java m", 9, 7, 2, 18}, {"  ", 13, 10, 4, 21},
	}, got)
	require.Equal(t, map[bench.Verdict]int{
		bench.Resolved: 2, bench.Unresolved: 1, bench.InvalidPatch: 1, bench.EmptyPatch: 1, bench.Timeout: 1, bench.Suspect: 1, bench.Infra: 1, bench.HarnessError: 1,
	}, s.Rows[3].Verdicts)
	require.Equal(t, map[bench.Verdict]int{
		bench.Resolved: 4, bench.Unresolved: 2, bench.InvalidPatch: 1, bench.EmptyPatch: 1, bench.Timeout: 1, bench.Suspect: 1, bench.Infra: 2, bench.HarnessError: 1,
	}, s.Total.Verdicts)
}

// TestRowsAreInTheOrderOfTheKinds: for any order of results; an order that is
// given the other way round turns the rows.
func TestRowsAreInTheOrderOfTheKinds(t *testing.T) {
	order := func(kinds ...string) string {
		s := &Summary{}
		for _, task := range []string{"style", "bugfix", "testgen"} {
			for _, model := range []string{"z", "a"} {
				s.Add(bench.Result{Task: task, Language: "java", Model: model, Verdict: bench.Resolved})
			}
		}
		s.Sort(kinds)
		var out []string
		for _, r := range s.Rows {
			out = append(out, r.Task+r.Model)
		}
		return strings.Join(out, " ")
	}
	require.Equal(t, "bugfixa bugfixz testgena testgenz stylea stylez", order("bugfix", "testgen", "review", "style"))
	require.Equal(t, "stylea stylez testgena testgenz bugfixa bugfixz", order("style", "testgen", "bugfix"))
}

// TestTestGenFigures: each rate has its own denominator, the results of which
// the question could be asked.
func TestTestGenFigures(t *testing.T) {
	s := &Summary{}
	for _, g := range []bench.TestGen{
		{FailsBase: of(true), PassesGold: of(true), AllBadFail: of(true), PaperAllBadFail: of(false), GoodPass: of(true), Eligible: []int{1, 2}, Killed: []int{1, 2}, KilledAll: []int{1, 2, 3}},
		{FailsBase: of(true), PassesGold: of(true), AllBadFail: of(false), PaperAllBadFail: of(false), Eligible: []int{1, 2, 3}, Killed: []int{3}},
		{FailsBase: of(true), PassesGold: of(false)},
		{FailsBase: of(false), PassesGold: of(true), GoodPass: of(false)},
		{FailsBase: of(true)},
		{PassesGold: of(true), PaperAllBadFail: of(true), GoodPass: of(true)},
	} {
		s.Add(bench.Result{Task: "testgen", Language: "java", Model: "m", Verdict: bench.Unresolved, TestGen: &g})
	}
	s.Add(bench.Result{Task: "testgen", Language: "java", Model: "m", Verdict: bench.EmptyPatch})
	want := TestGenRow{
		GoldPass: Rate{2, 6}, AllBadFail: Rate{1, 2}, PaperAllBadFail: Rate{1, 3}, GoodPass: Rate{2, 3}, Killed: Rate{3, 5},
	}
	s.Sort([]string{"testgen"})
	require.Equal(t, &want, s.Rows[0].TestGen)
	require.Equal(t, &want, s.Total.TestGen)
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| testgen | java | m | 0/7 | 0.0 % | 2/6 | 1/2 | 3/5 | 1/3 |  |")
	require.Contains(t, md.String(), "| all |  |  | 0/7 | 0.0 % |  |  |  |  |  |")
	require.Contains(t, md.String(), legend)
	var r Rate
	r.count(nil)
	require.Equal(t, Rate{}, r)
	require.Empty(t, r.String())
	require.Equal(t, "n/a", percent(0, 0))
	require.Equal(t, "33.3 %", percent(1, 3))
}

// TestStyleMeans: every judged task weighs the same; findings are added up.
func TestStyleMeans(t *testing.T) {
	s := &Summary{}
	half, none := 0.5, 0.0
	add := func(v bench.Verdict, f bench.Style) {
		s.Add(bench.Result{Task: "style", Language: "cpp", Model: "m", Verdict: v, Style: &f})
	}
	add(bench.Resolved, bench.Style{HeldScore: &half, Score: 0.5, Net: 0.25, FixRate: 0.75, ErrorRatio: 0.5, OverallFixRate: 0.6, FunctionHeld: of(true), Original: 4, Resolved: 3, New: 1})
	add(bench.Unresolved, bench.Style{HeldScore: &none, Score: 0, Net: -1, FixRate: 0.25, ErrorRatio: 2, OverallFixRate: 0.2, FunctionHeld: of(false), Original: 8, Resolved: 2, New: 10, Cheats: []bench.Flag{{}, {}}})
	add(bench.Unresolved, bench.Style{Score: 1, Net: 1, FixRate: 1, OverallFixRate: 1, Original: 1, Resolved: 1})
	add(bench.HarnessError, bench.Style{Score: 1, Original: 100})
	s.Sort([]string{"style"})
	row := *s.Rows[0].Style
	require.Equal(t, StyleRow{
		HeldScore: Mean{0.5, 2}, Score: Mean{1.5, 3}, Net: Mean{0.25, 3}, FixRate: Mean{2, 3}, ErrorRatio: Mean{2.5, 3}, OverallFixRate: Mean{1.8, 3},
		FunctionHeld: Rate{1, 2}, Cheated: 1, Original: 13, Resolved: 6, New: 11,
	}, row)
	_, ok := Mean{}.Value()
	require.False(t, ok)
	require.Equal(t, []string{"n/a", "n/a", "-"}, []string{Mean{}.percent(), Mean{}.number(), Mean{}.oneDigit()})
	require.Equal(t, []string{"25.0 %", "0.25", "0.2"}, []string{Mean{0.5, 2}.percent(), Mean{0.5, 2}.number(), Mean{0.5, 2}.oneDigit()})
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| cpp | m | 25.0 % | 50.0 % | 8.3 % | 66.7 % | 0.83 | 60.0 % | 1/2 | 6 | 11 | 13 | 1 |")
}

// TestPairs: review tasks against the same model's bug fix of the instance, and
// against the same bad patch without its review.
func TestPairs(t *testing.T) {
	review := func(model, instance string, bad int, arm bench.Arm, v bench.Verdict) bench.Result {
		return bench.Result{Task: "review", Language: "java", Model: model, InstanceID: instance, Verdict: v, Review: &bench.ReviewFacts{BadPatch: bad, Arm: arm}}
	}
	fix := func(model, instance string, v bench.Verdict) bench.Result {
		return bench.Result{Task: "bugfix", Language: "java", Model: model, InstanceID: instance, Verdict: v}
	}
	s := &Summary{}
	for _, r := range []bench.Result{
		review("m", "a", 1, bench.ArmReview, bench.Resolved), review("m", "a", 2, bench.ArmReview, bench.Unresolved),
		review("m", "a", 1, bench.ArmAlone, bench.Resolved), review("m", "a", 3, bench.ArmAlone, bench.Resolved),
		fix("m", "a", bench.Unresolved), fix("n", "a", bench.Resolved),
		review("n", "b", 1, bench.ArmReview, bench.Resolved), fix("n", "b", bench.HarnessError),
		review("l", "c", 1, bench.ArmReview, bench.Infra), fix("l", "c", bench.Resolved),
		review("k", "d", 1, bench.ArmReview, bench.Resolved), fix("k", "d", bench.Resolved),
		{Task: "style", Language: "java", Model: "m", InstanceID: "a", Verdict: bench.Resolved},
	} {
		s.Add(r)
	}
	other := review("k", "e", 1, bench.ArmReview, bench.Unresolved)
	other.Language = "cpp"
	s.Add(other)
	same := fix("k", "e", bench.Resolved)
	same.Language = "cpp"
	s.Add(same)
	s.Sort([]string{"bugfix"})
	require.Equal(t, []Uplift{
		{Language: "cpp", Model: "k", BugFix: &Paired{Pairs: 1, Review: 0, Other: 1}},
		{Language: "java", Model: "k", BugFix: &Paired{Pairs: 1, Review: 1, Other: 1}},
		{Language: "java", Model: "m", BugFix: &Paired{Pairs: 2, Review: 1, Other: 0}, Alone: &Paired{Pairs: 1, Review: 1, Other: 1}},
	}, s.Uplift)
	require.NotEqual(t, hash("a", "bc"), hash("ab", "c"))
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| java | m | bug-fix | 2 | 50.0 % | 0.0 % | +50.0 |")
	require.Contains(t, md.String(), "| cpp | k | bug-fix | 1 | 0.0 % | 100.0 % | -100.0 |")
}

// TestEmptySummary: nothing to show is shown as that.
func TestEmptySummary(t *testing.T) {
	s := &Summary{}
	s.Sort([]string{"bugfix"})
	var out bytes.Buffer
	require.NoError(t, s.Text(&out))
	require.Contains(t, out.String(), "0/0")
	require.NotContains(t, out.String(), "review")
	require.NotContains(t, out.String(), "cheated")
	_, err := json.Marshal(s)
	require.NoError(t, err)
}

// TestDatasetFigures: sizes of patches by language, and those that do not parse.
func TestDatasetFigures(t *testing.T) {
	const two = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n-a\n-b\n+c\n+d\n+e\n"
	d := &Dataset{}
	d.Add(&bench.Instance{Language: "java", Patch: two, TestPatch: two, BadPatches: []bench.BadPatch{{Patch: two}}})
	d.Add(&bench.Instance{Language: "java", Patch: two})
	d.Add(&bench.Instance{Language: "cobol", Patch: "--- a/x\n+++ b/x\n@@ what\n"})
	d.Add(&bench.Instance{Language: "python", Patch: two})
	require.Equal(t, []string{"python", "java", "cobol"}, d.names())
	java := d.Languages["java"]
	require.Equal(t, Mean{6, 2}, java.Gold.Added)
	require.Equal(t, Mean{4, 2}, java.Gold.Removed)
	require.Equal(t, 1, java.Bad.Added.Of)
	require.Equal(t, 1, d.Languages["cobol"].Gold.Unparsed)
	require.Zero(t, d.Languages["cobol"].Gold.Added.Of)
	var out bytes.Buffer
	require.NoError(t, d.Text(&out))
	require.Contains(t, out.String(), "gold patches")
}

// TestFiguresOfOtherKinds: means by task, language and model; results that
// were not judged count nowhere.
func TestFiguresOfOtherKinds(t *testing.T) {
	s := &Summary{}
	add := func(model string, v bench.Verdict, lines float64) {
		s.Add(bench.Result{Task: "shorten", Language: "python", Model: model, Verdict: v, Figures: map[string]float64{"lines": lines}})
	}
	add("m", bench.Resolved, 4)
	add("m", bench.Unresolved, 1)
	add("m", bench.Infra, 100)
	add("n", bench.Resolved, 2)
	s.Sort([]string{"shorten"})
	require.Equal(t, map[string]Mean{"lines": {Sum: 5, Of: 2}}, s.Rows[0].Figures)
	require.Nil(t, s.Total.Figures)
	var md strings.Builder
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| shorten | python | m | lines | 2.50 | 2 |")
	require.Contains(t, md.String(), "| shorten | python | n | lines | 2.00 | 1 |")
}
