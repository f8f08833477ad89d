package agents

import (
	"context"
	"errors"

	"assay/harness"
	"assay/languages"
)

// environment prepares that of the task, with git on top where it has none: tests
// do not need it, agents do. An image on which git cannot be installed stays
// without.
func environment(ctx context.Context, bed *languages.Testbed, w Work) (string, error) {
	name, err := bed.Prepare(ctx)
	if err != nil {
		return "", err
	}
	res, err := w.Machine.Runner.Run(ctx, harness.Job{Name: "look for git", Environment: name, Script: "command -v git >/dev/null\n"})
	if err != nil {
		return "", err
	}
	if res.ExitCode == 0 {
		return name, nil
	}
	with, err := bed.PrepareWith(ctx, "git")
	if build := (*harness.BuildError)(nil); errors.As(err, &build) && w.Task.Instance.Image != "" {
		return name, nil
	}
	return with, err
}
