package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

var update = flag.Bool("update", false, "write the golden files anew")

// results are some of every kind, in two languages and by two models each.
func results() []bench.Result {
	var out []bench.Result
	half, none := 0.5, 0.0
	for i, lm := range [][2]string{{"python", "m"}, {"java", "m"}, {"java", "a"}, {"python", "b"}, {"cpp", "z"}, {"java", "z"}, {"cpp", "b"}} {
		verdicts := []bench.Verdict{bench.Resolved, bench.Unresolved, bench.Infra, bench.HarnessError, bench.HarnessError, bench.Resolved}
		add := func(r bench.Result) {
			r.Language, r.Model = lm[0], lm[1]
			out = append(out, r)
		}
		for j, v := range verdicts[:2+i%5] {
			id := fmt.Sprint(lm[0], j) // an id is in one language
			add(bench.Result{Task: "bugfix", InstanceID: id, Verdict: verdicts[(i+j)%3]})
			add(bench.Result{Task: "testgen", InstanceID: id, Verdict: v, TestGen: &bench.TestGen{
				FailsBase: of(true), PassesGold: of(j%2 == 0), AllBadFail: of(i%2 == 0), PaperAllBadFail: of(false), Eligible: []int{1, 2}, Killed: []int{2}},
				Transitions: &bench.Transitions{Applies: true, FailToAny: true, FailToPass: j%2 == 0, AnyToFail: j%2 == 1, FailsBy: []bench.FailureKind{bench.ByAssertion, bench.ByMissing}[i%2]}})
			add(bench.Result{Task: "review", InstanceID: id, Verdict: v, Review: &bench.ReviewFacts{BadPatch: 1}})
			add(bench.Result{Task: "review", InstanceID: id, Verdict: bench.Unresolved, Review: &bench.ReviewFacts{BadPatch: 1, Arm: bench.ArmAlone}})
			s := bench.Style{HeldScore: &half, Score: 0.5, Net: 0.25, FixRate: 0.75, ErrorRatio: 0.5, OverallFixRate: 0.6, FunctionHeld: of(true), Original: 4, Resolved: 3, New: 1}
			if j == 1 {
				s = bench.Style{HeldScore: &none, Net: -1, FixRate: 0.25, ErrorRatio: 2, OverallFixRate: 0.2, FunctionHeld: of(false), Original: 8, Resolved: 2, New: 10, Cheats: []bench.Flag{{}}}
			}
			add(bench.Result{Task: "style", InstanceID: id, Verdict: v, Style: &s})
		}
	}
	out = append(out, bench.Result{Task: "review", Language: "cpp", Model: "y", InstanceID: "i", Verdict: bench.Unresolved, Review: &bench.ReviewFacts{BadPatch: 2}},
		bench.Result{Task: "review", Language: "cpp", Model: "y", InstanceID: "i", Verdict: bench.Resolved, Review: &bench.ReviewFacts{BadPatch: 2, Arm: bench.ArmAlone}})
	// Reviews without anything to pair them with.
	return append(out, bench.Result{Task: "review", Language: "java", Model: "lonely", InstanceID: "i", Verdict: bench.Resolved, Review: &bench.ReviewFacts{}})
}

// TestGoldenTables: the tables as people see them, for any order of the
// results.
func TestGoldenTables(t *testing.T) {
	given := results()
	for seed := range uint64(8) {
		s := &Summary{}
		if seed%2 == 1 {
			s.Miss("bugfix", "java", "absent", 3)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
		for _, res := range given {
			s.Add(res)
		}
		if seed%2 == 0 {
			s.Miss("bugfix", "java", "absent", 3)
		}
		s.Sort([]string{"bugfix", "testgen", "review", "style"})
		var text, md bytes.Buffer
		require.NoError(t, s.Text(&text))
		require.NoError(t, s.Markdown(&md))
		golden(t, "testdata/summary.txt", text.Bytes())
		golden(t, "testdata/summary.md", md.Bytes())
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// full is a writer without room for one of the writes.
type full struct{ room int }

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if f.room--; f.room == -1 {
		return 0, errFull
	}
	return len(p), nil
}

// TestTablesThatCannotBeWritten: every table that is lost is reported.
func TestTablesThatCannotBeWritten(t *testing.T) {
	s := &Summary{}
	for _, r := range results() {
		s.Add(r)
	}
	s.Sort([]string{"bugfix"})
	for room := range 5 {
		require.ErrorIs(t, s.Text(&full{room}), errFull, room)
		require.ErrorIs(t, s.Markdown(&full{room}), errFull, room)
	}
	require.NoError(t, s.Text(&full{5}))
	require.ErrorIs(t, s.Markdown(&full{5}), errFull, "the legend")
	require.NoError(t, s.Markdown(&full{6}))
}

// TestMeansOfNothing: a sum over nothing is not a mean.
func TestMeansOfNothing(t *testing.T) {
	v, ok := Mean{Sum: 3}.Value()
	require.False(t, ok)
	require.Zero(t, v)
}
