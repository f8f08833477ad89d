package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

const gtestFile = `// EXPECT_GT in a comment is written as well.
#include "lib.h"
#include <gtest/gtest.h>
#define TWICE(x) \
  ((x) + (x))
TEST(Lib, Two) { EXPECT_EQ(two(), 2); ASSERT_THROW(two(), int); EXPECT_MINE(3); }
TEST_P(Many, Are) {}
`

func TestCppOwnTests(t *testing.T) {
	own, ok := cppOwnTests("tests/a.cpp", gtestFile, "gtest", "n0", 0)
	require.True(t, ok)
	require.Equal(t, "#include \"lib.h\"\n#include <gtest/gtest.h>\n#define TWICE(x) \\\n  ((x) + (x))\n", own.head)
	for _, form := range []string{"EXPECT_EQ(left, right);", "ASSERT_THROW(static_cast<void>(left), int);", "EXPECT_GT(left, right);", "INSTANTIATE_TEST_SUITE_P("} {
		require.Contains(t, own.full, form)
	}
	require.NotContains(t, own.full, "EXPECT_MINE")
	require.NotContains(t, own.full, "ASSERT_EQ", "only forms that the file uses")
	require.Len(t, own.fail, 4)
	require.Equal(t, own.fail[:1], own.failCore)
	require.NotContains(t, own.core, "ASSERT_THROW")
	require.Regexp(t, `^\w+/\w+\.\w+/0$`, own.fail[3])
	again, _ := cppOwnTests("tests/a.cpp", gtestFile, "gtest", "n0", 0)
	require.Equal(t, own, again)
	other, _ := cppOwnTests("tests/a.cpp", gtestFile, "gtest", "n1", 0)
	require.NotEqual(t, own.pass, other.pass)
}

func TestCppOwnTestsOfDialects(t *testing.T) {
	for _, c := range []struct {
		name, framework, text string
		ok                    bool
		has, lacks            []string
		fail                  int
	}{
		{"Catch2", "catch2", "TEST_CASE(\"a\") { SECTION(\"b\") { REQUIRE_FALSE(x); } }", true, []string{"CHECK(left == right);", "REQUIRE_FALSE(left != right);", "SECTION(\"left\")"}, []string{"SUBCASE"}, 3},
		{"prefixed Catch2", "catch2", "CATCH_TEST_CASE(\"a\") { CATCH_REQUIRE(x); }", true, []string{"CATCH_TEST_CASE(", "CATCH_CHECK(left == right);", "CATCH_REQUIRE(left == right);"}, nil, 2},
		{"doctest", "doctest", "TEST_CASE_FIXTURE(A, \"a\") { CHECK_EQ(x, 1); }", true, []string{"TEST_CASE_FIXTURE(", "CHECK_EQ(left, right);"}, []string{"REQUIRE"}, 3},
		{"a main function alone", "doctest", "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n", false, nil, nil, 0},
		{"a plain program", "ctest", "#include <cassert>\nint main() { assert(two() == 2); }", true, []string{"int fine = argc == 1;", "assert(fine);\n  return 0;"}, []string{"puts", "access", "return fine"}, 1},
		{"a plain program without assert", "ctest", "int main() { return two() != 2; }", true, []string{"return fine ? 0 : 1;"}, []string{"assert"}, 1},
		{"a plain program that prints TAP", "ctest", "int main() { printf(\"ok %d - a\", 1); }", true, []string{"puts(\"1..1\");", "#include <stdio.h>", "not ok 1"}, nil, 1},
		{"a plain program that prints TAP and asserts", "ctest", "int main() { puts(\"ok 1\"); assert(two()); }", true, []string{"puts(\"1..1\");", "assert(fine);"}, []string{"not ok 1", "return fine"}, 1},
		{"no program", "ctest", "void a() { assert(true); }", false, nil, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, ok := cppOwnTests("a.cpp", c.text, c.framework, "n0", 0)
			require.Equal(t, c.ok, ok)
			for _, text := range c.has {
				require.Contains(t, own.full, text)
			}
			for _, text := range c.lacks {
				require.NotContains(t, own.full, text)
			}
			require.Len(t, own.fail, c.fail)
		})
	}
}

func TestCppDirectives(t *testing.T) {
	text := "#define CATCH_CONFIG_MAIN\r\n#define DOCTEST_CONFIG_IMPLEMENT\n  # include <a>\nint x;\n#if 1 \\\n  && 2\n#endif"
	require.Equal(t, "  # include <a>\n#if 1 \\\n  && 2\n#endif\n", cppDirectives(text))
}

