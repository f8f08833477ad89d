package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/languages"
	"assay/style"
)

// Rules names the version of the judging rules; it is part of every task's
// digest, so that results of other rules are never taken for these.
const Rules = "assay judging 6"

// Judge evaluates single submissions on a machine.
type Judge struct {
	Machine languages.Machine
	// Linters are the tools of style tasks. Nil means that there are none.
	Linters *style.Linters
	// Golds remembers the gold runs by which environments are proven; where it
	// is nil no gold is run first.
	Golds *Golds
	// Full runs what is not needed for the verdict too.
	Full bool
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	// Prepared is called with an environment before the first run in it,
	// possibly several times; it may be nil.
	Prepared func(Environment)
	// Seen is called with every run as it ends; it may be nil.
	Seen func(Task, bench.Prediction, languages.Outcome)
	// Watch is called when work on an item of a batch begins. It returns the
	// context to work under, and a function to call at the end; it may be
	// nil.
	Watch func(context.Context, Item) (work context.Context, ended func())
}

// now is the time by Now.
func (j Judge) now() time.Time {
	if j.Now == nil {
		return time.Now()
	}
	return j.Now()
}

// Digester is a kind whose verdicts depend on more than the instance, the part
// and the submission: on options, for one.
type Digester interface {
	Kind
	// DigestParts are texts that differ where verdicts may.
	DigestParts(t Task) []string
}

