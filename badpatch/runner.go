package badpatch

import (
	"context"
	"slices"
	"strconv"
	"time"

	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// Bed runs tests on a variant of an instance's code. What the code does is an
// Outcome; an error says that it could not be run.
type Bed interface {
	RunTests(ctx context.Context, v languages.Variant) (languages.Outcome, error)
}

// runner runs candidates of one instance with its hidden tests.
type runner struct {
	bed    Bed
	inst   *bench.Instance
	repeat int // runs that a bad patch must fail in
	suites []StoredSuite
	base   languages.Outcome
	gold   languages.Outcome
	seen   map[string][]languages.Outcome // by patch, without logs
	doubts []string                       // gold's: they count against no run
	// patience bounds the runs of candidates: a mistake may be an endless loop.
	patience time.Duration
	// again runs tests many times on one build; nil where that was not seen to
	// judge gold as gold is.
	again roundsBed
}

// patienceOf is four times what gold took, and half a minute at least, in whole
// steps of ten seconds: the same instance should get the same bound again.
func patienceOf(gold time.Duration) time.Duration {
	return max(30*time.Second, (4 * gold).Truncate(10*time.Second))
}

// StoredSuite is a stored test suite: a submission to the instance's
// test-generation task. It is a column of the kill matrix next to the hidden
// tests; one that gold does not pass is left out.
type StoredSuite struct {
	Name  string
	Tests string // a patch of test files
}

// settle runs base and gold, which every candidate is compared with. It fails
// where the instance is not sound: nothing can be learned from it.
func (r *runner) settle(ctx context.Context) (err error) {
	if r.base, err = r.run(ctx, "base", "", 0); err != nil {
		return err
	}
	var slowest time.Duration
	for i := range r.repeat {
		if i == 1 {
			done, err := r.goldAgain(ctx, patienceOf(slowest))
			if err != nil {
				return err
			}
			if done {
				break
			}
		}
		if r.gold, err = r.goldOnce(ctx, i); err != nil {
			return err
		}
		slowest = max(slowest, r.gold.Timings.Run)
	}
	r.base = r.base.Cleared(r.doubts)
	r.patience = patienceOf(slowest)
	return r.usable(ctx)
}

// goldOnce runs gold on its own, and records the reasons to suspect its run.
func (r *runner) goldOnce(ctx context.Context, attempt int) (languages.Outcome, error) {
	gold, err := r.run(ctx, "gold", r.inst.Patch, attempt)
	if err != nil {
		return gold, err
	}
	r.doubts = append(r.doubts, gold.Doubts...)
	gold = gold.Cleared(r.doubts)
	if ok, why := tasks.Resolves(r.inst, gold); !ok {
		return gold, unsound("gold does not resolve it in run %d: %s", attempt+1, why)
	}
	return gold, nil
}

// goldAgain makes all runs of gold but the first on one build, and reports whether
// it resolves the instance in each. Then other patches can be run so, too.
func (r *runner) goldAgain(ctx context.Context, patience time.Duration) (bool, error) {
	bed, ok := r.bed.(roundsBed)
	if !ok {
		return false, nil
	}
	r.again, r.patience = bed, patience
	all, _, err := r.repeated(ctx, "gold", r.inst.Patch, 1, r.repeat-1)
	ok = len(all) > 0
	for _, o := range all {
		resolved, _ := tasks.Resolves(r.inst, o)
		ok = ok && resolved
	}
	if !ok {
		r.again, r.patience = nil, 0
	}
	return ok, err
}

// usable keeps the suites that gold passes.
func (r *runner) usable(ctx context.Context) error {
	var kept []StoredSuite
	for _, s := range r.suites {
		o, err := r.suite(ctx, s, r.inst.Patch)
		if err != nil {
			return err
		}
		if tasks.Passed(o) {
			kept = append(kept, s)
		}
	}
	r.suites = kept
	return nil
}

func (r *runner) run(ctx context.Context, name, code string, attempt int) (languages.Outcome, error) {
	o, err := r.bed.RunTests(ctx, languages.Variant{Name: name, Code: code, Tests: r.inst.TestPatch, Attempt: attempt, Time: r.patience})
	return o.Cleared(r.doubts), err
}

func (r *runner) suite(ctx context.Context, s StoredSuite, code string) (languages.Outcome, error) {
	o, err := r.bed.RunTests(ctx, languages.Variant{Name: "suite", Code: code, Tests: s.Tests, Contributed: true, Time: r.patience})
	return o.Cleared(r.doubts), err
}

// try runs a candidate once: most prove to be nothing.
func (r *runner) try(ctx context.Context, c Candidate) (Trial, error) {
	return r.more(ctx, Trial{Candidate: c}, 1)
}

// confirm runs a trial as often as a bad patch must fail. What is a survivor or
// rejected after one run stays it.
func (r *runner) confirm(ctx context.Context, t Trial) (Trial, error) {
	return r.more(ctx, t, r.repeat)
}

// more repeats the runs of a trial up to a number, as far as they can change
// the decision.
func (r *runner) more(ctx context.Context, t Trial, runs int) (Trial, error) {
	for t.Runs < runs && t.Verdict != Rejected && t.Verdict != Survivor {
		c, n, spent, suites := t.Candidate, t.Runs+1, t.Seconds, t.Suites
		if len(r.seen[c.Patch]) < n { // else the dataset, or an attempt, has the same text
			took, err := r.see(ctx, c.Patch, runs-t.Runs)
			if err != nil {
				return t, err
			}
			spent += took
		}
		t = Decide(r.inst, r.base, r.seen[c.Patch][:n])
		t.Candidate, t.Runs, t.Seconds, t.Suites = c, n, spent, suites
	}
	return t, nil
}

// see adds a run of a patch to what was seen of it; where it is not the first, all
// that are wanted, on one build where that is possible. It returns the seconds that
// they took.
func (r *runner) see(ctx context.Context, code string, wanted int) (float64, error) {
	before := len(r.seen[code])
	if before > 0 {
		all, took, err := r.repeated(ctx, "candidate", code, before, wanted)
		if len(all) > 0 || err != nil {
			r.seen[code] = append(r.seen[code], all...)
			return took, err
		}
	}
	o, err := r.run(ctx, "candidate", code, before)
	if err != nil {
		return 0, err
	}
	o.Log = nil
	r.seen[code] = append(r.seen[code], o)
	return seconds(o), nil
}

// repeated runs a patch's tests n times on one build, numbered after those before.
// It returns no outcomes if builds cannot be used so, or if this one fails.
func (r *runner) repeated(ctx context.Context, name, code string, before, n int) ([]languages.Outcome, float64, error) {
	if r.again == nil || n == 0 {
		return nil, 0, nil
	}
	rounds := languages.Rounds{Variable: "ASSAY_ROUND", Time: r.patience}
	for i := range n {
		rounds.Values = append(rounds.Values, strconv.Itoa(before+i+1))
	}
	v := languages.Variant{Name: name, Code: code, Tests: r.inst.TestPatch, Attempt: before, Time: r.patience}
	out, ok, err := r.again.RunRounds(ctx, v, rounds)
	if err != nil || !ok || out.Build.State != bench.RunDone {
		return nil, 0, err
	}
	for i, o := range out.Rounds {
		o.Log = nil
		out.Rounds[i] = o.Cleared(r.doubts)
	}
	return out.Rounds, seconds(out.Build), nil
}

// seconds is what a run took when it ran: an outcome from the cache records
// it, too.
func seconds(o languages.Outcome) float64 {
	t := o.Timings
	return (t.Create + t.Start + t.Run + t.Collect + t.Remove).Seconds()
}

// expose runs the stored suites on a bad patch; on others it runs nothing.
func (r *runner) expose(ctx context.Context, t *Trial) error {
	if t.Verdict != Bad {
		return nil
	}
	t.Suites = nil
	for _, s := range r.suites {
		o, err := r.suite(ctx, s, t.Patch)
		if err != nil {
			return err
		}
		if exposed(o) {
			t.Suites = append(t.Suites, s.Name)
		}
	}
	return nil
}

// exposed reports whether a stored suite's run shows that the code is wrong: a
// test failed, or could not be built. A run that was cut, or that cannot be
// trusted, shows nothing.
func exposed(o languages.Outcome) bool {
	switch o.State {
	case bench.RunUnbuilt:
		return true
	case bench.RunDone:
		return slices.ContainsFunc(o.Tests, func(t bench.Test) bool { return t.Status.Failing() })
	}
	return false
}

// judge is try for what the static filter has not seen.
func (r *runner) judge(ctx context.Context, f *Filter, c Candidate) (Trial, error) {
	code := tasks.CodeOf(tasks.Task{Instance: r.inst}, c.Patch)
	checked := c
	checked.Patch = code
	cause, err := f.Check(checked)
	if err != nil {
		return Trial{}, err
	}
	if cause != "" && cause != LikeAnother {
		return Trial{Candidate: c, Verdict: Rejected, Cause: cause}, nil
	}
	t, err := r.try(ctx, checked)
	if err == nil {
		t, err = r.confirm(ctx, t)
	}
	if err == nil {
		err = r.expose(ctx, &t)
	}
	t.Candidate = c
	return t, err
}

// resolves reports whether a patch passes the hidden tests in every run.
func (r *runner) resolves(ctx context.Context, code string) (bool, error) {
	first, err := r.run(ctx, "good", code, 0)
	if ok, _ := tasks.Resolves(r.inst, first); err != nil || !ok {
		return false, err
	}
	all, _, err := r.repeated(ctx, "good", code, 1, r.repeat-1)
	for i := 1 + len(all); i < r.repeat && err == nil; i++ {
		var o languages.Outcome
		o, err = r.run(ctx, "good", code, i)
		all = append(all, o)
	}
	passes := func(o languages.Outcome) bool { ok, _ := tasks.Resolves(r.inst, o); return ok }
	return err == nil && !slices.ContainsFunc(all, func(o languages.Outcome) bool { return !passes(o) }), err
}
