package reports

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"assay/bench"
)

// readMesonLog reads meson-logs/testlog.json: a JSON object a line, one for
// each test.
func readMesonLog(c *collector, data []byte) bool {
	found := false
	for line := range bytes.Lines(data) {
		var t struct {
			Name, Result, Stdout, Stderr string
			Duration                     float64
		}
		if json.Unmarshal(line, &t) != nil || t.Name == "" || t.Result == "" {
			if len(bytes.TrimSpace(line)) > 0 {
				c.cut("Meson's log")
			}
			continue
		}
		found = true
		c.add(bench.Test{
			ID: MesonName(t.Name), Status: mesonStatus(t.Result), Seconds: t.Duration,
			Message: mesonMessage(t.Result, t.Stdout, t.Stderr),
		})
	}
	return found
}

func mesonMessage(result, stdout, stderr string) string {
	if mesonStatus(result).OK() {
		return ""
	}
	return strings.TrimSpace(result + "\n" + programMessage(stdout+"\n"+stderr))
}

// mesonStatus maps Meson's results. A test that is to fail and does is one that
// fails as expected.
func mesonStatus(result string) bench.Status {
	switch result {
	case "OK":
		return bench.Passed
	case "EXPECTEDFAIL":
		return bench.XFail
	case "UNEXPECTEDPASS", "FAIL", "TIMEOUT":
		return bench.Failed
	case "SKIP", "IGNORED":
		return bench.Skipped
	}
	return bench.Error
}

var (
	mesonSuites  = regexp.MustCompile(`^[^/]*\S / (.+)$`)
	mesonProject = regexp.MustCompile(`^(?:[\w+. -]+ - )?[\w+. -]+:([^:].*)$`)
	mesonNumber  = regexp.MustCompile(`^(\d+)(?: -)?(?: (.+))?$`)
)

// MesonName is a test's own name. Before it come, by version and by how many
// suites there are, "project:suite / ", "suite - project:" or "project:".
func MesonName(printed string) string {
	if m := mesonSuites.FindStringSubmatch(printed); m != nil {
		return m[1]
	}
	if m := mesonProject.FindStringSubmatch(printed); m != nil {
		return m[1]
	}
	return printed
}

// readMeson reads meson-logs/testlog.junit.xml for what the log does not hold:
// the parts of tests that print TAP, as test/part, and the cases of GoogleTest.
func readMeson(c *collector, data []byte) bool {
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	found := scan.each(func(tc junitCase) {
		status, text := mesonOutcome(tc)
		c.add(bench.Test{ID: mesonCase(tc), Status: status, Message: text, Seconds: tc.seconds})
		if tc.cut {
			c.died(mesonCase(tc), "the report ends within this test")
		}
	})
	if scan.cut {
		c.cut("Meson's JUnit XML")
	}
	return found
}

// mesonOutcome knows the cases that GoogleTest did not run.
func mesonOutcome(tc junitCase) (bench.Status, string) {
	status, text := tc.outcome()
	if status == bench.Passed && tc.status == "notrun" {
		status = bench.Skipped
	}
	return status, text
}

// mesonCase names a case: that of a suite "project.test" is a part of a test
// where it has a number, and one of GoogleTest where its class is another.
func mesonCase(tc junitCase) string {
	if tc.class != tc.suite && tc.class != "" {
		return tc.class + "." + tc.name
	}
	_, test, ok := strings.Cut(tc.suite, ".")
	part := mesonNumber.FindStringSubmatch(tc.name)
	if !ok || part == nil {
		return MesonName(tc.name)
	}
	if part[2] == "" {
		return MesonName(test) + "/" + part[1]
	}
	return MesonName(test) + "/" + strings.TrimSpace(part[2])
}
