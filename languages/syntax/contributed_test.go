package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func parse(t testing.TB, language, path, src string) []Test {
	f, err := Parse(language, []byte(src))
	require.NoError(t, err)
	return Tests(language, path, f)
}

const pythonBefore = `import pytest
CASES = [1, 2]

def helper(x):
    return x

class TestA:
    def setup_method(self):
        self.x = 1

    def test_one(self):
        assert self.x

    def test_two(self):
        assert self.x == 1

@pytest.mark.parametrize("x", CASES)
def test_listed(x):
    assert x

@pytest.mark.parametrize("x", [
    1,
])
def test_inline(x):
    assert x
`

const javaBefore = `package p;
class ATest {
  @Test void one() { }
  @ParameterizedTest
  @ValueSource(ints = {1})
  void many(int x) {
    use(x);
  }
  static Stream<Integer> source() {
    return Stream.of(1);
  }
  @ParameterizedTest
  @MethodSource("source")
  void sourced(int x) { }
  @Test void over() { }
  @Test void over(int x) { }
}
`

const gtestBefore = `#include <gtest/gtest.h>
struct S : testing::Test {
  int x = 1;
};
TEST_F(S, One) {
  EXPECT_EQ(x, 1);
}
TEST_P(P, Each) {
  EXPECT_TRUE(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, P, testing::Values(1));
`

const catchBefore = `#include <catch2/catch.hpp>
TEST_CASE("case") {
  int x = 1;
  SECTION("a") {
    CHECK(x == 1);
  }
  SECTION("b") {
    CHECK(x);
    SECTION("c") {
      CHECK(!x);
    }
  }
}
`

func TestContributed(t *testing.T) {
	for _, tc := range []struct {
		name, language, before string
		edits                  []string // pairs of old and new
		want                   []string // ids; "cases of" before those with new parameters only
	}{
		{"nothing", "python", pythonBefore, nil, nil},
		{"new file", "python", "", []string{"", "def test_a(): pass\n"}, []string{"x::test_a"}},
		{"line ends", "python", pythonBefore, []string{"\n", "\r\n"}, nil},
		{"body", "python", pythonBefore, []string{"assert self.x == 1", "assert self.x == 2"}, []string{"x::TestA::test_two"}},
		{"moved by lines above", "python", pythonBefore, []string{"import pytest", "import pytest\nimport os\n\n"}, nil},
		{"new method", "python", pythonBefore, []string{"    def test_two", "    def test_new(self):\n        pass\n\n    def test_two"}, []string{"x::TestA::test_new"}},
		{"renamed class", "python", pythonBefore, []string{"TestA", "TestB"}, []string{"x::TestB::test_one", "x::TestB::test_two"}},
		{"removed", "python", pythonBefore, []string{"    def test_two(self):\n        assert self.x == 1\n", ""}, nil},
		{"helper and set-up", "python", pythonBefore, []string{"return x", "return -x", "self.x = 1", "self.x = 2"}, nil},
		{"decorator", "python", pythonBefore, []string{"    def test_two", "    @pytest.mark.xfail\n    def test_two"}, []string{"x::TestA::test_two"}},
		{"cases inline", "python", pythonBefore, []string{"    1,\n", "    1,\n    2,\n"}, []string{"cases of x::test_inline"}},
		{"cases in a constant", "python", pythonBefore, []string{"[1, 2]", "[1, 2, 3]"}, []string{"cases of x::test_listed"}},
		{"cases and body", "python", pythonBefore, []string{"[1, 2]", "[3]", "def test_listed(x):\n    assert x", "def test_listed(x):\n    assert not x"}, []string{"x::test_listed"}},
		{"java body", "java", javaBefore, []string{"use(x)", "use(-x)"}, []string{"p.ATest::many"}},
		{"java cases", "java", javaBefore, []string{"{1}", "{1, 2}"}, []string{"cases of p.ATest::many"}},
		{"java provider", "java", javaBefore, []string{"of(1)", "of(1, 2)"}, []string{"cases of p.ATest::sourced"}},
		{"java overload", "java", javaBefore, []string{"over(int x) { }", "over(int x) { f(); }"}, []string{"p.ATest::over"}},
		{"java overloads exchanged", "java", javaBefore, []string{"over() { }", "over(int x) {}", "over(int x) { }", "over() { }", "over(int x) {}", "over(int x) { }"}, nil},
		{"gtest fixture", "cpp", gtestBefore, []string{"int x = 1;", "int x = 2;"}, nil},
		{"gtest body", "cpp", gtestBefore, []string{"x, 1", "x, 2"}, []string{"S.One"}},
		{"gtest instantiation", "cpp", gtestBefore, []string{"Values(1)", "Values(1, 2)"}, []string{"cases of P.Each"}},
		{"gtest new test", "cpp", gtestBefore, []string{"TEST_P(", "TEST_F(S, Two) {\n}\nTEST_P("}, []string{"S.Two"}},
		{"section", "cpp", catchBefore, []string{"!x", "x"}, []string{"case/b/c"}},
		{"around a section", "cpp", catchBefore, []string{"CHECK(x);", "CHECK(-x);"}, []string{"case/b"}},
		{"new section", "cpp", catchBefore, []string{"  SECTION(\"b\")", "  SECTION(\"d\") {\n  }\n  SECTION(\"b\")"}, []string{"case/d"}},
		{"set-up of a case", "cpp", catchBefore, []string{"x = 1", "x = 2"}, []string{"case"}},
		{"new case", "cpp", catchBefore, []string{"TEST_CASE", "TEST_CASE(\"n\") {\n  SECTION(\"s\") {\n  }\n}\nTEST_CASE"}, []string{"n", "n/s"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			after := tc.before
			for i := 0; i+1 < len(tc.edits); i += 2 {
				require.Contains(t, after, tc.edits[i])
				n := 1
				if tc.edits[i] == "\n" || tc.edits[i] == "TestA" {
					n = -1
				}
				after = strings.Replace(after, tc.edits[i], tc.edits[i+1], n)
			}
			var got []string
			for _, c := range Contributed(parse(t, tc.language, "x", tc.before), parse(t, tc.language, "x", after), []byte(tc.before), []byte(after)) {
				if c.OnlyParams {
					c.ID = "cases of " + c.ID
				}
				got = append(got, c.ID)
			}
			require.Equal(t, tc.want, got)
		})
	}
}
