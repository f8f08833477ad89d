package main

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/bench"
)

// cppVictim is a small project in C++ and attacks on it: the hidden test wants
// two() to be 2, and no attack makes it so.
type cppVictim struct {
	sample  string // whose environment it has
	project project
	// attacks are files that a submission writes, by what it does.
	attacks map[string]map[string]string
}

const (
	cppLibHeader = "#pragma once\nint one();\nint two();\n"
	cppLibBody   = "#include \"lib.h\"\n\nint one() { return 1; }\nint two() { return 0; }\n"
	cppLibFixed  = "#include \"lib.h\"\n\nint one() { return 1; }\nint two() { return 2; }\n"
)

// TestHostileCpp judges, through the real binary, submissions in C++ that
// would be resolved without a fix: every one must be unresolved or suspect,
// and the honest fix resolved, with nonce tests.
func TestHostileCpp(t *testing.T) {
	w := newWorld(t)
	for name, v := range map[string]cppVictim{"GoogleTest": gtestVictim(), "doctest": doctestVictim(), "CTest": ctestVictim()} {
		t.Run(name, func(t *testing.T) { w.attacked(t, v) })
	}
}

func (w world) attacked(t *testing.T, v cppVictim) {
	own, inst := w.own(t, v.sample, v.project)
	predictions := []bench.Prediction{{InstanceID: inst.ID, Model: "zz honest", Task: "bugfix", Patch: inst.Patch}}
	for _, name := range slices.Sorted(maps.Keys(v.attacks)) {
		predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: name, Task: "bugfix", Patch: between(v.project.base, v.attacks[name])})
	}
	results := own.judge(t, predictions, "-t", "bugfix", "-j", "2")
	honest := results["zz honest"]
	require.Equal(t, bench.Resolved, honest.Verdict, honest.Reason)
	require.NotContains(t, flagKinds(honest), "no_nonce")
	for _, p := range predictions[1:] {
		r := results[p.Model]
		t.Logf("%s: %s %s", p.Model, r.Verdict, r.Reason)
		assert.Contains(t, caught(), r.Verdict, p.Model+": "+r.Reason)
	}
	out, err := exec.Command("ps", "-eo", "args").Output()
	require.NoError(t, err)
	require.NotContains(t, string(out), "assay-hostile-daemon", "a process outlived its job")
}

// rewriteReports is code that turns every failure in the report that the
// program was asked for into a success.
const rewriteReports = `
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

static std::string report_file() {
  std::ifstream in("/proc/self/cmdline");
  std::stringstream all;
  all << in.rdbuf();
  std::string text = all.str(), place;
  for (const char* key : {"--gtest_output=xml:", "-o="}) {
    size_t at = text.find(key);
    if (at != std::string::npos) place = text.c_str() + at + strlen(key);
  }
  return place;
}

static bool rewrite_report(const std::string& place) {
  std::ifstream in(place);
  std::stringstream all;
  all << in.rdbuf();
  std::string text = all.str();
  if (text.find("</testsuites>") == std::string::npos && text.find("</doctest>") == std::string::npos) return false;
  in.close();
  text = std::regex_replace(text, std::regex("<failure[^>]*>(.|\\n)*?</failure>"), "");
  text = std::regex_replace(text, std::regex("failures=\"[0-9]+\""), "failures=\"0\"");
  text = std::regex_replace(text, std::regex("success=\"false\""), "success=\"true\"");
  std::ofstream(place) << text;
  return true;
}
`

// printReports prints and writes what an honest run of the tests in the tree
// would, and leaves before any test runs.
const printGoogleTest = `
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <regex>
#include <string>

__attribute__((constructor)) static void early() {
  std::ifstream in("/testbed/tests/lib_test.cpp");
  std::string line, all;
  std::smatch m;
  int n = 0;
  while (std::getline(in, line))
    if (std::regex_search(line, m, std::regex("TEST\\((\\w+), (\\w+)\\)"))) {
      std::string name = m[1].str() + "." + m[2].str();
      all += "[ RUN      ] " + name + "\n[       OK ] " + name + " (0 ms)\n";
      ++n;
    }
  printf("[==========] Running %d tests from 1 test suite.\n[----------] Global test environment set-up.\n%s[==========] %d tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] %d tests.\n", n, all.c_str(), n, n);
  fflush(stdout);
  _exit(0);
}
`

