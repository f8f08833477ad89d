package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const writtenTests = `import unittest


class OneTest(unittest.TestCase):
    @unittest.skipUnless(True, "a reason")
    def test_sum(self):
        self.assertEqual(1 + 1, 2)
        self.assertTrue([1])

    def test_early(self):
        return

    @unittest.expectedFailure
    def test_wrong(self):
        self.fail()

    def test_inline(self): pass

    class Inner:
        def test_deep(self):
            assert True


def test_plain():
    def inner():
        return 1
    assert inner()  # the last line`

func writtenSuite() Suite {
	const file = "tests/test_a.py"
	return Suite{
		Files: []string{file}, Changed: []string{file}, Repo: texts{file: writtenTests}, Nonce: "n1",
		Decisive: []string{file + "::OneTest::test_sum", file + "::test_plain", file + "::OneTest::test_wrong", file + "::OneTest::test_inline"},
	}
}

func TestPythonWritten(t *testing.T) {
	w := pythonWritten(writtenSuite())
	require.Equal(t, []string{"/testbed/tests/test_a.py"}, w.paths)
	require.Len(t, w.copies, 3, "one that returns, one that is expected to fail and one of a single line have none")
	require.Equal(t, "tests/test_a.py::OneTest::test_sum", w.copies[0].Of)
	require.Equal(t, NonceCopy{Of: w.copies[0].Of, ID: w.copies[1].ID, Values: true}, w.copies[1])
	require.Equal(t, "tests/test_a.py::test_plain", w.copies[2].Of)
	require.Regexp(t, `^tests/test_a.py::OneTest::test_[a-z_0-9]+$`, w.copies[0].ID)
	require.Contains(t, w.texts[0], "lambda: self.assertEqual([1], [2]), lambda: self.assertTrue([])]")
	require.Equal(t, "cp '/assay/n1/copies/0.py' '/testbed/tests/test_a.py'\n", w.script())
	require.Equal(t, w.texts[0], string(w.put()[0].Data))

	other := writtenSuite()
	other.Nonce = "n2"
	require.NotEqual(t, w.copies[0].ID, pythonWritten(other).copies[0].ID)
	for name, change := range map[string]func(*Suite){
		"nothing decides":      func(s *Suite) { s.Decisive = nil },
		"the file is base's":   func(s *Suite) { s.Changed = nil },
		"some tests alone":     func(s *Suite) { s.Select = []string{"tests/test_a.py"} },
		"broken code":          func(s *Suite) { s.Repo = texts{"tests/test_a.py": writtenTests + "\n)"} },
		"the name that we use": func(s *Suite) { s.Repo = texts{"tests/test_a.py": writtenTests + "\n_wrong = 1\n"} },
		"two tests with one name": func(s *Suite) {
			s.Repo = texts{"tests/test_a.py": "def test_plain():\n    pass\n\ndef test_plain():\n    pass\n"}
		},
	} {
		s := writtenSuite()
		change(&s)
		require.Nil(t, pythonWritten(s), name)
	}
	var none *writtenCopies
	require.Empty(t, none.script())
	require.Empty(t, none.put())
	require.Empty(t, none.all())
}

// TestPythonWrittenRuns: the copies fail, and nothing else does.
func TestPythonWrittenRuns(t *testing.T) {
	w := pythonWritten(writtenSuite())
	dir := t.TempDir()
	run := func(text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "test_a.py"), []byte(text), 0o644))
		cmd := exec.Command("python3", "-m", "unittest", "-v", "test_a")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	out := run(w.texts[0])
	name := strings.TrimPrefix(w.copies[0].ID, "tests/test_a.py::OneTest::")
	other := strings.TrimPrefix(w.copies[1].ID, "tests/test_a.py::OneTest::")
	require.Contains(t, out, "test_sum (test_a.OneTest.test_sum) ... ok")
	require.Contains(t, out, name+" (test_a.OneTest."+name+") ... FAIL")
	require.Contains(t, out, "AssertionError: [1] != [2]")
	require.Contains(t, out, "FAILED (failures=2, expected failures=1)")
	swallowing := strings.Replace(w.texts[0], "class OneTest(unittest.TestCase):", "class OneTest(unittest.TestCase):\n    assertEqual = lambda *a: None", 1)
	require.Contains(t, run(strings.Replace(w.texts[0], "1 + 1, 2)", "type('Any', (), {'__eq__': lambda s, o: True})(), 2)", 2)), other+" (test_a.OneTest."+other+") ... FAIL", "it is changed in the test and one copy")
	require.Contains(t, run(strings.ReplaceAll(w.texts[0], "1 + 1", "type('Any', (), {'__eq__': lambda s, o: True})()")), other+" (test_a.OneTest."+other+") ... ok")
	require.Contains(t, run(swallowing), name+" (test_a.OneTest."+name+") ... ok", "an assertion that asserts nothing")
}

// TestWrittenCopiesInCommands: unittest and programs of a repository's own get
// the files with copies, before they start.
func TestWrittenCopiesInCommands(t *testing.T) {
	s := writtenSuite()
	c := pythonLanguage{}.Command(bench.Env{Framework: "unittest"}, s)
	require.Contains(t, c.Script, "cp '/assay/n1/copies/0.py'")
	require.Len(t, c.Nonce.Copies, 3)
	repo := texts{"tests/test_a.py": writtenTests, "tests/runtests.py": "from django.test.runner import DiscoverRunner\n"}
	s.Repo = repo
	c = pythonLanguage{}.Command(bench.Env{Framework: frameworkDjango}, s)
	require.Contains(t, c.Script, "cp '/assay/n1/copies/0.py'")
	require.Len(t, c.Nonce.Copies, 3)
	require.NotContains(t, c.Nonce.Script, "copies")
	c = pythonLanguage{}.Command(bench.Env{Framework: "pytest"}, s)
	require.NotContains(t, c.Script, "cp '/assay/n1/copies", "pytest's plugin adds its own")
}

func TestFailsFast(t *testing.T) {
	for _, line := range []string{"pytest -x tests", "./runtests.py --failfast", "pytest --maxfail=1", "python -m unittest -f a", "pytest -xvs tests", "python -m unittest -vf a"} {
		require.True(t, failsFast.MatchString(line), line)
	}
	for _, line := range []string{"pytest -rfEx tests/a-x.py", "pytest -vs tests", "pytest -vs -p a-x", "./tests/runtests.py --verbosity 2 a", "bin/test -C a"} {
		require.False(t, failsFast.MatchString(line), line)
	}
}
