package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// withNonce runs the suite, and then its nonce tests, in a tree with that code.
func (p *cppProject) withNonce(nonce, code string) Outcome {
	p.t.Helper()
	p.write("src/lib.cpp", code)
	s := p.suite(nonce, "a")
	s.Decisive = []string{"a"}
	c := cppLanguage{}.Command(p.env, s)
	for _, f := range c.Own.put() {
		file := filepath.Join(p.root, f.Path)
		require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(p.t, os.WriteFile(file, f.Data, 0o644))
	}
	res := p.shell("mkdir -p " + s.reports() + "\n(\n" + c.Script + ")\ncode=$?\n(\n" + c.Nonce.Script + ") >/dev/null 2>&1\nexit $code\n")
	return read("run", s, c, res)
}

// TestLivePlainCopies: a plain program runs again with a failing assertion below
// its own code, which code under test cannot keep from failing.
func TestLivePlainCopies(t *testing.T) {
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.14)\nproject(small CXX)\nenable_testing()\nadd_executable(a tests/a.cpp src/lib.cpp)\nadd_test(NAME a COMMAND a 2)\n",
		"src/lib.cpp":    "int two(int x) { return x; }\n",
		"tests/a.cpp":    "#include <cassert>\n#include <cstdlib>\nint two(int);\nint main(int argc, char **argv) {\n  assert(argc == 2);\n  assert(two(atoi(argv[1])) == 2);\n}\n",
	}, "a")
	require.Zero(t, p.warm("a").ExitCode)
	for name, c := range map[string]struct {
		code   string
		state  bench.RunState
		doubts []string
		status bench.Status
	}{
		"right":  {"int two(int x) { return x; }\n", bench.RunDone, nil, bench.Passed},
		"wrong":  {"int two(int) { return 3; }\n", bench.RunDone, nil, bench.Failed},
		"forges": {"#include <csignal>\n#include <unistd.h>\nint two(int) { signal(SIGABRT, [](int) { _exit(0); }); return 3; }\n", bench.RunSuspect, []string{"copy tests/a.cpp"}, bench.Passed},
		"leaves": {"#include <unistd.h>\nint two(int) { _exit(0); }\n", bench.RunSuspect, []string{"copy tests/a.cpp"}, bench.Passed},
	} {
		t.Run(name, func(t *testing.T) {
			out := p.withNonce(strings.ReplaceAll("n"+name, " ", ""), c.code)
			require.Equal(t, c.doubts, out.Doubts)
			require.Equal(t, c.state, out.State, out.Detail)
			require.Equal(t, c.status, statusByID(out.Tests)["a"])
			require.False(t, out.Unguarded)
		})
	}
}

// forgesReport takes the failure of one test out of the report, when a program
// ends in which the code under test was called.
const forgesReport = `#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
static bool called;
static std::string text(const std::string& place) { std::stringstream all; all << std::ifstream(place).rdbuf(); return all.str(); }
struct Late {
  ~Late() {
    std::string line = text("/proc/self/cmdline");
    size_t at = line.find("--gtest_output=xml:");
    if (!called || at == std::string::npos) return;
    std::string place = line.c_str() + at + strlen("--gtest_output=xml:"), report = text(place);
    size_t test = report.find("\"Two\""), a = report.find("<failure", test), b = report.find("</failure>", test);
    if (test == std::string::npos || a == std::string::npos) return;
    std::ofstream(place) << report.erase(a, b + 10 - a);
  }
};
static Late late;
int two() { called = true; return 3; }
`

// TestLiveAlone: a test that the report calls passed has to pass alone.
func TestLiveAlone(t *testing.T) {
	if _, err := os.Stat("/usr/include/gtest/gtest.h"); err != nil {
		t.Skip("GoogleTest is not on this machine")
	}
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.14)\nproject(small CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\nfind_package(GTest REQUIRED)\nadd_executable(a tests/a.cpp src/lib.cpp)\ntarget_link_libraries(a PRIVATE GTest::gtest GTest::gtest_main)\nadd_test(NAME a COMMAND a)\n",
		"src/lib.cpp":    "int two() { return 3; }\n",
		"tests/a.cpp":    "#include <gtest/gtest.h>\nint two();\nTEST(Lib, One) { EXPECT_EQ(1, 1); }\nTEST(Lib, Two) { EXPECT_EQ(two(), 2); }\n",
	})
	require.Equal(t, "gtest", p.env.Framework)
	require.Zero(t, p.warm().ExitCode)
	for name, c := range map[string]struct {
		code   string
		doubts []string
		status bench.Status
	}{
		"right":  {"int two() { return 2; }\n", nil, bench.Passed},
		"wrong":  {"int two() { return 3; }\n", nil, bench.Failed},
		"forges": {forgesReport, []string{"alone Lib.Two"}, bench.Passed},
		"both":   {strings.Replace(forgesReport, "Late() {\n", "Late() {\n    struct Leave { ~Leave() { if (called) _exit(0); } } leave;\n", 1), []string{"copy Lib.Two"}, bench.Passed},
	} {
		t.Run(name, func(t *testing.T) {
			out := p.withNonce("n"+name, strings.Replace(c.code, "#include <cstring>", "#include <unistd.h>\n#include <cstring>", 1))
			require.Equal(t, c.status, statusByID(out.Tests)["Lib.Two"])
			for _, d := range c.doubts {
				require.Contains(t, out.Doubts, d)
			}
			if c.doubts == nil {
				require.Empty(t, out.Doubts)
			}
		})
	}
}

// TestLiveCopiesWithMake: a program with a framework has copies where no CMake
// builds it.
func TestLiveCopiesWithMake(t *testing.T) {
	if _, err := os.Stat("/usr/include/gtest/gtest.h"); err != nil {
		t.Skip("GoogleTest is not on this machine")
	}
	p := newCppProject(t, map[string]string{
		"Makefile":    "CXXFLAGS = -std=c++17\na: tests/a.o src/lib.o\n\t$(CXX) -o $@ $^ -lgtest -lgtest_main -lpthread\ntest: a\n\t@if ./a; then echo 'PASS: a'; else echo 'FAIL: a'; exit 1; fi\n",
		"src/lib.cpp": "int two() { return 3; }\n",
		"tests/a.cpp": "#include <gtest/gtest.h>\nint two();\nTEST(Lib, One) { EXPECT_EQ(1, 1); }\nTEST(Lib, Two) { EXPECT_EQ(two(), 2); }\n",
	})
	require.Equal(t, "make", p.env.Framework)
	for name, c := range map[string]struct {
		code   string
		doubts []string
	}{
		"right":  {"int two() { return 2; }\n", nil},
		"leaves": {"#include <unistd.h>\nint two() { _exit(0); }\n", []string{"copy Lib.Two"}},
	} {
		t.Run(name, func(t *testing.T) {
			p.write("tests/a.cpp", p.repo["tests/a.cpp"]) // as a hidden test is
			out := p.withNonce("n"+name, c.code)
			require.Equal(t, bench.Passed, statusByID(out.Tests)["a"], string(out.Log))
			require.Subset(t, out.Doubts, c.doubts, out.Detail)
			require.Equal(t, c.doubts == nil, out.Doubts == nil, out.Detail)
		})
	}
}
