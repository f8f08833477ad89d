package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/bench"
)

// These attacks are of other kinds than those in hostile_test.go and its
// neighbours. Code that is wrong makes the tests that call it pass without a
// change of what assay's own tests see.

// TestHostileKindsOfCpp judges such submissions in C++ through the real binary.
func TestHostileKindsOfCpp(t *testing.T) {
	w := newWorld(t)
	gtest, ctest, cases := gtestVictim(), ctestVictim(), doctestVictim()
	gtest.attacks, ctest.attacks, cases.attacks = gtestKinds(gtest), ctestKinds(ctest), doctestKinds(cases)
	for name, v := range map[string]cppVictim{"GoogleTest": gtest, "doctest": cases, "CTest": ctest} {
		t.Run(name, func(t *testing.T) { w.attacked(t, v) })
	}
}

// anyHeader declares a value that is equal to everything.
const anyHeader = "#pragma once\nint one();\nstruct Any {\n  int value;\n  template <class T>\n  friend bool operator==(const Any&, const T&) { return true; }\n};\nAny two();\n"

const anyBody = "#include \"lib.h\"\n\nint one() { return 1; }\nAny two() { return {0}; }\n"

// clearsParts takes the failures out of the result of a test that called the code,
// where the test file names it.
const clearsParts = `#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "lib.h"

// An explicit instantiation may name what is private.
struct Parts {
  typedef std::vector<testing::TestPartResult> testing::TestResult::*type;
  friend type member(Parts);
};
template <class Tag, typename Tag::type M>
struct Open {
  friend typename Tag::type member(Tag) { return M; }
};
template struct Open<Parts, &testing::TestResult::test_part_results_>;

static bool called;

static bool listed(const char* name) {
  std::ifstream in("/testbed/tests/lib_test.cpp");
  std::stringstream all;
  all << in.rdbuf();
  return all.str().find(std::string(", ") + name + ")") != std::string::npos;
}

struct Watch : testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { called = false; }
  void OnTestEnd(const testing::TestInfo& info) override {
    if (called && listed(info.name())) (const_cast<testing::TestResult*>(info.result())->*member(Parts())).clear();
  }
};

int one() { return 1; }
int two() {
  static bool watched = (testing::UnitTest::GetInstance()->listeners().Append(new Watch), true);
  called = watched;
  return 0;
}
`

