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
	c.whole = true
	require.Equal(t, []string{"t.py::ok", "t.py::bad"}, kept(c, "t.py::ok", "t.py::bad"), "a program's old version may fail on the right code")
	c.whole = false
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

// TestHelpers: which test files use a helper that a patch changes, by language.
func TestHelpers(t *testing.T) {
	python := texts{
		"tests/helpers.py":        "def check(x): assert x\n",
		"tests/more.py":           "from .helpers import check\nDATA = open('cases.json')\n",
		"tests/test_direct.py":    "from tests.helpers import check\n\ndef test_d(): check(1)\n",
		"tests/test_through.py":   "import tests.more\n\ndef test_t(): pass\n",
		"tests/test_other.py":     "# helpers\n\ndef test_o(): pass\n",
		"tests/cases.json":        "[]\n",
		"tests/pkg/__init__.py":   "X = 1\n",
		"tests/pkg/test_inner.py": "from tests.pkg import X\n\ndef test_i(): pass\n",
		"tests/test_made.py":      "import helpers\nload_tests = make()\n",
	}
	java := texts{
		"src/test/java/a/Checks.java":       "package a;\n\npublic class Checks { static void check() { } }\n",
		"src/test/java/a/NearTest.java":     "package a;\n\nclass NearTest { @Test void t() { Checks.check(); } }\n",
		"src/test/java/b/FarTest.java":      "package b;\n\nimport static a.Checks.check;\n\nclass FarTest { @Test void t() { check(); } }\n",
		"src/test/java/b/StarTest.java":     "package b;\n\nimport a.*;\n\nclass StarTest { @Test void t() { Checks.check(); } }\n",
		"src/test/java/b/NoneTest.java":     "package b;\n\nclass NoneTest { @Test void t() { Checks.check(); } }\n",
		"src/test/java/a/BaseTest.java":     "package a;\n\nabstract class BaseTest { Object read() { return open(\"in.json\"); } }\n",
		"src/test/java/a/DerivedTest.java":  "package a;\n\nclass DerivedTest extends BaseTest { @Test void t() { } }\n",
		"src/test/resources/in.json":        "{}\n",
		"src/main/java/a/Main.java":         "package a;\n\nclass Main { }\n",
		"src/test/java/a/UnrelatedTest.txt": "Checks\n",
	}
	cpp := texts{
		"test/util.h":       "void check(int);\n",
		"test/util.cc":      "#include \"util.h\"\nvoid check(int) { }\n",
		"test/a-test.cc":    "#include \"test/util.h\"\nTEST(A, One) { check(1); }\n",
		"test/more.h":       "#include \"util.h\"\n",
		"test/b-test.cc":    "#include <more.h>\nTEST(B, One) { }\n",
		"test/c-test.cc":    "#include \"utility.h\"\nTEST(C, One) { }\n",
		"test/plain.cc":     "#include \"util.h\"\nint main() { return 1; }\n",
		"src/main.cc":       "int main() { return 0; }\n",
		"test/main.cc":      "#include <gtest/gtest.h>\nint main() { return RUN_ALL_TESTS(); }\n",
		"test/data/in.json": "{}\n",
		"test/d-test.cc":    "TEST(D, One) { open(\"data/in.json\"); }\n",
	}
	for name, c := range map[string]struct {
		language      Language
		repo          texts
		changed, want []string
	}{
		"python, a helper":                 {pythonLanguage{}, python, []string{"tests/helpers.py"}, []string{"tests/test_direct.py", "tests/test_made.py", "tests/test_through.py"}},
		"python, data that a helper reads": {pythonLanguage{}, python, []string{"tests/cases.json"}, []string{"tests/test_through.py"}},
		"python, a package":                {pythonLanguage{}, python, []string{"tests/pkg/__init__.py"}, []string{"tests/pkg/test_inner.py"}},
		"python, with a changed user":      {pythonLanguage{}, python, []string{"tests/helpers.py", "tests/test_direct.py"}, nil},
		"python, also for data":            {pythonLanguage{}, python, []string{"tests/helpers.py", "tests/test_direct.py", "tests/cases.json"}, []string{"tests/test_through.py"}},
		"java, a helper":                   {javaLanguage{}, java, []string{"src/test/java/a/Checks.java"}, []string{"src/test/java/a/NearTest.java", "src/test/java/b/FarTest.java", "src/test/java/b/StarTest.java"}},
		"java, a class that tests extend":  {javaLanguage{}, java, []string{"src/test/java/a/BaseTest.java"}, []string{"src/test/java/a/DerivedTest.java"}},
		"java, data that it reads":         {javaLanguage{}, java, []string{"src/test/resources/in.json"}, []string{"src/test/java/a/DerivedTest.java"}},
		"java, a test":                     {javaLanguage{}, java, []string{"src/test/java/a/NearTest.java"}, nil},
		"c++, a header":                    {cppLanguage{}, cpp, []string{"test/util.h"}, []string{"test/a-test.cc", "test/b-test.cc", "test/plain.cc"}},
		"c++, the source beside it":        {cppLanguage{}, cpp, []string{"test/util.cc"}, []string{"test/a-test.cc", "test/b-test.cc", "test/plain.cc"}},
		"c++, data":                        {cppLanguage{}, cpp, []string{"test/data/in.json"}, []string{"test/d-test.cc"}},
		"c++, a program":                   {cppLanguage{}, cpp, []string{"test/plain.cc"}, []string{"test/plain.cc"}},
		"c++, a test with a framework":     {cppLanguage{}, cpp, []string{"test/d-test.cc"}, nil},
		"c++, a program beside tests":      {cppLanguage{}, cpp, []string{"src/main.cc"}, nil},
		"c++, a main of a framework":       {cppLanguage{}, cpp, []string{"test/main.cc"}, nil},
	} {
		require.Equal(t, c.want, dataDriven(c.language, c.repo, c.changed, nil), name)
	}
	own := texts{"test.cpp": "#define TEST_CASE(F) if (run(#F)) F()\nint main() {\n  TEST_CASE(a);\n}\n"}
	require.Equal(t, []string{"test.cpp"}, dataDriven(cppLanguage{}, own, []string{"test.cpp"}, []string{"test.cpp"}), "macros of its own, published")
	c, err := contributed(cppLanguage{}, tree(nil), own, []string{"test.cpp"})
	require.NoError(t, err)
	require.Empty(t, c.ids())
}
