package style

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/bench"
)

func sample() []bench.Finding {
	return []bench.Finding{
		{Tool: "pylint", Rule: "unused-import", Path: "src/a b%.py", Range: bench.Range{Line: 3, Column: 1, EndLine: 3, EndColumn: 9}, Message: "Unused import os <x> & \"y\"",
			Severity: bench.SeverityWarning, Line: "import os", Suppressed: "pylint: disable"},
		{Tool: "pylint", Rule: "broad-exception-caught", Path: "a.py", Range: bench.Range{Line: 30}, Message: "m", Severity: bench.SeverityError, Symbol: "A.f"},
		{Tool: "pylint", Rule: "broad-exception-caught", Path: "a.py", Range: bench.Range{Line: 40}, Message: "m", Severity: bench.SeverityNote},
		{Tool: "pylint", Rule: "no-place", Path: "a.py", Message: "whole file"},
	}
}

func TestSARIFRoundTrip(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteSARIF(&out, SARIFRun{Tool: "pylint", Version: "4.1.4", Rules: []string{"a-rule"}, Findings: sample()}, SARIFRun{Tool: "pmd"}))
	golden(t, "sarif/written.sarif", out.String())
	got := must(ReadSARIF(&out))(t)
	want := sample()
	SortFindings(want)
	require.Equal(t, want, got)
}

func TestSARIFRoundTripOfAny(t *testing.T) {
	word := rapid.StringMatching(`[a-zé:%#?/ .\\"<&]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		var findings []bench.Finding
		for range rapid.IntRange(0, 5).Draw(t, "findings") {
			f := bench.Finding{Tool: "t", Rule: rapid.StringMatching(`[a-z-]{1,6}`).Draw(t, "rule"), Path: rapid.StringMatching(`[a-zé:%#? ]{1,8}(/[a-z:]{1,3})?`).Draw(t, "path"),
				Message: word.Draw(t, "message"), Symbol: word.Draw(t, "symbol"), Suppressed: word.Draw(t, "suppressed"),
				Severity: rapid.SampledFrom([]bench.Severity{"", bench.SeverityError, bench.SeverityWarning, bench.SeverityNote}).Draw(t, "severity")}
			if f.Range.Line = rapid.IntRange(0, 3).Draw(t, "line"); f.Range.Line > 0 {
				f.Range.Column, f.Range.EndLine, f.Range.EndColumn = rapid.IntRange(0, 3).Draw(t, "c"), rapid.IntRange(0, 3).Draw(t, "el"), rapid.IntRange(0, 3).Draw(t, "ec")
				f.Line = word.Draw(t, "text")
			}
			findings = append(findings, f)
		}
		var out bytes.Buffer
		require.NoError(t, WriteSARIF(&out, SARIFRun{Tool: "t", Findings: findings}))
		got, err := ReadSARIF(&out)
		require.NoError(t, err)
		SortFindings(findings)
		require.Equal(t, findings, got)
	})
}

// TestFingerprintsStay: lines added above and renumbered messages leave the
// fingerprints as they are, and doublets have their own.
func TestFingerprintsStay(t *testing.T) {
	prints := func(shift int, message string) []string {
		f := []bench.Finding{
			{Rule: "r", Path: "a", Line: "  x = 1", Range: bench.Range{Line: 1 + shift}, Message: message},
			{Rule: "r", Path: "a", Line: "\tx = 1", Range: bench.Range{Line: 9 + shift}, Message: message},
			{Rule: "r", Path: "a", Line: "y = 1", Range: bench.Range{Line: 12 + shift}, Message: message},
		}
		var out []string
		for _, r := range (SARIFRun{Findings: f}).sarif().Results {
			out = append(out, r.Prints[fingerprintName])
		}
		return out
	}
	first := prints(0, "12 of 10")
	require.Equal(t, first, prints(5, "13 of 10"))
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(first))), 3)
	require.NotEqual(t, first, prints(0, "other"))
}

