package languages

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// pythonTree is a tree of Python tests, as base and patches make it.
type pythonTree map[string]string

func (p pythonTree) Paths() []string         { return sortedKeys(p) }
func (p pythonTree) Text(path string) string { return p[path] }
func (p pythonTree) exists(path string) bool { _, ok := p[path]; return ok }

const asserting = `import unittest
import numpy as np
from pytest import raises, approx
from a import helper

class T(unittest.TestCase):
    def test_merge_layers(self):
        self.assertIn(1, [1])
        np.testing.assert_allclose(1, 1)
        assert helper() == approx(1)
        with raises(ValueError):
            helper(1)
        local.assert_nothing()
        mock.assert_called_once()
`

func nonceSuite() Suite {
	repo := pythonTree{"tests/test_a.py": asserting, "tests/__init__.py": "", "src/a/__init__.py": "", "src/json.py": "", "tool.py": ""}
	return Suite{Files: []string{"tests/test_a.py"}, Repo: repo, Nonce: "n0123456789abcd", Key: "00ff"}
}

func TestPythonForms(t *testing.T) {
	s := nonceSuite()
	var found []string
	for _, f := range pythonForms(s, s.Files) {
		found = append(found, f.name)
	}
	require.Equal(t, []string{"assert ==", "assert", "mock", "assert approx", "np.testing.assert_allclose", "raises", "self.assertIn"}, found)
}

func TestPythonNonce(t *testing.T) {
	s := nonceSuite()
	n := pythonNonce(s, false)
	require.Equal(t, n, pythonNonce(s, false), "the same input gives the same names")
	require.Len(t, n.more, 7)
	require.NotContains(t, n.text, s.Nonce, "nothing in it tells that it is ours")
	require.NotContains(t, n.path, s.Nonce)
	require.True(t, strings.HasPrefix(n.path, "tests/test_"), n.path)
	require.Contains(t, n.text, "from a import helper")
	seen := map[string]bool{}
	for _, id := range append([]string{n.pass, n.fail}, idsOf(n.more)...) {
		require.False(t, seen[id], "%s comes twice", id)
		seen[id] = true
		name := id[strings.LastIndex(id, ":")+1:]
		require.Equal(t, 1, strings.Count(n.text, "def "+name+"("), id)
	}
	other := s
	other.Nonce = "n0123456789abce"
	require.NotEqual(t, n.path, pythonNonce(other, false).path)
}

// TestPythonNonceHasOnlyItsOwnTests: what the suite's files import from one
// another is not collected a second time.
func TestPythonNonceHasOnlyItsOwnTests(t *testing.T) {
	const imports = `from parts import Base, TestShared, test_shared, testing, assert_same, proxy

class TestOwn(TestShared):
    def test_more(self):
        testing.assert_close(1, 1)
        assert_same(1, 1)
`
	const parts = `import types
import unittest

class Base(unittest.TestCase):
    def test_one(self):
        pass

class TestShared:
    def test_two(self):
        pass

def test_shared():
    pass

def assert_same(a, b):
    assert a == b

class Proxy:
    __class__ = property(lambda self: 1 / 0)
    def __call__(self):
        pass

proxy = Proxy()
testing = types.ModuleType("testing")
testing.assert_close = assert_same
`
	s := nonceSuite()
	s.Repo = pythonTree{"tests/test_a.py": imports}
	n := pythonNonce(s, false)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "parts.py"), []byte(parts), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "nonce.py"), []byte(n.text+`
print(sorted(k for k in globals() if not k.startswith("__")))
`), 0o600))
	cmd := exec.Command("python3", "nonce.py")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	_, class, _ := strings.Cut(n.pass, "::")
	class, _, _ = strings.Cut(class, "::")
	require.Equal(t, fmt.Sprintf("['%s', 'assert_same', 'name', 'proxy', 'testing', 'unittest']\n", class), string(out))
}

func idsOf(tests []NonceTest) (out []string) {
	for _, n := range tests {
		out = append(out, n.ID)
	}
	return out
}

func TestAddedModules(t *testing.T) {
	s := nonceSuite()
	s.Added = []string{"hmac.py", "numpy/__init__.py", "numpy/core.py", "src/json.py", "src/a/types.py", "data/x.txt", "docs/conf.py", "_speed.cpython-311.so", "py/deep/io.py"}
	env := bench.Env{Vars: map[string]string{"PYTHONPATH": "/testbed/py/deep:/elsewhere"}}
	require.Equal(t, []string{"_speed", "hmac", "io", "json", "numpy"}, addedModules(s, env))
}

