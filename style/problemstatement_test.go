package style

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestStatementGolden(t *testing.T) {
	for name, c := range map[string]struct {
		file     string
		findings [][2]string // rule and mark of the line
	}{
		"python": {"ledger.py", [][2]string{{"unused-import", "import os"}, {"dangerous-default-value", "rows=[]"}, {"broad-exception-caught", "except Exception"}, {"unspecified-encoding", "except Exception"}, {"consider-using-f-string", "return \"%s"}}},
		"java":   {"Ledger.java", [][2]string{{"AtLeastOneConstructor", "package books"}, {"UnusedPrivateField", "int unused"}, {"OnlyOneReturn", "return '\"'"}}},
		"cpp":    {"ledger.cc", [][2]string{{"modernize-use-trailing-return-type", "int total"}, {"misc-include-cleaner", "#include <vector>"}}},
	} {
		t.Run(name, func(t *testing.T) {
			src := must(os.ReadFile(filepath.Join("testdata", "sources", c.file)))(t)
			files := map[string][]byte{"src/" + c.file: src}
			task := bench.StyleTask{Linter: "lint", Version: "1.2", Files: []string{"src/" + c.file}}
			for _, f := range c.findings {
				task.Findings = append(task.Findings, find(t, files, f[0], "src/"+c.file, f[1], 1, "Message of "+f[0]))
			}
			golden(t, filepath.Join("statements", name+".md"), Statement(task, files))
		})
	}
}

func TestStatementCannotBeBroken(t *testing.T) {
	files := tree("a.md.py", "x = '''\n````\n```\n'''\n\x1b[31mred\xff\r\n"+strings.Repeat("y", 5000)+"\n")
	task := bench.StyleTask{Linter: "pylint", Files: []string{"a.md.py", "gone.py"}, Findings: []bench.Finding{
		{Rule: "r", Path: "a.md.py", Range: bench.Range{Line: 4}, Message: "a\nb ``` c\x1b[0m"},
		{Rule: "whole", Path: "a.md.py", Message: "no place"},
		{Rule: "gone", Path: "gone.py", Range: bench.Range{Line: 3}, Message: "no text"},
		{Rule: "far", Path: "a.md.py", Range: bench.Range{Line: 99}, Message: "behind the end"},
	}}
	got := Statement(task, files)
	require.Equal(t, got, Statement(task, files))
	require.Equal(t, 2, strings.Count(got, "`````"), got)
	require.NotContains(t, got, "\x1b")
	require.NotContains(t, got, "\xff")
	require.Contains(t, got, "## 1. r, line 4 of a.md.py\n\na b ''' c")
	require.Contains(t, got, "## 2. whole, the whole file of a.md.py\n\nno place\n\n## 3. gone, line 3 of gone.py\n\nno text\n\n## 4. far, line 99 of a.md.py\n\nbehind the end\n")
	require.Contains(t, got, "> 4 '''\n")
	require.Less(t, len(got), 3000)
	require.Contains(t, got, "reports 4 findings in a.md.py, gone.py.")
	require.Contains(t, Statement(bench.StyleTask{Findings: task.Findings[:1]}, nil), "1 finding ")
}
