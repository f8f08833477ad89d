package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestOwnRunner(t *testing.T) {
	const python = `"$(command -v python || command -v python3)" `
	tests := []struct {
		name, script, parser string
		file, want           string // the start with that file in place of the published labels; "" where results are printed
	}{
		{
			"Django's runtests", "cd /home/a\n./tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 utils_tests.test_text", "parse_log_django",
			"tests/utils_tests/test_n.py", python + "'LIB' '/home/a' './tests/runtests.py' '--verbosity' '2' '--settings=test_sqlite' '--parallel' '1' 'utils_tests.test_n'",
		},
		{
			"from its own folder", "cd /home/a/tests\npython -Wall runtests.py -v 2 a b", "django",
			"tests/a/test_n.py", "python -Wall 'LIB' '/home/a' 'runtests.py' '-v' '2' 'a.test_n'",
		},
		{
			"manage.py with variables", "X='1 2' Y=\"b\" python3 manage.py test --parallel app.tests", "parse_log_django",
			"app/tests/test_n.py", "X='1 2' Y=\"b\" python3 'LIB' '/home/a' 'manage.py' 'test' '--parallel' 'app.tests.test_n'",
		},
		{
			"manage.py in a folder", "python src/manage.py test app", "unittest",
			"src/app/test_n.py", "python 'LIB' '/home/a' 'src/manage.py' 'test' 'app.test_n'",
		},
		{
			"SymPy's bin/test", "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' bin/test -C --verbose --tb short a/tests/test_a.py", "parse_log_sympy",
			"a/tests/test_n.py", "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' " + python + "'LIB' '/home/a' 'bin/test' '-C' '--verbose' '--tb' 'short' 'a/tests/test_n.py'",
		},
		{
			"unittest itself", "set -x\npython -m unittest -v tests.test_a", "",
			"tests/test_n.py", "python 'LIB' '/home/a' '-m' 'unittest' '-v' 'tests/test_n.py'",
		},
		{"unittest that discovers", "python -m unittest discover -s tests", "unittest", "", ""},
		{"a runtests.py that prints as pytest", "./runtests.py tests", "parse_log_pytest", "", ""},
		{"a bin/test that prints as pytest", "bin/test a", "parse_log_pytest", "", ""},
		{"in a pipe", "./tests/runtests.py a | tee log", "django", "", ""},
		{"two commands", "./tests/runtests.py a\n./tests/runtests.py b", "django", "", ""},
		{"in a sub-shell", "(./tests/runtests.py a)", "django", "", ""},
		{"elsewhere", "cd /opt/b\n./tests/runtests.py a", "django", "", ""},
		{"a module without Python", "-m unittest a", "unittest", "", ""},
		{"another program", "./run-runtests.py-now a", "django", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, start, ok := parseEvalScript(tt.script).runner(tt.parser, "/home/a")
			require.Equal(t, tt.want != "", ok)
			if ok {
				s := ownSuite()
				got := strings.ReplaceAll(start.command(s, []string{tt.file}), runnerFile(s), "LIB")
				require.Equal(t, tt.want, got)
			}
		})
	}
}

// TestOwnRunnerScript checks that the published arguments stay, and that the
// nonce tests are of the kind that the runner collects.
func TestOwnRunnerScript(t *testing.T) {
	own := ownCommand{script: parseEvalScript("cd /home/a\nbin/test -C --verbose a/tests/test_a.py\n"), parser: "parse_log_sympy"}
	s := ownSuite()
	s.Files = []string{"a/tests/test_a.py"}
	c, err := own.command(s)
	require.NoError(t, err)
	require.False(t, c.Printed)
	require.NotEmpty(t, c.Key)
	require.Equal(t, "parse_log_sympy", c.Parser)
	script := fileOf(t, c, "/eval.sh")
	require.Contains(t, script, "'-C' '--verbose' 'a/tests/test_a.py'\ntrap - ERR\n")
	require.Contains(t, script, "'-C' '--verbose' 'a/tests/test_value_result.py'; }")
	require.Contains(t, string(c.Nonce.Files[0].Data), "def test_empty_input():\n    assert")
	require.Equal(t, "a/tests/test_value_result.py::test_empty_input", c.Nonce.Pass)
	require.NotEmpty(t, fileOf(t, c, "/lib/assay_runner.py"))
	require.NotEmpty(t, fileOf(t, c, "/lib/assay_unittest.py"))
}

type textFiles map[string]string

func (f textFiles) Text(p string) string { return f[p] }
func (f textFiles) Paths() []string {
	var out []string
	for p := range f {
		out = append(out, p)
	}
	return out
}