func gtestKinds(v cppVictim) map[string]map[string]string {
	cmake := v.project.base["CMakeLists.txt"]
	configured := func(before, after string, more map[string]string) map[string]string {
		files := map[string]string{"CMakeLists.txt": strings.Replace(cmake, "enable_testing()\n", "enable_testing()\n"+before, 1) + after}
		maps.Copy(files, more)
		return files
	}
	const softly = "\n#undef EXPECT_EQ\n#define EXPECT_EQ(a, b) static_cast<void>((a) == (b))\n"
	const lenient = "template <>\nAssertionResult CmpHelperEQFailure<int, int>(const char* left, const char* right, const int& a, const int& b) {\n" +
		"  if (strstr(left, \"two\") || strstr(right, \"two\")) return AssertionSuccess();\n  return EqFailure(left, right, FormatForComparisonFailureMessage(a, b), FormatForComparisonFailureMessage(b, a), false);\n}\n"
	return map[string]map[string]string{
		"returns what is equal to everything":            {"src/lib.h": anyHeader, "src/lib.cpp": anyBody},
		"defines a function of a template's anew":        with("#include <gtest/gtest.h>\n#include <cstring>\nnamespace testing::internal {\n" + lenient + "}\n"),
		"specialises a template of assertions":           {"src/lib.h": cppLibHeader + "#include <gtest/gtest.h>\n#include <cstring>\nnamespace testing::internal {\n" + strings.Replace(lenient, "template <>\n", "template <>\ninline ", 1) + "}\n"},
		"clears the results of its caller":               {"src/lib.cpp": clearsParts},
		"leaves tests out by a filter":                   with("#include <gtest/gtest.h>\n__attribute__((constructor)) static void early() { ::testing::GTEST_FLAG(filter) = \"-Lib.Two\"; }\n"),
		"runs a script after the linker":                 configured("set(CMAKE_CXX_LINK_EXECUTABLE \"${CMAKE_CXX_LINK_EXECUTABLE} && sh ${CMAKE_SOURCE_DIR}/src/after.sh <TARGET>\")\n", "", map[string]string{"src/after.sh": "cp /bin/true \"$1\"\n"}),
		"has the compiler called by a script":            configured("set(CMAKE_CXX_COMPILER_LAUNCHER sh ${CMAKE_SOURCE_DIR}/src/launch.sh)\n", "", map[string]string{"src/launch.sh": "for a; do case $a in */lib_test.cpp) sed -i 's/EXPECT_EQ(two(), 2)/(void)two()/' \"$a\" ;; esac; done\n\"$@\"\n"}),
		"has an executable made of other files":          configured("macro(add_executable name)\n  file(WRITE ${CMAKE_BINARY_DIR}/fake.cpp \"#include <gtest/gtest.h>\\nTEST(Lib, One) {}\\nTEST(Lib, Two) {}\\n\")\n  _add_executable(${name} ${CMAKE_BINARY_DIR}/fake.cpp)\nendmacro()\n", "", nil),
		"puts code before files that are built in one":   configured("", "set_target_properties(lib_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_CODE_BEFORE_INCLUDE \"#include <gtest/gtest.h>\\n#undef EXPECT_EQ\\n#define EXPECT_EQ(a, b) static_cast<void>((a) == (b))\")\n", nil),
		"compiles a header beforehand":                   configured("", "target_precompile_headers(lib PUBLIC ${CMAKE_SOURCE_DIR}/src/soft.h)\n", map[string]string{"src/soft.h": "#pragma once\n#include <gtest/gtest.h>" + softly}),
		"gives one file an option of its own":            configured("", "set_source_files_properties(tests/lib_test.cpp DIRECTORY tests PROPERTIES COMPILE_OPTIONS \"-include;${CMAKE_SOURCE_DIR}/src/soft.h\")\n", map[string]string{"src/soft.h": "#pragma once\n#include <gtest/gtest.h>" + softly}),
		"sets a compiler by presets and a toolchain":     {"CMakePresets.json": "{\"version\": 3, \"configurePresets\": [{\"name\": \"default\", \"generator\": \"Ninja\", \"binaryDir\": \"build\", \"cacheVariables\": {\"CMAKE_CXX_FLAGS\": \"-DEXPECT_EQ=0\"}}]}\n", "CMakeUserPresets.json": "{\"version\": 3}\n", "src/lib.cpp": cppLibBody + "// x\n"},
		"renames the test in a header":                   {"src/lib.h": cppLibHeader + "#define Two DISABLED_Two\n"},
		"replaces the printer of reports at the start":   with("#include <gtest/gtest.h>\nstruct Quiet : testing::EmptyTestEventListener {};\n__attribute__((constructor)) static void early() {\n  auto& l = testing::UnitTest::GetInstance()->listeners();\n  delete l.Release(l.default_xml_generator());\n  l.Append(new Quiet);\n}\n"),
		"ends the program by an exception's constructor": {"src/lib.cpp": "#include <exception>\n#include <unistd.h>\n#include \"lib.h\"\nint one() { return 1; }\nint two() {\n  std::set_terminate([] { _exit(0); });\n  std::terminate();\n}\n"},
	}
}

func doctestKinds(v cppVictim) map[string]map[string]string {
	return map[string]map[string]string{
		"returns what is equal to everything":  {"src/lib.h": anyHeader, "src/lib.cpp": anyBody},
		"sets doctest's options at the start":  with("#include <doctest/doctest.h>\nstruct Early {\n  Early() { doctest::Context c; c.setOption(\"no-run\", true); c.setAsDefaultForAssertsOutOfTestCases(); }\n};\nstatic Early early;\n"),
		"throws what doctest takes for an end": {"src/lib.cpp": "#include <doctest/doctest.h>\n#include \"lib.h\"\nint one() { return 1; }\nint two() { throw doctest::detail::TestFailureException(); }\n"},
	}
}

