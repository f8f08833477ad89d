package attempts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/agents"
	"assay/bench"
	"assay/harness"
	"assay/internal/atomicfile"
	"assay/tasks"
)

// work is one attempt that is to be made.
type work struct {
	slot
	key    string
	task   tasks.Task
	prompt string
	seed   int64
}

// made is the outcome of one try.
type made struct {
	outcome agents.Outcome
	totals  Totals
	err     error // the agent could not be run
}

// try lets the agent try once, and keeps the result. passing reports that
// the infrastructure failed in a way that may pass.
func (r *Runner) try(ctx context.Context, w work, before int, show func(Totals)) (_ Record, passing bool, _ error) {
	dir, number, err := r.Folder.begin(w.slot)
	if err != nil {
		return Record{}, false, fmt.Errorf("making the folder of %s: %w", w.slot, err)
	}
	began := r.now()
	m, err := r.solve(ctx, w, r.Folder.path(dir), show)
	if err != nil {
		return Record{}, false, err
	}
	m.outcome = judgeable(m.outcome)
	rec := r.record(w, m)
	rec.Dir, rec.Tries = dir, max(number, before+1)
	rec.Ended = r.now().UTC()
	rec.Seconds = r.now().Sub(began).Seconds() - rec.Phases[preparing]
	if ctx.Err() != nil && m.err != nil {
		rec.End, rec.Detail, rec.Finished = Interrupted, "", false
	}
	if rec.Recorded, err = r.keep(r.Folder.path(dir), rec, m); err != nil {
		return rec, false, err
	}
	rec, err = r.Folder.end(rec)
	if errors.Is(m.err, harness.ErrUnavailable) {
		err = errors.Join(m.err, err)
	}
	passing = rec.End == agents.Infrastructure && (m.err == nil || harness.Retryable(m.err))
	return rec, passing, err
}

// preparing is the phase in which environments are made, once for all attempts.
const preparing = "prepare"

// solve runs the agent with a session of its own.
func (r *Runner) solve(ctx context.Context, w work, dir string, show func(Totals)) (made, error) {
	var m made
	output, err := os.Create(filepath.Join(dir, outputFile))
	if err != nil {
		return m, err
	}
	defer output.Close()
	if err := os.WriteFile(filepath.Join(dir, promptFile), []byte(w.prompt), 0o644); err != nil {
		return m, err
	}
	job := agents.Work{
		Task: w.task, Attempt: w.attempt, Model: r.Model, Seed: w.seed, Prompt: w.prompt, Machine: r.Machine, Limits: r.limits(w.task), Log: &capped{w: output, left: mostOutput},
	}
	if r.Open == nil {
		m.outcome, m.err = r.Agent.Solve(ctx, job)
		return m, nil
	}
	exchanges, err := os.OpenFile(filepath.Join(dir, exchangesFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return m, err
	}
	session, err := r.Open(SessionOptions{Limit: r.TaskBudget, Seed: w.seed, Record: exchanges, Observe: show})
	if err != nil {
		return m, errors.Join(err, exchanges.Close())
	}
	job.Session = session
	m.outcome, m.err = r.Agent.Solve(ctx, job)
	m.totals = session.Close()
	return m, exchanges.Close()
}

// limits are those of an attempt at a task.
func (r *Runner) limits(t tasks.Task) harness.Limits {
	l := r.Limits
	if env := t.Instance.Env; env != nil && l.Memory == 0 {
		l.Memory = max(int64(env.MemoryMB)<<20, harness.DefaultLimits().Memory)
	}
	return l
}

// record describes a try without its place and time.
func (r *Runner) record(w work, m made) Record {
	out, t := m.outcome, m.totals
	rec := Record{
		Key: w.key, Task: w.slot.task, InstanceID: w.name, Language: w.task.Instance.Language, Attempt: w.attempt, Agent: r.Agent.Name(), Version: out.Version, Model: r.Model, Seed: w.seed,
		ExitCode: out.ExitCode, Steps: out.Steps, Calls: t.Calls, CostUSD: t.USD, Estimated: t.Estimated,
		Tokens: bench.Tokens{Input: t.Input, Cached: t.Cached, Output: t.Output},
		Phases: out.Seconds, Patch: len(out.Patch), LeftOut: len(out.LeftOut),
	}
	if rec.Steps == 0 {
		rec.Steps = rec.Calls
	}
	rec.End, rec.Detail = endOf(m)
	rec.Finished = isAttempt(rec)
	return rec
}

// endOf combines what the agent's run shows with the proxy's last word: only
// the proxy knows why it refused to answer.
func endOf(m made) (agents.End, string) {
	out, t := m.outcome, m.totals
	switch {
	case t.End == OverRunBudget:
		return RunBudget, t.Cause
	case m.err != nil: // there is nothing to submit, regardless of the session's end
		return agents.Infrastructure, m.err.Error()
	case t.End == Denied: // regardless of how the agent ended
		return agents.Denied, t.Cause
	case t.End == OverBudget, t.End == OverTokens, t.End == OverCalls:
		return agents.Budget, t.Cause
	case out.End == agents.Time, out.End == agents.Limit:
		return out.End, out.Detail
	case t.End == OverContext:
		return agents.ContextWindow, t.Cause
	case t.End == RefusedCalls:
		return agents.Refused, t.Cause
	case t.End == Unreachable:
		return agents.Infrastructure, t.Cause
	}
	return out.End, out.Detail
}

// isAttempt reports whether a try counts, however it ended. A refusal by the
// model or a filter says something about the agent, a wrong key does not.
func isAttempt(r Record) bool { return slices.Contains(Ends(), r.End) }

// keep writes what a try left into its folder, and reports whether there is a
// trajectory.
func (r *Runner) keep(dir string, rec Record, m made) (recorded bool, err error) {
	write := func(name string, data []byte) {
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, name), data, atomicfile.Options{Mode: 0o644})
		}
	}
	write(patchFile, []byte(m.outcome.Patch))
	if len(m.outcome.LeftOut) > 0 {
		var lines strings.Builder
		for _, l := range m.outcome.LeftOut {
			// A reason may quote a name that the agent made.
			reason := strconv.Quote(l.Reason)
			fmt.Fprintf(&lines, "%q\t%s\n", l.Path, reason[1:len(reason)-1])
		}
		write(leftOutFile, []byte(lines.String()))
	}
	if err != nil {
		return false, err
	}
	if err := keepOwn(filepath.Join(dir, ownFolder), m.outcome.Files); err != nil {
		return false, err
	}
	if len(m.outcome.Journal) > 0 {
		if write(stepsFile, m.outcome.Journal); err != nil {
			return false, err
		}
	}
	return r.keepTrajectory(dir, rec, m.outcome.Journal)
}

