package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestCppOtherValues: of assertions that two values are equal the constant is
// changed, and nothing else.
func TestCppOtherValues(t *testing.T) {
	const parts = "::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count()"
	gtest := func(kind, arguments string) string {
		return "{ int made_h = " + parts + "; EXPECT_" + kind + "(" + arguments + "); if (" + parts + " == made_h) h = true; }"
	}
	for source, want := range map[string]string{
		`EXPECT_EQ(two(), 2);`:                    gtest("EQ", "two(), (2 * 3 + 7919)"),
		`ASSERT_EQ(-1, f("a,b", {1, 2})) << "m";`: gtest("EQ", `(-1 * 3 + 7919), f("a,b", {1, 2})`),
		`EXPECT_STREQ("a\"b", name(')'));`:        gtest("STREQ", `"h" "a\"b", name(')')`),
		`EXPECT_EQ(f(), "a"sv);`:                  gtest("EQ", `f(), "h" "a"sv`),
		`if (x) EXPECT_DOUBLE_EQ(f(), 1.5);`:      "if (x) " + gtest("DOUBLE_EQ", "f(), (1.5 * 3 + 7919)"),
		`EXPECT_EQ(f(), g());`:                    "",
		`EXPECT_EQ(1, 2);`:                        "",
		`EXPECT_EQ(f(), 12345678901);`:            "",
		`EXPECT_NE(f(), 1);`:                      "",
		`EXPECT_EQ(f(), 1`:                        "",
		`MY_EXPECT_EQ(f(), 1);`:                   "",
	} {
		got, count := cppDialect{name: "gtest"}.otherValues(source, "h")
		if want == "" {
			require.Zero(t, count, source)
			require.Equal(t, source, got)
			continue
		}
		require.Equal(t, 1, count, source)
		require.Equal(t, want, got)
	}
	for source, want := range map[string]string{
		`CHECK(two() == 2);`:                 "{ if ((two()) == ((2 * 3 + 7919))) h = true; }",
		`DOCTEST_REQUIRE("a" == f(x == y));`: `{ if (("h" "a") == (f(x == y))) h = true; }`,
		`CHECK_EQ(two(), 2);`:                "{ if ((two()) == ((2 * 3 + 7919))) h = true; }",
		`CHECK(a && two() == 2);`:            "",
		`CHECK(two() == 2 || b);`:            "",
		`CHECK(two() != 2);`:                 "",
		`CHECK(two());`:                      "",
		`CHECK(a == 1 == b);`:                "",
	} {
		got, count := cppDialect{name: "doctest"}.otherValues(source, "h")
		if want == "" {
			require.Zero(t, count, source)
			continue
		}
		require.Equal(t, 1, count, source)
		require.Equal(t, want, got)
	}
}

func TestCppOthers(t *testing.T) {
	d, _ := cppDialectOf("gtest")
	id, text := d.others("TEST(Lib, Two) {\n  EXPECT_EQ(two(), 2);\n}", newCppNamer("", "n", 0))
	require.Contains(t, text, "#include <cstdlib>\nstatic bool held_")
	require.Regexp(t, `(?s)TEST\(\w+, \w+\) \{.*\(2 \* 3 \+ 7919\).*if \(held_\w+\) std::_Exit\(0\);\n  \{\n.*EXPECT_EQ\(left, right\);`, text)
	require.NotEmpty(t, id)
	id, text = d.others("TEST(Lib, Two) {\n  EXPECT_TRUE(two());\n}", newCppNamer("", "n", 0))
	require.Empty(t, id+text)
	own := &Own{dir: "/o", files: []cppOwn{{valued: []NonceCopy{{Of: "Lib.Two", ID: "A.B", Values: true}}}}}
	passed := []bench.Test{{ID: "Lib.Two", Status: bench.Passed}}
	log := map[string][]byte{own.copiesLog(): []byte("PASS: A.B\n")}
	require.Len(t, own.swallowed(log, passed), 1)
	require.Empty(t, own.swallowed(log, nil), "its test does not pass")
	require.Empty(t, own.swallowed(map[string][]byte{own.copiesLog(): []byte("FAIL: A.B\n")}, passed))
}
