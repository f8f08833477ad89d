package tasks

import (
	"context"
	"slices"

	"assay/bench"
)

// Limited reports whether a time-out or a limit ended one of a result's runs.
// A busy machine may have caused that.
func Limited(r bench.Result) bool {
	for _, run := range r.Runs {
		if run.State == bench.RunTimeout || run.State == bench.RunLimit {
			return true
		}
	}
	return r.Verdict == bench.Timeout
}

// Incomplete reports whether a failure of the machine ended one of a result's
// runs. If that run does not affect the verdict, such as a measured one, the
// verdict is still valid, but the figures are absent.
func Incomplete(r bench.Result) bool {
	return slices.ContainsFunc(r.Runs, func(run bench.Run) bool { return run.State == bench.RunInfra })
}

// EnvironmentName is the name of the environment in which the instance would
// be judged now; nothing is made. It is "" where that cannot be determined.
func (j Judge) EnvironmentName(ctx context.Context, inst *bench.Instance) (string, error) {
	bed, err := j.Machine.Open(ctx, inst)
	if err != nil {
		return "", err
	}
	return bed.Name(ctx)
}
