package main

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const gtestSample = "assay-samples__framewire-9"

// cppLib is a library with a test executable of its own in addition to those
// that a test adds below tests/.
func cppLib(tests map[string]string) map[string]string {
	base := map[string]string{
		"src/lib.h": cppLibHeader, "src/lib.cpp": cppLibBody,
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nset(CMAKE_CXX_STANDARD 17)\nenable_testing()\nadd_library(lib src/lib.cpp)\n" +
			"target_include_directories(lib PUBLIC src)\nadd_subdirectory(tests)\n",
	}
	maps.Copy(base, tests)
	return base
}

func framework(name string, packages ...string) func(*bench.Instance) {
	return func(in *bench.Instance) {
		env := *in.Env
		env.Framework, env.Packages = name, append([]string{"g++", "cmake", "ninja-build"}, packages...)
		in.Env = &env
	}
}

const gtestHead = "#include <gtest/gtest.h>\n\n#include \"lib.h\"\n\n"

// gtestMake is the CMake file of two executables, each of one test file.
const gtestMake = "find_package(GTest REQUIRED)\nforeach(name a b)\n  add_executable(${name}_test ${name}_test.cpp)\n" +
	"  target_link_libraries(${name}_test PRIVATE lib GTest::gtest GTest::gtest_main)\n  add_test(NAME ${name} COMMAND ${name}_test)\nendforeach()\n"

// TestUntouchedExecutablesRun: a pass-to-pass test in an executable that the
// hidden tests do not touch counts.
func TestUntouchedExecutablesRun(t *testing.T) {
	w := newWorld(t)
	base := cppLib(map[string]string{
		"tests/CMakeLists.txt": gtestMake,
		"tests/a_test.cpp":     gtestHead + "TEST(A, Plain) {}\n",
		"tests/b_test.cpp":     gtestHead + "TEST(B, One) { EXPECT_EQ(one(), 1); }\n",
	})
	own, inst := w.own(t, gtestSample, project{
		base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
		hidden: map[string]string{"tests/a_test.cpp": gtestHead + "TEST(A, Two) { EXPECT_EQ(two(), 2); }\n"},
		f2p:    []string{"A.Two"}, p2p: []string{"B.One"},
	})
	r := own.verdict(t, inst, "bugfix", inst.Patch)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, []string{"B.One"}, r.BugFix.PassToPass.Passed)
	r = own.verdict(t, inst, "bugfix", between(base, map[string]string{"src/lib.cpp": "#include \"lib.h\"\n\nint one() { return 0; }\nint two() { return 2; }\n"}))
	require.Equal(t, bench.Unresolved, r.Verdict, r.Reason)
	require.Equal(t, []string{"B.One"}, r.BugFix.PassToPass.Failed)
}

// TestTestsOfALibraryTarget: test files that only a library of objects compiles
// run in the executables that link it.
func TestTestsOfALibraryTarget(t *testing.T) {
	w := newWorld(t)
	base := cppLib(map[string]string{
		"tests/CMakeLists.txt": "find_package(GTest REQUIRED)\nadd_library(cases OBJECT a_test.cpp)\ntarget_link_libraries(cases PUBLIC lib GTest::gtest)\n" +
			"add_executable(all_tests main.cpp)\ntarget_link_libraries(all_tests PRIVATE cases)\nadd_test(NAME all COMMAND all_tests)\n",
		"tests/main.cpp":   "#include <gtest/gtest.h>\n\nint main(int argc, char** argv) {\n  testing::InitGoogleTest(&argc, argv);\n  return RUN_ALL_TESTS();\n}\n",
		"tests/a_test.cpp": gtestHead + "TEST(A, One) { EXPECT_EQ(one(), 1); }\n",
	})
	own, inst := w.own(t, gtestSample, project{
		base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
		hidden: map[string]string{"tests/a_test.cpp": base["tests/a_test.cpp"] + "TEST(A, Two) { ASSERT_EQ(two(), 2); }\n"},
		f2p:    []string{"A.Two"}, p2p: []string{"A.One"},
	})
	r := own.verdict(t, inst, "bugfix", inst.Patch)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.NotContains(t, flagKinds(r), "no_nonce")
	r = own.verdict(t, inst, "bugfix", between(base, map[string]string{"src/lib.h": cppLibHeader + "#include <gtest/gtest.h>\n#undef ASSERT_EQ\n#define ASSERT_EQ(a, b)\n"}))
	require.Equal(t, bench.Suspect, r.Verdict, r.Reason)
}

