package languages

import (
	"slices"

	"assay/harness"
)

// solution is the gold patch and the hidden tests on base, with the files that
// it writes as a set-up gets them; nil where it does not apply.
func (t *Testbed) solution() (*Solution, []harness.File) {
	c, err := compose(t.base, Variant{Code: t.instance.Patch, Tests: t.instance.TestPatch})
	if err != nil || t.instance.Patch == "" {
		return nil, nil // gold's own run reports it
	}
	repo := newListing(t.base, c.changes)
	put, _ := files(goldDir, c.changes)
	removed := slices.Clone(c.changes.Remove)
	slices.Sort(removed)
	return &Solution{Repo: repo, Files: t.withPublished(t.testFiles(repo, c.tests.Paths()), repo), Removed: removed}, put
}
