package engine

import (
	"context"
	"os"

	"assay/bench"
	"assay/harness"
	"assay/tasks"
)

// finished returns the result that the folder holds of a task, if there is
// one that is still valid: it concerns the submission, in the environment that
// the instance has now, and no run of it failed because of the machine. One to which a time-out or a limit contributed may be
// a busy machine's fault: it holds when the task came out alike a second time.
func (r *Folder) finished(ctx context.Context, j tasks.Judge, kind tasks.Kind, load func(context.Context) (tasks.Task, bench.Prediction, error)) (bench.Result, bool, error) {
	if r.fresh {
		return bench.Result{}, false, nil
	}
	task, p, err := load(ctx)
	if err != nil {
		return bench.Result{}, false, nil // becomes a result when its turn comes
	}
	for _, d := range r.store.Lookup(j.Digest(kind, task, p)) {
		res, err := r.store.Read(d)
		if err != nil {
			return res, false, err
		}
		if res.Model != p.Model || !res.Verdict.Judged() || tasks.Incomplete(res) || !r.current(ctx, j, task.Instance, res) {
			continue
		}
		if !tasks.Limited(res) || d.Times > 1 {
			return res, true, nil
		}
	}
	return bench.Result{}, false, nil
}

// lookAtHost finds out whether the environments of a finished run can have
// changed since: looking at each takes long, as its repository is opened.
func (r *Folder) lookAtHost(ctx context.Context, m *Machine, version string) error {
	any, err := m.Name(ctx, harness.Recipe{Script: "any"})
	if err != nil {
		return err
	}
	r.host = version + "\n" + m.Executor + "\n" + any + "\n"
	before, err := os.ReadFile(r.path("host.txt"))
	r.steady = err == nil && string(before) == r.host
	return nil
}

// keepHost notes the host when all of the run's results come from it.
func (r *Folder) keepHost() error { return bench.WriteAtomic(r.path("host.txt"), []byte(r.host)) }

// current reports whether a result comes from the environment that its
// instance has now. It does if that is unknown.
func (r *Folder) current(ctx context.Context, j tasks.Judge, inst *bench.Instance, res bench.Result) bool {
	if r.steady && inst.Image == "" {
		return true
	}
	for _, run := range res.Runs {
		if run.Environment == "" {
			continue // nothing was started
		}
		name, known := r.names[inst.ID]
		if !known {
			var err error
			if name, err = j.EnvironmentName(ctx, inst); err != nil {
				return false // why becomes a result
			}
			r.names[inst.ID] = name
		}
		if name != "" && run.Environment != name {
			return false
		}
	}
	return true
}