// TestManyFailuresAreNoCrash: Catch2 leaves with the number of failures, which
// may be that of a signal.
func TestManyFailuresAreNoCrash(t *testing.T) {
	w := newWorld(t)
	head := "#include <catch2/catch.hpp>\n\n#include \"lib.h\"\n\n"
	base := cppLib(map[string]string{
		"tests/CMakeLists.txt": "find_package(Catch2 REQUIRED)\nadd_executable(all_tests main.cpp a_test.cpp)\ntarget_link_libraries(all_tests PRIVATE lib Catch2::Catch2)\nadd_test(NAME all COMMAND all_tests)\n",
		"tests/main.cpp":       "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n",
		"tests/a_test.cpp":     head + "TEST_CASE(\"never passes\") {\n  for (int i = 0; i < 139; ++i) CHECK(i == -1);\n}\nTEST_CASE(\"one\") { REQUIRE(one() == 1); }\n",
	})
	own, inst := w.own(t, doctestSample, project{
		base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
		hidden: map[string]string{"tests/a_test.cpp": base["tests/a_test.cpp"] + "TEST_CASE(\"two\") { REQUIRE(two() == 2); }\n"},
		f2p:    []string{"two"}, p2p: []string{"one"}, change: framework("catch2", "catch2"),
	})
	r := own.verdict(t, inst, "bugfix", inst.Patch)
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.NotContains(t, flagKinds(r), "no_nonce")
	r = own.verdict(t, inst, "bugfix", between(base, map[string]string{"src/lib.h": cppLibHeader + "#include <catch2/catch.hpp>\n#undef REQUIRE\n#define REQUIRE(x)\n"}))
	require.Equal(t, bench.Suspect, r.Verdict, r.Reason)
}

// TestGeneratedTestsInANewTarget: generated tests may come with an executable
// of their own.
func TestGeneratedTestsInANewTarget(t *testing.T) {
	w := newWorld(t)
	base := cppLib(map[string]string{
		"tests/CMakeLists.txt": "find_package(GTest REQUIRED)\nadd_executable(a_test a_test.cpp)\ntarget_link_libraries(a_test PRIVATE lib GTest::gtest GTest::gtest_main)\nadd_test(NAME a COMMAND a_test)\n",
		"tests/a_test.cpp":     gtestHead + "TEST(A, One) { EXPECT_EQ(one(), 1); }\n",
	})
	own, inst := w.own(t, gtestSample, project{
		base: base, gold: map[string]string{"src/lib.cpp": cppLibFixed},
		hidden: map[string]string{"tests/a_test.cpp": base["tests/a_test.cpp"] + "TEST(A, Two) { EXPECT_EQ(two(), 2); }\n"},
		bad:    map[string]string{"src/lib.cpp": "#include \"lib.h\"\n\nint one() { return 1; }\nint two() { return 3; }\n"},
		f2p:    []string{"A.Two"}, p2p: []string{"A.One"},
	})
	tests := map[string]string{"tests/CMakeLists.txt": gtestMake, "tests/b_test.cpp": gtestHead + "TEST(B, Two) { EXPECT_EQ(two(), 2); }\n"}
	r := own.verdict(t, inst, "testgen", between(base, tests))
	require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
	require.Equal(t, []string{"B.Two"}, r.TestGen.Contributed)
	require.Equal(t, []int{1}, r.TestGen.Killed)
}