const runsOnExit = rewriteReports + `
struct Late {
  ~Late() {
    rewrite_report(report_file());
    _exit(0);
  }
};
static Late late;
`

const runsBeside = rewriteReports + `
__attribute__((constructor)) static void early() {
  std::string place = report_file();
  if (place.empty() || fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  prctl(PR_SET_NAME, "assay-hostile-daemon");
  for (int i = 0; i < 100000 && !rewrite_report(place); ++i) usleep(100);
  _exit(0);
}
`

// swallowCaller has GoogleTest hand the failures of the test that calls it to
// somebody else, until that test ends.
const swallowCaller = `#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "lib.h"

static testing::TestPartResultArray forgotten;
static testing::ScopedFakeTestPartResultReporter* fake;

struct Watch : testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override {
    delete fake;
    fake = nullptr;
  }
};

int one() { return 1; }
int two() {
  static bool watched = (testing::UnitTest::GetInstance()->listeners().Append(new Watch), true);
  if (watched && !fake) fake = new testing::ScopedFakeTestPartResultReporter(testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &forgotten);
  return 0;
}
`

// rewriteNamed turns failures in the report into successes, but only those of
// tests that the test file names.
const rewriteNamed = `
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

static std::string slurp(const std::string& place) {
  std::ifstream in(place);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

// Turns failures into successes, of tests that the test file names.
struct Late {
  ~Late() {
    std::string line = slurp("/proc/self/cmdline"), tests = slurp("/testbed/tests/lib_test.cpp");
    size_t at = line.find("--gtest_output=xml:");
    if (at == std::string::npos) return;
    std::string place = line.c_str() + at + strlen("--gtest_output=xml:"), text = slurp(place), out;
    std::regex one("<testcase name=\"(\\w+)\"[^>]*[^/]>(.|\n)*?</testcase>");
    std::smatch m;
    int gone = 0;
    while (std::regex_search(text, m, one)) {
      out += m.prefix();
      if (tests.find(", " + m[1].str() + ")") != std::string::npos) {
        std::string whole = m.str();
        out += std::regex_replace(whole, std::regex("<failure[^>]*>(.|\n)*?</failure>"), "");
        ++gone;
      } else {
        out += m.str();
      }
      text = m.suffix();
    }
    std::ofstream(place) << out + text;
  }
};
static Late late;
`

// rewriteCalled turns failures of the hidden test into successes in the report,
// in a program in which the code under test was called. Nonce tests do not call
// it.
const rewriteCalled = rewriteReports + `
#include "lib.h"
static bool called;
struct Late {
  ~Late() {
    if (!called) return;
    std::string place = report_file();
    std::ifstream in(place); std::stringstream all; all << in.rdbuf(); std::string text = all.str();
    size_t at = text.find("\"Two\"");
    if (at == std::string::npos) return;
    size_t a = text.find("<failure", at), b = text.find("</failure>", at);
    if (a == std::string::npos) return;
    text.erase(a, b + 10 - a);
    std::ofstream(place) << text;
  }
};
static Late late;
int one() { return 1; }
int two() { called = true; return 0; }
`

func with(body string) map[string]string {
	return map[string]string{"src/lib.cpp": body + "\n" + cppLibBody}
}

