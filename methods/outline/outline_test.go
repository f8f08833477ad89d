package outline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t testing.TB, language, path, src string) *File {
	f, err := Read(language, path, []byte(src))
	require.NoError(t, err)
	return f
}

const python = `"""Tests."""
import pytest
from datetime import date

LIMIT = 3


@pytest.mark.parametrize("n", [1, 2])
def test_first(n):
    assert n


class TestWalk:
    """Walks."""

    def helper(self):
        return 1

    def test_one(self):
        text = """
two
"""
        assert text


def last():
    return 2
`

const java = `package p;

import java.util.List;

class WalkTest {
    @Test
    void one() {
        go();
    }

    @Nested
    class Deep {
        @Test
        void two() {
        }
    }
}
`

const gtest = `#include <gtest/gtest.h>

namespace n {

struct Fixture : testing::Test {
  void SetUp() {}
};

TEST_F(Fixture, One) {
  EXPECT_TRUE(true);
}

int help() { return 1; }

}  // namespace n
`

const catch2 = `#include <catch2/catch.hpp>

TEST_CASE("sizes, big and small", "[size]") {
    SECTION("zero") { CHECK(true); }
}
`

// unreadable has a class that the grammar does not see, for the macro above it.
const unreadable = `#include <gtest/gtest.h>

NAMESPACE_BEGIN
template <class T> struct writer<std::complex<double>, T> {
 private:
  int width_;

 public:
  INLINE typename context<T>::iterator parse(context<T>& c) {
    return c.begin();
  }

  int write(int c) {
    return c;
  }
};
NAMESPACE_END

TEST(Writer, Complex) {
  EXPECT_EQ(1, 1);
}
`

func TestNames(t *testing.T) {
	for name, tt := range map[string]struct {
		language, path, src string
		all, tests          []string
	}{
		"python": {"python", "tests/test_a.py", python, []string{"test_first", "TestWalk.helper", "TestWalk.test_one", "last"}, []string{"test_first", "TestWalk.test_one"}},
		"java":   {"java", "src/test/java/p/WalkTest.java", java, []string{"WalkTest.one", "WalkTest.Deep.two"}, []string{"WalkTest.one", "WalkTest.Deep.two"}},
		"gtest":  {"cpp", "tests/a_test.cc", gtest, []string{"n::Fixture::SetUp", "Fixture.One", "n::help"}, []string{"Fixture.One"}},
		"catch2": {"cpp", "tests/a_test.cc", catch2, []string{"sizes, big and small"}, []string{"sizes, big and small"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, tt.language, tt.path, tt.src)
			require.Equal(t, tt.all, f.Names(false))
			require.Equal(t, tt.tests, f.Names(true))
		})
	}
	_, err := Read("cobol", "a.cob", nil)
	require.Error(t, err)
}

func TestStructure(t *testing.T) {
	require.Equal(t, `import pytest
from datetime import date

def test_first(n):
class TestWalk:
    def helper(self):
    def test_one(self):
def last():
`, read(t, "python", "tests/test_a.py", python).Structure())
	require.Equal(t, `import java.util.List;

class WalkTest
    void one()
    class Deep
        void two()
`, read(t, "java", "WalkTest.java", java).Structure())
	require.Equal(t, `#include <gtest/gtest.h>

struct Fixture : testing::Test
  void SetUp() {}
TEST_F(Fixture, One)
int help() { return 1; }
`, read(t, "cpp", "a_test.cc", gtest).Structure())
}

