package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// Frameworks of Python that are a program of the repository's own.
const (
	frameworkDjango = "django" // runtests.py, which starts Django's runner or unittest's
	frameworkSympy  = "sympy"  // bin/test
)

func pythonFrameworks() []string {
	return []string{"pytest", "unittest", frameworkDjango, frameworkSympy}
}

// ownProgram finds the program that a repository's tests start with, where they
// are not pytest's. Tests that need a set-up of such a program fail by pytest
// alone.
func ownProgram(repo Repository) (framework string, at finding) {
	if pytestSettings(repo).file != "" {
		return "", finding{}
	}
	if script := djangoScript(repo); script != "" {
		return frameworkDjango, whereIs(repo, script, startsRunner)
	}
	if strings.Contains(repo.Text("bin/test"), ".test(") {
		for _, p := range repo.Paths() {
			if path.Base(p) == "runtests.py" && reportsFunctions.MatchString(repo.Text(p)) {
				return frameworkSympy, whereIs(repo, p, reportsFunctions)
			}
		}
	}
	return "", finding{}
}

var (
	startsRunner     = regexp.MustCompile(`\bget_runner\(|\bDiscoverRunner\b|\bTextTestRunner\b|\bDjangoTestSuiteRunner\b`)
	reportsFunctions = regexp.MustCompile(`(?m)^class PyTestReporter\b`)
)

// djangoScript is the script that starts Django's runner, or unittest's.
func djangoScript(repo Repository) string {
	for _, p := range []string{"tests/runtests.py", "runtests.py", "test/runtests.py"} {
		if text := repo.Text(p); startsRunner.MatchString(text) && !strings.Contains(text, "pytest") {
			return p
		}
	}
	return ""
}

func whereIs(repo Repository, file string, pattern *regexp.Regexp) finding {
	text := repo.Text(file)
	at := pattern.FindStringIndex(text)
	if at == nil {
		return finding{file: file}
	}
	return finding{file: file, line: lineAt(text, at[0])}
}

// programArgs keep Django's runner from starting several processes.
func programArgs(repo Repository, framework string) []string {
	if framework == frameworkDjango && strings.Contains(repo.Text(djangoScript(repo)), "--parallel") {
		return []string{"--parallel=1"}
	}
	return nil
}

// programStart is the start of the repository's own program, for an environment
// that was made from the repository.
func programStart(env bench.Env, suite Suite) (start runnerStart, ok bool) {
	start = runnerStart{python: `"$PY"`, args: slices.Clone(env.Args), dir: "."}
	switch env.Framework {
	case frameworkDjango:
		start.program, start.words = djangoProgram, []string{djangoScript(suite.Repo)}
		if start.words[0] == "" {
			start.words[0] = "tests/runtests.py"
		}
	case frameworkSympy:
		start.program, start.words = sympyFunctions, []string{"bin/test"}
		start.args = append([]string{"-C", "--verbose"}, start.args...)
	default:
		return start, false
	}
	return start, true
}
