package languages

import (
	"context"
	"fmt"
	"slices"

	"assay/bench"
	"assay/internal/patch"
)

// elsewhere reports whether a run of contributed tests that died, hung or is
// suspect did so because of other tests. Runners of whole files and
// executables run these too, so the files run again as base has them, on the
// same code.
func (t *Testbed) elsewhere(ctx context.Context, env string, v Variant, out Outcome) (bool, error) {
	failed := func(x bench.Test) bool { return x.Status.Failing() }
	if !broke(out.State) || t.selects() || slices.ContainsFunc(out.Tests, failed) {
		return false, nil
	}
	files := t.testFiles(newListing(t.base, &patch.Changes{}), patch.PathsIn(v.Tests))
	old, err := t.before(ctx, env, v, files)
	return broke(old.State), err
}

// before runs test files as base has them on the code of a variant. Where base
// has none of them, nothing runs.
func (t *Testbed) before(ctx context.Context, env string, v Variant, files []string) (Outcome, error) {
	v.Name += " without the contributed tests"
	v.Existing, v.Contributed, v.Cover = true, false, nil
	c, err := compose(t.base, v)
	if err != nil {
		return Outcome{}, fmt.Errorf("laying out %s: %w", v.Name, err)
	}
	repo := newListing(t.base, c.changes)
	s := Suite{Repo: repo, Nonce: t.nonce(v), Key: t.key(v), Root: t.root, Changed: changedPaths(c.changes)}
	for _, f := range files {
		if repo.exists(f) {
			s.Files = append(s.Files, f)
		}
	}
	if len(s.Files) == 0 {
		return Outcome{}, nil
	}
	slices.Sort(s.Files)
	return t.execute(ctx, env, v, c.changes, s)
}

func broke(s bench.RunState) bool {
	return s == bench.RunCrashed || s == bench.RunTimeout || s == bench.RunSuspect
}

// selects reports whether the runner runs the tests of Suite.Select and no
// others.
func (t *Testbed) selects() bool {
	return t.env.Test == "" && (t.instance.Language == Python || t.instance.Language == Cpp && t.env.Framework == "gtest")
}
