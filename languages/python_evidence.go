package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// finding is something that a file of the repository says, and where.
type finding struct {
	value string
	file  string
	line  int
}

// pythonLists returns the versions of Python that the repository is tested
// with, by kind of source; the most trusted kind comes first.
func pythonLists(repo Repository) [][]finding {
	return [][]finding{ciPythons(repo), envListPythons(repo), classifiers(repo), pinnedPython(repo)}
}

// sideWorkflow matches the names of CI files that run no tests.
var sideWorkflow = regexp.MustCompile(`(?i)doc|lint|release|publish|deploy|wheel|nightly|upstream|stale|label|triage|codeql|style|mypy|typing|pre-?commit|gpu|cuda|benchmark|asv`)

// ciFile reports whether a path is the configuration of a CI service that may
// run the tests.
func ciFile(p string) bool {
	if sideWorkflow.MatchString(path.Base(p)) {
		return false
	}
	dir, base := path.Dir(p), strings.ToLower(path.Base(p))
	if ext := path.Ext(base); ext != ".yml" && ext != ".yaml" {
		return false
	}
	switch dir {
	case ".github/workflows", ".ci", "ci", ".circleci", ".azure-pipelines", "tools/ci", "tools/ci/azure", "build_tools/azure":
		return dir != "ci" || strings.Contains(base, "azure")
	}
	return dir == "." && (strings.HasPrefix(base, ".travis") || strings.Contains(base, "azure-pipelines") ||
		strings.Contains(base, "appveyor") || base == ".cirrus.yml" || base == ".gitlab-ci.yml")
}

// ciPythons are the versions that CI files name.
func ciPythons(repo Repository) []finding {
	var out []finding
	for _, p := range repo.Paths() {
		if ciFile(p) {
			out = append(out, scanCI(p, repo.Text(p))...)
		}
	}
	return out
}

// scanCI reads the versions of Python out of a CI file, line by line: those
// after a key that mentions Python, in the list below such a key, and tox's
// names of environments. YAML itself would read 3.10 as 3.1.
func scanCI(file, text string) []finding {
	key := regexp.MustCompile(`(?i)(?:^|[\s{,-])["']?(?:matrix\.)?py(?:thon)?(?:[-_. ]?ver(?:sion)?s?)?["']?\s*[:=]\s*(.*)$`)
	version := regexp.MustCompile(`(?:^|[^0-9.])(2\.7|3\.[0-9]{1,2})(?:$|[^0-9])`)
	name := regexp.MustCompile(`(?i)\bpy(?:thon)?[-_]?(2\.?7|3\.?[0-9]{1,2})\b`)
	var out []finding
	add := func(line int, v string) {
		v = dotted(v)
		f := finding{v, file, line + 1}
		if pythonOrder(v) > 0 && !slices.ContainsFunc(out, func(o finding) bool { return o.value == v }) {
			out = append(out, f)
		}
	}
	open, depth := false, 0 // a list below a key, and the key's indentation
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, " #")
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(line, -1) {
			add(i, m[1])
		}
		m := key.FindStringSubmatch(line)
		if m == nil && open && (indent < depth || indent == depth && !strings.HasPrefix(trimmed, "-") && !strings.HasPrefix(trimmed, "]")) {
			open = false
		}
		values := ""
		switch {
		case m != nil:
			values, open, depth = m[1], strings.TrimSpace(m[1]) == "" || strings.HasPrefix(strings.TrimSpace(m[1]), "[") && !strings.Contains(m[1], "]"), indent
		case open:
			values = trimmed
		}
		for values != "" {
			at := version.FindStringSubmatchIndex(values)
			if at == nil {
				break
			}
			add(i, values[at[2]:at[3]])
			values = values[at[3]:]
		}
	}
	return out
}

// dotted turns 37 into 3.7.
func dotted(v string) string {
	if len(v) > 1 && !strings.Contains(v, ".") {
		return v[:1] + "." + v[1:]
	}
	return v
}

// envListPythons are the versions of tox's and nox's environments.
func envListPythons(repo Repository) []finding {
	var out []finding
	for _, ini := range toxFiles(repo) {
		for _, key := range []string{"envlist", "env_list"} {
			if v, ok := ini.get("tox", key); ok {
				for _, name := range expandBraces(v.text) {
					for _, f := range strings.Split(name, "-") {
						v2 := dotted(strings.TrimPrefix(f, "py"))
						if pythonOrder(v2) > 0 {
							out = append(out, finding{v2, ini.file, v.line})
						}
					}
				}
			}
		}
	}
	session := regexp.MustCompile(`python\s*=\s*(\[[^\]]*\]|"[^"]*")`)
	version := regexp.MustCompile(`["'](2\.7|3\.[0-9]{1,2})["']`)
	text := repo.Text("noxfile.py")
	for _, m := range session.FindAllStringSubmatchIndex(text, -1) {
		for _, v := range version.FindAllStringSubmatch(text[m[2]:m[3]], -1) {
			out = append(out, finding{v[1], "noxfile.py", lineAt(text, m[2])})
		}
	}
	return out
}

// classifiers are the versions that the package's metadata names.
func classifiers(repo Repository) []finding {
	pattern := regexp.MustCompile(`Programming Language :: Python :: (2\.7|3\.[0-9]{1,2})\b`)
	var out []finding
	for _, file := range []string{"setup.py", "setup.cfg", "pyproject.toml"} {
		text := repo.Text(file)
		for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
			out = append(out, finding{text[m[2]:m[3]], file, lineAt(text, m[2])})
		}
	}
	return out
}

// pinnedPython is the version of .python-version or runtime.txt.
func pinnedPython(repo Repository) []finding {
	pattern := regexp.MustCompile(`(?m)^(?:python-|cpython-)?(2\.7|3\.[0-9]{1,2})`)
	var out []finding
	for _, file := range []string{".python-version", "runtime.txt"} {
		text := repo.Text(file)
		if m := pattern.FindStringSubmatchIndex(text); m != nil {
			out = append(out, finding{text[m[2]:m[3]], file, lineAt(text, m[2])})
		}
	}
	return out
}

// requiresPython is the range of versions that the package allows.
func requiresPython(repo Repository) (finding, bool) {
	for _, x := range []struct{ file, pattern string }{
		{"pyproject.toml", `(?m)^\s*(?:requires-python|python)\s*=\s*["']([^"'\n]+)["']`},
		{"setup.cfg", `(?m)^\s*python[_-]requires\s*=\s*([^\n#]+)`},
		{"setup.py", `python_requires\s*=\s*f?["']([^"'\n]+)["']`},
		{"setup.py", `['"]python_requires['"]\s*:\s*["']([^"'\n]+)["']`},
	} {
		text := repo.Text(x.file)
		if m := regexp.MustCompile(x.pattern).FindStringSubmatchIndex(text); m != nil {
			return finding{strings.TrimSpace(text[m[2]:m[3]]), x.file, lineAt(text, m[2])}, true
		}
	}
	return finding{}, false
}