// keepTrajectory makes the trajectory from the record of the calls. One that
// cannot be made costs no attempt: the record stays.
func (r *Runner) keepTrajectory(dir string, rec Record, journal []byte) (bool, error) {
	if r.Trajectory == nil || rec.Calls == 0 && len(journal) == 0 {
		return false, nil
	}
	var calls io.Reader = strings.NewReader("")
	switch f, err := os.Open(filepath.Join(dir, exchangesFile)); {
	case err == nil:
		defer f.Close()
		calls = f
	case !errors.Is(err, fs.ErrNotExist): // there is none without a session
		return false, err
	}
	text, err := r.makeTrajectory(rec, calls, journal)
	if err != nil {
		return false, atomicfile.Write(filepath.Join(dir, trajectoryFile+".error"), []byte(err.Error()+"\n"), atomicfile.Options{Mode: 0o644})
	}
	return true, atomicfile.Write(filepath.Join(dir, trajectoryFile), text, atomicfile.Options{Mode: 0o644})
}

// makeTrajectory turns a panic into an error: the record holds what an agent and
// its model chose to send, and a case that the parser did not foresee must not end
// the whole run.
func (r *Runner) makeTrajectory(rec Record, calls io.Reader, journal []byte) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = nil, fmt.Errorf("making the trajectory: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return r.Trajectory(rec, calls, journal)
}

// keepOwn writes the agent's own files. Their names are the agent's: none may
// lead out of the folder.
func keepOwn(dir string, files map[string][]byte) error {
	if len(files) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range files {
		name = strings.TrimLeft(filepath.Clean("/"+name), "/")
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("keeping the agent's file %q: %w", name, err)
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return fmt.Errorf("keeping the agent's file %q: %w", name, err)
		}
	}
	return nil
}

// mostOutput bounds the log of an agent that prints without end, in bytes.
const mostOutput = 32 << 20

// capped drops what comes after a number of bytes.
type capped struct {
	w    *os.File
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	if n == 0 {
		return len(p), nil
	}
	if _, err := c.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (r *Runner) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
