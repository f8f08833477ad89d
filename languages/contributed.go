package languages

import (
	"context"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages/syntax"
)

// contribution is what a test patch adds: functions, sections and cases that
// are new or changed, found by parsing the patched files.
type contribution struct {
	tests []syntax.Contribution
	// rest are the other tests in the files.
	rest []syntax.Test
	// data are test files that did not change and read data that did; before
	// are the statuses of their tests without the new data, on the same code.
	data   []string
	before map[string]bench.Status
}

// contributed compares every touched test file at base with the same file
// after the patch.
func contributed(l Language, base patch.Tree, after Repository, files []string) (contribution, error) {
	var c contribution
	for _, f := range files {
		before := ""
		if e, err := base.Read(f); err == nil {
			before = string(e.Data)
		}
		found, err := contributedIn(l, f, before, after.Text(f))
		if err != nil {
			return c, err
		}
		c.tests = append(c.tests, found.tests...)
		c.rest = append(c.rest, found.rest...)
	}
	return c, nil
}

func contributedIn(l Language, path, before, after string) (contribution, error) {
	old, err := l.Tests(path, []byte(before))
	if err != nil {
		return contribution{}, err
	}
	declared, err := l.Tests(path, []byte(after))
	if err != nil {
		return contribution{}, err
	}
	c := contribution{tests: syntax.Contributed(old, declared, []byte(before), []byte(after))}
	mine := map[string]bool{}
	for _, t := range c.tests {
		mine[t.ID] = true
	}
	for _, t := range declared {
		if !mine[t.ID] {
			c.rest = append(c.rest, t)
		}
	}
	return c, nil
}

// ids are the tests' canonical ids without parameters.
func (c contribution) ids() []string {
	var out []string
	for _, t := range c.tests {
		out = append(out, t.ID)
	}
	return out
}

// none reports whether a patch adds no test and no case of one.
func (c contribution) none() bool { return len(c.tests)+len(c.data) == 0 }

// onlyCases reports whether of some test nothing but its cases changed.
func (c contribution) onlyCases() bool {
	for _, t := range c.tests {
		if t.OnlyParams {
			return true
		}
	}
	return false
}

// counts reports whether a test that ran is a contributed one: whether, of the
// tests that cover its id, the one that says most is contributed (a new case
// covers its sections, but not those that are as they were). Where only the
// cases of a function changed, those that base has do not count.
func (c contribution) counts(id string, old map[string]bool) bool {
	most, counted := -1, false
	for _, t := range c.tests {
		if len(t.ID) > most && t.Covers(id) {
			most, counted = len(t.ID), !(t.OnlyParams && old[id])
		}
	}
	for _, t := range c.rest {
		if len(t.ID) > most && t.Covers(id) {
			return false
		}
	}
	return counted
}

// keep leaves only contributed tests in the outcome. One that did not run is
// missing, or an error where its file or class is one as a whole.
func (c contribution) keep(o *Outcome, old map[string]bool) {
	kept := []bench.Test{}
	o.Contributed = []string{}
	fresh := c.fresh(o.Tests)
	for _, t := range o.Tests {
		if c.counts(t.ID, old) || c.byData(t.ID, fresh) {
			kept = append(kept, t)
			o.Contributed = append(o.Contributed, t.ID)
		}
	}
	for _, t := range c.tests {
		ran := false
		for _, seen := range o.Tests {
			ran = ran || t.Covers(seen.ID)
		}
		if !ran {
			kept = append(kept, bench.Test{ID: t.ID, Status: without(o.Tests, t.ID)})
			o.Contributed = append(o.Contributed, t.ID)
		}
	}
	o.Tests = kept
}

// without is the status of a test that did not run: that of the file or class
// around it, where this failed as a whole (it cannot be imported, or its set-up
// fails).
func without(tests []bench.Test, id string) bench.Status {
	for _, t := range tests {
		if t.Status.Failing() && strings.HasPrefix(id, t.ID+"::") {
			return bench.Error
		}
	}
	return bench.Missing
}

// original runs the test files as they are at base, on base, and returns the
// ids that they have there.
func (t *Testbed) original(ctx context.Context, env string, files []string) (map[string]bool, error) {
	repo := newListing(t.base, &patch.Changes{})
	s := Suite{Repo: repo}
	for _, f := range files {
		if repo.exists(f) {
			s.Files = append(s.Files, f)
		}
	}
	ids := map[string]bool{}
	if len(s.Files) == 0 {
		return ids, nil
	}
	v := Variant{Name: "original"}
	s.Nonce, s.Key = t.nonce(v), t.key(v)
	out, err := t.execute(ctx, env, v, &patch.Changes{}, s)
	for _, test := range out.Tests {
		ids[test.ID] = true
	}
	return ids, err
}
