package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// pythonWants is what the tests need in addition to what the package
// declares.
type pythonWants struct {
	extras  []finding
	sets    []requirementSet
	dropped []requirement
}

// requirementSet is a group of requirements that is installed as a whole where
// that is possible. None of them is necessary.
type requirementSet struct {
	name string // "requirements/test.txt", "tox deps"
	why  string
	reqs []requirement
}

var (
	testNames = regexp.MustCompile(`(?i)^(tests?|testing|unit-?tests?|pytest|ci|test_?suite)$|^(tests?|testing)[-_](all|base|common|core|deps|env|extras?|full|min|requires?|requirements|unit)$`)
	devNames  = regexp.MustCompile(`(?i)^(dev|develop|development|devel)$`)
)

// testName reports whether an extra, a group or an environment has a name by
// which projects call what their tests need.
func testName(name string) bool {
	return testNames.MatchString(name)
}

func devName(name string) bool {
	return devNames.MatchString(name)
}

// wanted collects what the tests of a tree need, for a version of Python.
func wanted(repo Repository, version string) pythonWants {
	w := &pythonWants{}
	w.fromCI(repo)
	w.fromTox(repo, version)
	w.fromNox(repo)
	w.fromProject(repo)
	w.fromFiles(repo)
	w.fromConda(repo)
	slices.SortFunc(w.extras, func(a, b finding) int { return strings.Compare(a.value, b.value) })
	w.extras = slices.CompactFunc(w.extras, func(a, b finding) bool { return a.value == b.value })
	return *w
}

// add appends the requirements that are not wanted yet.
func (w *pythonWants) add(name, why string, reqs []requirement) {
	var fresh []requirement
	for _, r := range reqs {
		known := slices.ContainsFunc(fresh, func(o requirement) bool { return o.text == r.text })
		for _, s := range w.sets {
			known = known || slices.ContainsFunc(s.reqs, func(o requirement) bool { return o.text == r.text })
		}
		if !known {
			fresh = append(fresh, r)
		}
	}
	if len(fresh) > 0 {
		w.sets = append(w.sets, requirementSet{name, why, fresh})
	}
}

// file adds a requirements file; what it says about the project's own extras
// counts too.
func (w *pythonWants) file(repo Repository, file, why string) {
	got := parseRequirements(repo, file)
	w.add(file, why, got.requirements)
	for _, e := range got.extras {
		w.extras = append(w.extras, finding{e, file, 1})
	}
	w.dropped = append(w.dropped, got.dropped...)
}

// texts adds requirements that are strings in some file.
func (w *pythonWants) texts(name, why string, texts []finding) {
	var reqs []requirement
	for _, t := range texts {
		r, extras := readRequirement(t.value)
		r.file, r.line = t.file, t.line
		for _, e := range extras {
			w.extras = append(w.extras, finding{e, t.file, t.line})
		}
		if r.name != "" {
			reqs = append(reqs, r)
		}
	}
	w.add(name, why, reqs)
}

func (w *pythonWants) fromTox(repo Repository, version string) {
	for _, ini := range toxFiles(repo) {
		var texts []finding
		for _, l := range toxLines(ini, "deps", version) {
			if to, ok := option(l.value, "-r", "--requirement"); ok {
				w.file(repo, strings.TrimPrefix(strings.ReplaceAll(to, "{toxinidir}", ""), "/"), "tox's test environment names it")
				continue
			}
			if !strings.HasPrefix(l.value, "-") {
				texts = append(texts, l)
			}
		}
		w.texts("tox deps", "the packages of tox's test environment", texts)
		for _, l := range toxLines(ini, "extras", version) {
			for _, e := range fieldsOf(l.value) {
				if !regexp.MustCompile(`(?i)doc|lint|mypy`).MatchString(e) {
					w.extras = append(w.extras, finding{e, l.file, l.line})
				}
			}
		}
	}
}

// fromNox reads the packages that sessions whose name mentions tests install.
func (w *pythonWants) fromNox(repo Repository) {
	const file = "noxfile.py"
	text := repo.Text(file)
	head := regexp.MustCompile(`(?m)^def\s+(\w+)\s*\(`)
	call := regexp.MustCompile(`session\.install\(`)
	heads := head.FindAllStringSubmatchIndex(text, -1)
	var texts []finding
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		if !strings.Contains(strings.ToLower(text[h[2]:h[3]]), "test") {
			continue
		}
		for _, c := range call.FindAllStringIndex(text[h[0]:end], -1) {
			words := literals(text[:end], h[0]+c[1])
			for j, l := range words {
				l.file = file
				switch {
				case j > 0 && words[j-1].value == "-r":
					w.file(repo, l.value, "nox's test session installs it")
				case !strings.HasPrefix(l.value, "-"):
					texts = append(texts, l)
				}
			}
		}
	}
	w.texts("nox install", "the packages of nox's test session", texts)
}

