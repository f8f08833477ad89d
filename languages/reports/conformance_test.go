package reports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

// coarse maps our statuses to the three that the conformance files know.
func coarse(s bench.Status) string {
	switch {
	case s.OK():
		return "PASSED"
	case s == bench.Skipped:
		return "SKIPPED"
	}
	return "FAILED"
}

func statuses(r reports.Report) map[string]string {
	m := map[string]string{}
	for _, t := range r.Tests {
		m[t.ID] = coarse(t.Status)
	}
	return m
}

// expected reads an expectation file, whose tests are under "tests", under
// "method", or at the top.
func expected(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var nested struct {
		Tests, Method map[string]string
	}
	if json.Unmarshal(data, &nested) == nil && len(nested.Tests)+len(nested.Method) > 0 {
		if nested.Method != nil {
			return nested.Method
		}
		return nested.Tests
	}
	flat := map[string]string{}
	require.NoError(t, json.Unmarshal(data, &flat))
	return flat
}

func readFile(t *testing.T, f reports.Format, paths ...string) reports.Report {
	t.Helper()
	var all []reports.Report
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		r, err := reports.Read(f, data)
		require.NoError(t, err, path)
		all = append(all, r)
	}
	return reports.Merge(all...)
}

// without returns a copy of m that lacks some keys.
func without(m map[string]string, keys ...string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v
	}
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

func TestConformance(t *testing.T) {
	const dir = "testdata/conformance/"
	// Skipped tests are folded by their place in pytest's summary.
	folded := []string{"test_a.py::test_skipped", "test_u.py::T::test_skip"}
	tests := []struct {
		file   string
		format reports.Format
		expect string
		lacks  []string          // expected, and not named by this form of output
		extra  map[string]string // the reader's own, in addition to what the expectation lists
	}{
		{file: "pytest/junit.xml", format: reports.Pytest, expect: "pytest/expected.json"},
		{file: "pytest/rA.log", format: reports.PytestText, expect: "pytest/expected.json", lacks: folded},
		{file: "pytest/rA_q_xdist.log", format: reports.PytestText, expect: "pytest/expected.json", lacks: folded},
		{file: "pytest/v.log", format: reports.PytestText, expect: "pytest/expected.json"},
		{file: "pytest/swesmith.log", format: reports.PytestText, expect: "pytest/expected.json"},
		{file: "ctest/junit.xml", format: reports.CTest, expect: "ctest/expected.json"},
		{file: "ctest/plain.log", format: reports.CTestText, expect: "ctest/expected.json"},
		{file: "ctest/verbose.log", format: reports.CTestText, expect: "ctest/expected.json"},
		{file: "gtest/gtest.xml", format: reports.GTest, expect: "gtest/expected_plain.json"},
		{file: "gtest/plain.log", format: reports.GTestText, expect: "gtest/expected_plain.json"},
		{file: "catch2/xml.log", format: reports.Catch2, expect: "catch2/expected.json", extra: map[string]string{
			"breaks, badly: a/b/inner one": "FAILED", "breaks, badly: a/b/inner two": "PASSED",
		}},
		// The junit reporter has no entry for a case whose assertions all are
		// in sections.
		{file: "catch2/junit.log", format: reports.Catch2, expect: "catch2/expected.json", lacks: []string{"breaks, badly: a/b"}, extra: map[string]string{
			"breaks, badly: a/b/inner one": "FAILED", "breaks, badly: a/b/inner two": "PASSED",
		}},
		// The console names only failures, and does not say about which ones
		// the tags allow them; a note does.
		{file: "catch2/console.log", format: reports.Catch2Text, expect: "catch2/expected.json", lacks: []string{"adds numbers", "tmpl - int", "known bug", "may fail"}, extra: map[string]string{
			"breaks, badly: a/b/inner one": "FAILED", "known bug": "FAILED", "may fail": "FAILED",
		}},
		{file: "catch2/console_s.log", format: reports.Catch2Text, expect: "catch2/expected.json", lacks: []string{"known bug", "may fail"}, extra: map[string]string{
			"breaks, badly: a/b/inner one": "FAILED", "breaks, badly: a/b/inner two": "PASSED", "known bug": "FAILED", "may fail": "FAILED",
		}},
		{file: "doctest/xml.log", format: reports.Doctest, expect: "doctest/expected.json", extra: map[string]string{
			"with subs/one": "PASSED", "with subs/two": "FAILED", "skipped one": "SKIPPED",
		}},
		{file: "doctest/console.log", format: reports.DoctestText, expect: "doctest/expected.json", lacks: []string{"no assertion pass"}, extra: map[string]string{
			"with subs/one": "PASSED", "with subs/two": "FAILED",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			r := readFile(t, tt.format, dir+tt.file)
			want := without(expected(t, dir+tt.expect), tt.lacks...)
			for k, v := range tt.extra {
				want[k] = v
			}
			require.Equal(t, want, statuses(r))
			require.True(t, r.Complete, r.Notes)
		})
	}
}

