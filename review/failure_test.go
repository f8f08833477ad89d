package review

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestReadFailure(t *testing.T) {
	for _, test := range []struct {
		name, language, id, message string
		want                        failure
	}{
		{"pytest", "python", "tests/test_a.py::TestX::test_y[a::b]", "AssertionError: assert [1, 2] == [1]\n  \n  Left contains", failure{test: "test_y", expected: "[1, 2]", actual: "[1]", unordered: true}},
		{"pytest exception", "python", "tests/test_a.py::test_y", "pkg.errors.TooBigError: no", failure{test: "test_y", exception: "TooBigError"}},
		{"unittest", "python", "tests/test_a.py::T::test_y", "AssertionError: 'a' != 'b' : say", failure{test: "test_y", expected: "'a'", actual: "'b'", unordered: true}},
		{"nothing known", "python", "tests/test_a.py::test_y", "Failed: DID NOT RAISE", failure{test: "test_y"}},
		{"backticks", "python", "tests/test_a.py::test_y", "assert '`a`' == 'b'", failure{test: "test_y", expected: "''a''", actual: "'b'", unordered: true}},
		{"junit 4", "java", "a.b.CTest::adds", "java.lang.AssertionError: expected:<1> but was:<2>\n\tat x", failure{test: "adds", expected: "1", actual: "2"}},
		{"junit 5", "java", "a.b.CTest$Inner::adds(int)[1]", "org.opentest4j.AssertionFailedError: sums ==> expected: <a\nb> but was: <c>", failure{test: "adds", expected: "a b", actual: "c"}},
		{"hamcrest", "java", "a.b.CTest::adds", "java.lang.AssertionError: \nExpected: is <3>\n     but: was <4>", failure{test: "adds", expected: "is <3>", actual: "<4>"}},
		{"assertj", "java", "a.b.CTest::adds", "org.opentest4j.AssertionFailedError: \nexpected: 3\n but was: 4", failure{test: "adds", expected: "3", actual: "4"}},
		{"java exception", "java", "a.b.CTest::adds", "java.lang.IllegalStateException: boom", failure{test: "adds", exception: "IllegalStateException"}},
		{"a whole class", "java", "a.b.CTest", "java.lang.NoClassDefFoundError: a/b/D", failure{test: "a.b.CTest", exception: "NoClassDefFoundError"}},
		{"gtest equality", "cpp", "Suite.Name", "x.cpp:4\nExpected equality of these values:\n  1\n  f()\n    Which is: 2", failure{test: "Suite.Name", expected: "1", actual: "2", unordered: true}},
		{"gtest truth", "cpp", "Pre/Suite.Name/3", "x.cpp:4\nValue of: f()\n  Actual: false\nExpected: true", failure{test: "Suite.Name", expected: "true", actual: "false"}},
		{"gtest exception", "cpp", "Ty/0.Name", "unknown file\nC++ exception with description \"boom\" thrown in the test body.", failure{test: "Ty.Name", exception: "an unexpected exception"}},
		{"catch2", "cpp", "a case/a section", "c.cpp:12: FAILED:\n  CHECK( f() == 2 )\nwith expansion:\n  1 == 2", failure{test: "a case/a section", expected: "1", actual: "2", unordered: true}},
		{"doctest", "cpp", "a case", "d.cpp:8: ERROR: CHECK( f() == 2 ) is NOT correct!\n  values: CHECK( 1 == 2 )", failure{test: "a case", expected: "1", actual: "2", unordered: true}},
		{"crash", "cpp", "Suite.Name", "SIGSEGV - Segmentation violation signal", failure{test: "Suite.Name", exception: "a crash of the process"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, readFailure(test.language, bench.Test{ID: test.id, Status: bench.Failed, Message: test.message}))
		})
	}
}

func TestOpening(t *testing.T) {
	failed := bench.Test{ID: "t.py::test_a", Status: bench.Failed}
	missing := bench.Test{ID: "t.py::test_a", Status: bench.Missing}
	for _, test := range []struct {
		name     string
		level    bench.Level
		f2p, p2p []bench.Test
		want     string
	}{
		{"nothing fails", bench.LevelPassesAll, nil, nil, "The tests at hand pass with this patch, but it does not settle the whole issue."},
		{"not built", bench.LevelUnbuilt, []bench.Test{missing}, nil, "With this patch the code does not build or load together with the tests, so that none of them gets to run; get that right first."},
		{"all missing", "", []bench.Test{missing, missing}, []bench.Test{missing}, "With this patch the code does not build or load together with the tests, so that none of them gets to run; get that right first."},
		{"regression", "", nil, []bench.Test{failed}, "What the issue asks for seems to work, but the patch breaks behaviour that worked before. `test_a`, which passed before, fails."},
		{"part", "", []bench.Test{failed}, nil, "The patch solves only a part of the issue. `test_a` fails."},
		{"all", "", []bench.Test{failed, missing}, nil, "The problem of the issue is still there with this patch. `test_a` fails."},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := smallInput("x", "a = 1\n", "a = other\n", "a = 3\n")
			in.Instance.FailToPass, in.Instance.PassToPass = bench.TestIDs{"1", "2"}, bench.TestIDs{"3"}
			in.QuoteTests = true
			in.Bad.Level, in.FailToPass, in.PassToPass = test.level, test.f2p, test.p2p
			require.Equal(t, test.want, study(t, in).Deterministic(L0).Text)
		})
	}
}

func TestMaskedOutcome(t *testing.T) {
	in := smallInput("f is wrong", "def f(a):\n    return a\n", "def f(a):\n    return \"long gone\" + limit_of(a, 4711)\n", "def f(a):\n    return -a\n")
	in.QuoteTests = true
	in.Instance.FailToPass = bench.TestIDs{"t.py::test_limit_of"}
	in.FailToPass = []bench.Test{
		{ID: "t.py::test_limit_of", Message: "assert 'long gone4711' == '4711 limitOf'"},
		{ID: "t.py::limit_of", Message: "assert 1 == 4711"},
		{ID: "t.py::test_title of a case", Message: ""},
	}
	got := study(t, in).Deterministic(L0).Text
	require.NotContains(t, got, "4711 ")
	require.Contains(t, got, "In a test, `1` and `…` should be equal, but are not.")
	require.Contains(t, got, "The test \"test_title of a case\" fails.")
	require.NotContains(t, got, "limitOf")
	require.NotContains(t, got, "long gone")
}
