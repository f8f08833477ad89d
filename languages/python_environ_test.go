package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestVariablesOfTheTests(t *testing.T) {
	repo := smallRepo{
		"tox.ini": "[testenv]\nsetenv =\n    DJANGO_SETTINGS_MODULE = tests.settings\n    py27: OLD = 1\n    DATA={toxinidir}/data\n    TOKEN = {env:TOKEN:none}\n" +
			"    OUT = {envtmpdir}/x\n    PYTHONWARNINGS = error\n    PIP_X = 1\n    KEPT = theirs\n",
		".travis.yml":     "before_install:\n  - export AWS_SECRET_ACCESS_KEY=foobar\n  - export PATH=/x:$PATH\n  - export B=$(date)\n",
		"scripts/test.sh": "export TOKEN=other\n",
	}
	env, chosen, err := pythonLanguage{}.Defaults(bench.Env{Vars: map[string]string{"KEPT": "ours"}}, Facts{Repo: repo, Created: day("2021-01-01")})
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"KEPT": "ours", "DJANGO_SETTINGS_MODULE": "tests.settings", "DATA": "/testbed/data", "TOKEN": "none", "AWS_SECRET_ACCESS_KEY": "foobar",
	}, env.Vars)
	require.Contains(t, chosen, bench.Decision{Field: "vars", Value: "DATA=/testbed/data", Why: "the project's tests start so", File: "tox.ini", Line: 5})
	require.Contains(t, chosen, bench.Decision{Field: "vars", Value: "AWS_SECRET_ACCESS_KEY=foobar", Why: "the project's tests start so", File: ".travis.yml", Line: 2})
}

func TestNamesThatNoseKnows(t *testing.T) {
	names := []string{"-o", "python_classes=Test *Test *Tests", "-o", "python_functions=test *_test"}
	for name, c := range map[string]struct {
		repo smallRepo
		file string
		line int
	}{
		"settings":          {smallRepo{"setup.cfg": "[metadata]\nname = x\n[nosetests]\nwith-doctest = 1\n"}, "setup.cfg", 3},
		"collector":         {smallRepo{"setup.py": "setup(\n  test_suite='nose.collector')\n"}, "setup.py", 2},
		"tox":               {smallRepo{"tox.ini": "[testenv]\ncommands = nosetests {posargs}\n"}, "tox.ini", 2},
		"a comment":         {smallRepo{"tox.ini": "[testenv]\n# nosetests\ncommands = pytest\n"}, "", 0},
		"pytest's settings": {smallRepo{"Makefile": "test:\n\tnosetests\n", "pytest.ini": "[pytest]\npython_classes = Check\n"}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, at := noseNames(c.repo)
			require.Equal(t, c.file, at.file)
			require.Equal(t, c.line, at.line)
			env, _, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: c.repo})
			require.NoError(t, err)
			if c.file == "" {
				require.Empty(t, got)
				require.Empty(t, env.Args)
				return
			}
			require.Equal(t, names, got)
			require.Equal(t, names, env.Args)
		})
	}
}

func TestUnittestIsCheckedToo(t *testing.T) {
	repo := smallRepo{"setup.py": "x", "tests/test_a.py": "x"}
	env, _, err := pythonLanguage{}.Defaults(bench.Env{Framework: "unittest"}, Facts{Repo: repo})
	require.NoError(t, err)
	require.Contains(t, pythonLanguage{}.Warm(env, Suite{Files: []string{"tests/test_a.py"}, Repo: repo}), "check /opt/assay-python/plan.json 'tests/test_a.py'")
	require.Contains(t, env.Setup[len(env.Setup)-2], "/opt/assay-python/python_collect.py")
}

func FuzzVariables(f *testing.F) {
	f.Add("[testenv]\nsetenv =\n A = {env:B:c}\n", "export A=b\n")
	f.Fuzz(func(t *testing.T, tox, script string) {
		env, _, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: smallRepo{"tox.ini": tox, "scripts/test.sh": script}})
		require.NoError(t, err)
		for name, value := range env.Vars {
			require.NotContains(t, name, "=")
			if name != "PYTHONPATH" {
				require.NotContains(t, value, "\n")
			}
		}
	})
}
