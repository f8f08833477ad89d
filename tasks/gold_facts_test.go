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

// TestHasControl: gold proves an environment where there is a gold patch and
// hidden tests that it is known to pass.
func TestHasControl(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*bench.Instance)
		want  bool
	}{
		"all":               {func(*bench.Instance) {}, true},
		"no gold":           {func(i *bench.Instance) { i.Patch = "" }, false},
		"no tests":          {func(i *bench.Instance) { i.TestPatch = "" }, false},
		"no fail-to-pass":   {func(i *bench.Instance) { i.FailToPass = nil }, false},
		"fail-to-pass, one": {func(i *bench.Instance) { i.FailToPass = bench.TestIDs{"x"} }, true},
	} {
		inst := published(1)
		c.spoil(inst)
		require.Equal(t, c.want, hasControl(inst), name)
		j := newWorld().judge()
		got, err := j.control(t.Context(), nil, Task{Instance: inst}, "e")
		require.NoError(t, err, "without a memory of gold's runs none is run")
		require.Equal(t, control{}, got)
	}
}

// TestControlReportsFailure: of the machine, in the gold run.
func TestControlReportsFailure(t *testing.T) {
	gone := &harness.InfraError{Op: "running", Err: errors.New("gone")}
	w := newWorld()
	j := w.judge()
	j.Golds = &Golds{}
	j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
		if job.Script != "" {
			return harness.Result{}, gone
		}
		return w.handle(ctx, job)
	}}
	r, err := j.Evaluate(t.Context(), BugFix{}, Task{Kind: "bugfix", Instance: w.instance()}, bench.Prediction{Patch: goldPatch})
	require.NoError(t, err)
	require.Equal(t, bench.Infra, r.Verdict)
	require.Contains(t, r.Reason, "gone")
}

// TestFirstFailing: fail-to-pass tests come first; one without a message is
// reported with the first error around it.
func TestFirstFailing(t *testing.T) {
	inst := published(2)
	id := func(i int) string { return inst.PassToPass[i] }
	both := endedWith(inst, 1)
	both.Tests[0].Status = bench.Failed
	require.Equal(t, "tests/test_a.py::fixed is failed", firstFailing(inst, both))
	require.Equal(t, id(0)+" is failed", firstFailing(inst, endedWith(inst, 1)))
	require.Equal(t, "no test is reported", firstFailing(inst, endedWith(inst, 0)))

	missing := outcomeOf(bench.RunDone, bench.Test{ID: "a", Status: bench.Error}, bench.Test{ID: "b", Status: bench.Failed}, bench.Test{ID: "c", Status: bench.Error}, bench.Test{ID: "d", Status: bench.Error})
	require.Equal(t, "tests/test_a.py::fixed is missing", firstFailing(inst, missing), "nobody said anything")
	missing.Said = map[string]string{"b": "no error", "c": "first line\nOSError: no file", "d": "later"}
	require.Equal(t, "tests/test_a.py::fixed is missing (c: OSError: no file)", firstFailing(inst, missing))
	missing.Said = map[string]string{"a": "at once", "d": "later"}
	require.Equal(t, "tests/test_a.py::fixed is missing (a: at once)", firstFailing(inst, missing))
	missing.Said = map[string]string{"d": "the last"}
	require.Equal(t, "tests/test_a.py::fixed is missing (d: the last)", firstFailing(inst, missing))
}

func TestTelling(t *testing.T) {
	for text, want := range map[string]string{
		"\n  \nsomething\nmore":                         "something",
		"first\nE   ValueError: no\nlast":               "ValueError: no",
		"first\nthe Error: no exception":                "first",
		"first\nValueError without a colon":             "first",
		"first\nNote: not one":                          "first",
		"first\nmy.own.Error: it\nOSError: another one": "my.own.Error: it",
		"":   "",
		"\n": "",
	} {
		require.Equal(t, want, exceptionLine(text), "%q", text)
	}
	long := make([]byte, 300)
	for i := range long {
		long[i] = 'x'
	}
	require.Len(t, firstLine(string(long)), 200)
	require.Len(t, firstLine(string(long[:200])), 200)
}

