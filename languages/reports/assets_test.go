package reports_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

// pythons returns the interpreters to try: those of ASSAY_TEST_PYTHONS (a
// path list, for trying several versions of Python and pytest), else python3.
func pythons(t *testing.T) []string {
	t.Helper()
	if list := os.Getenv("ASSAY_TEST_PYTHONS"); list != "" {
		return filepath.SplitList(list)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	return []string{python}
}

// eachPython runs a test in a fresh copy of the Python suite, per interpreter
// that has all of the modules.
func eachPython(t *testing.T, modules string, run func(t *testing.T, p project)) {
	for _, python := range pythons(t) {
		t.Run(strings.ReplaceAll(python, "/", "_"), func(t *testing.T) {
			t.Parallel()
			if out, err := exec.Command(python, "-c", "import "+modules).CombinedOutput(); err != nil {
				t.Skipf("%s lacks a module of %q: %s", python, modules, out)
			}
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/python")))
			plugin := t.TempDir()
			require.NoError(t, os.WriteFile(plugin+"/assay_pytest.py", []byte(reports.PytestPlugin()), 0o644))
			require.NoError(t, os.WriteFile(plugin+"/assay_unittest.py", []byte(reports.UnittestRunner()), 0o644))
			run(t, project{python: python, dir: dir, plugin: plugin})
		})
	}
}

type project struct{ python, dir, plugin string }

// startsMany skips, in short mode, what starts many interpreters.
func startsMany(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts Python several times: not in short mode")
	}
}

// run executes Python in the project and reads the report that it left.
func (p project) run(t *testing.T, selection []string, args ...string) (reports.Report, int) {
	t.Helper()
	report := filepath.Join(p.plugin, "report.jsonl")
	cmd := exec.Command(p.python, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PYTHONPATH="+p.plugin, "PYTHONDONTWRITEBYTECODE=1", reports.ReportVariable+"="+report)
	if selection != nil {
		list, err := json.Marshal(selection)
		require.NoError(t, err)
		path := filepath.Join(p.plugin, "select.json")
		require.NoError(t, os.WriteFile(path, list, 0o644))
		cmd.Env = append(cmd.Env, reports.SelectVariable+"="+path)
	}
	out, _ := cmd.CombinedOutput()
	data, err := os.ReadFile(report)
	require.NoError(t, err, string(out))
	r, err := reports.Read(reports.PytestJSON, data)
	require.NoError(t, err, string(out))
	return r, cmd.ProcessState.ExitCode()
}

func (p project) pytest(t *testing.T, selection []string, args ...string) (reports.Report, int) {
	t.Helper()
	return p.run(t, selection, append([]string{"-m", "pytest", "-p", "assay_pytest", "-p", "no:cacheprovider"}, args...)...)
}

func (p project) unittest(t *testing.T, selection []string, args ...string) (reports.Report, int) {
	t.Helper()
	return p.run(t, selection, append([]string{filepath.Join(p.plugin, "assay_unittest.py")}, args...)...)
}

// golden returns "status id" of the tests in a golden file.
func golden(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := reports.Read(reports.PytestJSON, data)
	require.NoError(t, err)
	return summary(r)
}

func summary(r reports.Report) []string {
	var out []string
	for _, test := range r.Tests {
		out = append(out, string(test.Status)+" "+test.ID)
	}
	return out
}

func suite() []string {
	return []string{"--continue-on-collection-errors", "test_mixed.py", "test_unit.py", "test_broken.py", "pkg"}
}

func TestPytestPlugin(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		r, code := p.pytest(t, nil, suite()...)
		require.Equal(t, 1, code)
		require.Equal(t, golden(t, "testdata/tools/pytest/p9.jsonl"), summary(r))
		require.True(t, r.Complete, r.Notes)
	})
}

func TestPytestPluginXdist(t *testing.T) {
	eachPython(t, "pytest, xdist", func(t *testing.T, p project) {
		r, _ := p.pytest(t, nil, append([]string{"-n2", "test_crash.py"}, suite()...)...)
		require.Equal(t, golden(t, "testdata/tools/pytest/p9_xdist.jsonl"), summary(r))
		require.Equal(t, "test_crash.py::test_dies", r.Running)
	})
}

