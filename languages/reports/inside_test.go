package reports_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// insideTests call code that works before they call code that does not.
const insideTests = `import unittest

from calc import add, twice


def test_a_twice():
    assert twice(2) == 4


def test_add():
    assert add(1, 2) == 3


class AddTest(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(add(2, 2), 4)
`

// insideCode is code under test that is wrong. "listed" reports whether a test is
// one of the file's own, so that attacks can leave our tests alone.
const insideCode = `import gc, os, sys

import pytest

TEXT = open("test_calc.py").read()


def listed(name):
    return "def " + name.partition("[")[0].rpartition(":")[2] + "(" in TEXT


def items():
    return [o for o in gc.get_objects() if type(o).__name__ in ("Function", "TestCaseFunction") and listed(o.name)]


def manager():
    return [o for o in gc.get_objects() if type(o).__name__ == "PytestPluginManager"][0]


@TOP@


def add(a, b):
    frame = sys._getframe(1)
    me = frame.f_locals.get("self")
    @ADD@
    return a - b


def twice(a):
    module = sys._getframe(1).f_globals
    @TWICE@
    return 2 * a
`

// insideAttack is what such code does when it is imported, and in its functions.
type insideAttack struct{ top, add, twice string }

func (a insideAttack) code() string {
	in := func(text string) string {
		if text == "" {
			return "pass"
		}
		return strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n    ")
	}
	return strings.NewReplacer("@TOP@", a.top, "@ADD@", in(a.add), "@TWICE@", in(a.twice)).Replace(insideCode)
}

