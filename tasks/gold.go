package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/bench"
	"assay/languages"
)

// Golds remembers what gold runs showed, so that all submissions to an
// instance share one. It is safe for concurrent use; the zero value is empty.
type Golds struct {
	mu   sync.Mutex
	runs map[string]*goldRunOnce
}

type goldRunOnce struct {
	done chan struct{}
	seen control
	err  error
}

// control is what the gold patch shows of an instance's environment.
type control struct {
	// unusable explains why no submission can be judged here; "" where one
	// can.
	unusable string
	// leftOut are pass-to-pass tests that do not pass with gold here, sorted.
	leftOut []string
	// noTests are published ids that name files without tests, sorted.
	noTests []string
	flaky   []string
	// unlisted are tests that pass with gold and that no published id names.
	unlisted []string
	// overlooked are those of them that count as pass-to-pass tests, sorted.
	overlooked []string
	trust      trust
	// patience bounds other runs of the instance; 0 does not.
	patience time.Duration
}

// once runs fn for a key unless that was done; others wait for it. What ended
// in an error is not remembered.
func (g *Golds) once(ctx context.Context, key string, fn func() (control, error)) (control, error) {
	g.mu.Lock()
	if g.runs == nil {
		g.runs = map[string]*goldRunOnce{}
	}
	r, ok := g.runs[key]
	if !ok {
		r = &goldRunOnce{done: make(chan struct{})}
		g.runs[key] = r
	}
	g.mu.Unlock()
	if ok {
		select {
		case <-r.done:
			return r.seen, r.err
		case <-ctx.Done():
			return control{}, ctx.Err()
		}
	}
	r.seen, r.err = fn()
	if r.err != nil {
		g.mu.Lock()
		delete(g.runs, key)
		g.mu.Unlock()
	}
	close(r.done)
	return r.seen, r.err
}

// hasControl reports whether an instance's gold patch can prove its
// environment: there are hidden tests that it is known to pass.
func hasControl(inst *bench.Instance) bool {
	return inst.Patch != "" && inst.TestPatch != "" && len(inst.FailToPass) > 0
}

// control runs the hidden tests on gold, once for each instance and
// environment. Where gold does not pass, no submission can be judged.
func (j Judge) control(ctx context.Context, bed *languages.Testbed, task Task, environment string) (control, error) {
	inst := task.Instance
	if j.Golds == nil || !hasControl(inst) {
		return control{}, nil
	}
	return j.Golds.once(ctx, inst.ID+"\x00"+environment+"\x00"+inst.Patch, func() (control, error) {
		noTests, err := bed.NoTests(ctx, slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass)))
		if err != nil {
			return control{}, err
		}
		inst := control{noTests: noTests}.task(task).Instance
		if len(inst.FailToPass) == 0 {
			return control{unusable: "its fail-to-pass ids name files that hold no tests: " + noTests[0]}, nil
		}
		v := languages.Variant{Name: goldRun, Code: CodeOf(Task{Instance: inst, Languages: j.Machine.Languages}, inst.Patch), Tests: inst.TestPatch}
		var seenTrust trust
		o, flaky, err := j.steady(ctx, bed, inst, v, func(o languages.Outcome) languages.Outcome {
			seenTrust = trustOf(o)
			return o.Cleared(o.Doubts)
		})
		if err != nil {
			return control{}, err
		}
		if j.Seen != nil {
			o.Name = controlRun
			j.Seen(task, bench.Prediction{InstanceID: inst.ID, Model: "gold"}, o)
		}
		seen := readControl(inst, o)
		seen.flaky, seen.noTests, seen.trust, seen.unlisted = flaky, noTests, seenTrust, unlisted(inst, o)
		seen.overlooked = overlooked(inst, o)
		seen.patience = patience(inst.Language, o.Timings.Run, j.Machine.Limits.Time)
		return seen, nil
	})
}

// controlRun names the gold run's log.
const controlRun = "control"