func TestPytestPluginCrash(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		r, code := p.pytest(t, nil, "test_crash.py")
		require.Zero(t, code, "the test leaves with 0, as a hostile one would")
		require.Equal(t, []string{"passed test_crash.py::test_before", "error test_crash.py::test_dies"}, summary(r))
		require.False(t, r.Complete)
		require.Equal(t, "test_crash.py::test_dies", r.Running)
	})
}

func TestPytestPluginSelects(t *testing.T) {
	selection := []string{"test_mixed.py::TestC", "test_mixed.py::test_param[c::d]", "test_unit.py::T::test_ok", "pkg", "gone.py"}
	want := []string{
		"passed pkg/tests/test_sub.py::TestB::test_inherited", "passed pkg/tests/test_sub.py::lower::test_x",
		"passed test_mixed.py::TestC::TestInner::test_deep", "passed test_mixed.py::TestC::test_m",
		"passed test_mixed.py::test_param[c::d]", "passed test_unit.py::T::test_ok",
	}
	eachPython(t, "pytest", func(t *testing.T, p project) {
		r, code := p.pytest(t, selection, "test_mixed.py", "test_unit.py", "pkg")
		require.Zero(t, code)
		require.Equal(t, want, summary(r))
		require.Equal(t, []string{"selected, and not found: gone.py"}, r.Notes)
	})
	eachPython(t, "pytest, xdist", func(t *testing.T, p project) {
		r, code := p.pytest(t, selection, "-n2", "test_mixed.py", "test_unit.py", "pkg")
		require.Zero(t, code)
		require.Equal(t, want, summary(r))
	})
}

func TestPytestPluginConftestFails(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, "conftest.py"), []byte("import gone\n"), 0o644))
		r, code := p.pytest(t, nil, "test_crash.py")
		require.NotZero(t, code)
		require.Empty(t, r.Tests)
		require.False(t, r.Complete)
	})
}

func TestUnittestRunner(t *testing.T) {
	eachPython(t, "unittest", func(t *testing.T, p project) {
		r, code := p.unittest(t, nil, "test_unit.py", "test_broken.py", "pkg/tests/test_sub.py")
		require.Equal(t, 1, code)
		require.Equal(t, golden(t, "testdata/tools/unittest/3.11.7.jsonl"), summary(r))
		require.True(t, r.Complete, r.Notes)
	})
}

func TestUnittestRunnerSelects(t *testing.T) {
	eachPython(t, "unittest", func(t *testing.T, p project) {
		r, code := p.unittest(t, []string{"test_unit.py::T::test_ok", "test_unit.py::Torn"}, "test_unit.py")
		require.Equal(t, 1, code)
		require.Equal(t, []string{"passed test_unit.py::T::test_ok", "error test_unit.py::Torn", "passed test_unit.py::Torn::test_fine"}, summary(r))
		r, code = p.unittest(t, []string{"test_unit.py::Nothing"}, "test_unit.py")
		require.Equal(t, 5, code)
		require.Empty(t, r.Tests)
	})
}

func TestUnittestRunnerCrash(t *testing.T) {
	const source = `
import os, unittest
class T(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): os._exit(0)
`
	eachPython(t, "unittest", func(t *testing.T, p project) {
		path := filepath.Join(p.dir, "pkg", "test_x.py")
		require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
		r, code := p.unittest(t, nil, "pkg/test_x.py")
		require.Zero(t, code)
		require.Equal(t, []bench.Status{bench.Passed, bench.Error}, []bench.Status{r.Tests[0].Status, r.Tests[1].Status})
		require.Equal(t, "pkg/test_x.py::T::test_b", r.Running)
		require.False(t, r.Complete)
	})
}

// Two files of one name in folders that are not packages, one named like a
// module of the standard library.
func TestUnittestRunnerNames(t *testing.T) {
	const source = "import unittest\nclass T(unittest.TestCase):\n    def test_it(self): self.assertIn('%s', __file__)\n"
	eachPython(t, "unittest", func(t *testing.T, p project) {
		var files, want []string
		for _, file := range []string{"a/test_same.py", "b/test_same.py", "c/json.py"} {
			path := filepath.Join(p.dir, file)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(source, "%s", file)), 0o644))
			files = append(files, file)
			want = append(want, "passed "+file+"::T::test_it")
		}
		r, code := p.unittest(t, nil, files...)
		require.Zero(t, code)
		require.Equal(t, want, summary(r))
	})
}
