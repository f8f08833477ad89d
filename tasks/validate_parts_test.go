package tasks

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
)

// TestValidateCounts: attempts differ, tests that are not published are
// counted, and what validation found is there though a later run failed.
func TestValidateCounts(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, _ int) (harness.Result, []bench.Test) {
		return harness.Result{}, append(plainTests(tree), test("test_extra", pass), test("test_more", pass))
	}
	var attempts []int
	j := w.judge()
	inst := w.instance(bench.LevelFailsF2P)
	j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
		if job.Script != "" {
			attempts = append(attempts, job.Attempt)
		}
		return w.handle(ctx, job)
	}}
	v, err := j.Validate(t.Context(), inst, 3)
	require.NoError(t, err)
	require.True(t, v.Sound, v.Problems)
	require.Equal(t, []int{0, 0, 1, 1, 2, 2, 0}, attempts, "base and gold three times, the bad patch once")
	require.Equal(t, 2, v.Unpublished)
	require.Equal(t, []string{"tests/test_a.py::test_extra", "tests/test_a.py::test_more", "tests/test_a.py::test_p"}, v.PassToPass)

	// Every run may fail; the callback gets those that ended.
	for at := range 4 {
		w, runs, heard := newWorld(), 0, 0
		j := w.judge()
		j.Seen = func(Task, bench.Prediction, languages.Outcome) { heard++ }
		j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
			if job.Script != "" {
				if runs++; runs > at {
					return harness.Result{}, errors.New("odd")
				}
			}
			return w.handle(ctx, job)
		}}
		inst := w.instance(bench.LevelFailsF2P)
		inst.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}}
		v, err := j.Validate(t.Context(), inst, 1)
		require.NoError(t, err)
		require.Equal(t, []string{"odd"}, v.Problems, at)
		require.Equal(t, at, heard)
		require.Equal(t, inst.ID, v.InstanceID)
		require.Equal(t, at+1, runs, "nothing runs after trouble")
	}
}

// TestValidateWithoutTests: ids of files without tests are not a reason to
// call an instance unjudgeable, where others are left.
func TestValidateWithoutTests(t *testing.T) {
	w := newWorld()
	inst := w.instance()
	inst.TestPatch += "--- /dev/null\n+++ b/tests/ci.yml\n@@ -0,0 +1 @@\n+on: push\n"
	inst.FailToPass = append(inst.FailToPass, "tests/ci.yml")
	v, err := w.judge().Validate(t.Context(), inst, 1)
	require.NoError(t, err)
	require.True(t, v.Judgeable)
	inst.FailToPass = bench.TestIDs{"tests/ci.yml"}
	v, err = w.judge().Validate(t.Context(), inst, 1)
	require.NoError(t, err)
	require.False(t, v.Judgeable, "nothing is left to judge by")
	broken := w.instance()
	broken.TestPatch = "--- a/x\n+++ b/x\n@@ what\n"
	v, err = w.judge().Validate(t.Context(), broken, 1)
	require.NoError(t, err)
	require.False(t, v.Sound)
	require.NotEmpty(t, v.Problems)
}

// TestValidateListsAreSorted: also those of many tests, flaky ones too.
func TestValidateListsAreSorted(t *testing.T) {
	names := "qwertyuiopasdfghjklzxcvbnm"
	run := func(odd bench.Status) languages.Outcome {
		o := did(bench.RunDone).Outcome
		for i, n := range names {
			s := pass
			if i%3 == 0 {
				s = odd
			}
			o.Tests = append(o.Tests, test(string(n), s))
		}
		return o
	}
	var v Validation
	v.measure([]languages.Outcome{run(fail)}, []languages.Outcome{run(pass)})
	require.IsIncreasing(t, v.FailToPass)
	require.IsIncreasing(t, v.PassToPass)
	require.Len(t, v.FailToPass, 9)
	require.Len(t, v.PassToPass, 17)
	v = Validation{}
	v.measure([]languages.Outcome{run(fail), run(pass)}, []languages.Outcome{run(pass), run(pass)})
	require.IsIncreasing(t, v.Flaky)
	require.Len(t, v.Flaky, 9)
}

