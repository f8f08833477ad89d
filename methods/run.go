package methods

import (
	"context"
	"fmt"

	"assay/bench"
	"assay/trajectory"
)

// Trial says what is run: patches on the task's start, and which tests.
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
	// FailsBy says by what a test that does not pass failed; "" for others.
	FailsBy bench.FailureKind `json:"fails_by,omitempty"`
	// Said is what the runner says about the failure: its first lines.
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
	e := trajectory.Event{Step: step, Kind: trajectory.RunEvent, At: d.parts.Now(), Input: encode(t.shown())}
	run, err := d.parts.Tests.RunTests(ctx, t)
	e.Seconds = d.parts.Now().Sub(e.At).Seconds()
	if err != nil {
		e.Error = err.Error()
	} else {
		e.Output = encode(run)
	}
	d.add(e)
	fmt.Fprintf(d.parts.Log, "%s: ran tests: %s, %d tests, %d failing %s\n", step, run.State, len(run.Tests), len(run.Failing()), e.Error)
	return run, err
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