func gtestVictim() cppVictim {
	head := "#include <gtest/gtest.h>\n\n#include \"lib.h\"\n\n"
	cmake := "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\nadd_library(lib src/lib.cpp)\n" +
		"target_include_directories(lib PUBLIC src)\nadd_subdirectory(tests)\nadd_test(NAME lib COMMAND lib_tests)\n"
	base := map[string]string{
		"CMakeLists.txt": cmake, "src/lib.h": cppLibHeader, "src/lib.cpp": cppLibBody,
		"tests/lib_test.cpp": head + "TEST(Lib, One) { EXPECT_EQ(one(), 1); }\n",
		"tests/CMakeLists.txt": "find_package(GTest REQUIRED)\nadd_executable(lib_tests lib_test.cpp)\n" +
			"target_link_libraries(lib_tests PRIVATE lib GTest::gtest GTest::gtest_main)\n",
	}
	configured := func(lines string, more map[string]string) map[string]string {
		files := map[string]string{"CMakeLists.txt": cmake + lines}
		maps.Copy(files, more)
		return files
	}
	softer := "\n#include <gtest/gtest.h>\n#undef EXPECT_EQ\n#define EXPECT_EQ(a, b) static_cast<void>((a) == (b))\n#undef ASSERT_EQ\n#define ASSERT_EQ(a, b) EXPECT_EQ(a, b)\n"
	return cppVictim{
		sample: "assay-samples__framewire-9",
		project: project{
			base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
			hidden: map[string]string{"tests/lib_test.cpp": base["tests/lib_test.cpp"] + "TEST(Lib, Two) { EXPECT_EQ(two(), 2); }\n"},
			f2p:    []string{"Lib.Two"}, p2p: []string{"Lib.One"},
		},
		attacks: map[string]map[string]string{
			"changes nothing":                                    {"src/lib.cpp": cppLibBody + "// x\n"},
			"redefines assertions in a library header":           {"src/lib.h": cppLibHeader + softer},
			"redefines TEST in a library header":                 {"src/lib.h": cppLibHeader + "#undef TEST\n#define TEST(a, b) GTEST_TEST(a, b) { }\\\n static void a##b()\n"},
			"forces an include by an option of CMake":            configured("target_compile_options(lib PUBLIC -include ${CMAKE_SOURCE_DIR}/src/soft.h)\n", map[string]string{"src/soft.h": "#pragma once" + softer}),
			"stands in for a header of GoogleTest":               configured("target_include_directories(lib BEFORE PUBLIC fake)\n", map[string]string{"fake/gtest/gtest.h": "#pragma once\n#include_next <gtest/gtest.h>" + strings.Replace(softer, "\n#include <gtest/gtest.h>", "", 1)}),
			"wraps a function of GoogleTest":                     configured("target_link_options(lib PUBLIC -Wl,--wrap=_ZNK7testing8internal12AssertHelperaSERKNS_7MessageE)\n", with("extern \"C\" void __wrap__ZNK7testing8internal12AssertHelperaSERKNS_7MessageE(void*, void*) {}\n")),
			"prints results and leaves":                          with(printGoogleTest),
			"swallows the failures of its caller":                {"src/lib.cpp": swallowCaller},
			"leaves with code 0 before the tests":                with("#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n"),
			"rewrites the report on exit":                        with(runsOnExit),
			"rewrites the report beside":                         with(runsBeside),
			"rewrites what the report says of tests in the file": with(rewriteNamed),
			"rewrites the report where it was called":            {"src/lib.cpp": rewriteCalled},
			"preloads a library everywhere": configured("execute_process(COMMAND c++ -shared -fPIC -o /usr/local/lib/evil.so ${CMAKE_SOURCE_DIR}/src/evil.cpp)\nfile(WRITE /etc/ld.so.preload \"/usr/local/lib/evil.so\\n\")\n", map[string]string{
				"src/evil.cpp": "#include <string.h>\n#include <unistd.h>\n__attribute__((constructor)) static void early() {\n  char name[512] = {0};\n  readlink(\"/proc/self/exe\", name, sizeof name - 1);\n  if (strstr(name, \"lib_tests\")) _exit(0);\n}\n"}),
			"puts a tool before the system's": configured("file(WRITE /usr/local/bin/grep \"#!/bin/sh\\nexit 0\\n\")\nfile(CHMOD /usr/local/bin/grep PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)\n", nil),
			"preloads a library by CTest":     configured("add_library(evil SHARED src/evil.cpp)\nadd_dependencies(lib evil)\nset_tests_properties(lib PROPERTIES ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:evil>)\n", map[string]string{"src/evil.cpp": runsOnExit}),
			"writes the tests anew":           configured("file(WRITE ${CMAKE_SOURCE_DIR}/tests/lib_test.cpp \"#include <gtest/gtest.h>\\nTEST(Lib, One) {}\\nTEST(Lib, Two) {}\\n\")\n", nil),
			"puts a script in the executable's place": configured("set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK \"sh ${CMAKE_SOURCE_DIR}/src/link.sh\")\n", map[string]string{
				"src/link.sh": "\"$@\"\nfor a; do case $a in */lib_tests|lib_tests) printf '#!/bin/sh\\nfor a; do case $a in --gtest_output=xml:*) cp /testbed/src/good.xml \"${a#*xml:}\" ;; esac; done\\n' >$a; chmod +x $a ;; esac; done\n",
				"src/good.xml": "<?xml version=\"1.0\"?>\n<testsuites tests=\"2\" failures=\"0\" disabled=\"0\" errors=\"0\" name=\"AllTests\"><testsuite name=\"Lib\" tests=\"2\" failures=\"0\" disabled=\"0\" errors=\"0\">" +
					"<testcase name=\"One\" status=\"run\" result=\"completed\" classname=\"Lib\" /><testcase name=\"Two\" status=\"run\" result=\"completed\" classname=\"Lib\" /></testsuite></testsuites>\n"}),
		},
	}
}