// Digest identifies a task with its submission: everything that decides its
// result.
func (j Judge) Digest(kind Kind, task Task, p bench.Prediction) string {
	inst, err := json.Marshal(task.Instance)
	if err != nil {
		inst = []byte(task.Instance.ID)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%t\x00%s\x00%s\x00%s", Rules, task.Kind, j.Full, inst, p.Model, p.Patch)
	if task.Part != "" {
		fmt.Fprintf(h, "\x00%s", task.Part)
	}
	if d, ok := kind.(Digester); ok {
		for _, part := range d.DigestParts(task) {
			fmt.Fprintf(h, "\x00%s", part)
		}
	}
	if l := j.Machine.Limits.String(); l != "" {
		fmt.Fprintf(h, "\x00limits %s", l)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Evaluate judges one submission. A failure of the machine or of the dataset
// is a verdict too (bench.Infra, bench.HarnessError), so that one instance
// never stops a batch; the error is only ever the context's.
func (j Judge) Evaluate(ctx context.Context, kind Kind, task Task, p bench.Prediction) (bench.Result, error) {
	started := j.now()
	plan := kind.Plan(task, p)
	seen, gold, phases, err := j.execute(ctx, kind, task, p, plan)
	if ctx.Err() != nil {
		return bench.Result{}, ctx.Err()
	}
	var r bench.Result
	switch {
	case err != nil:
		r = bench.Result{Runs: Record(plan, seen)}
		r.Verdict, r.Reason = blame(err)
	case plan.Early != "":
		r = bench.Result{Verdict: plan.Early, Reason: plan.Reason}
	case gold.unusable != "":
		r = bench.Result{Verdict: bench.HarnessError, Reason: gold.unusable}
	default:
		r = kind.Judge(gold.task(task), plan, seen)
		gold.note(&r, task.Instance, seen)
	}
	patchSum := sha256.Sum256([]byte(p.Patch))
	r.Task, r.InstanceID, r.Part, r.Model = task.Kind, task.Instance.ID, task.Part, p.Model
	r.Language, r.Repo = task.Instance.Language, task.Instance.Repo
	r.PatchDigest, r.TaskDigest = hex.EncodeToString(patchSum[:]), j.Digest(kind, task, p)
	r.Flags, r.CostUSD = slices.Concat(plan.Flags, r.Flags, unguarded(plan, seen)), p.CostUSD
	for _, o := range seen {
		if o.Outcome.Printed {
			r.Flags = append(r.Flags, printedResults())
			break
		}
	}
	if c, ok := kind.(Completer); ok {
		c.Complete(&r, task)
	}
	r.Timing = &bench.Timing{
		Started: started.UTC().Format(time.RFC3339), Seconds: j.now().Sub(started).Seconds(),
		Phases: phases.seconds(), CacheHit: phases.hits,
	}
	return r, nil
}

// Completer is a kind that adds facts to results which its Judge did not see,
// such as those of submissions that were never run.
type Completer interface {
	Kind
	Complete(r *bench.Result, t Task)
}

// execute proves the environment by gold, and runs the plan in order until its
// kind has seen enough.
func (j Judge) execute(ctx context.Context, kind Kind, task Task, p bench.Prediction, plan Plan) (Outcomes, control, *phases, error) {
	seen, spent, gold := Outcomes{}, &phases{}, control{}
	if plan.Early != "" {
		return seen, gold, spent, nil
	}
	bed, err := j.Machine.Open(ctx, task.Instance)
	if err != nil {
		return seen, gold, spent, err
	}
	begin := j.now()
	environment, err := bed.Prepare(ctx)
	if err != nil {
		return seen, gold, spent, err
	}
	spent.prepare = j.now().Sub(begin)
	known := j.prepared(task.Instance.ID, bed, environment, -1)
	// A run on base or gold shows what the set-up itself decided.
	defer func() { j.prepared(task.Instance.ID, bed, environment, known) }()
	gold, err = j.control(ctx, bed, task, environment)
	if err != nil || gold.unusable != "" {
		return seen, gold, spent, err
	}
	task = gold.task(task)
	for _, v := range plan.Runs {
		if !j.Full && kind.Settled(task, seen) {
			break
		}
		o, err := j.run(ctx, bed, task.Instance, gold.within(v), gold.trust)
		if err != nil {
			return seen, gold, spent, err
		}
		seen[v.Name] = o
		spent.add(o.Outcome)
		if j.Seen != nil {
			j.Seen(task, p, o.Outcome)
		}
	}
	return seen, gold, spent, nil
}

// prepared passes an environment on, unless its decisions are as many as were
// known; it returns their number.
func (j Judge) prepared(id string, bed *languages.Testbed, environment string, known int) int {
	decisions := bed.Decisions()
	if j.Prepared != nil && len(decisions) != known {
		j.Prepared(Environment{InstanceID: id, Name: environment, Env: bed.Env(), Decisions: decisions})
	}
	return len(decisions)
}

// run executes one run of a plan.
func (j Judge) run(ctx context.Context, bed *languages.Testbed, inst *bench.Instance, r Run, gold trust) (Outcome, error) {
	switch {
	case r.Lint != nil:
		return j.lint(ctx, bed, r)
	case r.Cover != nil:
		// It decides nothing: if it cannot be run, the verdict stays the same.
		o, err := bed.RunTests(ctx, r.Variant)
		if err != nil && ctx.Err() == nil {
			o = languages.Outcome{Run: bench.Run{Name: r.Name, State: bench.RunInfra, Detail: err.Error()}}
			err = nil
		}
		return Outcome{Outcome: o}, err
	case r.Contributed || r.Existing:
		o, err := bed.RunTests(ctx, r.Variant)
		return Outcome{Outcome: o.Cleared(gold.doubts)}, err
	}
	o, flaky, err := j.steady(ctx, bed, inst, r.Variant, gold.assess)
	return Outcome{Outcome: o, Flaky: flaky}, err
}

// lint executes a run of a linter.
func (j Judge) lint(ctx context.Context, bed *languages.Testbed, r Run) (Outcome, error) {
	if j.Linters == nil {
		return Outcome{}, fmt.Errorf("linter %q is not known", r.Lint.Linter)
	}
	linter, err := j.Linters.Lookup(r.Lint.Linter)
	if err != nil {
		return Outcome{}, err
	}
	var failed *style.ToolError
	for v := r.Variant; ; v.Attempt++ {
		o, err := style.Lint(ctx, bed, v, linter, r.Lint.Rules, r.Lint.Files, r.Lint.Watch)
		switch {
		case err == nil:
			return lintOutcome(r.Name, o), nil
		case !errors.As(err, &failed):
			return Outcome{}, err
		case v.Attempt == r.Attempt:
			continue // again: it may have been the machine
		case r.Code == "" && r.Start == "":
			return Outcome{}, &harness.InfraError{Op: "linting " + r.Name, Err: err}
		}
		// The tool did its work on base, so it is the submission on which it
		// fails: that is neither clean nor the machine's fault.
		o.State, o.Detail, o.Findings = bench.RunSuspect, failed.Error(), nil
		return lintOutcome(r.Name, o), nil
	}
}

func lintOutcome(name string, o style.LintOutcome) Outcome {
	return Outcome{Lint: &o, Outcome: languages.Outcome{
		Run:       bench.Run{Name: name, State: o.State, ExitCode: 0, Detail: o.Detail, Environment: o.Environment},
		Unapplied: o.Unapplied, Log: o.Log, Timings: o.Timings, Cached: o.Cached,
	}}
}

// blame distinguishes failures of the machine from those of the dataset or of
// assay.
func blame(err error) (bench.Verdict, string) {
	var infra *harness.InfraError
	if errors.As(err, &infra) || errors.Is(err, harness.ErrUnavailable) {
		return bench.Infra, err.Error()
	}
	return bench.HarnessError, err.Error()
}

// phases adds up where the time went.
type phases struct {
	prepare time.Duration
	timings harness.Timings
	hits    int
}

func (p *phases) add(o languages.Outcome) {
	if o.Cached {
		p.hits++
		return
	}
	p.timings.Create += o.Timings.Create
	p.timings.Start += o.Timings.Start
	p.timings.Run += o.Timings.Run
	p.timings.Collect += o.Timings.Collect
	p.timings.Remove += o.Timings.Remove
}

func (p *phases) seconds() map[string]float64 {
	return map[string]float64{
		"prepare": p.prepare.Seconds(), "create": p.timings.Create.Seconds(), "start": p.timings.Start.Seconds(),
		"run": p.timings.Run.Seconds(), "collect": p.timings.Collect.Seconds(), "remove": p.timings.Remove.Seconds(),
	}
}
