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

const brokenPatch = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-bug\n+broken\n"

// TestValidateSound: an instance whose patches do what they should, and what is
// measured of it.
func TestValidateSound(t *testing.T) {
	w := newWorld()
	inst := w.instance("", "", "", "")
	inst.BadPatches[0].Patch = badPatch
	inst.BadPatches[1].Patch = brokenPatch
	inst.BadPatches[2].Patch = goldPatch + testPatch
	inst.BadPatches[3].Patch, inst.BadPatches[3].Index = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-what\n+x\n", 9
	inst.GoodVariants = []bench.GoodVariant{{Patch: "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-bug\n+other\n"}}
	j := w.judge()
	var heard []string
	j.Seen = func(task Task, p bench.Prediction, o languages.Outcome) {
		require.Equal(t, "validate", task.Kind)
		require.Equal(t, inst.ID, p.InstanceID)
		heard = append(heard, o.Name)
	}
	v, err := j.Validate(t.Context(), inst, 2)
	require.NoError(t, err)
	require.True(t, v.Sound, v.Problems)
	require.Empty(t, v.Problems)
	require.Empty(t, v.Verdict)
	require.Equal(t, []any{"o__r-1", "python", 2}, []any{v.InstanceID, v.Language, v.Runs})
	require.Equal(t, []string{"tests/test_a.py::test_f"}, v.FailToPass)
	require.Equal(t, []string{"tests/test_a.py::test_p"}, v.PassToPass)
	require.Empty(t, v.Flaky)
	require.True(t, v.Judgeable)
	require.Empty(t, v.LeftOut)
	require.Empty(t, v.Differences)
	require.Zero(t, v.Unpublished)
	require.Len(t, v.Bad, 4)
	require.Equal(t, BadValidation{Index: 0, Level: bench.LevelFailsF2P, F2PFailed: 1, P2PFailed: 1}, v.Bad[0])
	require.Equal(t, BadValidation{Index: 1, Level: bench.LevelBreaksP2P, F2PFailed: 0, P2PFailed: 1}, v.Bad[1])
	require.Equal(t, BadValidation{Index: 2, Level: bench.LevelPassesAll}, v.Bad[2])
	require.Equal(t, 9, v.Bad[3].Index)
	require.Equal(t, bench.LevelUnapplied, v.Bad[3].Level)
	require.NotEmpty(t, v.Bad[3].Detail)
	require.Equal(t, []string{"base", "gold", "base", "gold", "good/0", "bad/0", "bad/1", "bad/2", "bad/3"}, heard)
}

// TestValidateLevelsAgainstBase: a bad patch that does nothing behaves like
// base, and one that fails more does not.
func TestValidateLevelsAgainstBase(t *testing.T) {
	w := newWorld()
	inst := w.instance("")
	inst.BadPatches[0].Patch = "--- /dev/null\n+++ b/lib/b.py\n@@ -0,0 +1 @@\n+x\n"
	v, err := w.judge().Validate(t.Context(), inst, 1)
	require.NoError(t, err)
	require.Equal(t, bench.LevelLikeBase, v.Bad[0].Level)
}

// TestValidateProblems: each fault of an instance is named, and makes it
// unsound.
func TestValidateProblems(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*world, *bench.Instance)
		want  []string // a part of each problem
	}{
		"gold does not resolve": {
			func(_ *world, i *bench.Instance) { i.Patch = badPatch },
			[]string{"gold does not resolve in run 1: 1 of 1 fail-to-pass and 1 of 1 pass-to-pass tests do not pass"},
		},
		"base resolves": {
			func(_ *world, i *bench.Instance) { i.FailToPass, i.PassToPass = i.PassToPass, nil },
			[]string{"base resolves in run 1 without any patch", "tests/test_a.py::test_p is listed in FAIL_TO_PASS: it passes on base too"},
		},
		"a good variant does not resolve": {
			func(_ *world, i *bench.Instance) {
				i.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}, {Patch: badPatch}}
			},
			[]string{"good variant 1 does not resolve: 1 of 1 fail-to-pass and 1 of 1 pass-to-pass tests do not pass"},
		},
		"nothing is fixed": {
			func(_ *world, i *bench.Instance) { i.Patch, i.FailToPass, i.PassToPass = badPatch, nil, nil },
			[]string{"gold does not resolve in run 1", "no test fails on base and passes on gold"},
		},
		"base hangs": {
			func(w *world, _ *bench.Instance) {
				w.tests = func(tree map[string]string, run int) (harness.Result, []bench.Test) {
					if run == 0 {
						return harness.Result{End: harness.TimedOut}, plainTests(tree)
					}
					return harness.Result{}, plainTests(tree)
				}
			},
			[]string{"base cannot be measured in run 1: timeout"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			inst := w.instance()
			c.spoil(w, inst)
			v, err := w.judge().Validate(t.Context(), inst, 1)
			require.NoError(t, err)
			require.False(t, v.Sound)
			require.Equal(t, name == "a good variant does not resolve" || name == "base resolves" || name == "base hangs", v.Judgeable)
			require.Len(t, v.Problems, len(c.want), "%q", v.Problems)
			for i, want := range c.want {
				require.Contains(t, v.Problems[i], want)
			}
		})
	}
}