// ownWorld is a run of two executables that hold nonce tests.
func ownWorld(t *testing.T, beside bool) *Own {
	t.Helper()
	files := []string{"a.cpp"}
	s := Suite{Files: files, Nonce: "n0", Repo: cppRepo{"a.cpp": "TEST_CASE(\"a\") { CHECK(x); REQUIRE(x); }"}}
	own := cppOwnOf(bench.Env{Framework: "doctest"}, s, beside)
	require.NotNil(t, own)
	require.Len(t, own.files[0].fail, 2)
	return own
}

func TestOwnJudge(t *testing.T) {
	for _, beside := range []bool{false, true} {
		own := ownWorld(t, beside)
		f := own.files[0]
		report := func(pass, first, second string) map[string][]byte {
			files := map[string][]byte{own.state(): []byte("one\t0\tfull\t/x\n")}
			var b strings.Builder
			b.WriteString("<testsuites disabled=\"0\"><testsuite>")
			for id, how := range map[string]string{f.pass: pass, f.fail[0]: first, f.fail[1]: second} {
				name := id
				if beside {
					name = "one/0/" + id
				}
				switch how {
				case "passed":
					b.WriteString("<testcase name=\"" + name + "\" status=\"run\"/>")
				case "failed":
					b.WriteString("<testcase name=\"" + name + "\" status=\"fail\"><failure message=\"Failed\"/></testcase>")
				}
			}
			b.WriteString("</testsuite></testsuites>")
			place := own.reports + "/one.xml"
			if beside {
				place = own.dir + "/ctest.xml"
			}
			own.format = reports.CTest
			files[place] = []byte(b.String())
			return files
		}
		check := func(files map[string][]byte, ran bool, says string) {
			t.Helper()
			r, odd := own.judge(files)
			require.Equal(t, ran, r)
			if says == "" {
				require.Empty(t, odd)
				return
			}
			require.Contains(t, odd, says)
		}
		check(report("passed", "failed", "failed"), true, "")
		check(report("passed", "failed", "passed"), true, `must fail is reported as "passed"`)
		check(report("passed", "failed", ""), true, `must fail is reported as ""`)
		check(report("failed", "failed", "failed"), true, `must pass is reported as "failed"`)
		check(map[string][]byte{own.state(): []byte("one\t0\tfull\t/x\n")}, true, "no report of one")
		check(map[string][]byte{own.state(): []byte("one\t0\tnone\t\n")}, false, "")
		check(map[string][]byte{own.state(): []byte("one\t0\tunbuilt\t\n")}, true, "")
		check(nil, false, "")
		core := report("passed", "failed", "passed")
		core[own.state()] = []byte("one\t0\tcore\t/x\n")
		check(core, true, "")
		require.Equal(t, !beside, own.holds(f.pass))
		require.Equal(t, !beside, own.holds(f.fail[0]+"/left"))
		require.False(t, own.holds("a"))
	}
	var none *Own
	require.False(t, none.holds("a"))
	require.Empty(t, none.script())
	require.Empty(t, none.ids())
}

// TestOwnTestsDoNotCount: nonce tests appear neither among a run's tests nor
// in its exit code.
func TestOwnTestsDoNotCount(t *testing.T) {
	own := ownWorld(t, false)
	f := own.files[0]
	tests := []bench.Test{{ID: "a", Status: bench.Passed}, {ID: f.pass, Status: bench.Passed}, {ID: f.fail[0], Status: bench.Failed}}
	require.Equal(t, tests[:1], own.without(tests))
	cmd := Command{Own: own}
	require.Empty(t, disagreement(cmd, reports.Report{Tests: tests}, 1), "the code is that of ours")
	require.Empty(t, disagreement(cmd, reports.Report{Tests: tests}, 0), "the main function of some projects leaves with 0 always")
	tests[0].Status = bench.Failed
	require.NotEmpty(t, disagreement(cmd, reports.Report{Tests: tests}, 0))
}

func TestPrintedSuccessOfADeadRunner(t *testing.T) {
	tests := []bench.Test{{ID: "a", Status: bench.Passed}, {ID: "b", Status: bench.Failed}, {ID: "c", Status: bench.Skipped}, {ID: "d", Status: bench.XFail}}
	unproven(tests)
	require.Equal(t, []bench.Status{bench.Error, bench.Failed, bench.Error, bench.Error}, []bench.Status{tests[0].Status, tests[1].Status, tests[2].Status, tests[3].Status})
}

func FuzzCppOwnTests(f *testing.F) {
	f.Add(gtestFile, uint8(0))
	f.Add("TEST_CASE(\"a\") { SECTION(\"b\") {} }", uint8(1))
	f.Add("DOCTEST_SCENARIO(\"a\") \\\n#define X \\", uint8(2))
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		framework := []string{"gtest", "catch2", "doctest", "ctest"}[kind%4]
		own, ok := cppOwnTests("a.cpp", text, framework, "n0", 1)
		if ok {
			require.NotEmpty(t, own.pass)
			require.NotEmpty(t, own.fail)
		}
	})
}
