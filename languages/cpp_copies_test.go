package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	text, copies := cppCopies(own, copiedFile, []string{"Lib.Two", "Fix.Three", "gone"}, names())
	require.Len(t, copies, 2)
	again, same := cppCopies(own, copiedFile, []string{"Lib.Two", "Fix.Three", "gone"}, names())
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

	_, all := cppCopies(own, copiedFile, []string{"ctest_name"}, names())
	require.Len(t, all, 3, "of those that ids do not name, all that can be copied")
	_, none := cppCopies(cppOwn{file: "t.cpp", framework: "ctest"}, copiedFile, nil, names())
	require.Empty(t, none)
}

func TestCppCopiesOfCases(t *testing.T) {
	source := "TEST_CASE(\"adds, \\\"twice\\\"\" * doctest::timeout(1)) {\n  SUBCASE(\"a\") { CHECK(true); }\n}\n"
	for framework, tail := range map[string]string{"doctest": "CHECK(left == right);", "catch2": "CHECK(left == right);"} {
		text, copies := cppCopies(cppOwn{file: "t.cpp", framework: framework}, source, nil, newCppNamer(source, "n", 0))
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
	require.Empty(t, own.swallowed(nil), "none could be made")
	require.Empty(t, own.swallowed(log("FAIL: A.B\nFAIL: C.D\n")))
	require.Equal(t, []oddity{{"copy Lib.Two", "a copy of Lib.Two that must fail does not"}}, own.swallowed(log("FAIL: A.B\nPASS: C.D\nPASS: E.F\n")))
}

func TestCppCopiesScript(t *testing.T) {
	require.Empty(t, (*Own)(nil).copiesScript())
	own := &Own{dir: "/o", files: []cppOwn{{file: "a.cpp"}, {file: "b.cpp", framework: "gtest", copied: []NonceCopy{{Of: "Lib.One", ID: "A.B"}}}}}
	script := own.copiesScript()
	require.Contains(t, script, "if assay_copied 1 'b.cpp'; then\n  assay_copy 'A.B' '--gtest_filter=A.B'\nfi\n")
	require.NotContains(t, script, cppOwnState, "what was made stays noted")
	own.files = own.files[:1]
	require.Empty(t, own.copiesScript())
}
