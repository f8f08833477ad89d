package reports_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

const copiedTests = `import unittest

import pytest

from code_under import value


@pytest.fixture
def two():
    return 2


def helper():
    return 1


@pytest.mark.parametrize("n", [1, 3])
def test_number(n, two):
    if n == 1:
        assert value() + helper() == two
    assert n != 5


class Base(unittest.TestCase):
    def setUp(self):
        self.kept = 1


class CaseTest(Base):
    def setUp(self):
        super().setUp()

    def test_one(self):
        value()
        self.assertEqual(self.kept, 1)
        self.assertIn(1, [self.kept])

    @unittest.expectedFailure
    def test_wrong(self):
        self.assertEqual(value(), 2)


class TestPlain:
    def test_plain(self):
        assert value() == 1
`

// honest is the code that these tests are for. The others have the runner
// forget what its caller fails with, and return something else.
const honest = "def value():\n    return 1\n"

const callingCase = `
import sys


def caller():
    frame = sys._getframe(2)
    while frame is not None:
        found = frame.f_locals.get("self")
        if hasattr(found, "assertEqual"):
            return found
        frame = frame.f_back
`

// copied runs these tests with a copy of each, and returns the statuses.
func copied(t *testing.T, p project, code string) (map[string]string, reports.Report) {
	t.Helper()
	require.NoError(t, os.WriteFile(p.dir+"/test_copied.py", []byte(copiedTests), 0o644))
	require.NoError(t, os.WriteFile(p.dir+"/code_under.py", []byte(code), 0o644))
	guard := p.plugin + "/assay_copies.py"
	require.NoError(t, os.WriteFile(guard, []byte(reports.PythonCopies()), 0o644))
	more := map[string]any{"guard": guard, "files": []string{"test_copied.py"}, "copies": []map[string]string{
		{"of": "test_copied.py::test_number", "name": "test_a"},
		{"of": "test_copied.py::CaseTest::test_one", "name": "test_b"},
		{"of": "test_copied.py::CaseTest::test_wrong", "name": "test_c"},
		{"of": "test_copied.py::TestPlain::test_plain", "name": "test_d"},
		{"of": "test_copied.py::TestPlain::test_none", "name": "test_e"},
	}}
	r, out, _ := p.guarded(t, "pytest", reports.PytestPlugin(), []string{}, more, "-p", "assay_5eed", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", p.dir, "test_copied.py")
	statuses := map[string]string{}
	for _, test := range r.Tests {
		statuses[strings.TrimPrefix(test.ID, "test_copied.py::")] = string(test.Status)
	}
	t.Log(out)
	return statuses, r
}

func TestCopies(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		got, r := copied(t, p, honest)
		require.True(t, r.Complete)
		require.Empty(t, r.Drifted)
		require.Equal(t, map[string]string{
			"test_number[1]": "passed", "test_number[3]": "passed", "CaseTest::test_one": "passed", "CaseTest::test_wrong": "xfail", "TestPlain::test_plain": "passed",
			"test_a[1]": "failed", "CaseTest::test_b": "failed", "CaseTest::test_c": "xfail", "TestPlain::test_d": "failed",
		}, got)
	})
}

// TestGuardWithoutCopies: tests without a copy still run.
func TestGuardWithoutCopies(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		require.NoError(t, os.WriteFile(p.dir+"/test_plain.py", []byte("def test_plain():\n    assert True\n"), 0o644))
		guard := p.plugin + "/assay_copies.py"
		require.NoError(t, os.WriteFile(guard, []byte(reports.PythonCopies()), 0o644))
		r, out, code := p.guarded(t, "pytest", reports.PytestPlugin(), []string{}, map[string]any{"guard": guard, "files": []string{"test_plain.py"}},
			"-p", "assay_5eed", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", p.dir, "test_plain.py")
		require.True(t, r.Complete, out)
		require.Zero(t, code, out)
		require.Len(t, r.Tests, 1)
	})
}

// TestCopiesOfSwallowed: code that has its caller's failures forgotten has those
// of the copy forgotten, too.
func TestCopiesOfSwallowed(t *testing.T) {
	startsMany(t)
	for name, deed := range map[string]string{
		"a result that forgets":     "    me._outcome.result = type('R', (), {'__getattr__': lambda s, n: (lambda *a, **k: None)})()\n",
		"a failure that is wanted":  "    me._outcome.expecting_failure = True\n    getattr(type(me), me._testMethodName).__dict__['__unittest_expecting_failure__'] = True\n",
		"assertions of an instance": "    me.assertEqual = me.assertIn = lambda *a: None\n    me.addCleanup(me.__dict__.pop, 'assertEqual')\n",
	} {
		t.Run(name, func(t *testing.T) {
			eachPython(t, "pytest", func(t *testing.T, p project) {
				got, _ := copied(t, p, callingCase+"\n\ndef value():\n    me = caller()\n    if me is None:\n        return 1\n"+deed+"    return 1\n")
				require.NotEqual(t, "failed", got["CaseTest::test_b"])
				require.Equal(t, "failed", got["TestPlain::test_d"])
			})
		})
	}
}

