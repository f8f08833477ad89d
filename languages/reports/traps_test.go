package reports_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

// banner is a heading of pytest's, as wide as its terminal.
func banner(title string) string {
	left := strings.Repeat("=", (78-len(title))/2)
	return left + " " + title + " " + left + strings.Repeat("=", (78-len(title))%2) + "\n"
}

// trap is one way in which other harnesses are known to misread test output,
// or one of our own making.
type trap struct {
	name   string
	format reports.Format
	data   string
	want   string // "status id" parted by "|"
}

func TestTraps(t *testing.T) {
	for _, tt := range slices.Concat(cppTraps(), javaTraps(), pythonTraps()) {
		t.Run(tt.name, func(t *testing.T) {
			r, err := reports.Read(tt.format, []byte(tt.data))
			require.NoError(t, err)
			var got []string
			for _, test := range r.Tests {
				got = append(got, fmt.Sprintf("%s %s", test.Status, test.ID))
			}
			require.Equal(t, tt.want, strings.Join(got, "|"))
		})
	}
}

func cppTraps() []trap {
	ctest := func(line string) string {
		return "Test project /b\n    Start 1: a b\n1/1 Test #1: a b " + line + "\n\n0% tests passed, 1 tests failed out of 1\n"
	}
	gtest := func(body string) string {
		return "[==========] Running 1 test from 1 test suite.\n" + body + "[==========] 1 test from 1 test suite ran. (0 ms total)\n"
	}
	return []trap{
		{"ctest: Failed with a time", reports.CTestText, ctest(".....***Failed    0.01 sec"), "failed a b"},
		{"ctest: Timeout", reports.CTestText, ctest("....***Timeout   1.02 sec"), "failed a b"},
		{"ctest: SegFault", reports.CTestText, ctest("....***Exception: SegFault  0.02 sec"), "error a b"},
		{"ctest: aborted, reversed", reports.CTestText, ctest("....Subprocess aborted***Exception:   0.01 sec"), "error a b"},
		{"ctest: Not Run", reports.CTestText, ctest("....***Not Run   0.00 sec"), "error a b"},
		{"ctest: Disabled", reports.CTestText, ctest("....***Not Run (Disabled)   0.00 sec"), "skipped a b"},
		{"ctest: Skipped", reports.CTestText, ctest("....***Skipped   0.00 sec"), "skipped a b"},
		{"ctest: a check of CMake's is no test", reports.CTestText, "-- Performing Test HAS_X - Success\n" + ctest("....   Passed    0.01 sec"), "passed a b"},
		{"ctest: another run printed by a test", reports.CTestText, ctest("....***Failed    0.01 sec\n9/9 Test #1: a b ....   Passed    0.01 sec"), "failed a b"},
		{"ctest: missing binary in XML", reports.CTest, `<testsuite><testcase name="m" status="notrun"><skipped message="Unable to find executable"/></testcase></testsuite>`, "error m"},
		{"ctest: failed fixture in XML", reports.CTest, `<testsuite><testcase name="m" status="notrun"><skipped message="Fixture dependency failed"/></testcase></testsuite>`, "error m"},
		{"ctest: reason that nobody knows", reports.CTest, `<testsuite><testcase name="m" status="notrun"><skipped message="Moon phase"/></testcase></testsuite>`, "error m"},
		{"gtest: print_time=0", reports.GTestText, gtest("[ RUN      ] A.b\n[       OK ] A.b\n"), "passed A.b"},
		{"gtest: failing parametrised test keeps its name", reports.GTestText, gtest("[ RUN      ] N/P.Odd/1\n[  FAILED  ] N/P.Odd/1, where GetParam() = 2 (0 ms)\n"), "failed N/P.Odd/1"},
		{"gtest: colour", reports.GTestText, gtest("\x1b[0;32m[ RUN      ] \x1b[mA.b\n\x1b[0;32m[       OK ] \x1b[mA.b (0 ms)\n"), "passed A.b"},
		{"gtest: died while running", reports.GTestText, "[==========] Running 2 tests\n[ RUN      ] A.a\n[       OK ] A.a (0 ms)\n[ RUN      ] A.b\nSegmentation fault\n", "passed A.a|error A.b"},
		{"gtest: OK for another test", reports.GTestText, gtest("[ RUN      ] A.a\n[       OK ] A.b (0 ms)\n[       OK ] A.a (0 ms)\n"), "passed A.a"},
		{"gtest: OK before the failure", reports.GTestText, gtest("[ RUN      ] A.a\n[       OK ] A.a (0 ms)\n[  FAILED  ] A.a (0 ms)\n"), "failed A.a"},
		{"gtest: skipped is recorded", reports.GTestText, gtest("[ RUN      ] A.a\n[  SKIPPED ] A.a (0 ms)\n"), "skipped A.a"},
		{"doctest: sub-case that throws", reports.Doctest, `<doctest><TestCase name="c"><SubCase name="s"><Exception crash="false">x</Exception></SubCase><OverallResultsAsserts test_case_success="false"/></TestCase></doctest>`, "failed c|failed c/s"},
		{"doctest: case without sub-cases", reports.Doctest, `<doctest><TestCase name="c"><OverallResultsAsserts test_case_success="true"/></TestCase></doctest>`, "passed c"},
		{"doctest before 2.4.7", reports.Doctest, `<doctest><TestCase name="c"><OverallResultsAsserts successes="3" failures="0"/></TestCase><TestCase name="d"><Expression success="false" type="CHECK"><Original>x</Original></Expression><OverallResultsAsserts successes="3" failures="1"/></TestCase></doctest>`, "passed c|failed d"},
		{"doctest before 2.4.7: throws", reports.Doctest, `<doctest><TestCase name="c"><Exception crash="false">x</Exception><OverallResultsAsserts successes="3" failures="0"/></TestCase></doctest>`, "failed c"},
		{"doctest before 2.4.7: decorators", reports.Doctest, `<doctest><TestCase name="a" should_fail="true"><OverallResultsAsserts successes="3" failures="0"/></TestCase><TestCase name="b" may_fail="true"><Expression success="false" type="CHECK"><Original>x</Original></Expression><OverallResultsAsserts successes="3" failures="1"/></TestCase><TestCase name="c"><Expression success="false" type="CHECK"><Original>x</Original></Expression><OverallResultsAsserts successes="3" failures="1" expected_failures="2"/></TestCase></doctest>`, "failed a|xfail b|failed c"},
		{"doctest: cut XML", reports.Doctest, `<doctest><TestCase name="a"><OverallResultsAsserts test_case_success="true"/></TestCase><TestCase name="c"><SubCase name="s">`, "passed a|error c|error c/s"},
		{"catch2: cut XML", reports.Catch2, `<Catch2TestRun><TestCase name="a"><OverallResult success="true"/></TestCase><TestCase name="c"><Section name="s"><Expre`, "passed a|error c|error c/s"},
	}
}

