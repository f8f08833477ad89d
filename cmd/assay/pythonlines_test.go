package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestPythonProjects judges a fix and a change that fixes nothing in projects
// whose own settings, plugins and test files made verdicts wrong.
func TestPythonProjects(t *testing.T) {
	w := newWorld(t)
	lib := "def double(x):\n    return x\n"
	gold := "def double(x):\n    return 2 * x\n"
	hidden := "from lib import double\n\n\ndef test_double():\n    assert double(2) == 4\n\n\ndef test_zero():\n    assert double(0) == 0\n"
	ids := []string{"tests/test_lib.py::test_double"}
	for name, c := range map[string]struct {
		base, hidden map[string]string
		args         []string
		f2p, p2p     []string
	}{
		"a plugin sets the exit status": {
			base: map[string]string{"conftest.py": "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtestloop(session):\n    yield\n    session.testsfailed += 1  # as coverage below its limit does\n"},
		},
		"--ff and the cache fixture": {
			base:   map[string]string{"pytest.ini": "[pytest]\naddopts = --ff\n"},
			args:   []string{"-v"},
			hidden: map[string]string{"tests/test_lib.py": hidden + "\n\ndef test_cache(cache):\n    cache.set('a/b', 1)\n    assert cache.get('a/b', 0) == 1\n"},
			p2p:    []string{"tests/test_lib.py::test_zero", "tests/test_lib.py::test_cache"},
		},
		"no cache at all": {base: map[string]string{"pytest.ini": "[pytest]\naddopts = -p no:cacheprovider --strict-config\n"}, args: []string{"-v"}},
		"a driver by any name": {
			base: map[string]string{
				"tests/base.py":        "import pytest\n\n\nclass Cases:\n    def check(self, given, wanted):\n        from lib import double\n        assert double(given) == wanted\n\n    test_cases = pytest.mark.parametrize('given, wanted', [tuple(map(int, l.split())) for l in open('tests/data/cases.txt')])(check)\n",
				"tests/driver.py":      "from base import Cases\n\n\nclass TestAll(Cases):\n    pass\n",
				"tests/data/cases.txt": "0 0\n",
			},
			hidden: map[string]string{"tests/data/cases.txt": "0 0\n2 4\n"},
			f2p:    []string{"tests/driver.py::TestAll::test_cases[2-4]"}, p2p: []string{"tests/driver.py::TestAll::test_cases[0-0]"},
		},
		// Tests are chosen by a mark that nonce tests do not have.
		"settings below the root and a mark": {
			base:   map[string]string{"sub/pytest.ini": "[pytest]\naddopts = -m unit\nmarkers =\n    unit\n"},
			hidden: map[string]string{"sub/test_lib.py": strings.Replace(hidden, "\n\n\n", "\nimport pytest\n\npytestmark = pytest.mark.unit\n\n\n", 1)},
			f2p:    []string{"sub/test_lib.py::test_double"}, p2p: []string{"sub/test_lib.py::test_zero"},
		},
		"a fixture that refuses unknown tests": {
			base: map[string]string{"conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef known(request):\n    assert request.node.name in ('test_double', 'test_zero', 'test_old')\n"},
		},
		"packages called as modules of a runner": {
			base:   map[string]string{"coverage/__init__.py": "own = True\n", "pygments/__init__.py": "own = True\n"},
			hidden: map[string]string{"tests/test_lib.py": hidden + "\n\ndef test_own():\n    import coverage\n    assert coverage.own\n"},
			p2p:    []string{"tests/test_lib.py::test_zero", "tests/test_lib.py::test_own"},
		},
		"a class with a skipped test": {
			hidden: map[string]string{"tests/test_lib.py": "import pytest\nfrom lib import double\n\n\nclass TestDouble:\n    def test_double(self):\n        assert double(2) == 4\n\n    @pytest.mark.skip\n    def test_later(self):\n        pass\n"},
			f2p:    []string{"tests/test_lib.py::TestDouble"}, p2p: []string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := map[string]string{"lib.py": lib, "tests/test_old.py": "def test_old():\n    pass\n"}
			maps.Copy(base, c.base)
			p := project{base: base, gold: map[string]string{"lib.py": gold}, hidden: c.hidden, f2p: c.f2p, p2p: c.p2p}
			if p.hidden == nil {
				p.hidden = map[string]string{"tests/test_lib.py": hidden}
			}
			if p.f2p == nil {
				p.f2p = ids
			}
			p.change = func(in *bench.Instance) {
				env := *in.Env
				env.Args = c.args
				in.Env = &env
			}
			own, inst := w.own(t, victim, p)
			idle := between(base, map[string]string{"lib.py": lib + "# nothing\n"})
			results := own.judge(t, []bench.Prediction{
				{InstanceID: inst.ID, Model: "honest", Task: "bugfix", Patch: inst.Patch},
				{InstanceID: inst.ID, Model: "idle", Task: "bugfix", Patch: idle},
			})
			require.Equal(t, bench.Resolved, results["honest"].Verdict, results["honest"].Reason)
			require.Empty(t, results["honest"].BugFix.LeftOut)
			require.Equal(t, bench.Unresolved, results["idle"].Verdict, results["idle"].Reason)
		})
	}
}

// TestOwnCommandIsFlagged: no nonce test runs with an instance's own command,
// and the result records that.
func TestOwnCommandIsFlagged(t *testing.T) {
	w := newWorld(t)
	base := map[string]string{"lib.py": "def double(x):\n    return x\n", "tests/test_old.py": "def test_old():\n    pass\n"}
	own, inst := w.own(t, victim, project{
		base: base, gold: map[string]string{"lib.py": "def double(x):\n    return 2 * x\n"},
		hidden: map[string]string{"tests/test_lib.py": "from lib import double\n\n\ndef test_double():\n    assert double(2) == 4\n"},
		f2p:    []string{"tests/test_lib.py::test_double"},
		change: func(in *bench.Instance) {
			env := *in.Env
			env.Test = `/opt/venv/bin/python -m pytest -o junit_family=xunit1 --junitxml="$ASSAY_REPORTS/r.xml" tests`
			in.Env = &env
		},
	})
	r := own.verdict(t, inst, "bugfix", inst.Patch)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, []string{"no_nonce"}, flagKinds(r))
}

// TestEndlessLoop: where gold's time is known a submission that does not end is
// given up long before the default half hour.
func TestEndlessLoop(t *testing.T) {
	w := newWorld(t)
	inst, tree := w.sample(t, victim)
	r := w.verdict(t, inst, "bugfix", prepend(t, tree, initFile, "import time\nwhile True:\n    time.sleep(1)\n"))
	require.Equal(t, bench.Timeout, r.Verdict, r.Reason)
}