// TestControlNotes: each thing that does not count is reported by itself.
func TestControlNotes(t *testing.T) {
	inst := published(3)
	note := func(c control, seen Outcomes) bench.Result {
		r := bench.Result{BugFix: &bench.BugFix{}, Flags: []bench.Flag{{Kind: "before"}}}
		c.note(&r, inst, seen)
		return r
	}
	require.Equal(t, []bench.Flag{{Kind: "before"}}, note(control{}, nil).Flags)
	require.Equal(t, []bench.Flag{{Kind: "before"}}, note(control{leftOut: []string{}}, Outcomes{submissionRun: {}}).Flags)
	require.Equal(t, []bench.Flag{
		{Kind: "before"}, {Kind: "left_out", Detail: "1 of 3 pass-to-pass tests do not pass with the gold patch here and do not count"},
	}, note(control{leftOut: []string{"x"}}, nil).Flags)
	require.Equal(t, []bench.Flag{
		{Kind: "before"},
		{Kind: "no_tests", Path: "a", Detail: "a published id that names a file without tests; it does not count"},
		{Kind: "no_tests", Path: "b", Detail: "a published id that names a file without tests; it does not count"},
		{Kind: "flaky", Path: "f", Detail: "it failed once, and passed when it ran again on its own"},
		{Kind: "flaky", Path: "g", Detail: "it failed once, and passed when it ran again on its own"},
	}, note(control{noTests: []string{"a", "b"}, flaky: []string{"g", "f"}}, Outcomes{"one": {Flaky: []string{"f"}}}).Flags)
	bare := bench.Result{}
	control{leftOut: []string{"x"}}.note(&bare, inst, nil)
	require.Nil(t, bare.BugFix, "a kind without such facts gets none")
	same := Task{Instance: inst}
	require.Same(t, inst, control{}.task(same).Instance, "nothing to leave out")
	require.NotSame(t, inst, control{noTests: []string{"x"}}.task(same).Instance)
}

// TestSteady: which tests run again, how, and the result.
func TestSteady(t *testing.T) {
	odd := []string{"tests/test_a.py::test_p"}
	for name, c := range map[string]struct {
		first, second []bench.Test
		runs          int
		p             bench.Status
		flaky         []string
	}{
		"all pass":             {[]bench.Test{test("test_f", pass), test("test_p", pass)}, nil, 1, pass, nil},
		"it passes then":       {[]bench.Test{test("test_f", pass), test("test_p", fail)}, []bench.Test{test("test_f", fail), test("test_p", pass)}, 2, pass, odd},
		"it fails again":       {[]bench.Test{test("test_f", pass), test("test_p", fail)}, []bench.Test{test("test_f", pass), test("test_p", fail)}, 2, fail, nil},
		"it is an error first": {[]bench.Test{test("test_f", pass), test("test_p", bench.Error)}, []bench.Test{test("test_p", pass)}, 2, pass, odd},
		"the fix is missing":   {[]bench.Test{test("test_f", fail), test("test_p", fail)}, nil, 1, fail, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var jobs []harness.Job
			w.tests = func(_ map[string]string, run int) (harness.Result, []bench.Test) {
				return harness.Result{}, [][]bench.Test{c.first, c.second}[run]
			}
			j := w.judge()
			j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
				if job.Script != "" {
					jobs = append(jobs, job)
				}
				return w.handle(ctx, job)
			}}
			inst := w.instance()
			bed, err := j.Machine.Open(t.Context(), inst)
			require.NoError(t, err)
			o, flaky, err := j.steady(t.Context(), bed, inst, languages.Variant{Name: "v", Code: goldPatch, Tests: testPatch, Attempt: 4}, asItIs)
			require.NoError(t, err)
			require.Equal(t, c.flaky, flaky)
			require.Len(t, jobs, c.runs)
			require.Equal(t, 4, jobs[0].Attempt)
			if c.runs > 1 {
				require.Equal(t, 5, jobs[1].Attempt)
			}
			require.Len(t, o.Tests, 2)
			for _, got := range o.Tests {
				if got.ID == odd[0] {
					require.Equal(t, c.p.OK(), got.Status.OK())
				} else {
					require.Equal(t, c.first[0].Status, got.Status, "what was not asked again stays")
				}
			}
		})
	}
}

