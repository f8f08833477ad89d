package languages

import (
	"context"
	"fmt"
	"slices"

	"assay/internal/patch"
)

// NoTests lists the published ids, sorted, that are paths of files which hold
// no tests: datasets that publish whole files list every file of the test
// patch, workflows and settings among them.
func (t *Testbed) NoTests(ctx context.Context, published []string) ([]string, error) {
	tests, err := patch.Parse([]byte(t.instance.TestPatch))
	if err != nil {
		return nil, fmt.Errorf("test_patch: %w", err)
	}
	if err := t.load(ctx, Variant{Tests: t.instance.TestPatch}); err != nil {
		return nil, err
	}
	changes, err := patch.Apply(t.base, tests)
	if err != nil {
		return nil, nil // the runs report it
	}
	repo := newListing(t.base, changes)
	var out []string
	for _, id := range published {
		if repo.exists(id) && !runnable(t.language, id, repo) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
