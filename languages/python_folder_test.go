package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestProjectFolder(t *testing.T) {
	for name, c := range map[string]struct {
		repo  smallRepo
		files []string
		want  string
	}{
		"the root":              {smallRepo{"setup.py": "x", "a/setup.py": "x"}, []string{"a/tests/test_x.py"}, ""},
		"below":                 {smallRepo{"sdk/python/setup.py": "x", "sdk/setup.cfg": ""}, []string{"sdk/python/tests/test_x.py"}, "sdk/python"},
		"above all files":       {smallRepo{"a/b/setup.py": "x", "a/pyproject.toml": "[project]\nname='x'\n"}, []string{"a/b/test_x.py", "a/c/test_y.py"}, "a"},
		"none":                  {smallRepo{"a/x.py": ""}, []string{"a/test_x.py"}, ""},
		"names that only begin": {smallRepo{"ab/setup.py": "x"}, []string{"ab/test_x.py", "abc/test_y.py"}, ""},
		"no files":              {smallRepo{"a/setup.py": "x"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, projectFolder(c.repo, c.files)) })
	}
}

func TestProjectBelowTheRoot(t *testing.T) {
	repo := smallRepo{
		".github/workflows/test.yml": "python-version: ['3.8']\n",
		"sdk/setup.py":               "setup(extras_require={'test': []})",
		"sdk/tox.ini":                "[testenv]\nsetenv =\n  DATA = {toxinidir}/data\n  PYTHONPATH = {toxinidir}/src\n",
		"sdk/src/a.py":               "",
		"sdk/tests/test_a.py":        "import requests\n",
		"sdk/pytest.ini":             "[pytest]\naddopts = -n auto\n",
	}
	env, chosen, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Files: []string{"sdk/tests/test_a.py"}, Created: day("2021-01-01")})
	require.NoError(t, err)
	require.Equal(t, "3.8", env.Python)
	require.Equal(t, map[string]string{"DATA": "/testbed/sdk/data", "PYTHONPATH": "/testbed/sdk/src"}, env.Vars)
	require.Equal(t, []string{"-o", "addopts="}, env.Args)
	plan := strings.Join(env.Setup, "\n")
	require.Contains(t, plan, `"root": "/testbed/sdk"`)
	require.Contains(t, plan, `"requests"`)
	require.Contains(t, chosen, bench.Decision{Field: "setup", Value: "the project in sdk", Why: "there is none at the root, and the tests are below", File: "sdk/setup.py", Line: 1})
	require.Contains(t, chosen, bench.Decision{Field: "setup", Value: "extra test", Why: "an extra for tests", File: "sdk/setup.py", Line: 1})
	require.True(t, installed("sdk/setup.py"))
	require.False(t, installed("sdk/tests/data/setup.py"))
}
