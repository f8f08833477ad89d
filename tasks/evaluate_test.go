package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/style"
)

// TestEvaluate judges submissions on a machine in memory, from the plan to the
// result.
func TestEvaluate(t *testing.T) {
	for name, c := range map[string]struct {
		kind  Kind
		patch string
		want  bench.Verdict
		runs  []bench.RunState
	}{
		"a fix":                 {BugFix{}, goldPatch, bench.Resolved, []bench.RunState{bench.RunDone}},
		"half a fix":            {BugFix{}, badPatch, bench.Unresolved, []bench.RunState{bench.RunDone}},
		"nothing":               {BugFix{}, "", bench.EmptyPatch, nil},
		"does not apply":        {BugFix{}, "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1 @@\n-what\n+fix\n", bench.InvalidPatch, []bench.RunState{bench.RunUnapplied}},
		"where the tests stand": {BugFix{}, goldPatch + "--- /dev/null\n+++ b/tests\n@@ -0,0 +1 @@\n+x\n", bench.InvalidPatch, []bench.RunState{bench.RunUnapplied}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var heard []string
			j := w.judge()
			j.Seen = func(task Task, p bench.Prediction, o languages.Outcome) {
				require.Equal(t, "m", p.Model)
				heard = append(heard, o.Name)
			}
			inst := w.instance()
			ts, err := c.kind.Build(inst)
			require.NoError(t, err)
			r, err := j.Evaluate(t.Context(), c.kind, ts[0], bench.Prediction{InstanceID: inst.ID, Model: "m", Patch: c.patch, CostUSD: 0.5})
			require.NoError(t, err)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			var states []bench.RunState
			for _, run := range r.Runs {
				states = append(states, run.State)
			}
			require.Equal(t, c.runs, states)
			require.Len(t, heard, len(c.runs))
			require.Equal(t, []any{"bugfix", "o__r-1", "", "m", "python", "o/r", 0.5}, []any{r.Task, r.InstanceID, r.Part, r.Model, r.Language, r.Repo, r.CostUSD})
			require.Equal(t, j.Digest(c.kind, ts[0], bench.Prediction{Model: "m", Patch: c.patch}), r.TaskDigest)
			require.Len(t, r.PatchDigest, 64)
			require.Equal(t, "2026-01-02T03:04:06Z", r.Timing.Started)
			require.Greater(t, r.Timing.Seconds, 0.0)
			if slices.Contains(states, bench.RunDone) {
				require.Equal(t, FlagUnguarded, r.Flags[len(r.Flags)-1].Kind, "an instance's own command runs without nonce tests")
				require.Equal(t, 3.0, r.Timing.Phases["run"])
				require.Equal(t, []float64{1, 2, 4, 5}, []float64{r.Timing.Phases["create"], r.Timing.Phases["start"], r.Timing.Phases["collect"], r.Timing.Phases["remove"]})
				require.Equal(t, 1.0, r.Timing.Phases["prepare"])
			}
		})
	}
}

// TestJudgeWithoutAClock: one without a clock uses the machine's.
func TestJudgeWithoutAClock(t *testing.T) {
	w := newWorld()
	j := w.judge()
	j.Now = nil
	inst := w.instance()
	ts, err := BugFix{}.Build(inst)
	require.NoError(t, err)
	r, err := j.Evaluate(t.Context(), BugFix{}, ts[0], bench.Prediction{InstanceID: inst.ID, Patch: goldPatch})
	require.NoError(t, err)
	require.Equal(t, bench.Resolved, r.Verdict)
	_, err = time.Parse(time.RFC3339, r.Timing.Started)
	require.NoError(t, err)
}

// TestPlansEndEarly: what the verdict does not need is left out, unless all is
// asked for.
func TestPlansEndEarly(t *testing.T) {
	for full, want := range map[bool]int{false: 1, true: 2} {
		w := newWorld()
		j := w.judge()
		j.Full = full
		ran := 0
		j.Seen = func(Task, bench.Prediction, languages.Outcome) { ran++ }
		kind := twice{}
		r, err := j.Evaluate(t.Context(), kind, Task{Kind: "twice", Instance: w.instance()}, bench.Prediction{Patch: goldPatch})
		require.NoError(t, err)
		require.Equal(t, want, ran)
		require.Len(t, r.Runs, 2)
		require.Equal(t, full, r.Runs[1].State == bench.RunDone)
	}
}

// twice is bug fixing that runs its tests twice.
type twice struct{ BugFix }

func (k twice) Plan(task Task, p bench.Prediction) Plan {
	plan := k.BugFix.Plan(task, p)
	again := plan.Runs[0]
	again.Name = "again"
	plan.Runs = append(plan.Runs, again)
	return plan
}

// TestFailureIsAVerdict: of the machine it is infra, of the dataset or of assay
// a harness error; neither stops a batch, and only the context's end does.
func TestFailureIsAVerdict(t *testing.T) {
	gone := &harness.InfraError{Op: "running", Err: errors.New("gone")}
	for name, c := range map[string]struct {
		err  error
		want bench.Verdict
	}{
		"the machine":  {gone, bench.Infra},
		"no engine":    {harness.ErrUnavailable, bench.Infra},
		"anything but": {errors.New("odd"), bench.HarnessError},
		"the set-up":   {&harness.BuildError{Recipe: "r"}, bench.HarnessError},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			j := w.judge()
			j.Machine.Runner = &harnesstest.Fake{Handle: func(ctx context.Context, job harness.Job) (harness.Result, error) {
				if job.Script != "" {
					return harness.Result{}, c.err
				}
				return w.handle(ctx, job)
			}}
			r, err := j.Evaluate(t.Context(), BugFix{}, Task{Kind: "bugfix", Instance: w.instance()}, bench.Prediction{Patch: goldPatch})
			require.NoError(t, err)
			require.Equal(t, c.want, r.Verdict)
			require.Contains(t, r.Reason, c.err.Error())
			require.Equal(t, []bench.Run{{Name: submissionRun, State: bench.RunSkipped}}, r.Runs)
			verdict, reason := blame(c.err)
			require.Equal(t, c.want, verdict)
			require.Equal(t, c.err.Error(), reason)
		})
	}
	w := newWorld()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.judge().Evaluate(ctx, BugFix{}, Task{Kind: "bugfix", Instance: w.instance()}, bench.Prediction{Patch: goldPatch})
	require.ErrorIs(t, err, context.Canceled)
	unknown := w.instance()
	unknown.Language, unknown.Image = "cobol", "" // an image would contain what its tests need
	r, err := w.judge().Evaluate(t.Context(), BugFix{}, Task{Kind: "bugfix", Instance: unknown}, bench.Prediction{Patch: goldPatch})
	require.NoError(t, err)
	require.Equal(t, bench.HarnessError, r.Verdict)
}