// TestValidateFlaky: a test that changes its mind between runs of one state is
// in neither list.
func TestValidateFlaky(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, run int) (harness.Result, []bench.Test) {
		odd := pass
		if run == 2 { // base, the second time
			odd = fail
		}
		return harness.Result{}, append(plainTests(tree), test("test_odd", odd), test("test_at[0x7f3a1c2b4d50]", pass))
	}
	inst := w.instance()
	inst.FailToPass, inst.PassToPass = nil, nil
	v, err := w.judge().Validate(t.Context(), inst, 2)
	require.NoError(t, err)
	require.True(t, v.Sound, v.Problems)
	require.True(t, v.Judgeable)
	require.Equal(t, []string{"tests/test_a.py::test_odd"}, v.Flaky)
	require.Equal(t, []string{"tests/test_a.py::test_f"}, v.FailToPass)
	require.Equal(t, []string{"tests/test_a.py::test_p"}, v.PassToPass, "an id that no other run repeats is in neither")
}

// TestValidateFailures: failures are separated by cause, and only the
// context's end stops a batch.
func TestValidateFailures(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bench.Verdict
	}{
		"machine": {&harness.InfraError{Op: "running", Err: errors.New("gone")}, bench.Infra},
		"dataset": {errors.New("odd"), bench.HarnessError},
	} {
		w := newWorld()
		for at := range 4 { // base, gold, a good variant, a bad patch
			runs := 0
			j := w.judge()
			j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
				if job.Script != "" {
					if runs++; runs > at {
						return harness.Result{}, c.err
					}
				}
				return w.handle(ctx, job)
			}}
			inst := w.instance(bench.LevelFailsF2P)
			inst.GoodVariants = []bench.GoodVariant{{Patch: goldPatch}}
			v, err := j.Validate(t.Context(), inst, 1)
			require.NoError(t, err)
			require.Equal(t, c.want, v.Verdict, "%s at run %d", name, at)
			require.False(t, v.Sound)
			require.Contains(t, v.Problems[len(v.Problems)-1], c.err.Error())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := newWorld()
	_, err := w.judge().Validate(ctx, w.instance(), 1)
	require.ErrorIs(t, err, context.Canceled)
}

// TestMeasure: lists from runs written by hand.
func TestMeasure(t *testing.T) {
	run := func(statuses ...bench.Status) languages.Outcome {
		var tests []bench.Test
		for i, s := range statuses {
			if s != "" {
				tests = append(tests, test(string(rune('a'+i)), s))
			}
		}
		return did(bench.RunDone, tests...).Outcome
	}
	id := func(names ...string) []string {
		out := []string{}
		for _, n := range names {
			out = append(out, "tests/test_a.py::"+n)
		}
		return out
	}
	for name, c := range map[string]struct {
		base, gold      []languages.Outcome
		f2p, p2p, flaky []string
	}{
		"one run": {
			[]languages.Outcome{run(pass, fail, "", pass)}, []languages.Outcome{run(pass, pass, pass, fail)},
			id("b", "c"), id("a"), nil,
		},
		"fails on gold once": {
			[]languages.Outcome{run(pass, fail), run(pass, fail)}, []languages.Outcome{run(pass, pass), run(fail, pass)},
			id("b"), id(), id("a"),
		},
		"passes on base once": {
			[]languages.Outcome{run(pass, fail), run(pass, pass)}, []languages.Outcome{run(pass, pass), run(pass, pass)},
			id(), id("a"), id("b"),
		},
		"is missing on gold once": {
			[]languages.Outcome{run(pass), run(pass)}, []languages.Outcome{run(pass, pass), run(pass)},
			id(), id("a"), id("b"),
		},
		"sorted": {
			[]languages.Outcome{run(pass, pass, fail, fail)}, []languages.Outcome{run(pass, pass, pass, pass)},
			id("c", "d"), id("a", "b"), nil,
		},
		"flaky in both": {
			[]languages.Outcome{run(pass, fail), run(fail, pass)}, []languages.Outcome{run(fail, pass), run(pass, fail)},
			id(), id(), id("a", "b"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			var v Validation
			v.measure(c.base, c.gold)
			require.Equal(t, c.f2p, v.FailToPass)
			require.Equal(t, c.p2p, v.PassToPass)
			require.Equal(t, c.flaky, v.Flaky)
		})
	}
	ok, flaky := verdicts([]languages.Outcome{run(pass, fail, pass, bench.XFail), run(pass, fail, fail, bench.XPass)})
	require.Equal(t, map[string]bool{id("a")[0]: true, id("b")[0]: false, id("c")[0]: false, id("d")[0]: true}, ok)
	require.Equal(t, map[string]bool{id("c")[0]: true}, flaky)
}

