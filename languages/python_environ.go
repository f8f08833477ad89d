package languages

import (
	"maps"
	"regexp"
	"strings"
)

var (
	exportLine   = regexp.MustCompile(`^(?:- )?(?:export|set -x)\s+([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	toxDefault   = regexp.MustCompile(`\{env:[A-Za-z0-9_]+:([^{}]*)\}`)
	// ownVariable matches variables that are not copied.
	ownVariable = regexp.MustCompile(`^(PYTHON.*|PIP_.*|UV_.*|TOX.*|VIRTUALENV.*|VIRTUAL_ENV|COV.*|CODECOV.*|COVERALLS.*|CI|GITHUB.*|TRAVIS.*|PATH|HOME|PWD|USER|SHELL|TMP|TEMP|TMPDIR|LANG|LC_.*|LD_.*|DISPLAY|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|NPY_.*|SETUPTOOLS_.*|SSL_.*|REQUESTS_CA_BUNDLE|https?_proxy|HTTPS?_PROXY|NO_PROXY|no_proxy|PYTEST_.*|HYPOTHESIS_.*|ASSAY.*)$`)
)

// variables puts what the project's tests find in their environment into env:
// tox's setenv, and exports of plain texts in the scripts that start tests. What
// env says itself stays.
func (r *pythonRules) variables() {
	found := map[string]finding{}
	for _, ini := range toxFiles(r.facts.Repo) {
		for _, key := range []string{"setenv", "set_env"} {
			for _, l := range toxLines(ini, key, r.env.Python) {
				if name, value, ok := strings.Cut(l.value, "="); ok {
					keepVariable(found, strings.TrimSpace(name), strings.ReplaceAll(strings.TrimSpace(value), "{toxinidir}", r.above(l.file)), l)
				}
			}
		}
	}
	for _, file := range testScripts() {
		for i, line := range strings.Split(r.facts.Repo.Text(file), "\n") {
			if m := exportLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				keepVariable(found, m[1], strings.TrimSpace(m[2]), finding{file: file, line: i + 1})
			}
		}
	}
	vars := maps.Clone(r.env.Vars)
	for _, name := range sortedKeys(found) {
		if vars[name] != "" {
			continue
		}
		if vars == nil {
			vars = map[string]string{}
		}
		vars[name] = found[name].value
		r.decide("vars", name+"="+found[name].value, "the project's tests start so", found[name])
	}
	r.env.Vars = vars
}

// keepVariable notes an assignment that means the same here; the first of a
// name counts. Variables of the interpreter, of the tools that install and
// measure, and of the machine are not copied.
func keepVariable(found map[string]finding, name, value string, at finding) {
	if !variableName.MatchString(name) || ownVariable.MatchString(name) || found[name].file != "" {
		return
	}
	value = toxDefault.ReplaceAllString(value, "$1")
	value = strings.Trim(value, `"'`)
	if value == "" || strings.ContainsAny(value, "{}$`\"';|&<>\\") {
		return
	}
	found[name] = finding{value, at.file, at.line}
}