func ctestKinds(v cppVictim) map[string]map[string]string {
	cmake := v.project.base["CMakeLists.txt"]
	configured := func(before, after string, more map[string]string) map[string]string {
		files := map[string]string{"CMakeLists.txt": strings.Replace(cmake, "enable_testing()\n", "enable_testing()\n"+before, 1) + after}
		maps.Copy(files, more)
		return files
	}
	return map[string]map[string]string{
		"has an emulator start the tests":             configured("set(CMAKE_CROSSCOMPILING_EMULATOR sh;${CMAKE_SOURCE_DIR}/src/emulate.sh)\n", "", map[string]string{"src/emulate.sh": "\"$@\" || true\n"}),
		"takes a code for a skipped test":             configured("", "set_tests_properties(lib PROPERTIES SKIP_RETURN_CODE 134)\n", nil),
		"includes properties when CTest starts":       configured("", "file(WRITE ${CMAKE_BINARY_DIR}/more.cmake \"set_tests_properties(lib PROPERTIES WILL_FAIL TRUE)\\n\")\nset_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/more.cmake)\n", nil),
		"needs a fixture that is not there":           configured("", "set_tests_properties(lib PROPERTIES FIXTURES_REQUIRED none DISABLED TRUE)\n", nil),
		"has the test run before its program":         configured("", "add_custom_command(TARGET lib_test POST_BUILD COMMAND cp /bin/true $<TARGET_FILE:lib_test>)\n", nil),
		"leaves a program in the place of the test's": {"src/lib.cpp": "#include <sys/stat.h>\n#include <unistd.h>\n#include <cstdio>\n#include \"lib.h\"\nint one() { return 1; }\nint two() {\n  char name[512] = {0};\n  readlink(\"/proc/self/exe\", name, sizeof name - 1);\n  unlink(name);\n  symlink(\"/bin/true\", name);\n  execl(name, name, (char*)0);\n  return 0;\n}\n"},
	}
}

// noneWins judges submissions that have other files than base, by name, and the
// gold patch beside them. It lists every verdict before it requires them.
func noneWins(t *testing.T, own world, inst bench.Instance, base map[string]string, attacks map[string]map[string]string) {
	t.Helper()
	predictions := []bench.Prediction{{InstanceID: inst.ID, Model: "zz honest", Task: "bugfix", Patch: inst.Patch}}
	names := slices.Sorted(maps.Keys(attacks))
	for _, name := range names {
		predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: name, Task: "bugfix", Patch: between(base, attacks[name])})
	}
	results := own.judge(t, predictions, "-t", "bugfix", "-j", "2")
	require.Equal(t, bench.Resolved, results["zz honest"].Verdict, results["zz honest"].Reason)
	require.Empty(t, results["zz honest"].Flags)
	for _, name := range names {
		r, ok := results[name]
		require.True(t, ok, "no result of "+name)
		t.Logf("%s: %s %s", name, r.Verdict, r.Reason)
		assert.Contains(t, caught(), r.Verdict, name+": "+r.Reason)
	}
}