func TestFind(t *testing.T) {
	for name, tt := range map[string]struct{ language, src, want string }{
		"test_one":                        {"python", python, "TestWalk.test_one"},
		"`TestWalk.test_one()`":           {"python", python, "TestWalk.test_one"},
		"TestWalk::test_one":              {"python", python, "TestWalk.test_one"},
		"tests.a.TestWalk.test_one(self)": {"python", python, "TestWalk.test_one"},
		"def last":                        {"python", python, "last"},
		"p.WalkTest#one":                  {"java", java, "WalkTest.one"},
		"two":                             {"java", java, "WalkTest.Deep.two"},
		"WalkTest$Deep.two":               {"java", java, "WalkTest.Deep.two"},
		"SetUp":                           {"cpp", gtest, "n::Fixture::SetUp"},
		"One":                             {"cpp", gtest, "Fixture.One"},
		"sizes, big and small":            {"cpp", catch2, "sizes, big and small"},
		"\"sizes, big and small\"":        {"cpp", catch2, "sizes, big and small"},
	} {
		fn, ok := read(t, tt.language, "f", tt.src).Find(name)
		require.True(t, ok, name)
		require.Equal(t, tt.want, fn.Name, name)
	}
	f := read(t, "python", "f.py", python)
	for _, name := range []string{"", "test_two", "one", "None", "helper2"} {
		_, ok := f.Find(name)
		require.False(t, ok, name)
	}
	fn, ok := f.FindClose("TestWalk.test_onee")
	require.True(t, ok)
	require.Equal(t, "TestWalk.test_one", fn.Name)
	fn, ok = f.FindClose("test_frist")
	require.True(t, ok)
	require.Equal(t, "test_first", fn.Name)
	_, ok = f.FindClose("something_else")
	require.False(t, ok)
}

func TestMembers(t *testing.T) {
	require.Len(t, read(t, "python", "f.py", python).Members("TestWalk"), 2)
	require.Len(t, read(t, "java", "f.java", java).Members("WalkTest$Deep"), 1)
	require.Len(t, read(t, "java", "f.java", java).Members("Deep"), 1)
	require.Len(t, read(t, "cpp", "f.cc", gtest).Members("n::Fixture"), 1)
	require.Empty(t, read(t, "python", "f.py", python).Members("Walk"))
	require.Empty(t, read(t, "python", "f.py", python).Members(""))
}

