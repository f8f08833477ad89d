package languages

import (
	"maps"
	"slices"
	"strings"
)

// goldRequirements adds what the gold patch asks for beyond base, since the
// environment has to serve both. A requirement on a package that base names too
// takes the place of base's.
func (r *pythonRules) goldRequirements(p *pythonPlan, base pythonWants) {
	touches := slices.ContainsFunc(r.facts.Touched, dependencyFile)
	if !touches {
		return
	}
	had := map[string]bool{}
	for _, q := range append(declared(r.facts.Repo), flat(base.sets)...) {
		had[q.text] = true
	}
	var added []requirement
	for _, q := range append(declared(r.facts.Gold), flat(wanted(r.facts.Gold, r.env.Python).sets)...) {
		if !had[q.text] {
			had[q.text] = true
			added = append(added, q)
		}
	}
	if len(added) == 0 {
		return
	}
	for _, q := range added {
		r.decide("setup", q.text, "the gold patch asks for it", finding{file: q.file, line: q.line})
	}
	p.Overrides = requirementTexts(added)
	p.Sets = append(p.Sets, requirementTexts(added))
}

func dependencyFile(p string) bool {
	for _, end := range []string{"setup.py", "setup.cfg", "pyproject.toml", "tox.ini", "noxfile.py", ".yml", ".yaml"} {
		if strings.HasSuffix(p, end) {
			return true
		}
	}
	return strings.Contains(p, "require") && (strings.HasSuffix(p, ".txt") || strings.HasSuffix(p, ".in"))
}

func flat(sets []requirementSet) []requirement {
	var out []requirement
	for _, s := range sets {
		out = append(out, s.reqs...)
	}
	return out
}

// declared are the requirements of the package itself, as far as they are in
// its files as plain text.
func declared(repo Repository) []requirement {
	const file = "pyproject.toml"
	text := repo.Text(file)
	p := readPyproject(text)
	var texts []finding
	if p.Project != nil {
		texts = append(texts, located(p.Project.Dependencies, file, text, "dependencies")...)
		for _, name := range slices.Sorted(maps.Keys(p.Project.Optional)) {
			if testName(name) || name == "all" {
				texts = append(texts, located(p.Project.Optional[name], file, text, name)...)
			}
		}
	}
	texts = append(texts, located(poetryRequirements(p.Tool.Poetry.Dependencies), file, text, "tool.poetry.dependencies")...)
	if list, ok := p.Tool.Flit.Metadata["requires"].([]any); ok {
		for _, e := range list {
			if s, ok := e.(string); ok {
				texts = append(texts, finding{s, file, wordLine(text, "requires")})
			}
		}
	}
	cfg := parseINI("setup.cfg", repo.Text("setup.cfg"))
	if v, ok := cfg.get("options", "install_requires"); ok {
		for i, line := range strings.Split(v.text, "\n") {
			texts = append(texts, finding{strings.TrimSpace(line), "setup.cfg", v.line + i})
		}
	}
	for _, name := range []string{"install_requires", "requires", "requirements", "test_requires", "tests_require"} {
		texts = append(texts, setupList(repo.Text("setup.py"), name)...)
	}
	var w pythonWants
	w.texts("declared", "", texts)
	return flat(w.sets)
}
