package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const javaHelped = `package p;
class ATest {
  private int limit = 1;
  @BeforeEach
  void prepare() {
    limit = 2;
  }
  private void check(int x) {
    inner(x);
  }
  private void inner(int x) {
    assertEquals(limit, x);
  }
  @Test void direct() {
    check(1);
  }
  @Test void other() {
    assertTrue(true);
  }
}
`

const cppHelped = `#include <gtest/gtest.h>
static void check(int x) {
  EXPECT_EQ(x, 1);
}
struct S : testing::Test {
  int x = 1;
};
TEST_F(S, One) {
  EXPECT_EQ(x, 1);
}
TEST(T, Two) {
  check(1);
}
`

func TestHelped(t *testing.T) {
	for _, c := range []struct {
		name, language, before, from, to string
		want                             []string
	}{
		{"nothing", "python", pythonBefore, "import pytest", "import pytest, os", nil},
		{"a helper that no test uses", "python", pythonBefore, "return x", "return -x", nil},
		{"what runs before each test", "python", pythonBefore, "self.x = 1", "self.x = 2", []string{"x::TestA::test_one", "x::TestA::test_two"}},
		{"a test itself", "python", pythonBefore, "assert self.x == 1", "assert self.x == 2", nil},
		{"a helper's helper", "java", javaHelped, "assertEquals(limit, x)", "assertEquals(limit + 1, x)", []string{"p.ATest::direct"}},
		{"an annotated method", "java", javaHelped, "limit = 2", "limit = 3", []string{"p.ATest::direct", "p.ATest::other"}},
		{"a field", "java", javaHelped, "limit = 1", "limit = 4", []string{"p.ATest::direct", "p.ATest::other"}},
		{"a fixture", "cpp", cppHelped, "int x = 1", "int x = 2", []string{"S.One"}},
		{"names are compared as a whole", "python", "def check_it(x):\n    assert x\n\n\ndef check(x):\n    assert x\n\n\ndef test_a():\n    check(1)\n\n\ndef test_b():\n    check_it(1)\n", "check(x):\n    assert x", "check(x):\n    assert not x", []string{"x::test_a"}},
		{"a function", "cpp", cppHelped, "EXPECT_EQ(x, 1);\n}\nstruct", "EXPECT_EQ(x, 2);\n}\nstruct", []string{"T.Two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, c.before, c.from)
			tests, err := Helped(c.language, "x", []byte(c.before), []byte(strings.Replace(c.before, c.from, c.to, 1)))
			require.NoError(t, err)
			var got []string
			for _, test := range tests {
				got = append(got, test.ID)
			}
			require.Equal(t, c.want, got)
		})
	}
	_, err := Helped("cobol", "x", nil, nil)
	require.Error(t, err)
}

// FuzzHelped: any text is read, and a file that did not change helps no test.
func FuzzHelped(f *testing.F) {
	for _, seed := range []string{pythonBefore, javaHelped, cppHelped} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, language := range []string{"python", "java", "cpp"} {
			tests, err := Helped(language, "x", []byte(src), []byte(src))
			require.NoError(t, err)
			require.Empty(t, tests)
		}
	})
}