func TestInsert(t *testing.T) {
	for name, tt := range map[string]struct {
		language, path, src, code, prior string
		after                            string // text that is before the new one
		want                             string
	}{
		"a function": {"python", "t.py", python, "def test_new():\n    assert 0\n", "test_first",
			"    assert n\n", "\n\ndef test_new():\n    assert 0\n\n\nclass TestWalk:\n"},
		"a method, indented": {"python", "t.py", python, "\n    def test_new(self):\n        assert 0\n", "helper",
			"        return 1\n", "\n    def test_new(self):\n        assert 0\n\n    def test_one(self):\n"},
		"a method, not indented": {"python", "t.py", python, "def test_new(self):\n    x = \"\"\"\nkept\n\"\"\"\n    assert x\n", "test_one",
			"        assert text\n", "\n    def test_new(self):\n        x = \"\"\"\nkept\n\"\"\"\n        assert x\n\n\ndef last():\n"},
		"a method after a function goes into the class": {"python", "t.py", python, "def test_new(self):\n    assert 0\n", "last",
			"        assert text\n", "\n    def test_new(self):\n        assert 0\n\n\ndef last():\n"},
		"a function after a method leaves the class": {"python", "t.py", python, "def test_new():\n    assert 0\n", "helper",
			"        assert text\n", "\n\ndef test_new():\n    assert 0\n\n\ndef last():\n"},
		"no such prior: the last test": {"python", "t.py", python, "def test_new(self):\n    assert 0\n", "nothing_like_it",
			"        assert text\n", "\n    def test_new(self):\n        assert 0\n"},
		"a method where there is no class": {"python", "t.py", "def test_a():\n    pass\n", "def test_new(self, x):\n    assert x\n", "test_a",
			"    pass\n", "\n\ndef test_new(x):\n    assert x\n"},
		"inside of a class that the file has": {"python", "t.py", python, "class TestWalk:\n    def test_new(self):\n        assert 0\n", "test_one",
			"        assert text\n", "\n    def test_new(self):\n        assert 0\n"},
		"a class of its own": {"python", "t.py", python, "class TestNew:\n    def test_new(self):\n        assert 0\n", "last",
			"    return 2\n", "\n\nclass TestNew:\n    def test_new(self):\n        assert 0\n"},
		"a name that is taken": {"python", "t.py", python, "def test_first():\n    return test_first\n", "last",
			"    return 2\n", "\n\ndef test_first_too():\n    return test_first_too\n"},
		"no end of line": {"python", "t.py", "def test_a():\n    pass", "def test_b():\n    pass", "test_a",
			"    pass\n", "\n\ndef test_b():\n    pass\n"},
		"Windows' ends of lines": {"python", "t.py", "def test_a():\r\n    pass\r\n", "def test_b():\n    pass", "test_a",
			"    pass\r\n", "\r\n\r\ndef test_b():\r\n    pass\r\n"},
		"java": {"java", "WalkTest.java", java, "@Test\nvoid three() {\n    go();\n}", "WalkTest.one",
			"        go();\n    }\n", "\n    @Test\n    void three() {\n        go();\n    }\n\n    @Nested\n"},
		"java, nested": {"java", "WalkTest.java", java, "        @Test\n        void three() {\n        }\n", "two",
			"        void two() {\n        }\n", "\n        @Test\n        void three() {\n        }\n    }\n"},
		"java, in a class": {"java", "WalkTest.java", java, "class WalkTest {\n    @Test\n    void three() {\n    }\n}", "one",
			"        go();\n    }\n", "\n    @Test\n    void three() {\n    }\n\n    @Nested\n"},
		"java, no functions": {"java", "WalkTest.java", "class WalkTest {\n}\n", "@Test\nvoid three() {}", "",
			"class WalkTest {\n", "    @Test\n    void three() {}\n}\n"},
		"java, a new file": {"java", "core/src/test/java/a/b/NewTest.java", "", "@Test\nvoid three() {}", "",
			"", "package a.b;\n\npublic class NewTest {\n    @Test\n    void three() {}\n}\n"},
		"gtest": {"cpp", "a_test.cc", gtest, "TEST_F(Fixture, Two) {\n  EXPECT_TRUE(false);\n}", "Fixture.One",
			"  EXPECT_TRUE(true);\n}\n", "\nTEST_F(Fixture, Two) {\n  EXPECT_TRUE(false);\n}\n\nint help()"},
		"gtest, after a method": {"cpp", "a_test.cc", gtest, "TEST_F(Fixture, Two) {}", "SetUp",
			"};\n", "\nTEST_F(Fixture, Two) {}\n\nTEST_F(Fixture, One)"},
		"gtest, after a method of a class that cannot be read": {"cpp", "a_test.cc", unreadable, "TEST(Writer, Two) {}", "write",
			"  EXPECT_EQ(1, 1);\n}\n", "\nTEST(Writer, Two) {}\n"},
		"gtest, a name that is taken": {"cpp", "a_test.cc", gtest, "TEST_F(Fixture, One) {}", "One",
			"  EXPECT_TRUE(true);\n}\n", "\nTEST_F(Fixture, OneToo) {}\n"},
		"gtest, another suite may have it": {"cpp", "a_test.cc", gtest, "TEST(Other, One) {}", "One",
			"  EXPECT_TRUE(true);\n}\n", "\nTEST(Other, One) {}\n"},
		"catch2": {"cpp", "a_test.cc", catch2, "TEST_CASE(\"sizes, big and small\") {\n}", "sizes, big and small",
			"CHECK(true); }\n}\n", "\nTEST_CASE(\"sizes, big and small too\") {\n}\n"},
		"unknown language's code is not read": {"python", "t.py", "", "def test_a():\n    pass", "", "", "def test_a():\n    pass\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(read(t, tt.language, tt.path, tt.src).Insert(tt.code, tt.prior))
			require.Contains(t, got, tt.after+tt.want)
			for line := range strings.Lines(tt.src) {
				require.Contains(t, got, strings.TrimSuffix(line, "\n"))
			}
		})
	}
}

