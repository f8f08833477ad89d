package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

const copiedFile = `#include <gtest/gtest.h>

static int helper() { return 1; }

class Fix : public ::testing::Test {};

TEST(Lib, One) { EXPECT_EQ(helper(), 1); }

TEST(Lib, Two) {
  ASSERT_TRUE(helper());
}

TEST_F(Fix, Three) {
  EXPECT_TRUE(helper());
}

TEST_P(Many, Four) {
  EXPECT_TRUE(GetParam());
}
`

func TestCppCopies(t *testing.T) {
	own := cppOwn{file: "t.cpp", framework: "gtest"}
	names := func() *cppNamer { return newCppNamer(copiedFile, "n copies", 0) }
	text, copies := cppCopies(own, copiedFile, []string{"Lib.Two", "Fix.Three", "gone"}, []string{"Fix.Three"}, names())
	require.Len(t, copies, 2)
	again, same := cppCopies(own, copiedFile, []string{"Lib.Two", "Fix.Three", "gone"}, []string{"Fix.Three"}, names())
	require.Equal(t, text, again)
	require.Equal(t, copies, same)
	for i, of := range []string{"Fix.Three", "Lib.Two"} {
		require.Equal(t, of, copies[i].Of)
		group, name, ok := strings.Cut(copies[i].ID, ".")
		require.True(t, ok)
		require.NotContains(t, copiedFile, name)
		require.Contains(t, text, "("+group+", "+name+") {\n")
	}
	require.Contains(t, text, " : public Fix {};\nTEST_F(")
	require.Contains(t, text, "  ASSERT_TRUE(helper());\n\n  {\n  int left = __LINE__;")
	require.Equal(t, 2, strings.Count(text, "EXPECT_EQ(left, right);"))

	_, all := cppCopies(own, copiedFile, []string{"ctest_name"}, nil, names())
	require.Len(t, all, 3, "of those that ids do not name, all that can be copied")
	_, none := cppCopies(cppOwn{file: "t.cpp", framework: "ctest"}, copiedFile, nil, nil, names())
	require.Empty(t, none)
}

func TestCppCopiesOfCases(t *testing.T) {
	source := "TEST_CASE(\"adds, \\\"twice\\\"\" * doctest::timeout(1)) {\n  SUBCASE(\"a\") { CHECK(true); }\n}\n"
	for framework, tail := range map[string]string{"doctest": "CHECK(left == right);", "catch2": "CHECK(left == right);"} {
		text, copies := cppCopies(cppOwn{file: "t.cpp", framework: framework}, source, nil, nil, newCppNamer(source, "n", 0))
		require.Len(t, copies, 1, framework)
		require.Contains(t, text, "TEST_CASE(\""+copies[0].ID+"\" * doctest::timeout(1)) {\n  SUBCASE(\"a\")")
		require.Contains(t, text, tail)
	}
}

func TestCppCopied(t *testing.T) {
	d, _ := cppDialectOf("gtest")
	for _, source := range []string{"TEST(A, B)", "TYPED_TEST(A, B) {\n}", "MY_TEST(A, B) {\n}", ""} {
		id, text := d.copied(source, newCppNamer("", "n", 0))
		require.Empty(t, id+text, source)
	}
}

func TestCppSwallowed(t *testing.T) {
	own := &Own{dir: "/o", files: []cppOwn{{copied: []NonceCopy{{Of: "Lib.One", ID: "A.B"}, {Of: "Lib.Two", ID: "C.D"}}}}}
	log := func(text string) map[string][]byte { return map[string][]byte{own.copiesLog(): []byte(text)} }
	require.Empty(t, own.swallowed(nil, nil), "none could be made")
	require.Empty(t, own.swallowed(log("FAIL: A.B\nFAIL: C.D\n"), nil))
	require.Equal(t, []oddity{{"copy Lib.Two", "a copy of Lib.Two that must fail does not"}}, own.swallowed(log("FAIL: A.B\nPASS: C.D\nPASS: E.F\n"), nil))

	reported := func(s bench.Status) []bench.Test { return []bench.Test{{ID: "Lib.Two", Status: s}} }
	forged := []oddity{{"alone Lib.Two", "Lib.Two is reported as passed, and fails when it runs alone"}}
	require.Equal(t, forged, own.swallowed(log("FAIL: alone Lib.Two\n"), reported(bench.Passed)))
	for _, text := range []string{"PASS: alone Lib.Two\n", "FAIL: alone Lib.Two\nPASS: alone Lib.Two\n", "LATE: alone Lib.Two\n", "FAIL: alone Lib.One\n"} {
		require.Empty(t, own.swallowed(log(text), reported(bench.Passed)), text)
	}
	require.Empty(t, own.swallowed(log("FAIL: alone Lib.Two\n"), reported(bench.Failed)))

	plain := &Own{dir: "/o", files: []cppOwn{{file: "t.cpp", plain: true, again: "Again"}}}
	require.Equal(t, []oddity{{"copy t.cpp", "t.cpp passes with a failing assertion below its own code"}}, plain.swallowed(log("PASS: Again\n"), nil))
	require.Empty(t, plain.swallowed(log("FAIL: Again\n"), nil))
	driven := *plain
	driven.driver = map[string]reports.Format{}
	require.Empty(t, driven.swallowed(log("PASS: Again\n"), nil))
	require.Len(t, driven.swallowed(map[string][]byte{driven.directLog(): []byte("PASS: Again\n")}, nil), 1)
}

func TestCppCopiesScript(t *testing.T) {
	require.Empty(t, (*Own)(nil).copiesScript())
	own := &Own{dir: "/o", files: []cppOwn{{file: "a.cpp"}, {file: "b.cpp", framework: "gtest", copied: []NonceCopy{{Of: "Lib.One", ID: "A.B"}}}}}
	script := own.copiesScript()
	require.Contains(t, script, "if assay_copied 1 'b.cpp'; then\n  assay_start 'A.B' '--gtest_filter=A.B'\n  assay_start 'alone Lib.One' '--gtest_filter=Lib.One' || assay_start 'alone Lib.One' '--gtest_filter=Lib.One'\nfi\n")
	require.NotContains(t, script, cppOwnState, "what was made stays noted")
	own.files = own.files[:1]
	require.Empty(t, own.copiesScript())
	own.files[0].plain, own.files[0].again = true, "Again"
	require.Contains(t, own.copiesScript(), "assay_programs 0 Again\n")
}
