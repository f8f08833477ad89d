package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/languages"
	"assay/tasks"
)

// SetUp is an environment that was made, or could not be: a line of setup.jsonl.
type SetUp struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Language string `json:"language"`
	Dropped  Reason `json:"dropped,omitempty"`
	Detail   string `json:"detail,omitempty"`
	// Environment is the name by which the executor has it.
	Environment string `json:"environment,omitempty"`
	// Env is what was inferred, without its long scripts, and Decisions are the
	// choices with their evidence.
	Env       *bench.Env       `json:"env,omitempty"`
	Decisions []bench.Decision `json:"decisions,omitempty"`
	// By is who made the environment: "" for inference, else as in Try. Given is
	// then the instance's env. Tries are all that were tried after inference.
	By    string     `json:"by,omitempty"`
	Given *bench.Env `json:"given,omitempty"`
	Tries []Try      `json:"tries,omitempty"`
}

// Checked is what the runs of an instance showed: a line of validated.jsonl.
type Checked struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Language string `json:"language"`
	Dropped  Reason `json:"dropped,omitempty"`
	Detail   string `json:"detail,omitempty"`
	Runs     int    `json:"runs"` // of each state
	// FailToPass and PassToPass are canonical ids; a test that changed its mind
	// is in neither.
	FailToPass []string `json:"FAIL_TO_PASS,omitempty"`
	PassToPass []string `json:"PASS_TO_PASS,omitempty"`
	Flaky      []string `json:"flaky,omitempty"`
	// Failing are tests that do not pass with gold, flaky ones left out, and
	// Network those of them that say that they miss the network.
	Failing []string `json:"failing,omitempty"`
	Network []string `json:"network,omitempty"`
	// Names are what hidden tests use, gold introduces, base does not have and
	// the statement does not mention: an agent cannot know them.
	Names []string `json:"unmentioned_names,omitempty"`
	// Messages are what fail-to-pass tests said without gold, at most ten of them.
	Messages map[string]string `json:"messages,omitempty"`
	// States are the worst statuses of each test, before the change, with the
	// hidden tests alone, and with gold.
	States map[string]States `json:"states,omitempty"`
}

// States are a test's statuses before the change, with the hidden tests alone
// and with gold: the worst of all runs; missing where a run does not have it.
type States [3]bench.Status

// The reasons of set-up and validation.
const (
	NotInferred     Reason = "not_inferred"        // no environment follows from the repository
	SetUpLimit      Reason = "set_up_limit"        // time, memory or disk
	SetUpDownload   Reason = "set_up_download"     // something could not be fetched
	SetUpDependency Reason = "set_up_dependencies" // something that is available does not fit
	SetUpBuild      Reason = "set_up_build"        // the code did not build
	SetUpTests      Reason = "set_up_tests"        // no test could be started
	SetUpOther      Reason = "set_up_other"
	Unmeasurable    Reason = "unmeasurable" // a run was cut, or is suspect
	GoldFails       Reason = "gold_fails"   // gold does not build or run
	NoF2P           Reason = "no_fail_to_pass"
	OnlyFlaky       Reason = "only_flaky"  // what gold fixed changed its mind
	NotSane         Reason = "not_sane"    // too many tests fail with gold
	Unconfirmed     Reason = "unconfirmed" // the instance as written does not hold
)

// Validator sets instances up and runs them.
type Validator struct {
	Judge tasks.Judge
	Runs  int // of each state, at least 1
	// Fitter makes environments where inference fails; it may be nil.
	Fitter Fitter
	// Now is the clock.
	Now func() time.Time
}

// minSane is the share of tests that must pass with gold.
const minSane = 0.95

// Spent is how long an instance took, in seconds.
type Spent struct {
	ID       string  `json:"id"`
	SetUp    float64 `json:"set_up"`
	Validate float64 `json:"validate"`
}

// Check sets an instance up and validates it. The names are what it could be
// unfair about. The error is one of the machine's, or the context's: then
// nothing is known about the instance.
func (v Validator) Check(ctx context.Context, part Part, names []string) (SetUp, Checked, Spent, error) {
	inst := part.Instance
	up := SetUp{ID: part.ID, Repo: part.Repo, Language: part.Language}
	done := Checked{ID: part.ID, Repo: part.Repo, Language: part.Language, Runs: v.Runs, Names: names}
	started := v.Now()
	spent := Spent{ID: part.ID}
	bed, err := v.Judge.Machine.Open(ctx, inst)
	if err != nil {
		up.Dropped, up.Detail, err = NotInferred, err.Error(), machineError(ctx, err)
		return up, done, spent, err
	}
	name, err := bed.Prepare(ctx)
	spent.SetUp = v.Now().Sub(started).Seconds()
	env := bed.Env()
	env.Dependencies, env.Setup, env.Build = nil, nil, nil
	up.Environment, up.Env, up.Decisions = name, &env, bed.Decisions()
	if err != nil {
		up.Dropped, up.Detail = causeOf(err)
		up.Detail = tasks.Stable(up.Detail)
		return up, done, spent, machineError(ctx, err)
	}
	err = v.validate(ctx, inst, bed, &done)
	done.Detail = tasks.Stable(done.Detail)
	spent.Validate = v.Now().Sub(started).Seconds() - spent.SetUp
	return up, done, spent, err
}

