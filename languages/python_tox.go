package languages

import (
	"regexp"
	"slices"
	"strings"
)

// toxFiles are the files that configure tox: tox.ini, setup.cfg, and what
// pyproject.toml holds in the old form.
func toxFiles(repo Repository) []iniFile {
	var out []iniFile
	if text := repo.Text("tox.ini"); text != "" {
		out = append(out, parseINI("tox.ini", text))
	}
	if legacy := readPyproject(repo.Text("pyproject.toml")).Tool.Tox.Legacy; legacy != "" {
		out = append(out, parseINI("pyproject.toml", legacy))
	}
	return out
}

// toxLines are the lines of a key of tox's test environment that hold for a
// version of Python, references to other sections followed.
func toxLines(ini iniFile, key, version string) []finding {
	var out []finding
	for _, section := range []string{"testenv", "testenv:" + factor(version), "testenv:py", "testenv:py3", "testenv:test", "testenv:tests"} {
		out = append(out, toxSection(ini, section, key, version, 0)...)
	}
	return out
}

var (
	toxReference = regexp.MustCompile(`^\{\[([^\]]+)\]([A-Za-z_]+)\}$`)
	toxCondition = regexp.MustCompile(`^([!A-Za-z0-9_.{},\s-]+?)\s*:(?:\s+|$|-)(.*)$`)
)

func toxSection(ini iniFile, section, key, version string, depth int) []finding {
	v, ok := ini.get(section, key)
	if !ok || depth > maxIncluded {
		return nil
	}
	var out []finding
	for i, line := range strings.Split(v.text, "\n") {
		line = strings.TrimSpace(line)
		if at := strings.Index(line, " #"); at >= 0 {
			line = strings.TrimSpace(line[:at])
		}
		line, holds := condition(line, version)
		if line == "" || !holds {
			continue
		}
		if m := toxReference.FindStringSubmatch(line); m != nil {
			out = append(out, toxSection(ini, m[1], m[2], version, depth+1)...)
			continue
		}
		out = append(out, finding{line, ini.file, v.line + i})
	}
	return out
}

// condition splits "py36,py37-unit: pytest" into its value and whether it holds
// for a version: one of the alternatives of which all factors do.
func condition(line, version string) (string, bool) {
	m := toxCondition.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(line, "-") {
		return line, true
	}
	rest := strings.TrimSpace(line[strings.Index(line, ":")+1:])
	for _, alternative := range expandBraces(m[1]) {
		all := true
		for _, f := range strings.Split(alternative, "-") {
			all = all && factorHolds(f, version)
		}
		if all {
			return rest, true
		}
	}
	return rest, false
}

// factorHolds reports whether a factor is one of a plain test run.
func factorHolds(f, version string) bool {
	if positive, ok := strings.CutPrefix(f, "!"); ok {
		return !factorHolds(positive, version)
	}
	return f == version || f == factor(version) || slices.Contains([]string{"py", "py" + version[:1], "unit", "test", "tests", "cov", "coverage", "latest", "linux", "extra", "extras", "all"}, f)
}