// TestTestsOfOtherSource: tests that are not what their file held are noticed.
func TestTestsOfOtherSource(t *testing.T) {
	startsMany(t)
	for name, code := range map[string]string{
		"the file was written anew": "import io\ntext = io.open('test_copied.py').read()\nio.open('test_copied.py', 'w').write(text + '#')\n",
		"a finder of its own": `
import importlib.util, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "test_copied":
            return importlib.util.spec_from_loader(name, self, origin="test_copied.py")
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        text = open("test_copied.py").read().replace("self.assertEqual", "id")
        module.__file__ = "test_copied.py"
        exec(compile(text, "test_copied.py", "exec"), module.__dict__)
sys.meta_path.insert(0, Finder())
`,
	} {
		t.Run(name, func(t *testing.T) {
			eachPython(t, "pytest", func(t *testing.T, p project) {
				require.NoError(t, os.WriteFile(p.dir+"/conftest.py", []byte("import code_under\n"), 0o644))
				_, r := copied(t, p, code+honest)
				require.Contains(t, r.Drifted, "tests.source")
			})
		})
	}
}

// TestCopiesOfOtherForms: copies are made of coroutines, of tests in branches, in
// files that import from __future__ and in Hypothesis' wrapper, with the marks
// that a plugin gave the test.
func TestCopiesOfOtherForms(t *testing.T) {
	const conftest = `import asyncio
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if asyncio.iscoroutinefunction(item.obj):
            item.add_marker("looped")

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if pyfuncitem.get_closest_marker("looped"):
        asyncio.new_event_loop().run_until_complete(pyfuncitem.obj())
        return True
`
	const given = `def given(test):
    space = {}
    exec(compile("def wrapper():\n    inner()\n", "<string>", "exec"), {"inner": test}, space)
    space["wrapper"].hypothesis = type("Handle", (), {"inner_test": staticmethod(test)})
    return space["wrapper"]
`
	const tests = `from __future__ import annotations

from given import given

async def test_waits():
    assert [1]

if not given:
    def test_branch():
        assert 0
else:
    def test_branch() -> Nothing:
        assert [1]

try:
    class TestTried:
        def test_tried(self):
            assert [1]
except ImportError:
    pass

@given
def test_property():
    assert [1]
`
	eachPython(t, "pytest, asyncio, dataclasses", func(t *testing.T, p project) {
		for name, text := range map[string]string{"conftest.py": conftest, "given.py": given, "test_forms.py": tests} {
			require.NoError(t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
		}
		guard := p.plugin + "/assay_copies.py"
		require.NoError(t, os.WriteFile(guard, []byte(reports.PythonCopies()), 0o600))
		more := map[string]any{"guard": guard, "files": []string{"test_forms.py"}, "copies": []map[string]string{
			{"of": "test_forms.py::test_waits", "name": "test_a"},
			{"of": "test_forms.py::test_branch", "name": "test_b"},
			{"of": "test_forms.py::TestTried::test_tried", "name": "test_c"},
			{"of": "test_forms.py::test_property", "name": "test_d"},
		}}
		r, out, _ := p.guarded(t, "pytest", reports.PytestPlugin(), []string{}, more, "-p", "assay_5eed", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", p.dir, "test_forms.py")
		require.Empty(t, r.Drifted, out)
		got := map[string]string{}
		for _, test := range r.Tests {
			got[strings.TrimPrefix(test.ID, "test_forms.py::")] = string(test.Status)
		}
		require.Equal(t, map[string]string{
			"test_waits": "passed", "test_branch": "passed", "TestTried::test_tried": "passed", "test_property": "passed",
			"test_a": "failed", "test_b": "failed", "TestTried::test_c": "failed", "test_d": "failed",
		}, got, out)
	})
}

// TestCopiesStayOnTheirTestsLines: older versions of pytest fail as a whole where
// a failure is on a line outside of its function.
func TestCopiesStayOnTheirTestsLines(t *testing.T) {
	const program = `import dis, types, unittest
import assay_copies

class Item(object):
    def __init__(self, **given):
        self.__dict__.update(given)

    @classmethod
    def from_parent(cls, parent, **given):
        return given

module = types.ModuleType("test_long")
module.TestA = type("TestA", (unittest.TestCase,), {})
guard = assay_copies.Guard(["test_long.py"], [])
item = Item(fspath="test_long.py", cls=module.TestA, module=module, name="test_one", originalname="test_one", parent=None, _fixtureinfo=None)
guard.copied(item, "test_long.py::TestA::test_one", "test_copy")
code = module.TestA.test_copy.__code__
lines = [line for c in assay_copies.codes(code) for _, line in dis.findlinestarts(c) if line]
print(code.co_firstlineno, min(lines), max(lines))
`
	dir := t.TempDir()
	test := strings.Repeat("\n", 40) + "class TestA(unittest.TestCase):\n    def test_one(self):\n        x = 1\n        self.assertEqual(x,\n            1)\n"
	for name, text := range map[string]string{"assay_copies.py": reports.PythonCopies(), "test_long.py": test, "program.py": program} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	cmd := exec.Command("python3", "program.py")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "42 42 45\n", string(out))
}
