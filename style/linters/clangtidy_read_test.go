package linters

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// yamlOf writes a report as the tool does.
func yamlOf(entries ...string) string {
	return "---\nMainSourceFile:  ''\nDiagnostics:\n" + strings.Join(entries, "") + "...\n"
}

func entry(rule, file string, offset int, message, level string) string {
	return fmt.Sprintf(`  - DiagnosticName:  %s
    DiagnosticMessage:
      Message:         '%s'
      FilePath:        '%s'
      FileOffset:      %d
      Replacements:    []
    Level:           %s
    BuildDirectory:  '/assay/d/out/0000'
`, rule, message, file, offset, level)
}

func tidyTestRequest(rules ...string) style.Request {
	return style.Request{
		Files: []string{"a.cpp", "b.h"}, Rules: tidyRules(rules...), Dir: "/assay/d",
		Sources: map[string][]byte{"a.cpp": []byte("int a;\r\nint é, b;\n"), "b.h": []byte("int c;")},
	}
}

func TestClangTidyRead(t *testing.T) {
	const cpp, h = "/testbed/a.cpp", "/testbed/b.h"
	cases := map[string]struct {
		a, b  string
		rules []string
		want  []string
	}{
		"nothing": {rules: []string{"x-one"}, want: []string{}},
		"sorted, offsets in bytes": {
			a:     yamlOf(entry("x-two", cpp, 16, "m", "Warning"), entry("x-one", cpp, 4, "m", "Warning")),
			rules: []string{"x-one", "x-two"},
			want:  []string{"a.cpp:1:5 x-one warning m |int a;", "a.cpp:2:9 x-two warning m |int é, b;"},
		},
		"rules that were not asked for": {
			a: yamlOf(entry("clang-analyzer-core.Null", cpp, 0, "m", "Warning"), entry("x-one", cpp, 0, "m", "Warning")), rules: []string{"x-one"},
			want: []string{"a.cpp:1:1 x-one warning m |int a;"},
		},
		"other files": {
			a:     yamlOf(entry("x-one", h, 0, "m", "Warning"), entry("x-one", "/usr/include/x.h", 0, "m", "Warning")),
			rules: []string{"x-one"}, want: []string{},
		},
		"a relative path": {
			a: yamlOf(entry("x-one", "../../../../testbed/./a.cpp", 0, "m", "Warning")), rules: []string{"x-one"},
			want: []string{"a.cpp:1:1 x-one warning m |int a;"},
		},
		"aliases together": {
			a:     yamlOf(entry("z-one,x-one,-warnings-as-errors", cpp, 0, "m", "Error"), entry("y-one", cpp, 0, "m", "Warning")),
			rules: []string{"x-one", "y-one", "z-one"}, want: []string{"a.cpp:1:1 x-one error m |int a;"},
		},
		"the alias that was asked for": {
			a: yamlOf(entry("a-one,z-one", cpp, 0, "m", "Warning")), rules: []string{"z-one"},
			want: []string{"a.cpp:1:1 z-one warning m |int a;"},
		},
		"the former name of a rule": {
			a: yamlOf(entry("old-one", cpp, 0, "m", "Warning")), rules: []string{"x-one"},
			want: []string{"a.cpp:1:1 x-one warning m |int a;"},
		},
		"one place, two messages": {
			a: yamlOf(entry("x-one", cpp, 0, "m", "Warning"), entry("x-one", cpp, 0, "n", "Warning")), rules: []string{"x-one"},
			want: []string{"a.cpp:1:1 x-one warning m |int a;", "a.cpp:1:1 x-one warning n |int a;"},
		},
		"several lines of message, a quote, the end of the file": {
			b:     yamlOf(entry("x-one", h, 6, "it''s\n\n        so", "Remark")),
			rules: []string{"x-one"}, want: []string{"b.h:1:7 x-one note it's so |int c;"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := tidyTestRequest(c.rules...)
			req.Rules.Aliases = map[string]string{"old-one": "x-one"}
			reports := map[string]string{}
			if c.a != "" {
				reports["a.cpp"] = c.a
			}
			if c.b != "" {
				reports["b.h"] = c.b
			}
			found, err := clangTidy{}.Read(req, tidyResult(t, req, reports, func(r *tidyReport) {
				if strings.Contains(c.a, "Level:           Error") {
					r.Files[0].Code = 1
				}
			}))
			require.NoError(t, err)
			got := []string{}
			for _, f := range found {
				require.Equal(t, "clang-tidy", f.Tool)
				got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s |%s", f.Path, f.Range.Line, f.Range.Column, f.Rule, f.Severity, f.Message, f.Line))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestClangTidyRanges: the end comes from a range around the place, or else
// from what an edit replaces.
func TestClangTidyRanges(t *testing.T) {
	ranged := `  - DiagnosticName:  x-one
    DiagnosticMessage:
      Message:         m
      FilePath:        '/testbed/a.cpp'
      FileOffset:      4
      Replacements:
        - FilePath:        '/testbed/a.cpp'
          Offset:          4
          Length:          1
          ReplacementText: "x\ny"
%s    Level:           Warning
    BuildDirectory:  '/'
`
	ranges := `      Ranges:
        - FilePath:        '/testbed/b.h'
          FileOffset:      4
          Length:          1
        - FilePath:        '/testbed/a.cpp'
          FileOffset:      0
          Length:          11
`
	for more, want := range map[string]bench.Range{
		"":                            {Line: 1, Column: 5, EndLine: 1, EndColumn: 5},
		ranges:                        {Line: 1, Column: 5, EndLine: 2, EndColumn: 3},
		"      Ranges:          []\n": {Line: 1, Column: 5, EndLine: 1, EndColumn: 5},
	} {
		req := tidyTestRequest("x-one")
		found, err := clangTidy{}.Read(req, tidyResult(t, req, map[string]string{"a.cpp": yamlOf(fmt.Sprintf(ranged, more))}, nil))
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, want, found[0].Range)
	}
}

func TestClangTidyToolErrors(t *testing.T) {
	good := yamlOf(entry("x-one", "/testbed/a.cpp", 0, "m", "Warning"))
	cases := map[string]struct {
		report string
		change func(*tidyReport)
		spoil  func(*harness.Result)
		want   string
	}{
		"ended badly": {spoil: func(r *harness.Result) {
			r.ExitCode, r.Output.Head = 1, []byte("first\nlint.py: cmake is not installed\n")
		}, want: "ended with code 1: lint.py: cmake is not installed"},
		"no report":            {spoil: func(r *harness.Result) { r.Files = nil }, want: "ended with code 0"},
		"no JSON":              {spoil: func(r *harness.Result) { r.Files["/assay/d/out/report.json"] = []byte("{") }, want: "its report cannot be read"},
		"another version":      {change: func(r *tidyReport) { r.Version = "LLVM version 16.0.6" }, want: `version 19.1 is needed, not "LLVM version 16.0.6"`},
		"a file left out":      {change: func(r *tidyReport) { r.Files = r.Files[:1] }, want: "it was not run on b.h"},
		"crashed":              {change: func(r *tidyReport) { r.Files[1].Code, r.Files[1].Log = -11, "Stack dump:\nlast" }, want: "on b.h it ended with code -11: last"},
		"crashed with report":  {report: good, change: func(r *tidyReport) { r.Files[0].Code = -6 }, want: "on a.cpp it ended with code -6"},
		"failed without error": {report: good, change: func(r *tidyReport) { r.Files[0].Code = 1 }, want: "on a.cpp it ended with code 1"},
		"changed meanwhile":    {change: func(r *tidyReport) { r.Files[0].Digest = "0" }, want: "a.cpp was changed before it was linted"},
		"report not collected": {change: func(r *tidyReport) { r.Files[0].Report = "7.yaml" }, want: "the report of a.cpp is missing"},
		"report cut off":       {report: good[:len(good)-4], want: "cut off after"},
		"no YAML":              {report: "\t- {\n...\n", want: "the report of a.cpp cannot be read"},
		"beyond the file":      {report: yamlOf(entry("x-one", "/testbed/a.cpp", 999, "m", "Warning")), want: "it reports byte 999 of a.cpp, which has 19"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := tidyTestRequest("x-one")
			reports := map[string]string{}
			if c.report != "" {
				reports["a.cpp"] = c.report
			}
			res := tidyResult(t, req, reports, c.change)
			if c.spoil != nil {
				c.spoil(&res)
			}
			_, err := clangTidy{}.Read(req, res)
			var failed *style.ToolError
			require.ErrorAs(t, err, &failed)
			require.Contains(t, failed.Reason, c.want)
		})
	}
}

func TestClangTidyBroken(t *testing.T) {
	cases := map[string]struct {
		report string
		change func(*tidyReport)
		want   map[string]string
	}{
		"an error in the file": {
			report: yamlOf(entry("clang-diagnostic-error", "/testbed/b.h", 0, "there", "Error"), entry("clang-diagnostic-error", "/testbed/a.cpp", 9, "unknown type", "Error")),
			want:   map[string]string{"a.cpp": "line 2: unknown type"},
		},
		"an error elsewhere": {
			report: yamlOf(entry("clang-diagnostic-error", "/testbed/inc/z.h", 0, "expected \";\"", "Error")),
			want:   map[string]string{"a.cpp": `inc/z.h: expected ";"`},
		},
		"the project": {
			change: func(r *tidyReport) { r.Broken, r.Files = "cmake cannot configure the project: line 3", nil },
			want: map[string]string{
				"a.cpp": "cmake cannot configure the project: line 3", "b.h": "cmake cannot configure the project: line 3",
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := tidyTestRequest("x-one")
			reports := map[string]string{}
			if c.report != "" {
				reports["a.cpp"] = c.report
			}
			_, err := clangTidy{}.Read(req, tidyResult(t, req, reports, c.change))
			var broken *style.BrokenError
			require.ErrorAs(t, err, &broken)
			require.Equal(t, c.want, broken.Files)
		})
	}
}

func FuzzClangTidyReport(f *testing.F) {
	recorded, err := filepath.Glob("testdata/clangtidy/out/*.yaml")
	require.NoError(f, err)
	require.NotEmpty(f, recorded)
	for _, file := range recorded {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data, "int a;\nint b;\n")
	}
	f.Add([]byte(yamlOf(entry("x-one", "/testbed/a.cpp", -1, "m", "Warning"))), "")
	f.Fuzz(func(t *testing.T, data []byte, source string) {
		req := style.Request{
			Files: []string{"a.cpp"}, Rules: tidyRules("x-one", "misc-const-correctness"), Dir: "/assay/d",
			Sources: map[string][]byte{"a.cpp": []byte(source)},
		}
		found, err := clangTidy{}.Read(req, tidyResult(t, req, map[string]string{"a.cpp": string(data)}, nil))
		if err != nil {
			return
		}
		lines := strings.Split(source, "\n")
		for _, one := range found {
			require.LessOrEqual(t, one.Range.Line, len(lines))
			require.LessOrEqual(t, one.Range.Column, len(lines[one.Range.Line-1])+1)
			require.Equal(t, strings.TrimRight(lines[one.Range.Line-1], "\r"), one.Line)
			require.LessOrEqual(t, one.Range.EndLine, len(lines))
		}
	})
}
