package languages

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// projectName is the distribution's name, normalised; "" where no file has
// it.
func projectName(repo Repository) string {
	p := readPyproject(repo.Text("pyproject.toml"))
	if p.Project != nil && p.Project.Name != "" {
		return distName(p.Project.Name)
	}
	if p.Tool.Poetry.Name != "" {
		return distName(p.Tool.Poetry.Name)
	}
	cfg := parseINI("setup.cfg", repo.Text("setup.cfg"))
	if v, ok := cfg.get("metadata", "name"); ok {
		return distName(strings.TrimSpace(v.text))
	}
	if m := regexp.MustCompile(`\bname\s*=\s*["']([A-Za-z0-9_.-]+)["']`).FindStringSubmatch(repo.Text("setup.py")); m != nil {
		return distName(m[1])
	}
	return ""
}

// projectVersion gives the version to what would read it from git's tags, of
// which the archive has none.
func (r *pythonRules) projectVersion() {
	all := r.facts.Repo.Text("pyproject.toml") + r.facts.Repo.Text("setup.py") + r.facts.Repo.Text("setup.cfg")
	vars := map[string]string{
		`setuptools[-_]scm|hatch-vcs|flit[-_]scm|pdm\.version.*scm|extension[-_]helpers`: "SETUPTOOLS_SCM_PRETEND_VERSION",
		`pdm-backend|pdm-pep517`: "PDM_BUILD_SCM_VERSION",
		`\bpbr\b`:                "PBR_VERSION",
		`poetry-dynamic-versioning|poetry_dynamic_versioning`:       "POETRY_DYNAMIC_VERSIONING_BYPASS",
		`uv-dynamic-versioning`:                                     "UV_DYNAMIC_VERSIONING_BYPASS",
		`setuptools-git-versioning|setuptools_git_versioning|vcver`: "SETUPTOOLS_SCM_PRETEND_VERSION",
	}
	added := map[string]string{}
	for _, pattern := range slices.Sorted(maps.Keys(vars)) {
		name := vars[pattern]
		if regexp.MustCompile(pattern).MatchString(all) && r.env.Vars[name] == "" {
			v, at := r.version()
			added[name] = v
			if len(added) == 1 {
				r.decide("vars", "version "+v, "the package reads its version from git's tags, which the archive lacks", at)
			}
		}
	}
	if len(added) == 0 {
		return
	}
	for k, v := range r.env.Vars {
		added[k] = v
	}
	r.env.Vars = added
}

// version is the project's version: that of the change log, of the dataset, or
// of the date.
func (r *pythonRules) version() (string, finding) {
	known := regexp.MustCompile(`^v?([0-9]+(?:\.[0-9]+)*)$`).FindStringSubmatch(strings.TrimSpace(r.facts.Version))
	if v, at := loggedVersion(r.facts.Repo); v != "" && (known == nil || strings.HasPrefix(v+".", known[1]+".")) {
		return v, at
	}
	if known != nil {
		v := known[1]
		for strings.Count(v, ".") < 2 {
			v += ".0"
		}
		return v, finding{}
	}
	if r.facts.Created.IsZero() {
		return "1.0.0", finding{}
	}
	return fmt.Sprintf("%d.%d.%d", r.facts.Created.Year(), r.facts.Created.Month(), r.facts.Created.Day()), finding{}
}

// loggedVersion is the newest version of the first change log that has any, or
// of files that are named after releases.
func loggedVersion(repo Repository) (string, finding) {
	heading := regexp.MustCompile(`(?m)^(?:#+\s*|\.\.\s+_|[*=]*\s*)?(?:[A-Za-z][A-Za-z-]*\s+)?(?:[Vv]ersion\s+|[Rr]elease\s+)?\[?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?)\b`)
	named := regexp.MustCompile(`(?i)(?:^|/)(?:whats[-_]?new|release|releases|changelog|changes|history|news)[^/]*/(?:[a-z_-]*?)v?([0-9]+\.[0-9]+(?:\.[0-9]+)?)[^/]*\.(?:rst|md|txt)$`)
	best, from := "", finding{}
	for _, p := range repo.Paths() {
		if m := named.FindStringSubmatch(p); m != nil && versionLess(best, m[1]) {
			best, from = m[1], finding{file: p, line: 1}
		}
	}
	if best != "" {
		return threeParts(best), from
	}
	log := regexp.MustCompile(`(?i)^(change|history|news|release)[a-z_-]*(\.(rst|md|txt))?$`)
	for _, p := range repo.Paths() {
		dir := path.Dir(p)
		if !log.MatchString(path.Base(p)) || dir != "." && dir != "docs" && dir != "doc" && dir != "doc/en" {
			continue
		}
		text := repo.Text(p)
		text = text[:min(len(text), 20000)]
		if m := heading.FindStringSubmatchIndex(text); m != nil {
			return threeParts(text[m[2]:m[3]]), finding{file: p, line: lineAt(text, m[2])}
		}
	}
	return "", finding{}
}

func threeParts(v string) string {
	for strings.Count(v, ".") < 2 {
		v += ".0"
	}
	return v
}

// versionLess compares versions number by number; "" is less than any.
func versionLess(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < len(x) && i < len(y); i++ {
		m, err := strconv.Atoi(x[i])
		n, err2 := strconv.Atoi(y[i])
		if err != nil || err2 != nil {
			return err != nil && err2 == nil
		}
		if m != n {
			return m < n
		}
	}
	return len(x) < len(y)
}