// machineError keeps the errors that say nothing about an instance.
func machineError(ctx context.Context, err error) error {
	var infra *harness.InfraError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &infra), errors.Is(err, harness.ErrUnavailable):
		return err
	}
	return nil
}

var (
	downloadFailed   = regexp.MustCompile(`(?i)could not resolve host|name resolution|connection (?:refused|reset|timed out)|could not transfer|failed to (?:fetch|download)|temporary failure|unknown host|unable to access|network is unreachable|404 not found|403 forbidden`)
	dependencyFailed = regexp.MustCompile(`(?i)no solution found|no matching distribution|could not find (?:a version|artifact)|could not resolve dependencies|unable to locate package|has no candidate|package .* not found|could not find a package configuration|no such package|requires python|failed to build .*wheel`)
	buildFailed      = regexp.MustCompile(`(?i)compilation (?:error|failure)|error: |cannot find symbol|undefined reference|\bmake(?:\[\d+\])?: \*\*\*|ninja: build stopped|build failed|fatal error`)
	testsFailed      = regexp.MustCompile(`(?i)no tests?\b|none can be|offline|collect`)
	networkMissed    = regexp.MustCompile(`(?i)name or service not known|name resolution|network is unreachable|unknownhost|connection refused|failed to establish a new connection|no address associated|nodename nor servname|getaddrinfo|could not resolve host`)
)

// causeOf names the cause of a set-up that failed, by what it printed last.
func causeOf(err error) (Reason, string) {
	var build *harness.BuildError
	if !errors.As(err, &build) {
		return SetUpOther, err.Error()
	}
	text := lastLines(string(build.Result.Output.Tail), string(build.Result.Output.Head), 600)
	switch {
	case build.Result.End != harness.Exited:
		return SetUpLimit, fmt.Sprintf("ended by %s: %s", build.Result.End, text)
	case downloadFailed.MatchString(text):
		return SetUpDownload, text
	case dependencyFailed.MatchString(text):
		return SetUpDependency, text
	case buildFailed.MatchString(text):
		return SetUpBuild, text
	case testsFailed.MatchString(text):
		return SetUpTests, text
	}
	return SetUpOther, text
}

// lastLines are the last n bytes of output, from a line's beginning.
func lastLines(last, first string, n int) string {
	return cmp.Or(tail(last, n), tail(first, n))
}

// runs are the outcomes of one instance by state.
type runs struct{ before, tests, gold []languages.Outcome }

func (v Validator) validate(ctx context.Context, inst *bench.Instance, bed *languages.Testbed, done *Checked) error {
	var r runs
	if err := v.before(ctx, inst, bed, 1, &r); err != nil {
		return v.unrun(ctx, err, done)
	}
	// One run of each state shows most of what is wrong; the judge takes its
	// outcome from the cache.
	if err := v.repeat(ctx, inst, 1, &r, done); err != nil || done.Dropped != "" {
		return err
	}
	if v.Runs > 1 {
		if err := v.before(ctx, inst, bed, v.Runs, &r); err != nil {
			return v.unrun(ctx, err, done)
		}
		if err := v.repeat(ctx, inst, v.Runs, &r, done); err != nil || done.Dropped != "" {
			return err
		}
	}
	return v.confirm(ctx, *inst, done)
}

// before runs the test files as they are at base, until there are so many runs.
func (v Validator) before(ctx context.Context, inst *bench.Instance, bed *languages.Testbed, times int, r *runs) error {
	for attempt := len(r.before); attempt < times; attempt++ {
		o, err := bed.RunTests(ctx, languages.Variant{Name: "before", Tests: inst.TestPatch, Existing: true, Attempt: attempt})
		if err != nil {
			return err
		}
		r.before = append(r.before, o)
	}
	return nil
}

// unrun records that the runs could not be made.
func (v Validator) unrun(ctx context.Context, err error, done *Checked) error {
	done.Dropped, done.Detail = Unmeasurable, err.Error()
	return machineError(ctx, err)
}

// repeat runs the hidden tests so often without and with gold, and decides.
func (v Validator) repeat(ctx context.Context, inst *bench.Instance, times int, r *runs, done *Checked) error {
	r.tests, r.gold = nil, nil
	judge := v.Judge
	judge.Seen = func(_ tasks.Task, _ bench.Prediction, o languages.Outcome) {
		if o.Name == "gold" {
			r.gold = append(r.gold, o)
		} else {
			r.tests = append(r.tests, o)
		}
	}
	found, err := judge.Validate(ctx, inst, times)
	switch {
	case err != nil:
		return err
	case found.Verdict == bench.Infra:
		return &harness.InfraError{Op: "validating " + inst.ID, Err: errors.New(strings.Join(found.Problems, "; "))}
	case found.Verdict != "":
		done.Dropped, done.Detail = Unmeasurable, strings.Join(found.Problems, "; ")
		return nil
	}
	languages.ClearAll(r.gold, r.tests)
	done.Flaky, done.FailToPass, done.PassToPass = found.Flaky, found.FailToPass, found.PassToPass
	r.describe(done)
	r.quote(done)
	done.Dropped, done.Detail = r.wrong(done, found)
	return nil
}

