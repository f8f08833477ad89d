package reports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

// printedFiles are logs by the name of the parser that reads them. Those called
// made were written by hand after the tools' formats, the others are what
// the tools print.
func printedFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/printed/*/*.log")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func parserOf(path string) string { return "parse_log_" + filepath.Base(filepath.Dir(path)) }

// TestPrinted reads them; the golden files were checked by hand.
func TestPrinted(t *testing.T) {
	for _, path := range printedFiles(t) {
		t.Run(strings.TrimPrefix(path, "testdata/printed/"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			r, err := reports.ReadPrinted(parserOf(path), data)
			got := render(r, err)
			for _, test := range r.Tests {
				if test.Alias != "" {
					got += "alias   " + test.ID + " = " + test.Alias + "\n"
				}
			}
			if *update {
				require.NoError(t, os.WriteFile(path+".golden", []byte(got), 0o644))
			}
			want, err := os.ReadFile(path + ".golden")
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// TestPrintedColour checks that colours change nothing.
func TestPrintedColour(t *testing.T) {
	plain, err := os.ReadFile("testdata/printed/highlightjs/mocha10.log.golden")
	require.NoError(t, err)
	colour, err := os.ReadFile("testdata/printed/highlightjs/mocha10_colour.log.golden")
	require.NoError(t, err)
	require.Equal(t, strings.Count(string(plain), "passed"), strings.Count(string(colour), "passed"))
}

// TestLogParserNames checks that every name that SWE-bench 5.0.2 has is
// known.
func TestLogParserNames(t *testing.T) {
	const names = `pytest pytest_options django pytest_v2 seaborn sympy matplotlib astroid flask marshmallow pvlib
		pyvista sqlfluff xarray pydicom requests pylint astropy scikit sphinx
		calypso bpmn_js carbon eslint grommet highlightjs lighthouse next openlayers prismjs quarto_cli chart_js marked
		p5js react_pdf jest jest_json vitest karma tap immutable_js
		redis jq doctest micropython_test googletest gotest maven ant gradle_custom phpunit
		minitest cucumber ruby_unit rspec_transformed_json jekyll cargo`
	all := strings.Fields(names)
	require.Len(t, all, 57)
	for _, name := range all {
		require.NoError(t, reports.CheckLogParser("parse_log_"+name))
		require.NoError(t, reports.CheckLogParser(name))
	}
	require.Len(t, reports.LogParsers(), 57+9)
	err := reports.CheckLogParser("parse_log_nobody")
	require.ErrorContains(t, err, `log_parser "parse_log_nobody" is not known (known: catch2-text, `)
	require.ErrorContains(t, err, "parse_log_xarray")
	_, err = reports.ReadPrinted("nobody", nil)
	require.ErrorContains(t, err, "is not known")
}

// TestPrintedNothing checks that a text without any result is not a report.
func TestPrintedNothing(t *testing.T) {
	for _, name := range reports.LogParsers() {
		for _, text := range []string{"", "npm ERR! missing script\n", "bash: line 1: runner: command not found\n"} {
			_, err := reports.ReadPrinted(name, []byte(text))
			require.ErrorIs(t, err, reports.ErrNoReport, "%s: %q", name, text)
		}
	}
}

// TestPrintedForged checks that a result that the runner did not print leaves
// its mark: either it is not read, or the report is not complete.
func TestPrintedForged(t *testing.T) {
	tests := []struct{ name, parser, text string }{
		{"go, not announced", "gotest", "=== RUN   TestA\n--- PASS: TestGold (0.00s)\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx\t0.1s\n"},
		{"go, once more", "gotest", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n--- PASS: TestA (0.00s)\nFAIL\nFAIL\tx\t0.1s\n"},
		{"cargo, printed by a failing test", "cargo", "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\ntest gold ... ok\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\n"},
		{"cargo, more than counted", "cargo", "running 1 test\ntest gold ... ok\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\n"},
		{"cargo, killed", "cargo", "running 2 tests\ntest gold ... ok\n"},
		{"jest, before the tree", "jest", "  console.log\n    ✓ gold (1 ms)\n\nFAIL a.test.js\n  ✕ a (1 ms)\n\nTests:       1 failed, 1 total\n"},
		{"jest, no end", "jest", "PASS a.test.js\n  ✓ gold (1 ms)\n"},
		{"mocha, more than counted", "highlightjs", "\n  s\n    ✔ gold\n    ✔ a\n\n  1 passing (3ms)\n"},
		{"vitest, no end", "vitest", " ✓ a.ts > gold\n"},
		{"tap, plan", "tap", "TAP version 13\nok 1 - gold\nok 1 - a\n1..1\n"},
		{"carriage return", "cargo", "running 1 test\ntest gold ... FAILED\rtest gold ... ok\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n"},
		{"maven, inside of a test's output", "maven", "+ mvn -B test -Dtest=A#gold\nBUILD SUCCESS\n[INFO] BUILD SUCCESS\n"},
		{"minitest, no end", "minitest", "A#gold = 0.00 s = .\n"},
		{"sympy, more than counted", "sympy", "sympy/a/tests/test_a.py[1] \ntest_gold ok\ntest_b ok [OK]\ntests finished: 1 passed, in 0.1 seconds\n"},
		{"django, no end", "django", "test_gold (a.tests.T) ... ok\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := reports.ReadPrinted(tt.parser, []byte(tt.text))
			if err != nil {
				require.ErrorIs(t, err, reports.ErrNoReport)
				return
			}
			if !r.Complete {
				return
			}
			for _, test := range r.Tests {
				if strings.Contains(strings.ToLower(test.ID), "gold") || test.ID == "TestA" {
					require.False(t, test.Status.OK(), "%s is %s", test.ID, test.Status)
				}
			}
		})
	}
}

func TestPublishedAlias(t *testing.T) {
	tests := []struct{ parser, id, alias string }{
		{"pylint", "tests/a.py::test[/testbed/tests/data/x.py]", "tests/a.py::test[/x.py]"},
		{"pylint", "tests/a.py::test[//x/y]", ""},
		{"pylint", "tests/a.py::test[a/b]", ""},
		{"pytest", "tests/a.py::test[/testbed/tests/data/x.py]", ""},
		{"matplotlib", "a.py::test[MouseButton.LEFT-0]", "a.py::test[1-0]"},
		{"nobody", "a", ""},
	}
	for _, tt := range tests {
		require.Equal(t, tt.alias, reports.PublishedAlias(tt.parser, tt.id), "%s %s", tt.parser, tt.id)
	}
}

// FuzzReadPrinted reads arbitrary text with every parser: no panic, the same
// report again, and a well-formed one. Small changes of a complete log never
// make a test pass that the log does not name.
func FuzzReadPrinted(f *testing.F) {
	names := reports.LogParsers()
	index := map[string]int{}
	for i, n := range names {
		index[n] = i
	}
	for _, path := range printedFiles(f) {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(uint8(index[parserOf(path)]), data[:min(len(data), 8<<10)])
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		name := names[int(which)%len(names)]
		r, err := reports.ReadPrinted(name, data)
		if err != nil {
			require.ErrorIs(t, err, reports.ErrNoReport)
			return
		}
		checkReport(t, r)
		for _, test := range r.Tests {
			require.NotEqual(t, bench.Missing, test.Status)
		}
		again, err := reports.ReadPrinted(name, data)
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}