func javaTraps() []trap {
	surefire := func(body string) string {
		return "[INFO]  T E S T S\n" + body + "[INFO] \n[INFO] Results:\n[INFO] \n[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n"
	}
	return []trap{
		{"maven: ERROR is no pass", reports.MavenText, surefire("[INFO] Running x.T\n[ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 1 s <<< FAILURE! - in x.T\n[ERROR] x.T.a  Time elapsed: 0.1 s  <<< ERROR!\n"), "error x.T|error x.T::a"},
		{"maven: BUILD SUCCESS printed by a test", reports.MavenText, surefire("[INFO] Running x.T\n[INFO] BUILD SUCCESS\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s <<< FAILURE! - in x.T\n[ERROR] x.T.a  Time elapsed: 0.1 s  <<< FAILURE!\n"), "failed x.T|failed x.T::a"},
		{"maven: totals printed to stderr", reports.MavenText, surefire("[INFO] Running x.T\nTests run: 9, Failures: 9, Errors: 9, Skipped: 9, Time elapsed: 9 s -- in x.Spoof\n[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in x.T\n"), "passed x.T"},
		{"maven: passing method of a failing class", reports.MavenText, surefire("[INFO] Running x.T\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s <<< FAILURE! -- in x.T\n[ERROR] x.T.a -- Time elapsed: 0.1 s\n[ERROR] x.T.b -- Time elapsed: 0.1 s <<< FAILURE!\n"), "failed x.T|passed x.T::a|failed x.T::b"},
		{"maven: log ends in a class", reports.MavenText, "[INFO]  T E S T S\n[INFO] Running x.T\n", "error x.T"},
		{"surefire: both names of a parameterised test", reports.Surefire, `<testsuite><testcase classname="x.T" name="odd(int)[1]"/><testcase classname="x.T" name="odd{int}[1]"/></testsuite>`, "passed x.T::odd[1]"},
		{"surefire: repeated test, the worst counts", reports.Surefire, `<testsuite><testcase classname="x.T" name="rep"/><testcase classname="x.T" name="rep"><failure/></testcase></testsuite>`, "failed x.T::rep"},
		{"surefire: BeforeAll under an empty name", reports.Surefire, `<testsuite><testcase classname="x.T" name=""><error/></testcase></testsuite>`, "error x.T"},
		{"surefire: BeforeAll under the class's name", reports.Surefire, `<testsuite><testcase classname="x.T" name="x.T"><error/></testcase></testsuite>`, "error x.T"},
		{"surefire: flaky is what the last run was", reports.Surefire, `<testsuite><testcase classname="x.T" name="a"><flakyFailure>x</flakyFailure></testcase></testsuite>`, "passed x.T::a"},
		{"surefire: ignored is no pass", reports.Surefire, `<testsuite><testcase classname="x.T" name="a"><skipped/></testcase></testsuite>`, "skipped x.T::a"},
		{"gradle: tasks are no tests", reports.GradleText, ":compileJava UP-TO-DATE\n> Task :test FAILED\nx.T > a() PASSED\n3 tests completed, 1 FAILED\nBUILD FAILED in 1s\n", "passed x.T::a"},
		{"gradle: JVM's line behind PASSED", reports.GradleText, "x.T > a PASSEDPicked up JAVA_TOOL_OPTIONS: -Dx\nBUILD SUCCESSFUL in 1s\n", "passed x.T::a"},
		{"gradle: names of all ages", reports.GradleText, "x.T > odd(int)[1] PASSED\nx.T > odd(int) > [2] 2 FAILED\nx.T$In > deep() SKIPPED\nBUILD FAILED in 1s\n", "skipped x.T$In::deep|passed x.T::odd[1]|failed x.T::odd[2]"},
	}
}