// inside runs the tests with a copy of each of two.
func inside(t *testing.T, p project, code string) (map[string]string, reports.Report, string) {
	t.Helper()
	guard := p.plugin + "/assay_copies.py"
	for name, text := range map[string]string{
		p.dir + "/test_calc.py": insideTests, p.dir + "/calc.py": code, p.dir + "/conftest.py": "import calc\n", guard: reports.PythonCopies(),
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	more := map[string]any{"guard": guard, "files": []string{"test_calc.py"}, "copies": []map[string]string{
		{"of": "test_calc.py::test_add", "name": "test_copy", "values": "test_other"},
		{"of": "test_calc.py::AddTest::test_sum", "name": "test_copied", "values": "test_others"},
	}}
	r, out, code2 := p.guarded(t, "pytest", reports.PytestPlugin(), []string{}, more, "-p", "assay_5eed", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", p.dir, "test_calc.py")
	statuses := map[string]string{}
	for _, test := range r.Tests {
		statuses[strings.TrimPrefix(test.ID, "test_calc.py::")] = string(test.Status)
	}
	return statuses, r, fmt.Sprint(out, code2)
}

func insideAttacks() map[string]insideAttack {
	return map[string]insideAttack{
		"values equal to everything":               {top: "class Any(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return True\n    def __sub__(self, other):\n        return self\n", add: "return Any(a - b)"},
		"an exception in place of the assertions'": {twice: "module['AssertionError'] = pytest.xfail.Exception\nmodule['AddTest'].failureException = pytest.xfail.Exception"},
		"an expected failure":                      {add: "if listed(frame.f_code.co_name):\n    pytest.xfail('x')"},
		"a tracer for a moment": {top: `
def tracer(frame, event, arg):
    frame.f_trace_opcodes = True
    if event == "call" and frame.f_code.co_name == "assertEqual":
        frame.f_locals["second"] = frame.f_locals["first"]
        sys.settrace(None)
        return None
    if event == "return" and listed(frame.f_code.co_name):
        sys.settrace(None)
    for name, value in list(frame.f_locals.items()):
        if name.startswith("@py_assert") and value is False:
            frame.f_locals[name] = True
    return tracer
`, add: "if listed(frame.f_code.co_name):\n    frame.f_trace, frame.f_trace_opcodes = tracer, True\n    sys.settrace(tracer)"},
		"a property of the reports' class": {twice: `
import _pytest.reports
def get(self):
    return "passed" if listed(self.nodeid) else self.__dict__["outcome"]
def put(self, value):
    self.__dict__["outcome"] = value
_pytest.reports.TestReport.outcome = property(get, put)
`},
		"a descriptor of the reports' class": {top: `
class Lax:
    def __get__(self, holder, cls=None):
        return "passed" if holder is not None and listed(holder.nodeid) else vars(holder)["outcome"]
    def __set__(self, holder, value):
        vars(holder)["outcome"] = value
`, twice: "import _pytest.reports\n_pytest.reports.TestReport.outcome = Lax()"},
		"a builtin's name in a module of the runner": {twice: `
import _pytest.reports
def lax(value, cls):
    f = sys._getframe(1)
    if f.f_code.co_name == "from_item_and_call" and listed(f.f_locals["item"].name):
        return cls is pytest.skip.Exception or isinstance(value, cls)
    return isinstance(value, cls)
_pytest.reports.isinstance = lax
`},
		"run() in a class of tests":           {twice: "def run(self, result=None):\n    return result if listed(self._testMethodName) else super(module['AddTest'], self).run(result)\nmodule['AddTest'].run = run"},
		"assertions of the caller's instance": {add: "if me is not None and listed(me._testMethodName):\n    me._getAssertEqualityFunc = lambda *a: lambda *a, **k: None"},
		"another class of the caller":         {add: "if me is not None and listed(me._testMethodName):\n    me.__class__ = type('AddTest', (type(me),), {'_getAssertEqualityFunc': lambda *a: lambda *a, **k: None})"},
		"a hook that claims a file of the runner": {twice: `
import _pytest.runner
space = {"pytest": pytest, "listed": listed}
exec(compile("class Lax:\n    @pytest.hookimpl(hookwrapper=True)\n    def pytest_runtest_makereport(self, item):\n        out = yield\n        if listed(item.name):\n            out.get_result().outcome = 'passed'\n", _pytest.runner.__file__, "exec"), space)
manager().register(space["Lax"]())
`},
		"a function that claims a file of the runner": {twice: `
import _pytest.reports
space = {"real": _pytest.reports.TestReport.from_item_and_call.__func__, "listed": listed}
exec(compile("def lax(cls, item, call):\n    r = real(cls, item, call)\n    if listed(item.name):\n        r.outcome, r.longrepr = 'passed', None\n    return r\n", _pytest.reports.__file__, "exec"), space)
_pytest.reports.TestReport.from_item_and_call = classmethod(space["lax"])
`},
		"another way of calling hooks": {twice: `
m = manager()
real = m._inner_hookexec
def lax(name, methods, kwargs, first):
    out = real(name, methods, kwargs, first)
    if name == "pytest_runtest_makereport" and listed(kwargs["item"].name):
        out.outcome, out.longrepr = "passed", None
    return out
m._inner_hookexec = lax
`},
		"assertions that are lost when tests are imported": {top: `
import ast, importlib.machinery, importlib.util
class Lose(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Expr(node.test), node)
    def visit_Expr(self, node):
        if isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", "") == "assertEqual":
            f = node.value.func
            node.value = ast.Tuple([f] + node.value.args, ast.Load())
        return node
class Loader(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data, path, **k):
        return compile(ast.fix_missing_locations(Lose().visit(ast.parse(data))), path, "exec", dont_inherit=True)
    def get_code(self, name):
        return self.source_to_code(self.get_data(self.path), self.path)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "test_calc":
            place = os.path.abspath("test_calc.py")
            return importlib.util.spec_from_file_location(name, place, loader=Loader(name, place))
sys.meta_path.insert(0, Finder())
`},
		"tests that are compiled already": {top: `
import ast, importlib.util, marshal, struct
from _pytest.assertion.rewrite import PYC_TAIL
place = os.path.abspath("test_calc.py")
tree = ast.parse(TEXT)
for node in ast.walk(tree):
    for part in ("body",):
        for i, inner in enumerate(getattr(node, part, []) if isinstance(node, (ast.FunctionDef)) else []):
            if isinstance(inner, ast.Assert):
                node.body[i] = ast.copy_location(ast.Expr(ast.BoolOp(ast.Or(), [inner.test, ast.Constant(1)])), inner)
code = compile(ast.fix_missing_locations(tree), place, "exec", dont_inherit=True)
stat = os.stat(place)
os.makedirs("__pycache__", exist_ok=True)
with open("__pycache__/test_calc" + PYC_TAIL, "wb") as f:
    f.write(importlib.util.MAGIC_NUMBER + b"\0\0\0\0" + struct.pack("<LL", int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF) + marshal.dumps(code))
`},
		"constants of the caller in memory": {add: `
import ctypes
if listed(frame.f_code.co_name):
    consts = frame.f_code.co_consts
    for i, c in enumerate(consts):
        if type(c) is int and c not in (a, b) or (a == b and c == 4):
            ctypes.c_void_p.from_address(id(consts) + tuple.__itemsize__ * 3 + tuple.__itemsize__ * i).value = id(a - b)
`},
		"locals of the runner": {top: `
import ctypes
class Odd(Exception):
    def __str__(self):
        f = sys._getframe()
        while f and f.f_code.co_name != "from_item_and_call":
            f = f.f_back
        if f and listed(f.f_locals["item"].name):
            f.f_locals["outcome"] = "passed"
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(f), ctypes.c_int(0))
        return "x"
`, add: "raise Odd()"},
		"what the reporter closes over": {twice: `
reporter = [m for n, m in sys.modules.items() if n.startswith("assay_") and hasattr(m, "_write")][0]
write = reporter._write
cells = dict(zip(write.__code__.co_freevars, write.__closure__))
real = cells["dumps"].cell_contents
def dumps(value, **k):
    if isinstance(value, dict) and value.get("when") and listed(value["id"]):
        value = dict(value, outcome="passed")
    return real(value, **k)
cells["dumps"].cell_contents = dumps
`},
		"defaults of the reporter's functions": {twice: `
reporter = [m for n, m in sys.modules.items() if n.startswith("assay_") and hasattr(m, "_write")][0]
reporter._look.__defaults__ = (lambda *a, **k: None, [])
import _pytest.reports
_pytest.reports.TestReport.from_item_and_call = classmethod(lambda cls, item, call, real=_pytest.reports.TestReport.from_item_and_call.__func__: (setattr(call, "excinfo", None) if listed(item.name) else None, real(cls, item, call))[1])
`},
		"lists of the reporter": {twice: `
reporter = [m for n, m in sys.modules.items() if n.startswith("assay_") and hasattr(m, "_write")][0]
reporter._changed[:] = []
import _pytest.reports
_pytest.reports.TestReport.from_item_and_call = classmethod(lambda cls, item, call, real=_pytest.reports.TestReport.from_item_and_call.__func__: (setattr(call, "excinfo", None) if listed(item.name) else None, real(cls, item, call))[1])
`},
		"a signal's handler": {top: `
import signal
def handler(number, frame):
    while frame:
        call = frame.f_locals.get("call") if "_pytest" in frame.f_code.co_filename else None
        item = frame.f_locals.get("item")
        if item is not None and listed(item.name) and getattr(call, "excinfo", None):
            call.excinfo = None
        frame = frame.f_back
class Late(Exception):
    def __str__(self):
        os.kill(os.getpid(), signal.SIGALRM)
        return "x"
`, add: "signal.signal(signal.SIGALRM, handler)\nsignal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)"},
		"a child in the caller's place": {add: "if os.fork():\n    os.wait()\n    os._exit(0)\nreturn a + b if a == 1 else a - b"},
		"a fork's hook":                 {top: "os.register_at_fork(after_in_parent=lambda: os._exit(0))", add: "if os.fork() == 0:\n    os._exit(0)"},
		"a dump that ends the process":  {add: "import faulthandler, time\nfaulthandler.dump_traceback_later(0.01, exit=True)\ntime.sleep(1)"},
		"an exit in the caller's place": {add: "if me is None:\n    raise SystemExit(0)"},
	}
}

// TestInside: code under test that has the tests which call it pass, and leaves
// our own tests alone, is noticed.
func TestInside(t *testing.T) {
	startsMany(t)
	eachPython(t, "pytest, dataclasses", func(t *testing.T, p project) {
		honest, r, out := inside(t, p, strings.Replace(insideAttack{}.code(), "return a - b", "return a + b", 1))
		require.True(t, r.Complete, out)
		require.Empty(t, r.Drifted, out)
		require.Equal(t, map[string]string{
			"test_a_twice": "passed", "test_add": "passed", "AddTest::test_sum": "passed",
			"test_copy": "failed", "AddTest::test_copied": "failed", "test_other": "failed", "AddTest::test_others": "failed",
		}, honest, out)
		all := insideAttacks()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			got, r, out := inside(t, p, all[name].code())
			t.Log(name, got, r.Drifted)
			if passes := func(id string) bool { return got[id] == "passed" || got[id] == "xfail" }; passes("test_add") || passes("AddTest::test_sum") {
				noticed := len(r.Drifted) > 0 || !r.Complete || passes("test_copy") || passes("test_other") || passes("AddTest::test_copied") || passes("AddTest::test_others")
				require.True(t, noticed, "%s: %s", name, out)
			}
		}
	})
}

// TestInsideHonest: what honest tests and code do to classes, modules and the
// interpreter does not count as an attack.
func TestInsideHonest(t *testing.T) {
	startsMany(t)
	const tests = `import collections, sys, unittest
from unittest import mock

import pytest

import code_under


class BaseCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helper = staticmethod(lambda: 1)

    def setUp(self):
        self.maxDiff = None
        self.made = lambda: 2
        self.addTypeEqualityFunc(code_under.Point, lambda a, b, msg=None: None)

    def test_made(self):
        self.assertEqual(self.helper() + self.made(), code_under.value(3))

    @mock.patch.object(code_under, "value", return_value=7)
    def test_patched(self, value):
        self.assertEqual(code_under.value(), 7)
        self.assertEqual({"a": 7}, {"a": code_under.value()})

    @unittest.skip("a reason")
    def test_skipped(self):
        pass


class DerivedTest(BaseCase):
    pass


def test_tracer():
    def trace(frame, event, arg):
        return None
    old = sys.gettrace()
    sys.settrace(trace)
    sys.settrace(old)
    assert {1, "a", None} == {1, "a", None} and code_under.value(1) in {1, "a", None}


def test_imperative():
    pytest.xfail("not yet")


@pytest.mark.xfail
def test_marked():
    assert code_under.value(1) == 2


def test_raises(monkeypatch):
    monkeypatch.setattr(code_under, "value", None)
    with pytest.raises(TypeError):
        code_under.value(1)


def test_values():
    for n in range(3):
        assert code_under.value(n) == n
    assert code_under.value([]) == []
    assert code_under.value({"a": -1.5}) == {"a": -1.5}
    assert (code_under.Point(1), 2) == (code_under.Point(1, None), 2)
`
	const code = `import collections

Point = collections.namedtuple("Point", "x y")
Point.__new__.__defaults__ = (None,)


def value(v=None):
    return v
`
	eachPython(t, "pytest, dataclasses", func(t *testing.T, p project) {
		guard := p.plugin + "/assay_copies.py"
		for name, text := range map[string]string{p.dir + "/test_honest.py": tests, p.dir + "/code_under.py": code, guard: reports.PythonCopies()} {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		var copies []map[string]string
		for i, of := range []string{"BaseCase::test_made", "BaseCase::test_patched", "test_values", "test_raises"} {
			copies = append(copies, map[string]string{"of": "test_honest.py::" + of, "name": fmt.Sprint("test_copy", i), "values": fmt.Sprint("test_other", i)})
		}
		more := map[string]any{"guard": guard, "files": []string{"test_honest.py"}, "copies": copies}
		r, out, _ := p.guarded(t, "pytest", reports.PytestPlugin(), []string{}, more, "-p", "assay_5eed", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", p.dir, "test_honest.py")
		require.True(t, r.Complete, out)
		require.Empty(t, r.Drifted, out)
		got := map[string]string{}
		for _, test := range r.Tests {
			got[strings.TrimPrefix(test.ID, "test_honest.py::")] = string(test.Status)
		}
		require.Equal(t, map[string]string{
			"BaseCase::test_made": "passed", "BaseCase::test_patched": "passed", "BaseCase::test_skipped": "skipped",
			"DerivedTest::test_made": "passed", "DerivedTest::test_patched": "passed", "DerivedTest::test_skipped": "skipped",
			"test_tracer": "passed", "test_imperative": "xfail", "test_marked": "xfail", "test_raises": "passed", "test_values": "passed",
			"BaseCase::test_copy0": "failed", "BaseCase::test_copy1": "failed", "test_copy2": "failed", "test_copy3": "failed",
			"BaseCase::test_other1": "failed", "test_other2": "failed",
		}, got, out)
	})
}
