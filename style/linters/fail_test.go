package linters

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/style"
)

// find is the sample of that name.
func find(t testing.TB, name string) sample { return loadSample(t, "testdata/read/"+name+".txtar") }

func TestReadRefuses(t *testing.T) {
	cut := func(data []byte) []byte { return data[:len(data)*2/3] }
	with := func(data string) func([]byte) []byte { return func([]byte) []byte { return []byte(data) } }
	same := func(data []byte) []byte { return data }
	tests := map[string]struct {
		sample string
		code   int
		change func([]byte) []byte
		reason string
	}{
		"pylint: usage":                  {"pylint-findings", 32, same, "it ended with code 32: the last words"},
		"pylint: no report":              {"pylint-findings", 0, with(""), "it left no report: the last words"},
		"pylint: cut":                    {"pylint-findings", 0, cut, "its report cannot be read"},
		"pylint: no end":                 {"pylint-findings", 0, with(`{"messages": []}`), "its report cannot be read"},
		"pylint: nothing linted":         {"pylint-findings", 0, with(`{"messages": [], "statistics": {"modulesLinted": 99}}`), "it did not look at code.py"},
		"pmd: usage":                     {"pmd-findings", 2, same, "it ended with code 2: the last words"},
		"pmd: out of memory":             {"pmd-findings", 137, with(""), "it ended with code 137: the last words"},
		"pmd: no report":                 {"pmd-findings", 0, with(""), "it left no report: the last words"},
		"pmd: cut":                       {"pmd-findings", 0, cut, "its report cannot be read"},
		"pmd: of something else":         {"pmd-findings", 0, with("{}"), "its report cannot be read"},
		"pmd: a rule that fails":         {"pmd-findings", 0, with(`{"pmdVersion": "7", "configurationErrors": [{"rule": "X", "message": "no\nway"}]}`), "rule X: no"},
		"checkstyle: no report":          {"checkstyle-findings", 0, with(""), "it left no report: the last words"},
		"checkstyle: cut":                {"checkstyle-findings", 0, cut, "its report cannot be read: the last words"},
		"checkstyle: of something else":  {"checkstyle-findings", 0, with("<report version='1'></report>"), "its report cannot be read: the last words"},
		"checkstyle: a file passed over": {"checkstyle-findings", 0, with(`<checkstyle version="1"><file name="/testbed/src/Box.java"></file></checkstyle>`), "it did not look at src/Empty.java"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := find(t, test.sample)
			res := s.result()
			res.ExitCode, res.Output = test.code, harness.Output{Tail: []byte("some words\nthe last words\n")}
			res.Files[s.req.Dir+"/"+s.report] = test.change(res.Files[s.req.Dir+"/"+s.report])
			findings, err := s.linter.Read(s.req, res)
			var failed *style.ToolError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, test.reason, failed.Reason)
			require.Empty(t, findings)
		})
	}
}

// TestReadBroken has reports that say about a file that it cannot be checked.
func TestReadBroken(t *testing.T) {
	tests := map[string]struct{ sample, report, file, why string }{
		"pylint: crash":      {"pylint-clean", `{"messages": [{"type": "fatal", "symbol": "astroid-error", "message": "it fell\nover", "path": "clean.py"}], "statistics": {}}`, "clean.py", "it fell"},
		"pylint: gone":       {"pylint-clean", `{"messages": [{"type": "fatal", "symbol": "fatal", "message": "No module named clean.py", "path": "clean.py"}], "statistics": {}}`, "clean.py", "No module named clean.py"},
		"checkstyle: crash":  {"checkstyle-broken", "<checkstyle version='1'><file name='/testbed/src/Bad.java'><exception>a\x01b</exception></file></checkstyle>", "src/Bad.java", "a b"},
		"checkstyle: parser": {"checkstyle-broken", `<checkstyle version="1"><file name="src/Bad.java"><error line="1" message="no" source="com.puppycrawl.tools.checkstyle.TreeWalker"/></file></checkstyle>`, "src/Bad.java", "no"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := find(t, test.sample)
			res := s.result()
			res.Files[s.req.Dir+"/"+s.report] = []byte(test.report)
			_, err := s.linter.Read(s.req, res)
			var broken *style.BrokenError
			require.ErrorAs(t, err, &broken)
			require.Equal(t, map[string]string{test.file: test.why}, broken.Files)
		})
	}
}

func TestReadAliases(t *testing.T) {
	s := find(t, "pmd-broken")
	res := s.result()
	res.Files[s.req.Dir+"/report.json"] = []byte(`{"pmdVersion": "7", "files": [{"filename": "/testbed/src/Good.java", "violations": [
		{"beginline": 3, "rule": "UseUtilityClass", "description": "x"}, {"beginline": 3, "rule": "UseUtilityClass", "description": "x"},
		{"beginline": 4, "rule": "NotOneOfThem"}]}, {"filename": "Else.java", "violations": [{"beginline": 1, "rule": "UnusedPrivateField"}]}]}`)
	findings, err := s.linter.Read(s.req, res)
	require.NoError(t, err)
	require.Len(t, findings, 1, "a doublet, a rule and a file that do not count")
	require.Equal(t, "InstantiableUtilityClass", findings[0].Rule)
	require.Equal(t, "class Good { private int unused; }", findings[0].Line)
}

func FuzzRead(f *testing.F) {
	all := samples(f)
	for i, s := range all {
		f.Add(i, s.output(s.report))
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		s := all[((which%len(all))+len(all))%len(all)]
		res := s.result()
		res.Files[s.req.Dir+"/"+s.report] = data
		findings, err := s.linter.Read(s.req, res)
		if err != nil {
			require.True(t, isKnown(err), "%T %v", err, err)
			require.Empty(t, findings)
			return
		}
		sorted := append(findings[:0:0], findings...)
		style.SortFindings(sorted)
		require.Equal(t, sorted, findings)
		for _, f := range findings {
			require.Contains(t, s.req.Files, f.Path)
			require.Contains(t, s.req.Rules.Names, f.Rule)
			require.NotContains(t, f.Message, "\n")
			require.Contains(t, string(s.req.Sources[f.Path]), strings.TrimSuffix(f.Line, "\r"))
		}
	})
}

func isKnown(err error) bool {
	var tool *style.ToolError
	var broken *style.BrokenError
	return errors.As(err, &tool) || errors.As(err, &broken)
}
