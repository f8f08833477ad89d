package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnMacroOnce: headers are read for each name of a macro, not for each use.
func TestOwnMacroOnce(t *testing.T) {
	repo := &countingTree{pythonTree: pythonTree{"t.cpp": "#include \"test.h\"\n" + strings.Repeat("TEST(name) {}\n", 50), "test.h": "#define TEST(name) void name()\n"}}
	require.Empty(t, gtestUse.in(repo, "t.cpp"))
	require.Equal(t, 1, repo.listed)
}

// countingTree counts how often its paths are listed.
type countingTree struct {
	pythonTree
	listed int
}

func (c *countingTree) Paths() []string {
	c.listed++
	return c.pythonTree.Paths()
}

// TestHeadersNamed: which files an #include may mean.
func TestHeadersNamed(t *testing.T) {
	repo := pythonTree{"a.h": "", "src/a.h": "", "src/ba.h": "", "lib/src/a.h": ""}
	for _, c := range []struct {
		dir, name string
		want      []string
	}{
		{"src", "a.h", []string{"src/a.h"}},
		{"test", "a.h", []string{"a.h", "lib/src/a.h", "src/a.h"}},
		{"test", "src/a.h", []string{"lib/src/a.h", "src/a.h"}},
		{"test", "../a.h", []string{"a.h"}},
		{"test", "./b.h", nil},
	} {
		require.Equal(t, c.want, headersNamed(repo, c.dir, c.name), c.name)
	}
}

// TestCppFrameworkByMacros: macros count where they are the framework's, and not
// where the project defines them itself.
func TestCppFrameworkByMacros(t *testing.T) {
	for name, c := range map[string]struct {
		files     pythonTree
		framework string
		why       string
	}{
		"GoogleTest's header": {pythonTree{"t.cpp": "#include <gtest/gtest.h>\nTEST(A, b) {}\n"}, "gtest", `the test file says so: #include <gtest/gtest.h>`},
		"GoogleTest by way of a header": {pythonTree{
			"t.cpp": "#include \"help.h\"\nTEST(A, b) {}\n", "help.h": "#include <gmock/gmock.h>\n#define TEST_P(x)\n",
		}, "gtest", "the test file says so: TEST("},
		"a macro of unknown origin": {pythonTree{"t.cpp": "TEST_CASE(\"a\") {}\n"}, "catch2", "the test file says so: TEST_CASE("},
		"the file's own macro":      {pythonTree{"t.cpp": "#define TEST_CASE(f) run(f)\nint main() {\n  TEST_CASE(f);\n}\n"}, "ctest", "no test file uses GoogleTest, Catch2 or doctest"},
		"the project's macro": {pythonTree{
			"tests/t.cpp": "#include \"test.hpp\"\nTEST(name) {}\n", "tests/test.hpp": "#include \"deep.hpp\"\n", "tests/deep.hpp": "# define TEST(name) void name()\n",
		}, "ctest", "no test file uses GoogleTest, Catch2 or doctest"},
		"a header elsewhere": {pythonTree{
			"test/t.cc": "#include \"cctest.h\"\nTEST(Name) {}\n", "lib/src/cctest.h": "#define TEST(Name) void Name()\n",
		}, "ctest", "no test file uses GoogleTest, Catch2 or doctest"},
		"the framework in the project": {pythonTree{
			"t.cpp": "#include \"catch.hpp\"\nTEST_CASE(\"a\") {}\n", "catch.hpp": "#define TEST_CASE(...) x\n",
		}, "catch2", `the test file says so: #include "catch.hpp"`},
		"doctest under the framework's macro": {pythonTree{"t.cpp": "TEST_CASE(\"a\") { SUBCASE(\"b\") {} }\n"}, "doctest", "the test file says so: SUBCASE("},
		"one macro is the project's":          {pythonTree{"t.cpp": "#define TEST(x) x\nTEST(a)\nTEST_CASE(\"a\") {}\n"}, "catch2", "the test file says so: TEST_CASE("},
		"headers that include each other":     {pythonTree{"t.cpp": "#include \"a.h\"\nTEST(A, b) {}\n", "a.h": "#include \"t.cpp\"\n#include \"a.h\"\n"}, "gtest", "the test file says so: TEST("},
	} {
		t.Run(name, func(t *testing.T) {
			file := "t.cpp"
			for _, p := range c.files.Paths() {
				if isTest(Cpp, p) && about(Cpp).IsRunnable(p) {
					file = p
				}
			}
			framework, d := cppFramework(c.files, []string{file})
			require.Equal(t, c.framework, framework)
			require.Equal(t, c.why, d.Why)
		})
	}
}
