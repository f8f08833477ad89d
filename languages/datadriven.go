package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// dataDriven are the test files that read the data files among changed paths:
// a file next to an old test may add a case to it. Data that a changed test
// file reads belong to that one's tests. published are files that hold tests,
// under any name.
func dataDriven(l Language, repo Repository, changed, published []string) []string {
	holds := func(p string) bool { return runnable(l, p, repo) || slices.Contains(published, p) }
	var tests []string
	var out []string
	for _, p := range changed {
		if !IsTest(l, p) || l.About().IsRunnable(p) || repo.Text(p) == "" {
			continue
		}
		if tests == nil {
			for _, q := range repo.Paths() {
				if holds(q) {
					tests = append(tests, q)
				}
			}
		}
		readers := readersOf(p, tests, repo)
		if !slices.ContainsFunc(readers, func(r string) bool { return slices.Contains(changed, r) }) {
			out = append(out, readers...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readersOf are the test files that name a data file: in the nearest folder
// above it that holds such, by the file's own name, by a pattern that it
// matches, or by the name of the folder it is in.
func readersOf(data string, tests []string, repo Repository) []string {
	for dir := path.Dir(data); ; dir = path.Dir(dir) {
		var near []string
		for _, t := range tests {
			if dir == "." || strings.HasPrefix(t, dir+"/") {
				near = append(near, t)
			}
		}
		for _, names := range mentions(dir, data) {
			var found []string
			for _, t := range near {
				if names(repo.Text(t)) {
					found = append(found, t)
				}
			}
			if len(found) > 0 {
				return found
			}
		}
		if dir == "." {
			return nil
		}
	}
}

var globLiteral = regexp.MustCompile(`["'/]([\w.?\[\]-]*\*[\w.*?\[\]-]*)["']`)

// mentions are ways in which a test below dir can name a data file, the most
// specific first.
func mentions(dir, data string) []func(text string) bool {
	base := path.Base(data)
	quoted := func(name string) func(string) bool {
		re := regexp.MustCompile(`["'/\\]` + regexp.QuoteMeta(name) + `["'/\\]`)
		return re.MatchString
	}
	out := []func(string) bool{
		func(text string) bool { return strings.Contains(text, base) },
		quoted(strings.TrimSuffix(base, path.Ext(base))),
		func(text string) bool {
			return slices.ContainsFunc(globLiteral.FindAllStringSubmatch(text, -1), func(m []string) bool {
				ok, err := path.Match(m[1], base)
				return ok && err == nil
			})
		},
	}
	for d := path.Dir(data); d != dir && d != "."; d = path.Dir(d) {
		out = append(out, quoted(path.Base(d)))
	}
	return out
}

// byData reports whether a test of a data-driven file counts: one that is new
// with the data, or, where the data add none, one that did not fail without
// them on the same code.
func (c contribution) byData(id string, fresh bool) bool {
	if len(c.data) == 0 {
		return false
	}
	for _, t := range c.rest {
		if t.Covers(id) {
			return false
		}
	}
	status, known := c.before[id]
	return !known || !fresh && status.OK()
}

// fresh reports whether the data add tests that did not run without them.
func (c contribution) fresh(tests []bench.Test) bool {
	return slices.ContainsFunc(tests, func(t bench.Test) bool {
		_, known := c.before[t.ID]
		return !known && !c.counts(t.ID, nil) && c.byData(t.ID, true)
	})
}
