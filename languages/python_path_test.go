package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestSearchPath(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       string
		line       int
	}{
		"script":    {"scripts/test.sh", "#!/bin/sh\nset -e\nexport PYTHONPATH=./docs/src\npytest\n", "/testbed/docs/src", 3},
		"tox":       {"tox.ini", "[testenv]\nsetenv =\n    PYTHONPATH = {toxinidir}/docs/src:{toxinidir}\n", "/testbed/docs/src:/testbed", 3},
		"make":      {"Makefile", "test:\n\tPYTHONPATH=docs/src pytest\n", "/testbed/docs/src", 2},
		"workflow":  {".github/workflows/test.yml", "env:\n  PYTHONPATH: ./docs/src\n", "/testbed/docs/src", 2},
		"elsewhere": {"scripts/test.sh", "export PYTHONPATH=/usr/lib/x:$HOME/y:missing\n", "", 0},
		"outside":   {"scripts/test.sh", "export PYTHONPATH=../other\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := &pythonRules{facts: Facts{Repo: smallRepo{"docs/src/a/b.py": "x = 1\n", c.file: c.text}}}
			r.searchPath()
			require.Equal(t, c.want, r.env.Vars["PYTHONPATH"])
			if c.want == "" {
				require.Empty(t, r.chosen)
				return
			}
			require.Equal(t, c.file, r.chosen[0].File)
			require.Equal(t, c.line, r.chosen[0].Line)
		})
	}
	own := &pythonRules{env: bench.Env{Vars: map[string]string{"PYTHONPATH": "/mine"}}, facts: Facts{Repo: smallRepo{"tox.ini": "PYTHONPATH = docs", "docs/x": ""}}}
	own.searchPath()
	require.Equal(t, "/mine", own.env.Vars["PYTHONPATH"])
}
