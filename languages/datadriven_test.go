package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestDataDriven: which test files read data that a patch changes.
func TestDataDriven(t *testing.T) {
	repo := texts{
		"tests/test_cases.py":    "def test_all():\n    for f in open('data/list.txt'): pass\n",
		"tests/test_glob.py":     "CASES = glob('*.json')\n\ndef test_g(): pass\n",
		"tests/test_other.py":    "def test_o(): pass\n",
		"tests/sub/test_near.py": "def test_n(): read('seven')\n",
		"tests/data/list.txt":    "x\n", "tests/data/a.json": "x\n", "tests/data/odd.bin": "x\n", "tests/sub/seven.txt": "x\n",
		"unit/check-new.test":    "[case x]\n",
		"driver/testcheck.py":    "class Suite(Base):\n    files = find('check-*.test')\n",
		"tests/expected/out.txt": "x\n",
		"tests/test_expected.py": "HERE = 'tests/expected/'\n\ndef test_e(): pass\n",
	}
	for name, c := range map[string]struct {
		changed, published, want []string
	}{
		"by the file's name":                       {[]string{"tests/data/list.txt"}, nil, []string{"tests/test_cases.py"}},
		"by a pattern":                             {[]string{"tests/data/a.json"}, nil, []string{"tests/test_glob.py"}},
		"by the name without its ending":           {[]string{"tests/sub/seven.txt"}, nil, []string{"tests/sub/test_near.py"}},
		"by the folder's name":                     {[]string{"tests/expected/out.txt"}, nil, []string{"tests/test_expected.py"}},
		"nobody reads it, but the folder is named": {[]string{"tests/data/odd.bin"}, nil, []string{"tests/test_cases.py"}},
		"its reader changes as well":               {[]string{"tests/data/list.txt", "tests/test_cases.py"}, nil, nil},
		"a deleted file":                           {[]string{"tests/data/gone.txt"}, nil, nil},
		"a test file":                              {[]string{"tests/test_other.py"}, nil, nil},
		"no test":                                  {[]string{"src/list.txt"}, nil, nil},
	} {
		require.Equal(t, c.want, dataDriven(pythonLanguage{}, repo, c.changed, c.published), name)
	}
	far := texts{"test-data/unit/check-new.test": "[case x]\n", "mypy/test/testcheck.py": repo["driver/testcheck.py"]}
	require.Nil(t, dataDriven(pythonLanguage{}, far, []string{"test-data/unit/check-new.test"}, nil))
	require.Equal(t, []string{"mypy/test/testcheck.py"}, dataDriven(pythonLanguage{}, far, []string{"test-data/unit/check-new.test"}, []string{"mypy/test/testcheck.py"}))
}

// TestContributionByData: of an old file, new cases count, or, where the data
// add none, the tests that did not fail without them.
func TestContributionByData(t *testing.T) {
	before := map[string]bench.Status{"t.py::ok": bench.Passed, "t.py::bad": bench.Failed, "t.py::c[1]": bench.Passed}
	kept := func(c contribution, ids ...string) []string {
		o := Outcome{}
		for _, id := range ids {
			o.Tests = append(o.Tests, bench.Test{ID: id, Status: bench.Failed})
		}
		c.keep(&o, nil)
		return o.Contributed
	}
	c := contribution{data: []string{"t.py"}, before: before}
	require.Equal(t, []string{"t.py::ok", "t.py::c[1]"}, kept(c, "t.py::ok", "t.py::bad", "t.py::c[1]"))
	require.Equal(t, []string{"t.py::c[2]"}, kept(c, "t.py::ok", "t.py::bad", "t.py::c[1]", "t.py::c[2]"))
	require.Empty(t, kept(contribution{before: before}, "t.py::ok"))
	mixed := functions(t, "def test_old():\n    pass\n", "def test_old():\n    pass\n\n\ndef test_new():\n    pass\n")
	mixed.data, mixed.before = []string{"t.py"}, before
	require.Equal(t, []string{"test_a.py::test_new", "t.py::ok"}, kept(mixed, "test_a.py::test_old", "test_a.py::test_new", "t.py::ok"))
	require.True(t, contribution{}.none())
	require.False(t, c.none())
}

// TestContributionOfBrokenFiles: a test whose file or class fails as a whole is
// an error, not missing.
func TestContributionOfBrokenFiles(t *testing.T) {
	c := functions(t, "", "def test_a():\n    pass\n")
	for status, want := range map[bench.Status]bench.Status{bench.Error: bench.Error, bench.Failed: bench.Error, bench.Skipped: bench.Missing} {
		o := Outcome{Run: bench.Run{Tests: []bench.Test{{ID: "test_a.py", Status: status}}}}
		c.keep(&o, nil)
		require.Equal(t, []bench.Test{{ID: "test_a.py::test_a", Status: want}}, o.Tests)
	}
	other := Outcome{Run: bench.Run{Tests: []bench.Test{{ID: "test_b.py", Status: bench.Error}}}}
	c.keep(&other, nil)
	require.Equal(t, bench.Missing, other.Tests[0].Status)
}