// TestDifferencesMakeUnsound: a fail-to-pass id that gold passes and the runs
// do not confirm is a problem; one that gold does not pass is reported by its
// run.
func TestDifferencesMakeUnsound(t *testing.T) {
	inst := instance()
	gold := hidden(pass, pass).Outcome
	for name, c := range map[string]struct {
		d    Difference
		want []string
	}{
		"fail-to-pass, gold passes": {Difference{ID: "i", List: listF2P, Gold: pass, Why: "why"}, []string{"i is listed in FAIL_TO_PASS: why"}},
		"fail-to-pass, gold fails":  {Difference{ID: "i", List: listF2P, Gold: fail, Why: "why"}, nil},
		"pass-to-pass":              {Difference{ID: "i", List: listP2P, Gold: pass, Why: "why"}, nil},
	} {
		v := Validation{FailToPass: inst.FailToPass, Differences: []Difference{c.d}}
		v.checkStates(inst, []languages.Outcome{hidden(fail, pass).Outcome}, []languages.Outcome{gold})
		require.Equal(t, c.want, v.Problems, name)
	}
}

// TestRewriteEveryLevel: the first and the last bad patch too.
func TestRewriteEveryLevel(t *testing.T) {
	inst := instance("", "", "")
	v := Validation{measured: true, Bad: []BadValidation{{Level: bench.LevelFailsF2P}, {Level: bench.LevelUnbuilt}, {Level: bench.LevelLikeBase}}}
	got := v.Rewrite(*inst).BadPatches
	require.Equal(t, []bench.Level{bench.LevelFailsF2P, bench.LevelUnbuilt, bench.LevelLikeBase}, []bench.Level{got[0].Level, got[1].Level, got[2].Level})
}

// TestStandings: a published id has the worst status of the tests that it
// stands for, over all runs, and what is said about that one.
func TestStandings(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::C", "tests/test_a.py::gone"}}
	run := func(x, y, z bench.Status) languages.Outcome {
		o := outcomeOf(bench.RunDone, python("C::x", x), python("C::y", y), python("C::z", z))
		o.Said = map[string]string{"tests/test_a.py::C::x": "said x", "tests/test_a.py::C::y": "said y", "tests/test_a.py::C::z": "said z"}
		return o
	}
	of := func(runs ...languages.Outcome) map[string]idOutcome { return readAll(inst, runs).of(inst.FailToPass) }
	require.Equal(t, idOutcome{status: bench.Error, said: "said y"}, of(run(fail, bench.Error, pass))["tests/test_a.py::C"])
	require.Equal(t, idOutcome{status: fail, said: "said x"}, of(run(fail, pass, fail))["tests/test_a.py::C"], "the first of equals")
	require.Equal(t, idOutcome{status: fail, said: "said z", wavers: true}, of(run(pass, pass, pass), run(pass, pass, fail))["tests/test_a.py::C"])
	require.Equal(t, idOutcome{status: bench.Skipped, said: "said y", passes: true}, of(run(pass, bench.Skipped, pass))["tests/test_a.py::C"])
	require.Equal(t, idOutcome{status: bench.Missing}, of(run(pass, pass, pass))["tests/test_a.py::gone"])
	require.Empty(t, of(), "of no runs nothing is known")
	found := differences(inst, []languages.Outcome{run(fail, pass, pass)}, []languages.Outcome{run(pass, pass, pass)})
	require.Equal(t, []Difference{{ID: "tests/test_a.py::gone", List: listF2P, Base: bench.Missing, Gold: bench.Missing, Why: "with gold no test with this id ran"}}, found)
	stable := &bench.Instance{Language: "python", PassToPass: bench.TestIDs{"tests/test_a.py::at[0x7f00aa11bb22]"}}
	passes := outcomeOf(bench.RunDone, python("at[0x7f00aa11bb33]", pass))
	fails := outcomeOf(bench.RunDone, python("at[0x7f00aa11bb44]", fail))
	require.Contains(t, differences(stable, []languages.Outcome{passes}, []languages.Outcome{passes})[0].Why, "matched by pattern")
	require.Equal(t, fail, differences(stable, []languages.Outcome{passes}, []languages.Outcome{fails})[0].Gold)
	require.Equal(t, pass, differences(stable, []languages.Outcome{passes}, []languages.Outcome{fails})[0].Base)
	require.NotContains(t, differences(stable, []languages.Outcome{passes}, []languages.Outcome{fails})[0].Why, "matched by pattern", "the first reason counts")
}
