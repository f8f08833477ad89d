package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// dataDriven are the changed test files that are one test as a whole, and those
// that use other changed files, directly or through helpers: a file of data may
// add a case to an old test, a helper or a fixture may change what an old test
// compares. What a changed test file uses belongs to that one's tests. published
// are files that hold tests, under any name.
func dataDriven(l Language, repo Repository, changed, published []string) []string {
	u := &users{language: l, repo: repo, published: published}
	var out []string
	for _, p := range changed {
		if isProgram(l, p, repo) {
			out = append(out, p)
			continue
		}
		if !IsTest(l, p) || u.holds(p) || repo.Text(p) == "" {
			continue
		}
		// A changed file that uses it is always found: the search through others is
		// for nothing then.
		if slices.ContainsFunc(u.direct(p), func(r string) bool { return slices.Contains(changed, r) && u.holds(r) }) {
			continue
		}
		found := u.of(p)
		if !slices.ContainsFunc(found, func(r string) bool { return slices.Contains(changed, r) }) {
			out = append(out, found...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// programs is a language in which a test file may be a program that declares no
// test, and passes or fails as a whole.
type programs interface {
	isProgram(path string, repo Repository) bool
}

func isProgram(l Language, p string, repo Repository) bool {
	by, ok := l.(programs)
	return ok && IsTest(l, p) && by.isProgram(p, repo)
}

var cppMain = regexp.MustCompile(`\bmain\s*\(`)

// isProgram implements programs: a source with a main function and without a
// framework that is known.
func (cppLanguage) isProgram(p string, repo Repository) bool {
	if !about(Cpp).IsRunnable(p) || !cppMain.MatchString(repo.Text(p)) {
		return false
	}
	framework, _ := cppFramework(repo, []string{p})
	return framework == "ctest"
}

// users finds the test files that use other files of the tests.
type users struct {
	language  Language
	repo      Repository
	published []string
	code      []string // the code among tests: test files and helpers
	held      map[string]bool
	used      map[string][]string // what direct found
}

// holds reports whether a file declares tests, as far as its text shows.
func (u *users) holds(p string) bool {
	held, known := u.held[p]
	if known {
		return held
	}
	if u.held == nil {
		u.held = map[string]bool{}
	}
	held = slices.Contains(u.published, p)
	if !held && runnable(u.language, p, u.repo) {
		tests, err := u.language.Tests(p, []byte(u.repo.Text(p)))
		held = err != nil || len(tests) > 0
	}
	u.held[p] = held
	return held
}

// of are the test files that use a file, sorted. A file that declares no test
// and that nothing uses may still be one: some make their tests as they run.
func (u *users) of(p string) []string {
	found := map[string]bool{}
	u.follow(p, map[string]bool{p: true}, found)
	return sortedKeys(found)
}

func (u *users) follow(p string, seen, found map[string]bool) (any bool) {
	for _, user := range u.direct(p) {
		any = true
		switch {
		case seen[user]:
		case u.holds(user):
			found[user] = true
		default:
			seen[user] = true
			if !u.follow(user, seen, found) && runnable(u.language, user, u.repo) {
				found[user] = true
			}
		}
		seen[user] = true
	}
	return any
}

// direct are the files that name a file: by an import where it is code, else as
// readers do.
func (u *users) direct(p string) []string {
	found, known := u.used[p]
	if known {
		return found
	}
	if u.used == nil {
		u.used = map[string][]string{}
	}
	found = u.search(p)
	u.used[p] = found
	return found
}

func (u *users) search(p string) []string {
	if u.code == nil {
		for _, q := range u.repo.Paths() {
			if IsTest(u.language, q) && u.language.About().IsRelated(q) || u.holds(q) {
				u.code = append(u.code, q)
			}
		}
	}
	by, ok := u.language.(included)
	if !ok || !u.language.About().IsRelated(p) {
		return readersOf(p, u.code, u.repo)
	}
	names := by.importOf(p, u.repo)
	var out []string
	for _, q := range u.code {
		if names != nil && q != p && names.MatchString(u.repo.Text(q)) {
			out = append(out, q)
		}
	}
	return out
}

// included is a language in which one source of the tests can use another.
type included interface {
	// importOf matches the text of a source that uses the one at path; nil where
	// none can.
	importOf(path string, repo Repository) *regexp.Regexp
}

// importOf implements included: the module's name in an import.
func (pythonLanguage) importOf(p string, _ Repository) *regexp.Regexp {
	name := strings.TrimSuffix(path.Base(p), ".py")
	if name == "__init__" {
		name = path.Base(path.Dir(p))
	}
	if name == "." || name == "conftest" {
		return nil
	}
	return regexp.MustCompile(`(?m)^\s*(?:from|import)\b.*\b` + regexp.QuoteMeta(name) + `\b`)
}

// importOf implements included: the name of the class, in a file of its package
// or one that names the package.
func (javaLanguage) importOf(p string, repo Repository) *regexp.Regexp {
	name := regexp.QuoteMeta(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	m := javaPackage.FindStringSubmatch(repo.Text(p))
	if m == nil {
		return regexp.MustCompile(`\b` + name + `\b`)
	}
	pkg := regexp.QuoteMeta(m[1])
	return regexp.MustCompile(`(?s)\b` + pkg + `\.` + name + `\b|\b(?:package\s+` + pkg + `|import\s+` + pkg + `\.\*)\s*;.*\b` + name + `\b`)
}

// importOf implements included: an include of the header with the file's name. The
// file may be that header, or a source without tests that has one.
func (cppLanguage) importOf(p string, repo Repository) *regexp.Regexp {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	header := func(q string) bool {
		name := path.Base(q)
		return !about(Cpp).IsRunnable(q) && about(Cpp).IsCode(q) && strings.TrimSuffix(name, path.Ext(name)) == stem
	}
	if !slices.ContainsFunc(repo.Paths(), header) {
		return nil
	}
	return regexp.MustCompile(`(?m)^\s*#\s*include\s*["<](?:[^">]*/)?` + regexp.QuoteMeta(stem) + `\.\w+[">]`)
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
// them on the same code. A program that changed counts always: its old version
// may fail on the right code.
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
	return !known || c.whole || !fresh && status.OK()
}

// fresh reports whether the data add tests that did not run without them.
func (c contribution) fresh(tests []bench.Test) bool {
	return slices.ContainsFunc(tests, func(t bench.Test) bool {
		_, known := c.before[t.ID]
		return !known && !c.counts(t.ID, nil) && c.byData(t.ID, true)
	})
}