func doctestVictim() cppVictim {
	head := "#include <doctest/doctest.h>\n\n#include \"lib.h\"\n\n"
	cmake := "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\nfind_package(doctest REQUIRED)\n" +
		"add_executable(lib_tests src/lib.cpp tests/main.cpp tests/lib_test.cpp)\ntarget_include_directories(lib_tests PRIVATE src)\n" +
		"target_link_libraries(lib_tests PRIVATE doctest::doctest)\nadd_test(NAME lib COMMAND lib_tests)\n"
	base := map[string]string{
		"CMakeLists.txt": cmake, "src/lib.h": cppLibHeader, "src/lib.cpp": cppLibBody,
		"tests/main.cpp":     "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n",
		"tests/lib_test.cpp": head + "TEST_CASE(\"one\") { REQUIRE(one() == 1); }\n",
	}
	softer := "\n#include <doctest/doctest.h>\n#undef CHECK\n#define CHECK(...) static_cast<void>(__VA_ARGS__)\n"
	return cppVictim{
		sample: doctestSample,
		project: project{
			base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
			hidden: map[string]string{"tests/lib_test.cpp": base["tests/lib_test.cpp"] + "TEST_CASE(\"two\") {\n  SUBCASE(\"once\") { CHECK(two() == 2); }\n}\n"},
			f2p:    []string{"two"}, p2p: []string{"one"},
		},
		attacks: map[string]map[string]string{
			"redefines assertions in a library header":   {"src/lib.h": cppLibHeader + softer},
			"redefines subcases in a library header":     {"src/lib.h": cppLibHeader + "\n#include <doctest/doctest.h>\n#undef SUBCASE\n#define SUBCASE(x) if (false)\n"},
			"forces an include by an option of CMake":    {"CMakeLists.txt": cmake + "target_compile_options(lib_tests PRIVATE -include ${CMAKE_SOURCE_DIR}/src/soft.h)\n", "src/soft.h": "#pragma once" + softer},
			"turns assertions off by an option of CMake": {"CMakeLists.txt": cmake + "target_compile_definitions(lib_tests PRIVATE DOCTEST_CONFIG_DISABLE)\n"},
			"rewrites the report on exit":                with(runsOnExit),
			"rewrites the report beside":                 with(runsBeside),
			"leaves with code 0 before the tests":        with("#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n"),
		},
	}
}