func pythonTraps() []trap {
	pytest := func(summary string) string {
		return banner("test session starts") + banner("short test summary info") + summary + "\n" + banner("1 failed in 0.01s")
	}
	return []trap{
		{"pytest: failing sub-test beside PASSED", reports.PytestText, pytest("PASSED a.py::t\nSUBFAILED(i=1) a.py::t - x"), "failed a.py::t"},
		{"pytest: failing sub-test of the plugin", reports.PytestText, pytest("PASSED a.py::t\n[m] (i=1) SUBFAIL a.py::t - x"), "failed a.py::t"},
		{"pytest: tear-down error beside PASSED", reports.PytestText, pytest("PASSED a.py::t\nERROR a.py::t - x"), "error a.py::t"},
		{"pytest: id with blanks and dashes", reports.PytestText, pytest("FAILED a.py::t[x - y] - AssertionError: [1] - [2]"), "failed a.py::t[x - y]"},
		{"pytest: colour", reports.PytestText, pytest("\x1b[31mFAILED\x1b[0m a.py::\x1b[1mt\x1b[0m - x"), "failed a.py::t"},
		{"pytest: PASSED printed by a test", reports.PytestText, banner("test session starts") + banner("PASSES") + "PASSED a.py::ghost\n" + banner("short test summary info") + "FAILED a.py::t\n" + banner("1 failed in 0.01s"), "failed a.py::t"},
		{"pytest: a whole session printed by a test", reports.PytestText, banner("test session starts") + banner("PASSES") + pytest("PASSED in.py::ghost") + banner("short test summary info") + "PASSED a.py::t\n" + banner("1 passed in 0.01s"), "passed a.py::t"},
		{"pytest: percentage is no test", reports.PytestText, banner("test session starts") + "a.py::t PASSED      [100%]\n.....        [100%]\n" + banner("1 passed in 0.01s"), "passed a.py::t"},
		{"pytest: ERROR: is no status", reports.PytestText, pytest("ERROR: file not found: x.py\nFAILED a.py::t"), "failed a.py::t"},
		{"unittest: docstring is no name", reports.Unittest, "test_a (m.T)\nWhat it does ... ok\n\nRan 1 test in 0.01s\n\nOK\n", "passed m.py::T::test_a"},
		{"unittest: noise before the status", reports.Unittest, "test_a (m.T.test_a) ... noise\nmore\nok\n\nRan 1 test in 0.01s\n\nOK\n", "passed m.py::T::test_a"},
		{"unittest: died while running", reports.Unittest, "test_a (m.T.test_a) ... ok\ntest_b (m.T.test_b) ... ", "passed m.py::T::test_a|error m.py::T::test_b"},
		{"unittest: module does not import", reports.Unittest, "tests.test_a (unittest.loader._FailedTest) ... ERROR\n\nRan 1 test in 0.01s\n\nFAILED (errors=1)\n", "error tests/test_a.py"},
		{"pytest: cut XML", reports.Pytest, `<testsuites><testsuite name="pytest"><testcase classname="a" name="t" file="a.py"/><testcase classname="a" name="u" file="a.py"><failure mess`, "passed a.py::t|error a.py::u"},
	}
}