func TestOwnProgram(t *testing.T) {
	const django = "import sys\nfrom django.test.utils import get_runner\nTestRunner = get_runner(settings)\n"
	tests := []struct {
		name  string
		files textFiles
		want  string
		args  []string
	}{
		{"Django", textFiles{"tests/runtests.py": django + "parser.add_argument('--parallel')\n"}, "django", []string{"--parallel=1"}},
		{"an app", textFiles{"runtests.py": "from django.test.runner import DiscoverRunner\n"}, "django", nil},
		{"starts pytest", textFiles{"runtests.py": django + "import pytest\n"}, "pytest", nil},
		{"pytest's settings", textFiles{"tests/runtests.py": django, "pytest.ini": "[pytest]\n"}, "pytest", nil},
		{"SymPy", textFiles{"bin/test": "ok = sympy.test(*args)\n", "sympy/utilities/runtests.py": "x = 1\nclass PyTestReporter(Reporter):\n"}, "sympy", nil},
		{"another bin/test", textFiles{"bin/test": "ok = x.test(*args)\n", "x/runtests.py": "def main(): pass\n"}, "pytest", nil},
		{"nothing", textFiles{"setup.py": ""}, "pytest", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &pythonRules{facts: Facts{Repo: tt.files}}
			r.framework()
			r.runnerArguments()
			require.Equal(t, tt.want, r.env.Framework)
			require.Equal(t, tt.args, r.env.Args)
			require.Equal(t, tt.want != "pytest", len(r.chosen) > 0)
		})
	}
}

func TestProgramCommand(t *testing.T) {
	s := ownSuite()
	s.Files = []string{"tests/a/test_b.py"}
	s.Repo = textFiles{"tests/runtests.py": "get_runner(settings)", "tests/a/test_b.py": "import os\n"}
	c := pythonLanguage{}.Command(bench.Env{Framework: "django", Args: []string{"--parallel=1"}}, s)
	require.Contains(t, c.Script, `"$PY" '/assay/n123456789abcdef/lib/assay_runner.py' '/home/a' 'tests/runtests.py' '--parallel=1' 'a.test_b'`)
	require.Contains(t, c.Nonce.Script, "'a.test_value_result'")
	c = pythonLanguage{}.Command(bench.Env{Framework: "sympy"}, s)
	require.Contains(t, c.Script, `'/home/a' 'bin/test' '-C' '--verbose' 'tests/a/test_b.py'`)
	require.Contains(t, string(c.Nonce.Files[0].Data), "\ndef test_")
}

// Without a file, such a program would run all tests.
func TestProgramIsChecked(t *testing.T) {
	repo := textFiles{"tests/runtests.py": "get_runner(settings)  # --parallel\n", "tests/a/test_b.py": "import os\n"}
	rules := &pythonRules{facts: Facts{Repo: repo}, env: bench.Env{Framework: "django"}}
	rules.runnerArguments()
	require.Equal(t, []string{"tests/runtests.py", "--parallel=1"}, rules.checkArgs())
	env, _, err := pythonLanguage{}.Defaults(bench.Env{Framework: "django", Python: "3.12"}, Facts{Repo: repo, Pythons: []Interpreter{{Version: "3.12", Path: "/usr/bin/python3"}}})
	require.NoError(t, err)
	require.True(t, strings.Contains(strings.Join(env.Setup, "\n"), `"always": []`), "no interpreter after 3.11 needs setuptools")
	require.Contains(t, pythonLanguage{}.Warm(env, Suite{Repo: repo, Files: []string{"tests/a/test_b.py"}}), "plan.json 'a.test_b'\n")
	require.Empty(t, pythonLanguage{}.Warm(env, Suite{Repo: repo, Files: []string{"tests/a/test_new.py"}}))
}

func TestPublishedFilesOfUnittest(t *testing.T) {
	repo := textFiles{"tests/a/test_b.py": "", "tests/a/tests.py": "", "tests/c/tests.py": "", "x/c/tests.py": ""}
	tests := map[string]string{
		"test_x (a.test_b.TestB)":        "tests/a/test_b.py",
		"test_x (a.test_b.TestB.test_x)": "tests/a/test_b.py",
		"test_x (a.tests.TestB)":         "tests/a/tests.py",
		"test_x (c.tests.TestB)":         "", // two files
		"test_x (gone.TestB)":            "",
		"A docstring of (a.test_b)":      "",
		"tests/a/test_b.py::T::x":        "tests/a/test_b.py",
	}
	for id, want := range tests {
		got := pythonLanguage{}.PublishedFiles([]string{id}, repo)
		require.Equal(t, want, strings.Join(got, " "), id)
	}
}