func TestConformanceCollectionError(t *testing.T) {
	r := readFile(t, reports.PytestText, "testdata/conformance/pytest/collect_error_rA.log")
	require.Equal(t, []bench.Test{{ID: "test_broken.py", Status: bench.Error}}, r.Tests)
	require.Contains(t, strings.Join(r.Notes, "\n"), "Interrupted: 1 error during collection")
}

// The expectations of unittest's text have bare names.
func TestConformanceUnittest(t *testing.T) {
	r := readFile(t, reports.Unittest, "testdata/conformance/unittest/v_py311.log")
	got := map[string]string{}
	for id, s := range statuses(r) {
		got[strings.TrimPrefix(id, "test_u.py::T::")] = s
	}
	want := expected(t, "testdata/conformance/unittest/expected.json")
	want["test_u.py::Broken"] = "FAILED"
	require.Equal(t, want, got)
	require.True(t, r.Complete)
}

func TestConformanceMavenXML(t *testing.T) {
	for _, name := range []string{"sf2124_junit4", "sf2124_junit4_plain", "sf325_default", "sf325_plain"} {
		t.Run(name, func(t *testing.T) {
			files, err := filepath.Glob("testdata/conformance/maven/" + name + ".xml/*.xml")
			require.NoError(t, err)
			require.NotEmpty(t, files)
			r := readFile(t, reports.Surefire, files...)
			want := expected(t, "testdata/conformance/maven/"+name+".expected.json")
			require.Equal(t, want, published(want, r))
			require.True(t, r.Complete, r.Notes)
		})
	}
}

// published writes canonical ids as the expectations have them:
// class.method, with the parameter types that we drop put back.
func published(want map[string]string, r reports.Report) map[string]string {
	out := map[string]string{}
	for id, s := range statuses(r) {
		class, method, ok := strings.Cut(id, "::")
		key := class + "." + method
		if base, index, found := strings.Cut(method, "["); ok && found && want[key] == "" {
			key = class + "." + base + "(int)[" + index
		}
		out[key] = s
	}
	return out
}

// Maven's text names what failed, with reportFormat plain also what passed,
// never what was skipped (Surefire 3), and gives the result of each class.
func TestConformanceMavenText(t *testing.T) {
	for _, name := range []string{"sf2124_junit4", "sf2124_junit4_plain", "sf325_default", "sf325_plain"} {
		t.Run(name, func(t *testing.T) {
			r := readFile(t, reports.MavenText, "testdata/conformance/maven/"+name+".log")
			want := expected(t, "testdata/conformance/maven/"+name+".expected.json")
			var classes struct{ Class map[string]string }
			data, err := os.ReadFile("testdata/conformance/maven/" + name + ".expected.json")
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &classes))

			got := published(want, r)
			for key, status := range want {
				plain := strings.HasSuffix(name, "_plain")
				named := status == "FAILED" || plain && (status == "PASSED" || strings.HasPrefix(name, "sf2124"))
				if named {
					require.Equal(t, status, got[key], key)
				}
			}
			worst := map[string]string{}
			for id, s := range statuses(r) {
				class, _, _ := strings.Cut(id, "::")
				if worst[class] == "" || s == "FAILED" {
					worst[class] = s
				}
			}
			require.Equal(t, classes.Class, worst)
			require.Empty(t, missingFrom(want, classes.Class, got), "made-up names")
			require.True(t, r.Complete, r.Notes)
		})
	}
}

func missingFrom(methods, classes, got map[string]string) []string {
	var extra []string
	for key := range got {
		class := strings.TrimSuffix(key, ".")
		if methods[key] == "" && classes[class] == "" {
			extra = append(extra, key)
		}
	}
	return extra
}