// TestCheckStates: what runs that were cut make of a validation.
func TestCheckStates(t *testing.T) {
	inst := instance()
	of := func(o Outcome, s bench.RunState) languages.Outcome {
		o.State, o.Detail = s, "detail"
		return o.Outcome
	}
	base, gold := hidden(fail, pass).Outcome, hidden(pass, pass).Outcome
	for name, c := range map[string]struct {
		base, gold []languages.Outcome
		measured   bool
		problems   []string
	}{
		"as it should be":     {[]languages.Outcome{base, base}, []languages.Outcome{gold, gold}, true, nil},
		"gold fails once":     {[]languages.Outcome{base, base}, []languages.Outcome{gold, base}, true, []string{"gold does not resolve in run 2: 1 of 1"}},
		"base passes once":    {[]languages.Outcome{base, gold}, []languages.Outcome{gold, gold}, true, []string{"base resolves in run 2 without any patch"}},
		"base does not build": {[]languages.Outcome{of(hidden(fail, pass), bench.RunUnbuilt)}, []languages.Outcome{gold}, true, nil},
		"base crashes":        {[]languages.Outcome{of(hidden(fail, pass), bench.RunCrashed)}, []languages.Outcome{gold}, true, nil},
		"base is cut":         {[]languages.Outcome{base, of(hidden(fail, pass), bench.RunTimeout)}, []languages.Outcome{gold}, false, []string{"base cannot be measured in run 2: timeout detail"}},
		"base is too large":   {[]languages.Outcome{of(hidden(fail, pass), bench.RunLimit)}, []languages.Outcome{gold}, false, []string{"base cannot be measured in run 1: limit detail"}},
		"base is suspect":     {[]languages.Outcome{of(hidden(fail, pass), bench.RunSuspect)}, []languages.Outcome{gold}, false, []string{"base cannot be measured in run 1: suspect detail"}},
		"tests do not apply":  {[]languages.Outcome{of(hidden(fail, pass), bench.RunUnapplied)}, []languages.Outcome{gold}, false, []string{"base cannot be measured in run 1: unapplied detail"}},
		"gold crashes":        {[]languages.Outcome{base}, []languages.Outcome{of(hidden(pass, pass), bench.RunCrashed), gold}, false, []string{"gold does not resolve in run 1: "}},
	} {
		t.Run(name, func(t *testing.T) {
			v := Validation{FailToPass: inst.FailToPass, PassToPass: inst.PassToPass}
			v.checkStates(inst, c.base, c.gold)
			require.Equal(t, c.measured, v.measured)
			require.Len(t, v.Problems, len(c.problems), "%q", v.Problems)
			for i, p := range c.problems {
				require.Contains(t, v.Problems[i], p)
			}
		})
	}
}

// TestRewrite: the instance gets what was measured, and stays as it is where
// nothing could be.
func TestRewrite(t *testing.T) {
	inst := instance(bench.LevelUnmeasured, bench.LevelUnmeasured, bench.LevelPassesAll)
	v := Validation{
		FailToPass: []string{"f"}, PassToPass: []string{"p", "q"}, measured: true,
		Bad: []BadValidation{{Level: bench.LevelFailsF2P}, {Level: bench.LevelUnbuilt}},
	}
	got := v.Rewrite(*inst)
	require.Equal(t, bench.TestIDs{"f"}, got.FailToPass)
	require.Equal(t, bench.TestIDs{"p", "q"}, got.PassToPass)
	require.Equal(t, []bench.Level{bench.LevelFailsF2P, bench.LevelUnbuilt, bench.LevelPassesAll},
		[]bench.Level{got.BadPatches[0].Level, got.BadPatches[1].Level, got.BadPatches[2].Level})
	require.Equal(t, bench.LevelUnmeasured, inst.BadPatches[0].Level, "the instance given stays as it is")
	v.measured = false
	require.Equal(t, *inst, v.Rewrite(*inst))
}
