package languages

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// fromProject takes extras, dependency groups and environments of
// pyproject.toml, setup.cfg and setup.py whose names mention tests.
func (w *pythonWants) fromProject(repo Repository) {
	const file = "pyproject.toml"
	text := repo.Text(file)
	p := readPyproject(text)
	if p.Project != nil {
		w.testExtras(slices.Sorted(maps.Keys(p.Project.Optional)), file, text)
	}
	w.testExtras(slices.Sorted(maps.Keys(p.Tool.Poetry.Extras)), file, text)
	if requires, ok := p.Tool.Flit.Metadata["requires-extra"].(map[string]any); ok {
		w.testExtras(slices.Sorted(maps.Keys(requires)), file, text)
	}
	for _, e := range setupExtras(repo) {
		if testName(e.value) {
			w.extras = append(w.extras, e)
		}
	}
	groups := slices.Sorted(maps.Keys(p.Groups))
	for _, name := range chosenNames(groups) {
		w.texts("group "+name, "the dependency group of that name", located(p.group(name, 0), file, text, name))
	}
	for _, name := range chosenNames(slices.Sorted(maps.Keys(p.Tool.Poetry.Groups))) {
		w.texts("Poetry's group "+name, "the dependency group of that name", located(poetryRequirements(p.Tool.Poetry.Groups[name].Dependencies), file, text, "group."+name))
	}
	w.texts("Poetry's dev-dependencies", "the packages for development", located(poetryRequirements(p.Tool.Poetry.Dev), file, text, "dev-dependencies"))
	for _, name := range slices.Sorted(maps.Keys(p.Tool.PDM.Dev)) {
		if testName(name) || len(p.Tool.PDM.Dev) == 1 {
			w.texts("PDM's group "+name, "the dependency group of that name", located(p.Tool.PDM.Dev[name], file, text, name))
		}
	}
	w.texts("uv's dev-dependencies", "the packages for development", located(p.Tool.UV.Dev, file, text, "dev-dependencies"))
	w.fromHatch(p, file, text)
	w.fromTestsRequire(repo)
}

func (w *pythonWants) testExtras(names []string, file, text string) {
	for _, name := range names {
		if testName(name) {
			w.extras = append(w.extras, finding{name, file, wordLine(text, name)})
		}
	}
}

func (w *pythonWants) fromHatch(p pyproject, file, text string) {
	for _, name := range slices.Sorted(maps.Keys(p.Tool.Hatch.Envs)) {
		if name != "default" && !testName(name) {
			continue
		}
		e := p.Tool.Hatch.Envs[name]
		w.texts("Hatch's environment "+name, "the packages of that environment", located(slices.Concat(e.Dependencies, e.Extra), file, text, "envs."+name))
		for _, f := range e.Features {
			w.extras = append(w.extras, finding{f, file, wordLine(text, "envs."+name)})
		}
	}
}

// fromTestsRequire reads tests_require of setup.cfg and setup.py.
func (w *pythonWants) fromTestsRequire(repo Repository) {
	cfg := parseINI("setup.cfg", repo.Text("setup.cfg"))
	if v, ok := cfg.get("options", "tests_require"); ok {
		var texts []finding
		for i, line := range strings.Split(v.text, "\n") {
			texts = append(texts, finding{strings.TrimSpace(line), "setup.cfg", v.line + i})
		}
		w.texts("tests_require", "the packages that the tests require", texts)
	}
	text := repo.Text("setup.py")
	w.texts("tests_require", "the packages that the tests require", slices.Concat(setupList(text, "tests_require"), setupList(text, "test_requires"), setupList(text, "test_requirements")))
}

var (
	condaFile    = regexp.MustCompile(`^(environment|environment[-_](dev|test|tests|testing))\.ya?ml$`)
	condaFolder  = regexp.MustCompile(`^(ci|conda|requirements|\.ci|continuous_integration|tests?)(/|$)`)
	condaSection = regexp.MustCompile(`^[A-Za-z]`)
	condaItem    = regexp.MustCompile(`^\s*-\s*['"]?([A-Za-z0-9][A-Za-z0-9_.\-]*)\s*([<>=!~][^'"#]*)?['"]?\s*(?:#.*)?$`)
	condaSingle  = regexp.MustCompile(`^=([0-9][0-9.]*)`)
	condaForeign = regexp.MustCompile(`^(python|pip|nodejs|.*compilers?|make|cmake|gcc.*|gxx.*|git|lib.*|mkl.*|blas|openblas|.*_linux-64|ninja|pkg-config|conda.*|mamba|defaults|nomkl|hdf5|llvm.*|compilers|graphviz|pandoc|ffmpeg|imagemagick|inkscape|texlive.*|nodefaults|r-.*|m2-.*)$`)
)

// fromConda takes an environment.yml, where nothing else provides a runner.
func (w *pythonWants) fromConda(repo Repository) {
	if w.runner() || slices.ContainsFunc(w.extras, func(f finding) bool { return testName(f.value) || devName(f.value) }) {
		return
	}
	for _, p := range repo.Paths() {
		base := strings.ToLower(path.Base(p))
		if !condaFile.MatchString(base) {
			continue
		}
		if dir := strings.ToLower(path.Dir(p)); dir != "." && !condaFolder.MatchString(dir) || strings.Contains(dir, "doc") {
			continue
		}
		w.add(p, "the environment of conda, as far as it has packages of Python", condaRequirements(p, repo.Text(p)))
	}
}

// condaRequirements reads the list of an environment.yml by its lines; names
// of conda that mean no package of Python are left out.
func condaRequirements(file, text string) []requirement {
	var out []requirement
	inside := false
	for i, line := range strings.Split(text, "\n") {
		if condaSection.MatchString(line) {
			inside = strings.HasPrefix(line, "dependencies:")
			continue
		}
		m := condaItem.FindStringSubmatch(line)
		if !inside || m == nil || condaForeign.MatchString(strings.ToLower(m[1])) {
			continue
		}
		spec := strings.TrimSpace(m[2])
		if single := condaSingle.FindStringSubmatch(spec); single != nil {
			spec = "==" + single[1] + ".*" // conda's = means a beginning
		}
		if r, _ := readRequirement(m[1] + spec); r.name != "" {
			r.file, r.line = file, i+1
			out = append(out, r)
		}
	}
	return out
}

// chosenNames are the groups whose names mention tests, else those for
// development.
func chosenNames(names []string) []string {
	var tests, dev []string
	for _, n := range names {
		if testName(n) {
			tests = append(tests, n)
		} else if devName(n) {
			dev = append(dev, n)
		}
	}
	if len(tests) > 0 {
		return tests
	}
	return dev
}

// located gives texts the place of the table that holds them.
func located(texts []string, file, text, table string) []finding {
	out := make([]finding, len(texts))
	for i, t := range texts {
		out[i] = finding{t, file, wordLine(text, table)}
	}
	return out
}

// wordLine is the first line that holds a word; 1 where none does.
func wordLine(text, word string) int {
	return max(lineOf(text, word), 1)
}
