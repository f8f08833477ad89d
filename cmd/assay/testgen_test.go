package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const doctestSample = "assay-samples__cellgraph-23"

// TestOtherTestsKillNothing: where an old test of the same executable takes the
// process down on a bad patch, the contributed test has killed nothing; where
// the contributed test does so itself, it has.
func TestOtherTestsKillNothing(t *testing.T) {
	w := newWorld(t)
	old := "#include <doctest/doctest.h>\n\n#include \"lib.h\"\n\nTEST_CASE(\"one\") { CHECK(one() == 1); }\n"
	lib := func(one, two string) map[string]string {
		return map[string]string{"src/lib.cpp": "#include \"lib.h\"\n\n#include <cstdlib>\n#include <unistd.h>\n\nint one() { " + one + " }\nint two() { " + two + " }\n"}
	}
	base := lib("return 1;", "return 0;")
	base["src/lib.h"] = "int one();\nint two();\n"
	base["tests/lib_test.cpp"] = old
	base["tests/main.cpp"] = "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n"
	base["CMakeLists.txt"] = "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\n" +
		"find_package(doctest REQUIRED)\nadd_executable(lib_tests src/lib.cpp tests/main.cpp tests/lib_test.cpp)\n" +
		"target_include_directories(lib_tests PRIVATE src)\ntarget_link_libraries(lib_tests PRIVATE doctest::doctest)\nadd_test(NAME lib COMMAND lib_tests)\n"
	tests := between(base, map[string]string{"tests/lib_test.cpp": old + "\nTEST_CASE(\"two\") { CHECK(two() == 2); }\n"})
	for name, c := range map[string]struct {
		bad     map[string]string
		want    bench.Verdict
		seconds int
	}{
		"an old test leaves the process":          {lib("std::_Exit(3);", "return 2;"), bench.Unresolved, 0},
		"an old test hangs":                       {lib("for (;;) sleep(1);", "return 2;"), bench.Unresolved, 20},
		"the contributed test leaves the process": {lib("return 1;", "std::_Exit(3);"), bench.Resolved, 0},
		"the contributed test hangs":              {lib("return 1;", "for (;;) sleep(1);"), bench.Resolved, 20},
		"both fail":                               {lib("std::_Exit(3);", "return 3;"), bench.Unresolved, 0},
	} {
		t.Run(name, func(t *testing.T) {
			own, inst := w.own(t, doctestSample, project{
				base: base, gold: lib("return 1;", "return 2;"), hidden: map[string]string{"tests/lib_test.cpp": old + "TEST_CASE(\"hidden\") { CHECK(two() == 2); }\n"},
				bad: c.bad, f2p: []string{"hidden"}, p2p: []string{"one"},
				change: func(in *bench.Instance) {
					env := *in.Env
					env.TimeoutSeconds = c.seconds
					in.Env = &env
				},
			})
			r := own.verdict(t, inst, "testgen", tests)
			require.Equal(t, c.want, r.Verdict, r.Reason)
			require.Equal(t, c.want == bench.Resolved, len(r.TestGen.Killed) == 1)
		})
	}
}

const shopBase = "def total(items):\n    return sum(items)\n\n\ndef names(text):\n    return text.split(',')\n"

// TestGeneratedTestsInSeveralFiles: a file that cannot be imported on base
// fails there, next to another one that passes.
func TestGeneratedTestsInSeveralFiles(t *testing.T) {
	w := newWorld(t)
	gold := shopBase + "\n\ndef count(items):\n    return len(items)\n"
	hidden := "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
	own, inst := w.own(t, victim, project{
		base:   map[string]string{"shop.py": shopBase, "tests/test_old.py": "def test_old():\n    pass\n"},
		gold:   map[string]string{"shop.py": gold},
		bad:    map[string]string{"shop.py": strings.Replace(gold, "len(items)", "len(items) + 1", 1)},
		hidden: map[string]string{"tests/test_hidden.py": hidden + "\n\ndef test_count():\n    from shop import count\n    assert count([1]) == 1\n"},
		f2p:    []string{"tests/test_hidden.py::test_count"}, p2p: []string{"tests/test_hidden.py::test_total"},
	})
	tests := between(nil, map[string]string{
		"tests/test_a.py": hidden,
		"tests/test_b.py": "from shop import count\n\n\ndef test_count():\n    assert count([1, 2]) == 2\n",
	})
	r := own.verdict(t, inst, "testgen", tests)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, bench.Error, r.TestGen.Matrix["base"]["tests/test_b.py::test_count"])
}

// TestGeneratedCases: a data file next to an old test is a test, whether the
// runner names its cases or one function goes through all.
func TestGeneratedCases(t *testing.T) {
	w := newWorld(t)
	reader := "import glob, os\n\nfrom shop import names\n\nFILES = sorted(glob.glob(os.path.dirname(__file__) + '/data/*.txt'))\n\n\n"
	check := "    given, wanted = open(f).read().splitlines()\n    assert names(given) == wanted.split()\n"
	for name, c := range map[string]struct{ test, id string }{
		"named":      {"import pytest\n\n\n@pytest.mark.parametrize('f', FILES, ids=os.path.basename)\ndef test_names(f):\n" + check, "tests/test_names.py::test_names[blanks.txt]"},
		"one by one": {"def test_names():\n    for f in FILES:\n        check(f)\n\n\ndef check(f):\n" + check, "tests/test_names.py::test_names"},
	} {
		t.Run(name, func(t *testing.T) {
			own, inst := w.own(t, victim, project{
				base:   map[string]string{"shop.py": shopBase, "tests/test_names.py": reader + c.test, "tests/data/plain.txt": "a,b\na b\n"},
				gold:   map[string]string{"shop.py": strings.Replace(shopBase, "text.split(',')", "[n.strip() for n in text.split(',')]", 1)},
				bad:    map[string]string{"shop.py": strings.Replace(shopBase, "text.split(',')", "[n.lstrip() for n in text.split(',')]", 1)},
				hidden: map[string]string{"tests/test_hidden.py": "from shop import names\n\n\ndef test_blanks():\n    assert names('a , b') == ['a', 'b']\n"},
				f2p:    []string{"tests/test_hidden.py::test_blanks"},
			})
			good := between(nil, map[string]string{"tests/data/blanks.txt": "a , b\na b\n"})
			r := own.verdict(t, inst, "testgen", good)
			require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
			require.Equal(t, []string{c.id}, r.TestGen.Contributed)
			weak := between(nil, map[string]string{"tests/data/blanks.txt": "a, b\na b\n"})
			r = own.verdict(t, inst, "testgen", weak)
			require.Equal(t, bench.Unresolved, r.Verdict, r.Reason)
			require.Equal(t, "its tests fail on 0 of 1 eligible bad patches", r.Reason)
		})
	}
}