// TestSteadyReportsFailure: in the first run and in the second.
func TestSteadyReportsFailure(t *testing.T) {
	for at := range 2 {
		w, runs := newWorld(), 0
		w.tests = func(map[string]string, int) (harness.Result, []bench.Test) {
			return harness.Result{}, []bench.Test{test("test_f", pass), test("test_p", fail)}
		}
		j := w.judge()
		j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
			if job.Script != "" {
				if runs++; runs > at {
					return harness.Result{}, errors.New("odd")
				}
			}
			return w.handle(ctx, job)
		}}
		inst := w.instance()
		bed, err := j.Machine.Open(t.Context(), inst)
		require.NoError(t, err)
		_, _, err = j.steady(t.Context(), bed, inst, languages.Variant{Name: "v", Code: goldPatch, Tests: testPatch}, asItIs)
		require.ErrorContains(t, err, "odd")
	}
}

func asItIs(o languages.Outcome) languages.Outcome { return o }

// TestWhatWavers: sorted, each once, and at most as many as the bound.
func TestWhatWavers(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::f"}, PassToPass: bench.TestIDs{"tests/test_a.py::C", "tests/test_a.py::B"}}
	o := outcomeOf(bench.RunDone, python("f", pass), python("C::z", fail), python("C::y", bench.Error), python("B::x", fail), python("B::w", bench.Skipped))
	require.Equal(t, []string{"tests/test_a.py::B::x", "tests/test_a.py::C::y", "tests/test_a.py::C::z"}, wavering(inst, o))
	inst.PassToPass = append(inst.PassToPass, "tests/test_a.py::C::z")
	require.Len(t, wavering(inst, o), 3, "one that two ids stand for runs once")
	most := published(40)
	require.Len(t, wavering(most, endedWith(most, againAtMost)), againAtMost)
	none := published(3)
	none.FailToPass = nil
	require.NotEmpty(t, wavering(none, endedWith(published(3), 1)))

	first := outcomeOf(bench.RunDone, python("a", fail), python("b", fail), python("c", fail))
	second := outcomeOf(bench.RunDone, python("a", pass), python("b", pass), python("c", pass))
	ids := []string{"tests/test_a.py::a", "tests/test_a.py::b", "tests/test_a.py::c"}
	_, flaky := calmed(first, second, ids)
	require.Equal(t, ids, flaky)
}

// TestGoldsWaitersGetNothing: one whose context ends gets no verdict of gold.
func TestGoldsWaitersGetNothing(t *testing.T) {
	var g Golds
	started, release := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = g.once(t.Context(), "key", func() (control, error) {
			close(started)
			<-release
			return control{unusable: "late"}, nil
		})
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := g.once(ctx, "key", nil)
	require.Error(t, err)
	require.Equal(t, control{}, c)
	close(release)
}

// TestGoldsOwnFailuresAreReported: tests of gold's run that failed once are flaky
// for every submission, and a gold patch that does not apply to base is
// reported.
func TestGoldsOwnFailuresAreReported(t *testing.T) {
	w := newWorld()
	w.tests = func(tree map[string]string, run int) (harness.Result, []bench.Test) {
		odd := pass
		if run == 0 { // gold's first run
			odd = fail
		}
		return harness.Result{}, append(plainTests(tree), test("test_odd", odd))
	}
	inst := w.instance()
	inst.PassToPass = append(inst.PassToPass, "tests/test_a.py::test_odd")
	rs, _ := evaluated(t, w, inst, goldPatch, badPatch)
	for _, r := range rs {
		require.Contains(t, r.Flags, bench.Flag{Kind: "flaky", Path: "tests/test_a.py::test_odd", Detail: "it failed once, and passed when it ran again on its own"})
	}
	o := endedWith(published(1), 0)
	o.State, o.Detail = bench.RunUnapplied, "detail"
	require.Equal(t, "the gold patch does not apply to base: detail", readControl(published(1), o).unusable)
	o.State = bench.RunLimit
	require.Equal(t, "the hidden tests do not run with the gold patch here (limit: detail)", readControl(published(1), o).unusable)
}
