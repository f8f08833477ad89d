package reports_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// ownRunnerProject has a unittest suite under a script of its own, which starts
// other runs inside a test, and functions under a runner in SymPy's manner.
func ownRunnerProject() map[string]string {
	return map[string]string{
		"tests/runtests.py": `import sys, unittest
suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
`,
		"tests/a/__init__.py": "",
		"tests/a/test_a.py": `import io, unittest

class Inner(unittest.TestCase):
    def runTest(self):
        self.fail("of a run inside a test")

class A(unittest.TestCase):
    def test_ok(self):
        """Adding is adding."""
    def test_bad(self):
        self.assertEqual(1, 2)
    def test_nested(self):
        result = unittest.TextTestRunner(stream=io.StringIO()).run(Inner())
        self.assertEqual(len(result.failures), 1)
    def test_sub(self):
        for i in range(2):
            with self.subTest(i=i):
                self.assertEqual(i, 0)
    def test_sub_skipped(self):
        with self.subTest(i=1):
            self.skipTest("not here either")
    @unittest.skip("not here")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError("no")
    def test_kept_back(self): pass
`,
		"bin/test": `import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from pkg.runtests import SymPyTests, PyTestReporter
sys.exit(SymPyTests(PyTestReporter()).test(sys.argv[1:]))
`,
		"pkg/__init__.py": "",
		"pkg/runtests.py": `import os, sys
class XFail(Exception): pass
class Skipped(Exception): pass
class PyTestReporter:
    bad = 0
    def entering_test(self, f): print(f.__name__)
    def test_pass(self, char="."): pass
    def test_fail(self, exc_info): self.bad += 1
    def test_exception(self, exc_info): self.bad += 1
    def test_skip(self, v=None): pass
    def test_xfail(self): pass
    def test_xpass(self, v): pass
    def import_error(self, filename, exc_info): self.bad += 1
class SymPyTests:
    def __init__(self, reporter): self._reporter = reporter
    def test(self, files):
        for f in files: self.test_file(os.path.abspath(f))
        return int(self._reporter.bad > 0)
    def test_file(self, filename, sort=True):
        r, gl = self._reporter, {}
        try:
            exec(compile(open(filename).read(), filename, "exec"), gl)
        except ImportError:
            r.import_error(filename, sys.exc_info())
            return
        except Exception:
            r.test_exception(sys.exc_info())
        for f in [f for n, f in gl.items() if n.startswith("test_")]:
            r.entering_test(f)
            try:
                f()
            except AssertionError: r.test_fail(sys.exc_info())
            except Skipped as v: r.test_skip(v)
            except XFail: r.test_xfail()
            except Exception as v:
                if str(v) == "xpass": r.test_xpass(v)
                else: r.test_exception(sys.exc_info())
            else: r.test_pass()
`,
		"pkg/tests/test_f.py": `from pkg.runtests import XFail, Skipped
def test_ok(): pass
def test_bad(): assert 1 == 2
def test_error(): raise OSError("no")
def test_skip(): raise Skipped("Slow")
def test_xfail(): raise XFail()
def test_xpass(): raise ValueError("xpass")
`,
		"pkg/tests/test_gone.py":  "import nobody.has.it\n",
		"pkg/tests/test_wrong.py": "def test_first(): pass\n1 / 0\n",
	}
}

// TestOwnRunner runs a repository's own programs with the reporter next to
// them.
func TestOwnRunner(t *testing.T) {
	tests := []struct {
		name   string
		chosen []string
		args   []string
		want   []string
		code   int
	}{
		{"unittest script", nil, []string{"tests/runtests.py", "a.test_a.A", "a.test_a.Broken"}, []string{
			"error tests/a/test_a.py::Broken::test_kept_back", "failed tests/a/test_a.py::A::test_bad", "failed tests/a/test_a.py::A::test_sub",
			"passed tests/a/test_a.py::A::test_nested", "passed tests/a/test_a.py::A::test_ok",
			"skipped tests/a/test_a.py::A::test_skipped", "skipped tests/a/test_a.py::A::test_sub_skipped", "xfail tests/a/test_a.py::A::test_known",
		}, 1},
		{"a module that is not there", nil, []string{"tests/runtests.py", "a.test_gone"}, []string{"error test_gone.py"}, 1},
		{"selected", []string{"tests/a/test_a.py::A::test_ok"}, []string{"tests/runtests.py", "a.test_a"}, []string{"passed tests/a/test_a.py::A::test_ok"}, 0},
		{"unittest itself", nil, []string{"-m", "unittest", "-q", "tests/a/test_a.py"}, nil, 1},
		{"functions", nil, []string{"bin/test", "pkg/tests/test_f.py"}, []string{
			"failed pkg/tests/test_f.py::test_error", "failed pkg/tests/test_f.py::test_bad", "passed pkg/tests/test_f.py::test_ok",
			"skipped pkg/tests/test_f.py::test_skip", "xfail pkg/tests/test_f.py::test_xfail", "xpass pkg/tests/test_f.py::test_xpass",
		}, 1},
		{"files that do not load", nil, []string{"bin/test", "pkg/tests/test_gone.py", "pkg/tests/test_wrong.py"}, []string{
			"error pkg/tests/test_gone.py", "error pkg/tests/test_wrong.py", "passed pkg/tests/test_wrong.py::test_first",
		}, 1},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if i > 0 {
				startsMany(t)
			}
			eachPython(t, "unittest", func(t *testing.T, p project) {
				require.NoError(t, os.WriteFile(p.plugin+"/assay_runner.py", []byte(reports.OwnRunner()), 0o644))
				for name, text := range ownRunnerProject() {
					require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(p.dir, name)), 0o755))
					require.NoError(t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644))
				}
				r, code := p.run(t, tt.chosen, append([]string{p.plugin + "/assay_runner.py", p.dir}, tt.args...)...)
				require.Equal(t, tt.code, code)
				require.True(t, r.Complete, r.Notes)
				if tt.want == nil {
					require.Len(t, r.Tests, 9)
					return
				}
				require.ElementsMatch(t, tt.want, summary(r))
				for _, test := range r.Tests {
					want := map[string]string{"tests/a/test_a.py::A::test_ok": "Adding is adding."}[test.ID]
					require.Equal(t, want, test.Alias, test.ID)
				}
			})
		})
	}
}
