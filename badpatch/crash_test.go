package badpatch_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/languages"
)

// TestCrashedRunsKillOnlyWhatTheyName: a test that a crash kept from running
// shows nothing about the code.
func TestCrashedRunsKillOnlyWhatTheyName(t *testing.T) {
	base := badpatchtest.Outcome(map[string]string{"t.py::f1": "1 != 2", "t.py::f2": "KeyError"})
	crash := func(failed map[string]string, missing ...string) languages.Outcome {
		o := badpatchtest.Outcome(failed)
		o.State = bench.RunCrashed
		for _, id := range missing {
			for i := range o.Tests {
				if o.Tests[i].ID == id {
					o.Tests = append(o.Tests[:i], o.Tests[i+1:]...)
					break
				}
			}
		}
		return o
	}
	for name, c := range map[string]struct {
		run     languages.Outcome
		verdict badpatch.TrialVerdict
		cause   badpatch.Cause
		kills   []string
	}{
		"one failed, the next never ran":  {crash(map[string]string{"t.py::f1": "x"}, "t.py::f2"), badpatch.Bad, "", []string{"t.py::f1"}},
		"an old one never ran":            {crash(map[string]string{"t.py::f1": "x"}, "t.py::p4"), badpatch.Bad, "", []string{"t.py::f1"}},
		"none failed, some never ran":     {crash(nil, "t.py::f1", "t.py::p4"), badpatch.Rejected, badpatch.Unmeasured, []string{}},
		"all passed, and then it crashed": {crash(nil), badpatch.Rejected, badpatch.Unmeasured, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := badpatch.Decide(badpatchtest.HiddenTests(), base, []languages.Outcome{c.run})
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.Equal(t, c.cause, got.Cause)
			require.Equal(t, c.kills, got.Kills())
		})
	}
}

// scripted answers every run with one outcome.
type scripted struct{ outcome languages.Outcome }

func (s scripted) RunTests(context.Context, languages.Variant) (languages.Outcome, error) {
	return s.outcome, nil
}

// TestSuitesExpose: a suite counts as killing a bad patch where a test of it
// fails, not where its run was cut or cannot be trusted.
func TestSuitesExpose(t *testing.T) {
	with := func(state bench.RunState, statuses ...bench.Status) languages.Outcome {
		o := languages.Outcome{Run: bench.Run{State: state}}
		for i, s := range statuses {
			o.Tests = append(o.Tests, bench.Test{ID: string(rune('a' + i)), Status: s})
		}
		return o
	}
	for name, c := range map[string]struct {
		run   languages.Outcome
		kills bool
	}{
		"a test fails":       {with(bench.RunDone, bench.Passed, bench.Failed), true},
		"a test errs":        {with(bench.RunDone, bench.Error), true},
		"it does not build":  {with(bench.RunUnbuilt), true},
		"all pass":           {with(bench.RunDone, bench.Passed), false},
		"a test is skipped":  {with(bench.RunDone, bench.Passed, bench.Skipped), false},
		"a test is missing":  {with(bench.RunDone, bench.Passed, bench.Missing), false},
		"nothing ran":        {with(bench.RunDone), false},
		"it timed out":       {with(bench.RunTimeout, bench.Failed), false},
		"it crashed":         {with(bench.RunCrashed, bench.Failed), false},
		"out of memory":      {with(bench.RunLimit), false},
		"it is suspect":      {with(bench.RunSuspect, bench.Failed), false},
		"it does not apply":  {with(bench.RunUnapplied), false},
		"the machine failed": {with(bench.RunInfra), false},
	} {
		t.Run(name, func(t *testing.T) {
			expose := func(trial *badpatch.Trial) error {
				return badpatch.Expose(t.Context(), scripted{c.run}, badpatchtest.HiddenTests(), []badpatch.StoredSuite{{Name: "s"}}, trial)
			}
			trial := badpatch.Trial{Verdict: badpatch.Bad}
			require.NoError(t, expose(&trial))
			require.Equal(t, c.kills, len(trial.Suites) == 1)
			other := badpatch.Trial{Verdict: badpatch.Survivor}
			require.NoError(t, expose(&other))
			require.Empty(t, other.Suites, "only bad patches are held against suites")
		})
	}
}

// TestGoodVariantsEndWell: one whose run crashed or timed out resolves
// nothing, regardless of its report.
func TestGoodVariantsEndWell(t *testing.T) {
	for state, want := range map[bench.RunState]bool{
		bench.RunDone: true, bench.RunCrashed: false, bench.RunTimeout: false, bench.RunLimit: false, bench.RunSuspect: false,
	} {
		run := badpatchtest.Outcome(nil)
		run.State = state
		ok, err := badpatch.Resolves(t.Context(), scripted{run}, badpatchtest.HiddenTests(), 2, "")
		require.NoError(t, err)
		require.Equal(t, want, ok, state)
	}
}

// TestPatience: candidates get four times what gold took, never more, and half
// a minute at least.
func TestPatience(t *testing.T) {
	for gold, want := range map[time.Duration]time.Duration{
		0: 30 * time.Second, 7 * time.Second: 30 * time.Second, 8 * time.Second: 30 * time.Second,
		10 * time.Second: 40 * time.Second, 16 * time.Second: 60 * time.Second, 31 * time.Second: 120 * time.Second,
	} {
		require.Equal(t, want, badpatch.PatienceOf(gold), gold)
	}
}