// fromFiles takes requirements files by their names: those for tests, and
// those for development where no name mentions tests.
func (w *pythonWants) fromFiles(repo Repository) {
	var tests, dev []string
	for _, p := range repo.Paths() {
		switch requirementsKind(p) {
		case "test":
			tests = append(tests, p)
		case "dev":
			dev = append(dev, p)
		}
	}
	if repo.Text("requirements.txt") != "" {
		w.file(repo, "requirements.txt", "the requirements at the root")
	}
	for _, p := range compiledOnly(tests) {
		w.file(repo, p, "its name mentions tests")
	}
	if len(tests) > 0 || len(w.extras) > 0 || w.runner() {
		return
	}
	for _, p := range compiledOnly(dev) {
		w.file(repo, p, "its name mentions development, and no other mentions tests")
	}
	for _, e := range setupExtras(repo) {
		if devName(e.value) {
			w.extras = append(w.extras, e)
		}
	}
	if p := readPyproject(repo.Text("pyproject.toml")); p.Project != nil {
		for name := range p.Project.Optional {
			if devName(name) {
				w.extras = append(w.extras, finding{name, "pyproject.toml", 1})
			}
		}
	}
}

// runner reports whether something wanted is a test runner already.
func (w *pythonWants) runner() bool {
	for _, s := range w.sets {
		if slices.ContainsFunc(s.reqs, func(r requirement) bool { return r.name == "pytest" || r.name == "nose" }) {
			return true
		}
	}
	return false
}

var (
	otherRequirements = regexp.MustCompile(`doc|lint|style|mypy|typing|type-check|release|publish|deploy|packag|build|benchmark|cuda|gpu|tpu|rocm|nightly|upstream|mini?mum|minver|oldest|lowest|pypy|windows|mac|postgres|mysql|mariadb|oracle|integration|e2e|example|template|fixture|tutorial|vendor|third.?party|constraint|pre-commit|bench|notebook|site-packages|conda`)
	nearRequirements  = regexp.MustCompile(`(^|/)(requirements?|reqs|deps|ci|dev|tools|tests?|testing|t|\.ci|etc)(/|$)`)
	testsFolder       = regexp.MustCompile(`(^|/)(tests?|testing)(/|$)`)
	testRequirements  = regexp.MustCompile(`(^|[-_./])(tests?|testing|unittests?|ci|pytest)([-_./]|$)`)
	plainRequirements = regexp.MustCompile(`(^|[-_./])(requirements?|all|base|common|py3)([-_./]|$)`)
	devRequirements   = regexp.MustCompile(`(^|[-_./])(dev|develop|development|devel)([-_./]|$)`)
)

// requirementsKind recognises the path of a file of requirements for tests or
// for development.
func requirementsKind(p string) string {
	base, dir := strings.ToLower(path.Base(p)), strings.ToLower(path.Dir(p))
	ext := path.Ext(base)
	if ext != ".txt" && ext != ".in" && ext != ".pip" || strings.Count(p, "/") > 3 {
		return ""
	}
	all := strings.ToLower(p)
	if !strings.Contains(all, "requirement") && !strings.Contains(base, "reqs") && !strings.Contains(base, "deps") && path.Base(dir) != "reqs" {
		return ""
	}
	if otherRequirements.MatchString(strings.ReplaceAll(all, "test", "")) {
		return ""
	}
	stem := strings.TrimSuffix(base, ext)
	near := dir == "." || nearRequirements.MatchString(dir)
	inTests := testsFolder.MatchString(dir)
	switch {
	case !near:
		return ""
	case testRequirements.MatchString(stem) || inTests && plainRequirements.MatchString(stem):
		return "test"
	case devRequirements.MatchString(stem):
		return "dev"
	}
	return ""
}

// compiledOnly drops x.in where x.txt is there too, which is x.in with versions.
func compiledOnly(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return strings.HasSuffix(p, ".in") && slices.Contains(paths, strings.TrimSuffix(p, ".in")+".txt")
	})
}
