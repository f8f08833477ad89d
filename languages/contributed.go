package languages

import (
	"context"
	"slices"
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
	// data are test files that did not change and read data that did, or use
	// helpers that did, and changed programs that are one test each. helped are
	// tests that did not change and use what did in the same file, one of inside;
	// no test of these files is contributed. before are the statuses of all their
	// tests without the patch, on the same code.
	data []string
	// whole says that data are changed programs alone: they are the contributed
	// tests, however they ended before.
	whole  bool
	helped []syntax.Test
	inside []string
	before map[string]bench.Status
}

// contributed compares every touched test file at base with the same file
// after the patch.
func contributed(l Language, base patch.Tree, after Repository, files []string) (contribution, error) {
	var c contribution
	for _, f := range files {
		if isProgram(l, f, after) {
			continue // it is one test
		}
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
		if len(found.tests) > 0 || before == "" {
			continue // what the new tests use belongs to them
		}
		// A language without a grammar has contributed tests alone.
		if helped, err := syntax.Helped(l.About().Name, f, []byte(before), []byte(after.Text(f))); err == nil && len(helped) > 0 {
			c.helped, c.inside = append(c.helped, helped...), append(c.inside, f)
		}
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
func (c contribution) none() bool { return len(c.tests)+len(c.data)+len(c.helped) == 0 }

// again are the files whose tests count by how they end without the patch.
func (c contribution) again() []string { return slices.Concat(c.data, c.inside) }

// byHelper reports whether a test counts because what it uses changed: one that
// did not fail without the change on the same code.
func (c contribution) byHelper(id string) bool {
	status, known := c.before[id]
	return (!known || status.OK()) && slices.ContainsFunc(c.helped, func(t syntax.Test) bool { return t.Covers(id) })
}

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
		if c.counts(t.ID, old) || c.byData(t.ID, fresh) || c.byHelper(t.ID) {
			kept = append(kept, t)
			o.Contributed = append(o.Contributed, t.ID)
		}
	}
	for _, t := range c.expected() {
		ran := slices.ContainsFunc(o.Tests, func(seen bench.Test) bool { return t.Covers(seen.ID) })
		if !ran {
			kept = append(kept, bench.Test{ID: t.ID, Status: without(o.Tests, t.ID)})
			o.Contributed = append(o.Contributed, t.ID)
		}
	}
	o.Tests = kept
}

// expected are the tests that must be in every outcome: those that changed, and
// those that passed before what they use did.
func (c contribution) expected() []syntax.Test {
	var out []syntax.Test
	for _, t := range c.tests {
		out = append(out, t.Test)
	}
	for _, t := range c.helped {
		for id, status := range c.before {
			if t.Covers(id) && status.OK() {
				out = append(out, t)
				break
			}
		}
	}
	return out
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