// describe lists what tests did in each state.
func (r runs) describe(done *Checked) {
	done.States = map[string]States{}
	for i, outcomes := range [][]languages.Outcome{r.before, r.tests, r.gold} {
		for id, s := range worst(outcomes) {
			all, ok := done.States[id]
			if !ok {
				all = States{bench.Missing, bench.Missing, bench.Missing}
			}
			all[i] = s
			done.States[id] = all
		}
	}
	said := map[string]string{}
	for _, o := range r.gold {
		for id, text := range o.Said {
			said[id] += text
		}
	}
	done.Failing, done.Network = nil, nil
	for _, id := range sortedKeys(done.States) {
		if s := done.States[id][2]; s.OK() || s == bench.Skipped || s == bench.Missing || slices.Contains(done.Flaky, id) {
			continue
		}
		done.Failing = append(done.Failing, id)
		if networkMissed.MatchString(said[id]) {
			done.Network = append(done.Network, id)
		}
	}
}

// Bounds of the messages that are kept.
const (
	keptMessages = 10
	keptBytes    = 800 // of each
)

// quote keeps what fail-to-pass tests said without gold, without what differs
// from run to run.
func (r runs) quote(done *Checked) {
	done.Messages = nil
	if len(r.tests) == 0 {
		return
	}
	first, said := r.tests[0], map[string]string{}
	for _, t := range first.Tests {
		said[t.ID] = cmp.Or(strings.TrimSpace(t.Message), strings.TrimSpace(first.Said[t.ID]))
	}
	for _, id := range done.FailToPass {
		text := tasks.Stable(said[id])
		if text == "" || len(done.Messages) == keptMessages {
			continue
		}
		if done.Messages == nil {
			done.Messages = map[string]string{}
		}
		done.Messages[id] = strings.ToValidUTF8(text[:min(len(text), keptBytes)], "")
	}
}

// worst is the worst status of each test over the runs of a state. A test that
// one run lacks is missing.
func worst(outcomes []languages.Outcome) map[string]bench.Status {
	order := []bench.Status{bench.Passed, bench.XPass, bench.XFail, bench.Skipped, bench.Missing, bench.Failed, bench.Error}
	found, seen := map[string]bench.Status{}, map[string]int{}
	for _, o := range outcomes {
		for _, t := range o.Tests {
			seen[t.ID]++
			if old, ok := found[t.ID]; !ok || slices.Index(order, t.Status) > slices.Index(order, old) {
				found[t.ID] = t.Status
			}
		}
	}
	for id, s := range found {
		if seen[id] < len(outcomes) && slices.Index(order, s) < slices.Index(order, bench.Missing) {
			found[id] = bench.Missing
		}
	}
	return found
}

// wrong returns why an instance is not valid; "" if it is.
func (r runs) wrong(done *Checked, found tasks.Validation) (Reason, string) {
	for _, o := range r.gold {
		if o.State != bench.RunDone {
			return GoldFails, strings.TrimSpace(fmt.Sprintf("%s %s", o.State, o.Detail))
		}
	}
	for _, o := range r.tests {
		switch o.State {
		case bench.RunTimeout, bench.RunLimit, bench.RunSuspect, bench.RunUnapplied:
			return Unmeasurable, strings.TrimSpace(fmt.Sprintf("without gold: %s %s", o.State, o.Detail))
		}
	}
	if len(done.FailToPass) == 0 {
		if len(done.Flaky) > 0 {
			return OnlyFlaky, fmt.Sprintf("%d tests changed their mind", len(done.Flaky))
		}
		return NoF2P, fmt.Sprintf("%d tests pass with gold, and before", len(done.PassToPass))
	}
	good := len(done.FailToPass) + len(done.PassToPass)
	if all := good + len(done.Failing); float64(good) < minSane*float64(all) {
		return NotSane, fmt.Sprintf("%d of %d tests pass with gold", good, all)
	}
	if !found.Sound {
		return Unmeasurable, strings.Join(found.Problems, "; ")
	}
	return "", ""
}

// confirm judges the instance as it will be written: its lists decide what is
// set up and run.
func (v Validator) confirm(ctx context.Context, inst bench.Instance, done *Checked) error {
	inst.FailToPass, inst.PassToPass = done.FailToPass, done.PassToPass
	found, err := v.Judge.Validate(ctx, &inst, 1)
	switch {
	case err != nil:
		return err
	case found.Verdict == bench.Infra:
		return &harness.InfraError{Op: "confirming " + inst.ID, Err: errors.New(strings.Join(found.Problems, "; "))}
	case !found.Sound || !found.Judgeable:
		sort.Strings(found.Problems)
		done.Dropped, done.Detail = Unconfirmed, strings.Join(found.Problems, "; ")
	}
	return nil
}