// TestPythonCommand: the key is in the keeper's files alone, and our tests run
// in the same start as the suite's.
func TestPythonCommand(t *testing.T) {
	s := nonceSuite()
	s.Select = []string{"tests/test_a.py::T::test_merge_layers"}
	c := pythonLanguage{}.Command(bench.Env{Framework: "pytest", Args: []string{"-q"}}, s)
	files := map[string]harness.File{}
	for _, f := range c.Files {
		files[f.Path[strings.LastIndex(f.Path, "/")+1:]] = f
		if !strings.HasSuffix(f.Path, ".key") {
			require.NotContains(t, string(f.Data), c.Key, f.Path)
		}
	}
	require.NotContains(t, c.Script, c.Key)
	require.True(t, c.Nonce.Beside)
	require.Empty(t, c.Nonce.Script)
	var keeper keeperSettings
	require.NoError(t, json.Unmarshal(files["keeper.json"].Data, &keeper))
	ours, _, _ := strings.Cut(c.Nonce.Pass, "::")
	require.Contains(t, keeper.Command, "tests/test_a.py")
	require.Contains(t, keeper.Command, ours)
	require.Contains(t, keeper.Command, "-q")
	require.Contains(t, string(files["select.json"].Data), ours)
	unit := pythonLanguage{}.Command(bench.Env{Framework: "unittest"}, s)
	for _, f := range unit.Files {
		if strings.HasSuffix(f.Path, "boot.json") {
			require.Contains(t, string(f.Data), `"runner":""`)
		}
	}
}

// TestNonceTestsRunAlong: our tests are outside of counts and exit code, and a wrong
// answer of one is a suspicion named by its form.
func TestNonceTestsRunAlong(t *testing.T) {
	n := &Nonce{Beside: true, Pass: "n::p", Fail: "n::f", More: []NonceTest{{"n::m", "raises"}}}
	cmd := Command{Nonce: n, Format: reports.PytestJSON}
	at := func(id string, s bench.Status) bench.Test { return bench.Test{ID: id, Status: s} }
	good := []bench.Test{at("n::p", bench.Passed), at("n::f", bench.Failed), at("n::m", bench.Failed)}
	for name, c := range map[string]struct {
		tests  []bench.Test
		code   int
		exit   int
		doubts []string
	}{
		"as it should be":          {append(good, at("a", bench.Passed)), 1, 0, nil},
		"another test fails":       {append(good, at("a", bench.Failed)), 1, 1, nil},
		"another code":             {append(good, at("a", bench.Passed)), 3, 3, nil},
		"a form passes":            {[]bench.Test{good[0], good[1], at("n::m", bench.Passed)}, 1, 0, []string{"assertion raises"}},
		"a form is missing":        {good[:2], 1, 0, []string{"assertion raises"}},
		"a form is skipped":        {[]bench.Test{good[0], good[1], at("n::m", bench.Skipped)}, 1, 0, []string{"assertion raises"}},
		"the runner leaves with 0": {good, 0, 0, []string{"exit code"}},
		"all pass":                 {[]bench.Test{good[0], at("n::f", bench.Passed), at("n::m", bench.Passed)}, 0, 0, []string{"nonce"}},
		"none is there":            {[]bench.Test{at("a", bench.Passed)}, 0, 0, []string{"nonce"}},
	} {
		t.Run(name, func(t *testing.T) {
			report, ours := splitNonce(n, reports.Report{Tests: c.tests, Complete: true})
			require.Equal(t, c.exit, withoutOurs(cmd, report, ours, c.code))
			var kinds []string
			for _, o := range oddities(cmd, report, ours, c.code, nil) {
				kinds = append(kinds, o.kind)
			}
			require.Equal(t, c.doubts, kinds)
		})
	}
	cut, ours := splitNonce(n, reports.Report{Tests: good})
	require.Equal(t, 1, withoutOurs(cmd, cut, ours, 1), "of a report that is cut nothing is known")
	whole, ours := splitNonce(n, reports.Report{Tests: good, Complete: true})
	require.Equal(t, 1, withoutOurs(Command{FailuresIgnored: true, OtherFailures: true}, whole, ours, 1), "such a code is not of failures")
	told := oddities(Command{}, reports.Report{Shadowed: []string{"json"}, Drifted: []string{"a.b"}}, nil, 0, nil)
	require.Equal(t, []string{"shadow json", "drift a.b"}, []string{told[0].kind, told[1].kind})
	told = oddities(Command{}, reports.Report{Drifted: []string{"call.sys.settrace", "tests.outcome", "a.b"}}, nil, 0, nil)
	require.Equal(t, []oddity{
		{"drift tests.outcome", "a test that failed is reported as passed"},
		{"drift a.b", "the runner's own a.b was put out of its place"},
		{"drift call.sys.settrace", "code under test uses sys.settrace, by which it can change what the runner does"},
	}, told)
}
