package methods

import (
	"context"
	"fmt"

	"assay/bench"
	"assay/trajectory"
)

// Trial describes what is run: patches on the task's start, and which tests.
type Trial struct {
	// Code is a patch of the code that ships; it must not touch tests.
	Code string
	// Tests is a patch of tests. Only the tests that it adds or changes run.
	Tests string
	// Files are test files that run as they are at the start, where Tests is "".
	Files []string
}

// Run is what a trial showed. Nothing that code or tests do is an error: they
// may not build, die or hang.
type Run struct {
	State bench.RunState `json:"state"`
	// Detail explains the state: why a patch does not apply, what did not build.
	Detail string    `json:"detail,omitempty"`
	Tests  []TestRun `json:"tests,omitempty"` // sorted by id
	// Log is the end of what the run printed.
	Log string `json:"log,omitempty"`
}

// TestRun is one test of a run.
type TestRun struct {
	ID     string       `json:"id"` // canonical
	Status bench.Status `json:"status"`
	// FailsBy is how a test that does not pass failed; "" for others.
	FailsBy bench.FailureKind `json:"fails_by,omitempty"`
	// Said has the first lines of the runner's message about the failure.
	Said string `json:"said,omitempty"`
}

// Failing are the tests that ran and failed, or could not be loaded.
func (r Run) Failing() []TestRun {
	var out []TestRun
	for _, t := range r.Tests {
		if t.Status.Failing() {
			out = append(out, t)
		}
	}
	return out
}

// Passing reports whether tests ran and all passed.
func (r Run) Passing() bool {
	for _, t := range r.Tests {
		if !t.Status.OK() {
			return false
		}
	}
	return r.State == bench.RunDone && len(r.Tests) > 0
}

// Run runs tests in the task's environment, without network, on the start with
// the patches of the trial. step names it in the trajectory. An error means that
// nothing could be run: it is the context's, or the infrastructure's.
func (d *Desk) Run(ctx context.Context, step string, t Trial) (Run, error) {
	return recorded(d, step, t.shown(), func() (Run, string, error) {
		run, err := d.parts.Tests.RunTests(ctx, t)
		return run, fmt.Sprintf("tests: %s, %d tests, %d failing", run.State, len(run.Tests), len(run.Failing())), err
	})
}

// recorded runs something, with its times, in the trajectory and the log. run
// gives what it showed, and a line about it.
func recorded[T any](d *Desk, step string, input any, run func() (T, string, error)) (T, error) {
	e := trajectory.Event{Step: step, Kind: trajectory.RunEvent, At: d.parts.Now(), Input: encode(input)}
	shown, line, err := run()
	e.Seconds = d.parts.Now().Sub(e.At).Seconds()
	if err != nil {
		e.Error = err.Error()
	} else {
		e.Output = encode(shown)
	}
	d.add(e)
	fmt.Fprintf(d.parts.Log, "%s: ran %s %s\n", step, line, e.Error)
	return shown, err
}

// shown is a trial as the trajectory has it.
func (t Trial) shown() map[string]any {
	out := map[string]any{}
	for name, text := range map[string]string{"code": t.Code, "tests": t.Tests} {
		if text != "" {
			out[name] = text
		}
	}
	if len(t.Files) > 0 {
		out["files"] = t.Files
	}
	return out
}