// readControl decides from gold's run whether the environment can judge. A
// tenth of the pass-to-pass tests, and always one, may fail with gold: they
// need what a sandbox has not (a network, a display, a clock of their time)
// and are left out. With more missing the environment is another one than the
// dataset's.
func readControl(inst *bench.Instance, o languages.Outcome) control {
	f2p, p2p := HiddenTests(inst, o)
	switch {
	case o.State == bench.RunUnapplied:
		return control{unusable: "the gold patch does not apply to base: " + o.Detail}
	case o.State != bench.RunDone:
		return control{unusable: fmt.Sprintf("the hidden tests do not run with the gold patch here (%s: %s)", o.State, o.Detail)}
	case len(f2p.Failed) > 0:
		return control{unusable: fmt.Sprintf("%d of %d fail-to-pass tests do not pass with the gold patch here: %s",
			len(f2p.Failed), len(inst.FailToPass), firstFailing(inst, o))}
	case len(p2p.Failed) > max(1, len(inst.PassToPass)/10):
		return control{unusable: fmt.Sprintf("%d of %d pass-to-pass tests do not pass with the gold patch here: %s",
			len(p2p.Failed), len(inst.PassToPass), firstFailing(inst, o))}
	}
	return control{leftOut: p2p.Failed}
}

// firstFailing quotes one test that does not pass, with what is said about
// it: for one that is missing, what is said about the first error around it.
func firstFailing(inst *bench.Instance, o languages.Outcome) string {
	f2p, p2p := FailingTests(inst, o)
	failing := slices.Concat(f2p, p2p)
	if len(failing) == 0 {
		return "no test is reported"
	}
	t := failing[0]
	text := fmt.Sprintf("%s is %s", t.ID, t.Status)
	if t.Message != "" {
		return text + ": " + exceptionLine(t.Message)
	}
	for _, other := range o.Tests {
		if said := o.Said[other.ID]; other.Status == bench.Error && said != "" {
			return fmt.Sprintf("%s (%s: %s)", text, other.ID, exceptionLine(said))
		}
	}
	return text
}

// exceptionLine is the line of a message that names an exception, or its
// first one.
func exceptionLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "E "))
		if name, _, ok := strings.Cut(line, ": "); ok && strings.HasSuffix(name, "Error") && !strings.Contains(name, " ") {
			return firstLine(line)
		}
	}
	return firstLine(text)
}

// task is the task as submissions to it are judged: without ids that name no
// tests, without the pass-to-pass tests that gold does not pass here, and with
// the hidden tests that the lists overlook.
func (c control) task(t Task) Task {
	if len(c.leftOut)+len(c.noTests)+len(c.overlooked) == 0 {
		return t
	}
	inst := *t.Instance
	inst.FailToPass = without(inst.FailToPass, c.noTests)
	inst.PassToPass = append(without(without(inst.PassToPass, c.noTests), c.leftOut), c.overlooked...)
	t.Instance = &inst
	return t
}

// without returns the ids that are not in a sorted list.
func without(ids bench.TestIDs, list []string) bench.TestIDs {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, found := slices.BinarySearch(list, id)
		return found
	})
}

// note records in a result what was left out, and which tests are flaky.
func (c control) note(r *bench.Result, inst *bench.Instance, seen Outcomes) {
	if len(c.leftOut) > 0 {
		r.Flags = append(r.Flags, bench.Flag{Kind: "left_out", Detail: fmt.Sprintf(
			"%d of %d pass-to-pass tests do not pass with the gold patch here and do not count", len(c.leftOut), len(inst.PassToPass))})
	}
	if r.BugFix != nil {
		r.BugFix.LeftOut = c.leftOut
	}
	for _, id := range c.noTests {
		r.Flags = append(r.Flags, bench.Flag{Kind: "no_tests", Path: id, Detail: "a published id that names a file without tests; it does not count"})
	}
	if len(c.overlooked) > 0 {
		r.Flags = append(r.Flags, bench.Flag{Kind: FlagOverlooked, Detail: fmt.Sprintf(
			"no published id stands for a test of the hidden test patch's files; %d that pass with the gold patch count as pass-to-pass", len(c.overlooked))})
	}
	if r.BugFix != nil && r.Verdict == bench.Resolved {
		r.Flags = append(r.Flags, c.unlistedFailures(seen[submissionRun].Outcome)...)
	}
	flaky := slices.Clone(c.flaky)
	for _, o := range seen {
		flaky = append(flaky, o.Flaky...)
	}
	slices.Sort(flaky)
	for _, id := range slices.Compact(flaky) {
		r.Flags = append(r.Flags, bench.Flag{Kind: "flaky", Path: id, Detail: "it failed once, and passed when it ran again on its own"})
	}
}

// firstLine is a message's first line that says something.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.ToValidUTF8(line[:min(len(line), 200)], "")
		}
	}
	return ""
}