// TestDigestsTell: everything that decides a result is in its digest.
func TestDigestsTell(t *testing.T) {
	base := func() (Judge, Task, bench.Prediction) {
		return Judge{}, Task{Kind: "bugfix", Instance: instance()}, bench.Prediction{Model: "m", Patch: "p"}
	}
	j, task, p := base()
	of := func(j Judge, task Task, p bench.Prediction) string {
		kind := Kind(BugFix{})
		if task.Style != nil {
			kind = Style{}
		}
		return j.Digest(kind, task, p)
	}
	seen := map[string]string{of(j, task, p): "itself"}
	for name, change := range map[string]func(*Judge, *Task, *bench.Prediction){
		"kind":     func(_ *Judge, t *Task, _ *bench.Prediction) { t.Kind = "testgen" },
		"instance": func(_ *Judge, t *Task, _ *bench.Prediction) { t.Instance.PassToPass = nil },
		"model":    func(_ *Judge, _ *Task, p *bench.Prediction) { p.Model = "n" },
		"patch":    func(_ *Judge, _ *Task, p *bench.Prediction) { p.Patch = "q" },
		"full":     func(j *Judge, _ *Task, _ *bench.Prediction) { j.Full = true },
		"part":     func(_ *Judge, t *Task, _ *bench.Prediction) { t.Part = "1" },
		"min":      func(_ *Judge, t *Task, _ *bench.Prediction) { t.Style = &bench.StyleTask{MinScore: ptr(0.5)} },
		"most":     func(_ *Judge, t *Task, _ *bench.Prediction) { t.Style = &bench.StyleTask{MaxRemaining: ptr(1)} },
	} {
		j, task, p := base()
		change(&j, &task, &p)
		d := of(j, task, p)
		require.Empty(t, seen[d], name)
		seen[d] = name
	}
	again, task, p := base()
	require.Equal(t, "itself", seen[of(again, task, p)])
}

// TestFactsOfWhatNeverRan: an empty submission to a style task fixes nothing,
// and one to a review is identified by its bad patch.
func TestFactsOfWhatNeverRan(t *testing.T) {
	r := bench.Result{Verdict: bench.EmptyPatch}
	task := styleTask()
	Style{}.Complete(&r, task)
	require.Equal(t, 3, r.Style.Original)
	require.Nil(t, r.Review)
	kept := bench.Result{Verdict: bench.Resolved, Style: &bench.Style{Original: 9}}
	Style{}.Complete(&kept, task)
	require.Equal(t, 9, kept.Style.Original)
	for _, v := range []bench.Verdict{bench.Infra, bench.HarnessError} {
		r := bench.Result{Verdict: v}
		Style{}.Complete(&r, task)
		require.Nil(t, r.Style, "nothing is known of it")
	}
	r = bench.Result{Verdict: bench.Infra}
	Review{}.Complete(&r, Task{Review: &bench.Review{BadPatch: 3, Arm: bench.ArmAlone, Level: "L1", Source: "s", Text: "t"}})
	require.Equal(t, &bench.ReviewFacts{BadPatch: 3, Arm: bench.ArmAlone, Level: "L1", Source: "s"}, r.Review)
}

func TestPhasesAddUp(t *testing.T) {
	p := phases{prepare: 7e9}
	o := languages.Outcome{Timings: harness.Timings{Create: 1e9, Start: 2e9, Run: 3e9, Collect: 4e9, Remove: 5e9}}
	p.add(o)
	p.add(o)
	cached := o
	cached.Cached = true
	p.add(cached)
	require.Equal(t, map[string]float64{"prepare": 7, "create": 2, "start": 4, "run": 6, "collect": 8, "remove": 10}, p.seconds())
	require.Equal(t, 1, p.hits)
}

// TestLintersAreLookedUp: an unknown one is an error of the dataset.
func TestLintersAreLookedUp(t *testing.T) {
	w := newWorld()
	bed, err := w.judge().Machine.Open(t.Context(), w.instance())
	require.NoError(t, err)
	_, err = w.judge().run(t.Context(), bed, w.instance(), Run{Lint: &Lint{Linter: "dice"}}, trust{})
	require.ErrorContains(t, err, `linter "dice" is not known`)
	o := lintOutcome("r", style.LintOutcome{State: bench.RunUnbuilt, Detail: "d", Environment: "e", Log: []byte("l"), Cached: true, Unapplied: &languages.UnappliedError{}})
	require.Equal(t, bench.Run{Name: "r", State: bench.RunUnbuilt, Detail: "d", Environment: "e"}, o.Run)
	require.Equal(t, "l", string(o.Log))
	require.True(t, o.Cached)
	require.NotNil(t, o.Unapplied)
	require.NotNil(t, o.Lint)
}
