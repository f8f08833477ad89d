package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// synthetic writes a report of n tests, one in ten of which fails with a
// trace of forty lines.
func synthetic(f reports.Format, n int) []byte {
	trace := strings.Repeat("    at pkg.Class.method(Class.java:42) &lt;x&gt;\n", 40)
	var b bytes.Buffer
	head, foot := frame(f)
	b.WriteString(head)
	for i := range n {
		b.WriteString(entry(f, i, i%10 == 0, trace))
	}
	b.WriteString(foot)
	return b.Bytes()
}

func frame(f reports.Format) (head, foot string) {
	switch f {
	case reports.Pytest:
		return `<testsuites><testsuite name="pytest">`, `</testsuite></testsuites>`
	case reports.Surefire, reports.Gradle, reports.CTest, reports.GTest, reports.Meson:
		return `<testsuite name="x">`, `</testsuite>`
	case reports.MesonLog, reports.Automake, reports.MakeText:
		return "", ""
	case reports.Catch2:
		return `<Catch2TestRun>`, `</Catch2TestRun>`
	case reports.Doctest:
		return `<doctest><TestSuite>`, `</TestSuite></doctest>`
	case reports.PytestJSON:
		return `{"ev":"session"}` + "\n", `{"ev":"finish"}` + "\n"
	case reports.PytestText:
		return banner("test session starts"), banner("short test summary info") + banner("1 failed in 0.01s")
	case reports.Unittest:
		return "", "Ran 9 tests in 0.1s\n\nOK\n"
	case reports.MavenText:
		return "[INFO]  T E S T S\n", "[INFO] Results:\n"
	case reports.GradleText:
		return "> Task :test\n", "BUILD FAILED in 1s\n"
	case reports.CTestText:
		return "Test project /b\n", "0% tests passed, 1 tests failed out of 9\n"
	case reports.GTestText:
		return "[==========] Running 9 tests\n", "[==========] 9 tests ran.\n"
	case reports.Catch2Text:
		return "x is a Catch v2.13.10 host application.\n", "test cases: 9 | 9 failed\n"
	}
	return "[doctest] run\n", "[doctest] Status: FAILURE!\n"
}

func entry(f reports.Format, i int, fails bool, trace string) string {
	xml := func(open, end string) string {
		if fails {
			return open + `><failure message="expected &lt;1&gt;">` + trace + `</failure>` + end
		}
		return open + `>` + end
	}
	word := func(good, bad string) string {
		if fails {
			return bad
		}
		return good
	}
	switch f {
	case reports.Pytest:
		return xml(fmt.Sprintf(`<testcase classname="tests.test_a.TestC" name="test_%d" file="tests/test_a.py" line="3" time="0.01"`, i), "</testcase>")
	case reports.Surefire, reports.Gradle, reports.GTest, reports.Meson:
		return xml(fmt.Sprintf(`<testcase classname="x.y.SomeTest" name="m%d(int)[1]" time="0.01"`, i), "</testcase>\n")
	case reports.CTest:
		return xml(fmt.Sprintf(`<testcase name="test %d" classname="t" time="0.01" status="%s"`, i, word("run", "fail")), "</testcase>\n")
	case reports.Catch2:
		return fmt.Sprintf(`<TestCase name="case %d" filename="a.cpp" line="3"><Section name="s" filename="a.cpp" line="4"><OverallResults successes="1" failures="%s" expectedFailures="0"/></Section><OverallResult success="%s"/></TestCase>`+"\n", i, word("0", "1"), word("true", "false"))
	case reports.Doctest:
		return fmt.Sprintf(`<TestCase name="case %d" filename="a.cpp" line="3"><SubCase name="s" filename="a.cpp" line="4"/><OverallResultsAsserts successes="1" failures="0" test_case_success="%s"/></TestCase>`+"\n", i, word("true", "false"))
	case reports.PytestJSON:
		return fmt.Sprintf(`{"ev":"start","id":"a.py::t%d"}`+"\n"+`{"ev":"phase","id":"a.py::t%d","when":"call","outcome":"%s","seconds":0.1,"msg":%q}`+"\n"+`{"ev":"end","id":"a.py::t%d"}`+"\n", i, i, word("passed", "failed"), word("", trace), i)
	}
	return textEntry(f, i, word, word("", trace))
}

