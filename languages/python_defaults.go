package languages

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/bench"
)

// pythonRules collects the choices for one instance.
type pythonRules struct {
	env    bench.Env
	facts  Facts
	chosen []bench.Decision
	folder string              // of the project; "" for the root
	real   func(string) string // a path as the repository has it; nil means itself
}

func (r *pythonRules) decide(field, value, why string, at finding) {
	if r.real != nil {
		at.file = r.real(at.file)
	}
	r.chosen = append(r.chosen, bench.Decision{Field: field, Value: value, Why: why, File: at.file, Line: at.line})
}

func (pythonLanguage) Defaults(env bench.Env, f Facts) (bench.Env, []bench.Decision, error) {
	r := &pythonRules{env: env, facts: f}
	if r.facts.Gold == nil {
		r.facts.Gold = f.Repo
	}
	r.enter()
	r.framework()
	if fw := r.env.Framework; !slices.Contains(pythonFrameworks(), fw) && env.Test == "" {
		return env, nil, fmt.Errorf("framework %q is not one of Python's (%s)", fw, strings.Join(pythonFrameworks(), ", "))
	}
	byHand := env.Dependencies != nil
	if r.env.Dependencies == nil {
		r.toolChain()
	}
	if r.env.Packages == nil {
		r.packages()
	}
	if r.env.Setup == nil {
		if err := r.setup(byHand); err != nil {
			return env, nil, err
		}
	}
	return r.env, r.chosen, nil
}

// toolChain makes the empty environment. A set-up by hand finds pip and pytest
// in it.
func (r *pythonRules) toolChain() {
	if r.env.Setup != nil && r.env.Python == "" {
		r.env.Dependencies = []string{"python3 -m venv /opt/venv"}
		if r.env.Framework == "pytest" {
			r.env.Dependencies = append(r.env.Dependencies, venv+"pip install -q pytest==8.3.5")
		}
		return
	}
	r.interpreter()
	found, _ := nearest(r.env.Python, r.facts.Pythons)
	r.env.Dependencies = toolLayer(r.env.Python, found)
	if found.Version == r.env.Python && found.Base != "" && r.env.Base == "" {
		r.env.Base = found.Base
	}
	if r.env.Setup != nil {
		r.env.Dependencies = append(r.env.Dependencies, "VIRTUAL_ENV=/opt/venv /opt/uv/bin/uv pip install -q pip pytest")
	}
}

func (r *pythonRules) framework() {
	if r.env.Framework != "" {
		return
	}
	r.env.Framework = "pytest"
	if own, at := ownProgram(r.facts.Repo); own != "" && r.env.Test == "" {
		r.env.Framework = own
		r.decide("framework", own, "the repository has a test program of its own, and no settings of pytest", at)
	}
}

// packages are those of Debian that the set-up itself needs.
func (r *pythonRules) packages() {
	r.env.Packages = []string{"python3", "python3-venv"}
	if found, _ := nearest(r.env.Python, r.facts.Pythons); found.Version == r.env.Python {
		r.env.Packages = append(r.env.Packages, found.Packages...)
	}
	if p := extensionSource(r.facts.Repo); p != "" {
		r.env.Packages = append(r.env.Packages, "build-essential", "python3-dev")
		r.decide("packages", "build-essential python3-dev", "the package has sources to compile", finding{file: p, line: 1})
	}
}

// setup plans what is installed. Where the tool chain was written by hand, pip
// is all that can be counted on.
func (r *pythonRules) setup(byHand bool) (err error) {
	if byHand {
		r.env.Setup = pythonSetup(r.facts.Repo)
		return nil
	}
	repo := r.facts.Repo
	w := wanted(repo, r.env.Python)
	p := pythonPlan{Project: projectFile(repo), Root: path.Join(Root, r.folder), Own: slices.Sorted(maps.Keys(ownModules(repo.Paths()))), Extras: []string{}, Sets: [][]string{}, Always: []string{}, Overrides: []string{}}
	p.fill(r.facts.Created)
	if found, _ := nearest(r.env.Python, r.facts.Pythons); found.Version == r.env.Python {
		p.Pip = oldPython(r.env.Python)
	}
	if p.Date != "" {
		r.decide("setup", "as of "+p.Date, "packages are taken as of the instance's date", finding{})
	}
	for _, e := range w.extras {
		p.Extras = append(p.Extras, e.value)
		r.decide("setup", "extra "+e.value, "an extra for tests", e)
	}
	for _, s := range w.sets {
		p.Sets = append(p.Sets, requirementTexts(s.reqs))
		r.decide("setup", s.name, s.why, finding{file: s.reqs[0].file, line: s.reqs[0].line})
	}
	for _, d := range w.dropped {
		r.decide("setup", "without "+d.text, "no index serves it", finding{file: d.file, line: d.line})
	}
	r.runnerPackages(&p)
	r.goldRequirements(&p, w)
	r.buildBackend(&p)
	r.projectVersion()
	r.searchPath()
	r.variables()
	r.runnerArguments()
	p.Imports = importedModules(r.facts)
	p.Check = append([]string{venv + "python"}, r.checkArgs()...)
	r.env.Setup, err = p.script()
	return err
}

// checkArgs is the call that shows that tests can be collected at base, or run
// where a program of the repository's own is all that knows them.
func (r *pythonRules) checkArgs() []string {
	if program, own := programStart(r.env, Suite{Repo: r.facts.Repo}); own {
		return slices.Concat(program.words, program.args)
	}
	if r.env.Framework == "unittest" {
		return []string{pythonDir + "/python_collect.py"}
	}
	args := append([]string{"-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", "--continue-on-collection-errors"}, r.env.Args...)
	return args
}