func TestReadRefuses(t *testing.T) {
	for _, f := range reports.Formats() {
		for _, data := range []string{"", "nothing of the kind\n", "<html><body/></html>", "{}", "\x00\xff<"} {
			_, err := reports.Read(f, []byte(data))
			require.ErrorIs(t, err, reports.ErrNoReport, "%s of %q", f, data)
		}
	}
	_, err := reports.Read("tap", []byte("1..2"))
	require.ErrorContains(t, err, "unknown format")
}

func TestMergeWorst(t *testing.T) {
	a := reports.Report{Complete: true, Notes: []string{"n"}, Tests: []bench.Test{{ID: "x", Status: bench.Passed}, {ID: "y", Status: bench.Skipped}}}
	b := reports.Report{Running: "x", Tests: []bench.Test{{ID: "x", Status: bench.Error, Message: "m"}, {ID: "a", Status: bench.XFail}}}
	got := reports.Merge(a, b)
	require.Equal(t, []bench.Test{{ID: "a", Status: bench.XFail}, {ID: "x", Status: bench.Error, Message: "m"}, {ID: "y", Status: bench.Skipped}}, got.Tests)
	require.False(t, got.Complete)
	require.Equal(t, "x", got.Running)
	require.Equal(t, []string{"n"}, got.Notes)
	require.False(t, reports.Merge().Complete)
}

// Every prefix of a structured report yields no test with a better status
// than the whole, and is never called complete while it lacks tests.
func TestCutAnywhere(t *testing.T) {
	for _, path := range []string{"gtest/gt.xml", "gtest/gt.json", "catch2/c2.xml", "catch2/c3.xml", "doctest/dt.xml", "ctest/junit.xml", "pytest/p9_crash.jsonl", "gradle/44.TEST-x.FourTest.xml"} {
		t.Run(path, func(t *testing.T) {
			data, err := os.ReadFile("testdata/tools/" + path)
			require.NoError(t, err)
			format := toolFormat("testdata/tools/" + path)
			whole, err := reports.Read(format, data)
			require.NoError(t, err)
			best := map[string]bool{}
			for _, test := range whole.Tests {
				best[test.ID] = test.Status.OK()
			}
			for n := 0; n < len(data); n += 7 {
				r, err := reports.Read(format, data[:n])
				if err != nil {
					continue
				}
				if len(r.Tests) < len(whole.Tests) {
					require.False(t, r.Complete, "cut at %d", n)
				}
				for _, test := range r.Tests {
					ok, known := best[test.ID]
					require.True(t, known, "made-up name %q at %d", test.ID, n)
					require.False(t, test.Status.OK() && !ok && !sections(format), "%q at %d", test.ID, n)
				}
			}
		})
	}
}

// sections recognises formats whose later sections may still fail an id.
func sections(f reports.Format) bool { return f == reports.Catch2 || f == reports.Doctest }

func TestResolver(t *testing.T) {
	data := []byte(`<testsuite name="pytest"><testcase classname="pkg.check.case" name="t"/></testsuite>`)
	opts := reports.Options{Resolve: func(dotted string) (string, []string) {
		require.Equal(t, "pkg.check.case", dotted)
		return "pkg/check.py", []string{"case"}
	}}
	r, err := reports.ReadWith(reports.Pytest, data, opts)
	require.NoError(t, err)
	require.Equal(t, "pkg/check.py::case::t", r.Tests[0].ID)
}

func TestMessageIsBounded(t *testing.T) {
	long := strings.Repeat("line\n", 1000) + strings.Repeat("x", 1<<20)
	data := `<testsuite><testcase classname="x.T" name="a"><failure>` + "\x00\x1b[31mred\x1b[0m &#0;&#27;[1m\n" + long + `</failure></testcase></testsuite>`
	r, err := reports.Read(reports.Surefire, []byte(data))
	require.NoError(t, err)
	text := r.Tests[0].Message
	require.True(t, strings.HasPrefix(text, "red \nline\n"), "%q", text[:20])
	require.LessOrEqual(t, strings.Count(text, "\n"), 19)
	require.LessOrEqual(t, len(text), 2048)
}