// foreign is a log as other tools write them: indices, base ids, message
// strings, results that are no findings.
const foreign = `{"version":"2.1.0","$schema":"x","runs":[{"tool":{"driver":{"name":"PMD","informationUri":"u","rules":[
 {"id":"A","defaultConfiguration":{"level":"note"},"messageStrings":{"default":{"text":"use {0}, not {1}"}}},{"id":"B"}]}},
 "artifacts":[{"location":{"uri":"src/A.java","uriBaseId":"ROOT"}}],
 "results":[
 {"ruleIndex":0,"message":{"id":"default","arguments":["x","y"]},"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":7,"endColumn":4,"snippet":{"text":"int x;\r\nint y;"}}}}]},
 {"rule":{"id":"B","index":1},"level":"error","message":{"text":"two\nlines"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///testbed/b%20c.java"}}}],"suppressions":[{"kind":"inSource"}]},
 {"ruleId":"C","message":{"text":"plain"},"suppressions":[{"kind":"external","status":"rejected"}]},
 {"ruleId":"A","kind":"pass","message":{"text":"fine"}}]}]}`

func TestReadSARIFOfOthers(t *testing.T) {
	got := must(ReadSARIF(strings.NewReader("\ufeff" + foreign)))(t)
	require.Equal(t, []bench.Finding{
		{Tool: "PMD", Rule: "C", Message: "plain", Severity: bench.SeverityWarning},
		{Tool: "PMD", Rule: "B", Path: "/testbed/b c.java", Message: "two lines", Severity: bench.SeverityError, Suppressed: "inSource"},
		{Tool: "PMD", Rule: "A", Path: "src/A.java", Range: bench.Range{Line: 7, EndColumn: 3}, Message: "use x, not y", Severity: bench.SeverityNote, Line: "int x;"},
	}, got)
}

func TestReadSARIFErrors(t *testing.T) {
	cases := map[string]string{
		"line 2: invalid character":                                  "{\n]",
		"unexpected end":                                             "",
		`version "2.0.0": expected 2.1.0`:                            `{"version":"2.0.0"}`,
		`version "": expected 2.1.0`:                                 `{}`,
		"runs[0].tool.driver.name":                                   `{"version":"2.1.0","runs":[{"results":[]}]}`,
		"runs[0].results[0]: ruleId":                                 `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"ruleIndex":3,"message":{"text":"m"}}]}]}`,
		"artifactLocation.index: 5 is not one of 0":                  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"ruleId":"r","locations":[{"physicalLocation":{"artifactLocation":{"index":5}}}]}]}]}`,
		"artifactLocation.uri":                                       `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"ruleId":"r","locations":[{"physicalLocation":{"artifactLocation":{"uri":"%zz"}}}]}]}]}`,
		"region: -1":                                                 `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"ruleId":"r","locations":[{"physicalLocation":{"artifactLocation":{"uri":"a"},"region":{"startLine":-1}}}]}]}]}`,
		"line 1: json: cannot unmarshal string into Go struct field": `{"version":"2.1.0","runs":"x"}`,
	}
	for want, log := range cases {
		t.Run(want, func(t *testing.T) {
			_, err := ReadSARIF(strings.NewReader(log))
			require.ErrorContains(t, err, want)
		})
	}
}

// FuzzReadSARIF: no panic, and what was read is read again from what is
// written of it.
func FuzzReadSARIF(f *testing.F) {
	f.Add([]byte(foreign))
	var out bytes.Buffer
	require.NoError(f, WriteSARIF(&out, SARIFRun{Tool: "pylint", Version: "4", Findings: sample()}))
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		findings, err := ReadSARIF(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		require.NoError(t, WriteSARIF(&out, SARIFRun{Tool: "x", Findings: findings}))
		again, err := ReadSARIF(&out)
		require.NoError(t, err)
		require.Len(t, again, len(findings))
		for i := range again {
			require.Equal(t, findings[i].Rule, again[i].Rule)
			require.Equal(t, findings[i].Message, again[i].Message)
			require.Equal(t, findings[i].Range.Line, again[i].Range.Line)
		}
	})
}
