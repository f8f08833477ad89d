package reports

import (
	"bytes"
	"encoding/json"
	"strings"

	"assay/bench"
)

// readGTest reads --gtest_output=xml or json, of GoogleTest 1.8 to 1.18.
func readGTest(c *collector, data []byte) bool {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		return readGTestJSON(c, trimmed)
	}
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	found := scan.each(func(tc junitCase) {
		g := gtestCase{
			Suite: tc.class, Name: tc.name, File: tc.file, Status: tc.status, Result: tc.result,
			Timestamp: tc.timestamp, Time: tc.seconds,
		}
		if g.Suite == "" {
			g.Suite = tc.suite
		}
		for _, o := range tc.outcomes {
			switch o.kind {
			case "failure", "error":
				g.failure(o.describe())
			case "skipped":
				g.Result, g.why = "skipped", o.describe()
			}
		}
		c.add(g.test())
		if tc.cut {
			c.died(g.test().ID, "the report ends within this test")
		}
	})
	if scan.cut {
		c.cut("GoogleTest's XML")
	}
	return found
}

// gtestCase is a test as XML and JSON alike give it.
type gtestCase struct {
	Suite, Name, File         string
	Status, Result, Timestamp string
	Time                      float64
	failed                    bool
	why                       string
}

func (g *gtestCase) failure(text string) {
	if g.failed {
		text = g.why + "\n" + text
	}
	g.failed, g.why = true, text
}

func (g *gtestCase) test() bench.Test {
	t := bench.Test{ID: g.Suite + "." + g.Name, Status: bench.Passed, Message: g.why, Seconds: g.Time, File: g.File}
	switch {
	case g.Name == "": // set-up or tear-down of the suite or the program
		t.ID, t.Status = g.Suite, bench.Error
	case g.failed:
		t.Status = bench.Failed
	case strings.EqualFold(g.Result, "skipped"):
		t.Status = bench.Skipped
		if g.neverStarted() {
			t.Status = bench.Error
			t.Message = "not started: the suite's set-up did not succeed\n" + g.why
		}
	case strings.EqualFold(g.Status, "notrun"), strings.EqualFold(g.Result, "suppressed"):
		t.Status = bench.Skipped
	}
	return t
}

// neverStarted distinguishes a test that was skipped because SetUpTestSuite
// failed, which GoogleTest from 1.12 on reports as skipped, from one that
// skipped itself: it has no starting time. From 1.14 on a set-up that calls
// GTEST_SKIP looks the same.
func (g *gtestCase) neverStarted() bool {
	return strings.HasPrefix(g.Timestamp, "1970-01-01T00:00:00")
}

// gtestJSONCase is an element of a "testsuite" array.
type gtestJSONCase struct {
	Name      string `json:"name"`
	ClassName string `json:"classname"`
	File      string `json:"file"`
	Status    string `json:"status"`
	Result    string `json:"result"`
	Timestamp string `json:"timestamp"`
	Time      string `json:"time"`
	Failures  []struct {
		Failure string `json:"failure"`
	} `json:"failures"`
	Skipped []struct {
		Message string `json:"message"`
	} `json:"skipped"`
}

// readGTestJSON walks the document test by test, so that one that is cut
// yields the tests before the cut.
func readGTestJSON(c *collector, data []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(data))
	found := false
	err := jsonObject(dec, func(key string) error {
		if key != "testsuites" {
			return skipJSON(dec)
		}
		found = true
		return jsonArray(dec, func() error { return gtestJSONSuite(c, dec) })
	})
	if err != nil && found {
		c.cut("GoogleTest's JSON")
	}
	return found
}

func gtestJSONSuite(c *collector, dec *json.Decoder) error {
	suite := ""
	return jsonObject(dec, func(key string) error {
		switch key {
		case "name":
			return dec.Decode(&suite)
		case "testsuite":
			return jsonArray(dec, func() error {
				var tc gtestJSONCase
				if err := dec.Decode(&tc); err != nil {
					return err
				}
				c.add(tc.test(suite))
				return nil
			})
		}
		return skipJSON(dec)
	})
}

func (tc gtestJSONCase) test(suite string) bench.Test {
	g := gtestCase{
		Suite: tc.ClassName, Name: tc.Name, File: tc.File, Status: tc.Status, Result: tc.Result,
		Timestamp: tc.Timestamp, Time: seconds(tc.Time),
	}
	if g.Suite == "" {
		g.Suite = suite
	}
	for _, s := range tc.Skipped {
		g.why = s.Message
	}
	for _, f := range tc.Failures {
		g.failure(f.Failure)
	}
	return g.test()
}