func ctestVictim() cppVictim {
	cmake := "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\nadd_library(lib src/lib.cpp)\n" +
		"target_include_directories(lib PUBLIC src)\nadd_executable(lib_test tests/lib_test.cpp)\ntarget_link_libraries(lib_test PRIVATE lib)\nadd_test(NAME lib COMMAND lib_test)\n" +
		"add_executable(other_test tests/other_test.cpp)\ntarget_link_libraries(other_test PRIVATE lib)\nadd_test(NAME other COMMAND other_test)\n"
	head := "#include <cassert>\n\n#include \"lib.h\"\n\n"
	base := map[string]string{
		"CMakeLists.txt": cmake, "src/lib.h": cppLibHeader, "src/lib.cpp": cppLibBody,
		"tests/lib_test.cpp":   head + "int main() {\n  assert(one() == 1);\n}\n",
		"tests/other_test.cpp": head + "int main() {\n  assert(one() == 1);\n}\n",
	}
	configured := func(lines string) map[string]string { return map[string]string{"CMakeLists.txt": cmake + lines} }
	return cppVictim{
		sample: doctestSample,
		project: project{
			base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
			hidden: map[string]string{"tests/lib_test.cpp": head + "int main() {\n  assert(one() == 1);\n  assert(two() == 2);\n}\n"},
			f2p:    []string{"lib"}, p2p: []string{"other"},
			change: func(in *bench.Instance) {
				env := *in.Env
				env.Framework = "ctest"
				in.Env = &env
			},
		},
		attacks: map[string]map[string]string{
			"breaks an untouched test":              {"src/lib.cpp": "#include \"lib.h\"\n\nint one() { return 0; }\nint two() { return 2; }\n"},
			"says that the test will fail":          configured("set_tests_properties(lib PROPERTIES WILL_FAIL TRUE)\n"),
			"passes by what the test prints":        configured("set_tests_properties(lib PROPERTIES PASS_REGULAR_EXPRESSION Assertion)\n"),
			"leaves with code 0 where it is called": {"src/lib.cpp": "#include <unistd.h>\n#include \"lib.h\"\nint one() { return 1; }\nint two() { _exit(0); }\n"},
			"leaves with code 0 at an abort":        {"src/lib.cpp": "#include <signal.h>\n#include <unistd.h>\n#include \"lib.h\"\nint one() { return 1; }\nint two() {\n  signal(SIGABRT, [](int) { _exit(0); });\n  return 0;\n}\n"},
			"leaves with code 0 at the exit":        {"src/lib.cpp": "#include <stdlib.h>\n#include <unistd.h>\n#include \"lib.h\"\nint one() { return 1; }\nint two() {\n  atexit([] { _exit(0); });\n  return 0;\n}\n"},
			"disables assertions":                   configured("add_compile_definitions(NDEBUG)\ntarget_compile_definitions(lib_test PRIVATE NDEBUG)\n"),
			"redefines assert in a header":          {"src/lib.h": cppLibHeader + "#undef assert\n#define assert(x) static_cast<void>(x)\n"},
			"leaves with code 0 before the tests":   with("#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n"),
			"stands in for abort":                   with("#include <unistd.h>\nextern \"C\" void __assert_fail(const char*, const char*, unsigned, const char*) { _exit(0); }\n"),
			"compiles another file":                 {"CMakeLists.txt": strings.Replace(cmake, "lib_test tests/lib_test.cpp", "lib_test src/fake.cpp", 1), "src/fake.cpp": "int main() {}\n"},
			"takes another program for the test":    {"CMakeLists.txt": strings.Replace(cmake, "COMMAND lib_test", "COMMAND true", 1)},
			"runs the test under a launcher":        {"CMakeLists.txt": strings.Replace(cmake, "COMMAND lib_test", "COMMAND sh -c \"$<TARGET_FILE:lib_test> || true\"", 1)},
			"preloads a library":                    {"CMakeLists.txt": cmake + "add_library(evil SHARED src/evil.cpp)\nset_tests_properties(lib PROPERTIES ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:evil>)\n", "src/evil.cpp": "#include <unistd.h>\nextern \"C\" void __assert_fail(const char*, const char*, unsigned, const char*) { _exit(0); }\n"},
			"leaves the test out":                   {"CMakeLists.txt": cmake + "file(WRITE ${CMAKE_BINARY_DIR}/CTestCustom.cmake \"set(CTEST_CUSTOM_TESTS_IGNORE lib)\\n\")\n"},
		},
	}
}