func TestReplace(t *testing.T) {
	f := read(t, "python", "t.py", python)
	fn, ok := f.Find("test_one")
	require.True(t, ok)
	got := string(f.Replace(fn, "def test_one(self):\n    assert 1 == 2\n"))
	require.Equal(t, strings.Replace(python, "        text = \"\"\"\ntwo\n\"\"\"\n        assert text\n", "        assert 1 == 2\n", 1), got)
	fn, _ = f.Find("test_first")
	got = string(f.Replace(fn, "@pytest.mark.parametrize(\"n\", [0])\ndef test_first(n):\n    assert n\n"))
	require.Equal(t, strings.Replace(python, "[1, 2]", "[0]", 1), got)
	got = string(f.Replace(fn, "def test_other(n):\n    assert n\n"))
	require.Contains(t, got, "    assert n\n\n\ndef test_other(n):\n    assert n\n", "another function goes after it")
	require.Contains(t, got, "[1, 2]")

	f = read(t, "cpp", "a_test.cc", gtest)
	fn, _ = f.Find("Fixture.One")
	require.Equal(t, strings.Replace(gtest, "EXPECT_TRUE(true)", "FAIL()", 1), string(f.Replace(fn, "TEST_F(Fixture, One) {\n  FAIL();\n}\n")))

	f = read(t, "java", "WalkTest.java", java)
	fn, _ = f.Find("two")
	require.Equal(t, strings.Replace(java, "void two() {\n", "void two() {\n            go();\n", 1),
		string(f.Replace(fn, "@Test\nvoid two() {\n    go();\n}\n")))
}

// TestDamaged: in each beginning of a source all functions end within its lines,
// and code can be put after any of them.
func TestDamaged(t *testing.T) {
	for language, src := range map[string]string{"python": python, "java": java, "cpp": gtest + catch2} {
		for n := range src {
			for _, end := range []string{"", "\f\n"} {
				f := read(t, language, "test_t", src[:n]+end)
				for _, s := range f.parsed.Symbols {
					require.LessOrEqual(t, s.End, len(f.lines), "%s of %q", s.Name, src[:n]+end)
				}
				for _, fn := range f.Functions {
					require.NotPanics(t, func() { f.Insert("def x():\n    pass\n", fn.Name) })
				}
			}
		}
	}
}

func TestAddedTo(t *testing.T) {
	old := read(t, "python", "t.py", python)
	with := read(t, "python", "t.py", string(old.Insert("def test_new():\n    assert 0\n", "last")))
	added := with.AddedTo(old)
	require.Len(t, added, 1)
	require.Equal(t, "test_new", added[0].Name)
	require.Empty(t, old.AddedTo(old))
}

func FuzzInsert(f *testing.F) {
	f.Add("python", python, "def test_new(self):\n    assert 0\n", "test_one")
	f.Add("python", "", "class A:\n def b(self): pass", "")
	f.Add("java", java, "@Test void x() {}", "one")
	f.Add("java", "class A {", "class A { void b() {} }", "b")
	f.Add("cpp", gtest, "TEST(A, B) {}", "help")
	f.Add("cpp", catch2, "TEST_CASE(\"x\") {}", "sizes")
	f.Fuzz(func(t *testing.T, language, src, code, prior string) {
		file, err := Read(language, "t", []byte(src))
		if err != nil {
			return
		}
		with := file.Insert(code, prior)
		require.Equal(t, with, file.Insert(code, prior))
		if !strings.Contains(src, "\r") && !strings.Contains(code, "\r") {
			// What was there stays, in its order.
			rest := strings.Split(string(with), "\n")
			for line := range strings.Lines(src) {
				line = strings.TrimSuffix(line, "\n")
				for len(rest) > 0 && rest[0] != line {
					rest = rest[1:]
				}
				if strings.TrimSpace(src) != "" {
					require.NotEmpty(t, rest, "%q is gone", line)
					rest = rest[1:]
				}
			}
		}
		for _, fn := range file.Functions {
			file.Replace(fn, code)
		}
		_ = file.Structure()
	})
}
