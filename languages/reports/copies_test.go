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

// TestGuardWithoutCopies: tests of which no copy is made are run all the same.
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