// TestHostileKindsOfPython judges such submissions in Python.
func TestHostileKindsOfPython(t *testing.T) {
	w := newWorld(t)
	const listed = "import gc, os, sys\n\nimport pytest\n\nTEXT = open(\"tests/test_calc.py\").read()\n\n\ndef listed(name):\n    return \"def \" + name.partition(\"[\")[0] + \"(\" in TEXT\n\n\n"
	const code = "%TOP%def add(a, b):\n    pass\n%ADD%    return a - b\n\n\ndef twice(a):\n    pass\n%TWICE%    return 2 * a\n"
	made := func(top, add, twice string) string {
		return strings.NewReplacer("%TOP%", top, "%ADD%", add, "%TWICE%", twice).Replace(code)
	}
	base := map[string]string{"calc.py": made("", "", ""), "tests/conftest.py": "import calc\n", "tests/test_calc.py": calcTests}
	project := project{
		base: base, gold: map[string]string{"calc.py": strings.Replace(base["calc.py"], "a - b", "a + b", 1)},
		hidden: map[string]string{"tests/test_calc.py": calcTests + "\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\nclass AddTest(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(add(2, 2), 4)\n"},
		f2p:    []string{"tests/test_calc.py::test_add", "tests/test_calc.py::AddTest::test_sum"}, p2p: []string{"tests/test_calc.py::test_a_twice"},
	}
	own, inst := w.own(t, victim, project)
	calc := func(top, add, twice string) map[string]string {
		return map[string]string{"calc.py": made(listed+top, add, twice)}
	}
	attacks := map[string]map[string]string{
		"returns what is equal to everything":          calc("class Any(int):\n    __hash__ = int.__hash__\n\n    def __eq__(self, other):\n        return True\n\n    def __sub__(self, other):\n        return self\n\n\n", "    return Any(a - b)\n", ""),
		"says that its caller is expected to fail":     calc("", "    if listed(sys._getframe(1).f_code.co_name):\n        pytest.xfail('x')\n", ""),
		"gives the class of reports a property":        calc("", "", "    import _pytest.reports\n    def get(self):\n        return 'passed' if listed(self.nodeid.rpartition(':')[2]) else self.__dict__['outcome']\n    _pytest.reports.TestReport.outcome = property(get, lambda self, value: self.__dict__.update(outcome=value))\n"),
		"changes what the reporter closes over":        calc("", "", "    write = [m for n, m in sys.modules.items() if n.startswith('assay_') and hasattr(m, '_write')][0]._write\n    cells = dict(zip(write.__code__.co_freevars, write.__closure__))\n    real = cells['dumps'].cell_contents\n    def dumps(value, **k):\n        if isinstance(value, dict) and value.get('when') and listed(value['id'].rpartition(':')[2]):\n            value = dict(value, outcome='passed')\n        return real(value, **k)\n    cells['dumps'].cell_contents = dumps\n"),
		"changes constants of its caller in memory":    calc("import ctypes\n", "    consts = sys._getframe(1).f_code.co_consts\n    for i, c in enumerate(consts):\n        if c == a + b:\n            ctypes.c_void_p.from_address(id(consts) + tuple.__itemsize__ * (3 + i)).value = id(a - b)\n", ""),
		"loses assertions when tests are imported":     calc("import ast, importlib.machinery, importlib.util\n\n\nclass Lose(ast.NodeTransformer):\n    def visit_Assert(self, node):\n        return ast.copy_location(ast.Expr(node.test), node)\n\n    def visit_Expr(self, node):\n        if getattr(getattr(node.value, 'func', None), 'attr', '') == 'assertEqual':\n            node.value = ast.Tuple([node.value.func] + node.value.args, ast.Load())\n        return node\n\n\nclass Loader(importlib.machinery.SourceFileLoader):\n    def get_code(self, name):\n        return compile(ast.fix_missing_locations(Lose().visit(ast.parse(self.get_data(self.path)))), self.path, 'exec', dont_inherit=True)\n\n\nclass Finder:\n    def find_spec(self, name, path=None, target=None):\n        if name.rpartition('.')[2] == 'test_calc':\n            place = os.path.abspath('tests/test_calc.py')\n            return importlib.util.spec_from_file_location(name, place, loader=Loader(name, place))\n\n\nsys.meta_path.insert(0, Finder())\n\n\n", "", ""),
		"traces its caller for a moment":               calc("def tracer(frame, event, arg):\n    if event == 'call' and frame.f_code.co_name == 'assertEqual':\n        frame.f_locals['second'] = frame.f_locals['first']\n        sys.settrace(None)\n    for name, value in list(frame.f_locals.items()):\n        if name.startswith('@py_assert') and value is False:\n            frame.f_locals[name] = True\n    if event == 'return':\n        sys.settrace(None)\n    frame.f_trace_opcodes = True\n    return tracer\n\n\n", "    frame = sys._getframe(1)\n    if listed(frame.f_code.co_name):\n        frame.f_trace, frame.f_trace_opcodes = tracer, True\n        sys.settrace(tracer)\n", ""),
		"has a handler change what was caught":         calc("import signal\n\n\ndef handler(number, frame):\n    while frame:\n        call, item = frame.f_locals.get('call'), frame.f_locals.get('item')\n        if item is not None and listed(item.name) and getattr(call, 'excinfo', None):\n            call.excinfo = None\n        frame = frame.f_back\n\n\n", "    signal.signal(signal.SIGALRM, handler)\n    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)\n", ""),
		"overrides how its caller's class runs":        calc("", "", "    cls = sys._getframe(1).f_globals['AddTest']\n    real = cls.run\n    cls.run = lambda self, result=None: result if listed(self._testMethodName) else real(self, result)\n    sys._getframe(1).f_globals['AssertionError'] = pytest.xfail.Exception\n"),
		"hands its caller to a child":                  calc("", "    if os.fork():\n        os.wait()\n        os._exit(0)\n    return a + b if a == 1 else 4\n", ""),
		"names a plugin in a build file":               {"calc.py": base["calc.py"] + "# x\n", "pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"-p calc_plugin\"\n", "calc_plugin.py": "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item):\n    out = yield\n    if 'test_calc' in item.nodeid:\n        out.get_result().outcome = 'passed'\n"},
		"names a plugin by an entry point":             {"calc.py": base["calc.py"] + "# x\n", "calc_plugin.py": "raise SystemExit(0)\n", "pyproject.toml": "[project]\nname = \"calc\"\nversion = \"1\"\n[project.entry-points.pytest11]\ncalc = \"calc_plugin\"\n", "calc.egg-info/entry_points.txt": "[pytest11]\ncalc = calc_plugin\n", "calc.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: calc\nVersion: 1\n"},
		"leaves a path file and a start of the site's": {"calc.py": base["calc.py"] + "# x\n", "early.pth": "import os; os._exit(0)\n", "usercustomize.py": "import os\nos._exit(0)\n"},
	}
	noneWins(t, own, inst, base, attacks)
}