func textEntry(f reports.Format, i int, word func(good, bad string) string, trace string) string {
	switch f {
	case reports.MesonLog:
		return fmt.Sprintf(`{"name": "p:t%d", "stdout": %q, "result": "%s"}`+"\n", i, trace, word("OK", "FAIL"))
	case reports.Automake:
		return fmt.Sprintf("%st%d\n:test-result: %s\n:test-global-result: %s\n", reports.AutomakeTest, i, word("PASS", "FAIL"), word("PASS", "FAIL"))
	case reports.MakeText:
		return fmt.Sprintf("%s: t%d\n%s", word("PASS", "FAIL"), i, trace)
	case reports.PytestText:
		return fmt.Sprintf("tests/test_a.py::TestC::test_%d %s       [ 10%%]\n%s", i, word("PASSED", "FAILED"), trace)
	case reports.Unittest:
		return fmt.Sprintf("test_%d (tests.test_a.T.test_%d) ... %s%s\n", i, i, trace, word("ok", "FAIL"))
	case reports.MavenText:
		return fmt.Sprintf("[INFO] Running x.C%d\n[INFO] Tests run: 1, Failures: %s, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in x.C%d\n[ERROR] x.C%d.a -- Time elapsed: 0.1 s%s\n%s", i, word("0", "1"), i, i, word("", " <<< FAILURE!"), trace)
	case reports.GradleText:
		return fmt.Sprintf("x.C > m%d() %s\n%s", i, word("PASSED", "FAILED"), trace)
	case reports.CTestText:
		return fmt.Sprintf("    Start %d: test %d\n%d/9 Test #%d: test %d .......%s 0.1 sec\n%s", i, i, i, i, i, word("   Passed", "***Failed"), trace)
	case reports.GTestText:
		return fmt.Sprintf("[ RUN      ] S.t%d\n%s%s S.t%d (0 ms)\n", i, trace, word("[       OK ]", "[  FAILED  ]"), i)
	case reports.Catch2Text:
		dashes := strings.Repeat("-", 79) + "\n"
		return fmt.Sprintf("%scase %d\n  s\n%sa.cpp:3\n%s\na.cpp:3: %s:\n%s", dashes, i, dashes, strings.Repeat(".", 79), word("PASSED", "FAILED"), trace)
	}
	return fmt.Sprintf("%s\na.cpp:3:\nTEST CASE:  case %d\n  s\n\na.cpp:3: %s: CHECK( x )\n%s", strings.Repeat("=", 79), i, word("SUCCESS", "ERROR"), trace)
}

func BenchmarkRead(b *testing.B) {
	for _, f := range reports.Formats() {
		data := synthetic(f, 20_000)
		b.Run(string(f), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := reports.Read(f, data)
				require.NoError(b, err)
				require.GreaterOrEqual(b, len(r.Tests), 20_000)
			}
		})
	}
}

// TestLinearTime reads reports and hostile repetitions of one size and of
// eight times that size: the time per byte must not grow with it.
func TestLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time for seconds: not in short mode")
	}
	hostile := []string{
		"<a>", "</b>", "<testcase ", "<![CDATA[", "&", "\x1b[", "=", "[", "a.py::t[", "a.py::t ... ", " ... ", "[ RUN      ] ", "x (a.b) ... ",
		"Start 1: ", " > ", "{", `{"ev":"start","id":"x"}` + "\n", "[INFO] Running x.T\n", "  ", "SUBFAIL ", "\r", "    Start 1: a\n", "-- in x",
		`<Section name="x">`, `<SubCase name="x">`, `<TestCase name="x">`, "x.", "/x", " > a", "x.T > a > ",
	}
	for _, f := range reports.Formats() {
		head, foot := frame(f)
		for _, h := range hostile {
			timed := func(n int) time.Duration {
				data := []byte(head + strings.Repeat(h, n/len(h)) + foot)
				best := time.Hour
				for range 3 {
					start := time.Now()
					_, _ = reports.Read(f, data)
					best = min(best, time.Since(start))
				}
				return best
			}
			// Quadratic work would take 64 times as long, each time. A loaded
			// machine may slow one measure, so that some more are taken.
			var small, large time.Duration
			for range 6 {
				small, large = timed(32<<10), timed(256<<10)
				if large < 32*small+20*time.Millisecond {
					break
				}
			}
			require.Less(t, large, 32*small+20*time.Millisecond, "%s of %q: %v, then %v", f, h, small, large)
		}
	}
}

func TestSyntheticReads(t *testing.T) {
	for _, f := range reports.Formats() {
		r, err := reports.Read(f, synthetic(f, 100))
		require.NoError(t, err, f)
		failed := 0
		for _, test := range r.Tests {
			if !test.Status.OK() {
				failed++
			}
		}
		require.GreaterOrEqual(t, failed, 10, f)
		require.GreaterOrEqual(t, len(r.Tests), 100, f)
		if f == reports.PytestJSON {
			require.True(t, r.Complete, fmt.Sprint(r.Notes))
		}
	}
}