// runnerArguments takes options out of the settings that would change what a
// judged run means.
func (r *pythonRules) runnerArguments() {
	if r.env.Args == nil {
		r.env.Args = programArgs(r.facts.Repo, r.env.Framework)
	}
	if r.env.Args != nil || r.env.Framework != "pytest" {
		return
	}
	args, left := runnerArgs(r.facts.Repo)
	if len(left) > 0 {
		r.env.Args = args
		s := pytestSettings(r.facts.Repo)
		r.decide("args", strings.Join(args, " "), "without "+strings.Join(left, " ")+", which would change the run's result", finding{file: s.file, line: s.line})
	}
	if names, at := noseNames(r.facts.Repo); names != nil {
		r.env.Args = append(r.env.Args, names...)
		r.decide("args", strings.Join(names, " "), "nose runs the tests, and knows more names", at)
	}
}

// texts are requirements as text, without the tools that no test needs.
func requirementTexts(reqs []requirement) []string {
	tools := tableColumn(pythonTools)
	out := []string{}
	for _, q := range reqs {
		if beforePytest3(q) {
			q.text = q.name
		}
		if !slices.Contains(tools, q.name) {
			out = append(out, q.text)
		}
	}
	return out
}

// beforePytest3 reports a requirement that belongs to pytest 1 and 2, which
// do not work with assay's reporter.
func beforePytest3(q requirement) bool {
	old := map[string]string{
		"pytest": `(==|<=|<|~=)[12](\.|$)|<3(\.0)*($|,)`,
		"py":     `(==|<=|<|~=)(0|1\.[0-4])(\.|$)`,
		"pluggy": `(==|<=|<|~=)0\.[0-4](\.|$)`,
	}
	pattern, ok := old[q.name]
	return ok && regexp.MustCompile(pattern).MatchString(q.text)
}

// projectFile is the file from which the project is installed; "" where there
// is nothing to install.
func projectFile(repo Repository) string {
	text := repo.Text("pyproject.toml")
	p := readPyproject(text)
	switch {
	case p.Project != nil || p.Tool.Poetry.Name != "" || len(p.Tool.Flit.Metadata) > 0 || strings.Contains(text, "[tool.flit.metadata]"):
		return "pyproject.toml"
	case repo.Text("setup.py") != "":
		return "setup.py"
	case p.Build.Backend != "" && repo.Text("setup.cfg") != "":
		return "pyproject.toml"
	case strings.Contains(repo.Text("setup.cfg"), "[metadata]"):
		return "setup.cfg"
	}
	return ""
}

// runnerPackages adds the runner and what its settings mention.
func (r *pythonRules) runnerPackages(p *pythonPlan) {
	if r.env.Framework == "pytest" && projectName(r.facts.Repo) != "pytest" {
		p.Always = append(p.Always, "pytest>=3")
		settings := pytestSettings(r.facts.Repo)
		for _, row := range tableRows(pythonPlugins) {
			pattern := regexp.MustCompile(row[0])
			m := pattern.FindStringIndex(settings.value)
			if m == nil || row[1] == projectName(r.facts.Repo) || ownOption(r.facts.Repo, settings.value[m[0]:m[1]]) {
				continue
			}
			p.Always = append(p.Always, row[1])
			r.decide("setup", row[1], "pytest's settings mention it", finding{file: settings.file, line: settings.line})
		}
	}
	if pythonOrder(r.env.Python) < 312 && !p.Pip {
		p.Always = append(p.Always, "setuptools", "wheel", "pip")
	}
}

// ownOption reports whether a conftest file defines an option itself.
func ownOption(repo Repository, words string) bool {
	option := strings.Trim(words, " =\n")
	for _, p := range repo.Paths() {
		if path.Base(p) == "conftest.py" {
			if text := repo.Text(p); strings.Contains(text, "addoption") && strings.Contains(text, option) {
				return true
			}
		}
	}
	return false
}

// buildBackend returns how the project is built.
func (r *pythonRules) buildBackend(p *pythonPlan) {
	build := readPyproject(r.facts.Repo.Text("pyproject.toml")).Build
	p.Build = build.Requires
	if len(p.Build) == 0 {
		p.Build = []string{"setuptools", "wheel"}
	}
	ours := build.Backend == "" || strings.HasPrefix(build.Backend, "setuptools")
	newer := time.Date(2022, 8, 20, 0, 0, 0, 0, time.UTC) // setuptools 64
	p.Legacy = ours && r.facts.Repo.Text("setup.py") != "" &&
		(!r.facts.Created.IsZero() && r.facts.Created.Before(newer) || pythonOrder(r.env.Python) < 307)
	p.Shared = strings.HasPrefix(build.Backend, "mesonpy") || strings.HasPrefix(build.Backend, "scikit_build")
	if p.Shared {
		p.Build = append(slices.Clone(p.Build), "ninja", "meson")
	}
}

// extensionSource is a source of an extension module, if there is one.
func extensionSource(repo Repository) string {
	for _, p := range repo.Paths() {
		switch path.Ext(p) {
		case ".pyx", ".pxd":
			return p
		}
	}
	if strings.Contains(repo.Text("setup.py"), "ext_modules") {
		return "setup.py"
	}
	if strings.HasPrefix(readPyproject(repo.Text("pyproject.toml")).Build.Backend, "mesonpy") {
		return "pyproject.toml"
	}
	return ""
}
