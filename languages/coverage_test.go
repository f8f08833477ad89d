package languages

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadCoverage: what several processes measured of a file is joined; a file
// that is not such a measurement is left out.
func TestReadCoverage(t *testing.T) {
	got := readCoverage("/c/*.json", map[string][]byte{
		"/c/1.json": []byte(`{"a.py": {"executable": [1, 2, 3], "loaded": true, "missing": [2, 3], "covered": {"": [1], "t": [1]}}}`),
		"/c/2.json": []byte(`{"a.py": {"executable": [1, 2, 3], "loaded": false, "missing": [1, 2], "covered": {"t": [3]}}, "b.py": {"executable": [], "covered": {}}}`),
		"/c/3.json": []byte("{"), "/d/4.json": []byte("{}"),
	})
	require.Equal(t, Coverage{
		"a.py": {Executable: []int{1, 2, 3}, Loaded: true, Missing: []int{2}, Covered: map[string][]int{"": {1}, "t": {1, 3}}},
		"b.py": {Executable: []int{}, Covered: map[string][]int{}},
	}, got)
	a := got["a.py"]
	require.Equal(t, []int{1, 3}, a.By([]string{"t"}))
	require.Equal(t, []int{1}, a.By(nil))
	require.Equal(t, []int{1, 3}, a.InTests([]string{"t", "u"}))
	require.True(t, a.Executed(3))
	require.False(t, a.Executed(2))
	require.Nil(t, readCoverage("/c/*.json", nil), "nothing was measured")
}

// TestReadJacoco: of a report only the lines in question, and of a source only
// where package and file are its path's. Lines without instructions that were
// covered are missing.
func TestReadJacoco(t *testing.T) {
	const report = `<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="x">
<package name="p/q"><class name="p/q/A" sourcefilename="A.java"/><sourcefile name="A.java"><line nr="3" mi="0" ci="2" mb="0" cb="0"/><line nr="4" mi="2" ci="0" mb="0" cb="0"/>
<line nr="5" mi="1" ci="1" mb="1" cb="1"/><line nr="9" mi="0" ci="3" mb="0" cb="0"/></sourcefile></package>
<package name="other"><sourcefile name="A.java"><line nr="7" mi="0" ci="1" mb="0" cb="0"/></sourcefile></package></report>`
	got := readJacoco([]byte(report), map[string][]int{"core/src/main/java/p/q/A.java": {3, 4, 5, 6, 7}, "core/src/main/java/p/q/B.java": {1}})
	require.Equal(t, Coverage{
		"core/src/main/java/p/q/A.java": {Executable: []int{3, 4, 5}, Covered: map[string][]int{"": {3, 5}}, Missing: []int{4}, Loaded: true, Whole: true},
		"core/src/main/java/p/q/B.java": {Executable: []int{}, Covered: map[string][]int{}, Whole: true},
	}, got)
	require.Equal(t, []int{3, 5}, got["core/src/main/java/p/q/A.java"].InTests(nil), "tests are not told apart")
	require.Nil(t, readJacoco(nil, nil))
	require.Nil(t, readJacoco([]byte("<report"), nil))
}

// TestReadGcov: a line without code, one that never ran, one of a template of
// which one instance ran, and one that ran only partly.
func TestReadGcov(t *testing.T) {
	const text = `        -:    0:Source:src/a.h
        -:    1:#pragma once
        3:    2:int f();
    #####:    3:int g();
        1*:    4:int h();
------------------
int k<int>():
    #####:    5:int k();
------------------
int k<char>():
        2:    5:int k();
------------------
    =====:    6:int l();
`
	lines := map[string][]int{"src/a.h": {1, 2, 3, 5, 6}, "src/b.h": {1}}
	got := readGcov(map[string][]byte{"/c/kept/src#a.h.gcov": []byte(text)}, "/c/kept/", lines)
	require.Equal(t, Coverage{
		"src/a.h": {Executable: []int{2, 3, 5, 6}, Covered: map[string][]int{"": {2, 5}}, Missing: []int{3, 6}, Loaded: true, Whole: true},
		"src/b.h": {Executable: []int{}, Covered: map[string][]int{}, Whole: true},
	}, got)
	require.Nil(t, readGcov(nil, "/c/kept/", lines))
}

// TestOnlyContributedTestsAreMeasured: what Maven, Catch2 and doctest are asked to
// run.
func TestOnlyContributedTestsAreMeasured(t *testing.T) {
	java := "package p;\nimport org.junit.Test;\npublic class ATest {\n  @Test public void adds() {}\n  @Test public void addsMore() {}\n  @Test public void takes() {}\n}\n"
	suite := Suite{Measured: true, Files: []string{"src/test/java/p/ATest.java"}, Repo: smallRepo{"src/test/java/p/ATest.java": java}, Select: []string{"p.ATest::adds", "p.ATest::takes"}}
	require.Equal(t, "p.ATest#adds+takes*,p.Nonce", mavenMethods(suite, []string{"p.ATest", "p.Nonce"}))

	cpp := "TEST_CASE(\"a, b\") { SECTION(\"one\") { CHECK(true); } }\nTEST_CASE(\"old\") { CHECK(true); }\n"
	suite = Suite{Measured: true, Files: []string{"tests/a.cpp"}, Repo: smallRepo{"tests/a.cpp": cpp}, Select: []string{"a, b/one"}}
	require.Equal(t, ` 'a\, b'`, cppCases("catch2", suite))
	require.Equal(t, ` '--test-case=a\, b'`, cppCases("doctest", suite))
	suite.Measured = false
	require.Empty(t, cppCases("doctest", suite))
}

// TestMeasuredScriptsAreShell: what is put around a suite's command can be read
// by a shell, in each language.
func TestMeasuredScriptsAreShell(t *testing.T) {
	for _, name := range []string{Python, Java, Cpp} {
		bed := &Testbed{language: Default().Named(name)}
		c := bed.measured(Command{Script: "exit 3\n"}, Suite{Nonce: "n", Repo: smallRepo{}}, map[string][]int{"a/b c": {1}})
		out, err := exec.Command("sh", "-n", "-c", c.Script).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		require.NotNil(t, c.measured)
	}
}
