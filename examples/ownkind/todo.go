package main

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// Todo is a linter that finds comments with TODO in Python. "# todo: keep" at the
// end of a line silences it there, and .todorc configures it.
type Todo struct{}

// All that a linter may offer. Linter is enough to judge style tasks with it.
var (
	_ style.Linter       = Todo{}
	_ style.RuleLister   = Todo{} // assay build, and tasks that name no rules
	_ style.ConfigReader = Todo{} // edits of .todorc are split off, and void the score
	_ style.Neutraliser  = Todo{} // more of "# todo: keep" voids the score
)

const (
	todoScript = "/opt/own/todo.sh"
	todoRule   = "todo"
	keepMark   = "# todo: keep"
)

// About implements style.Linter.
func (Todo) About() style.About {
	return style.About{Name: "todo", Language: "python", Version: "1"}
}

// Install implements style.Linter: the whole tool is a script.
func (Todo) Install() harness.Recipe {
	return harness.Recipe{
		Name: "todo 1", Workdir: "/",
		Files:  []harness.File{{Path: todoScript, Data: []byte("grep -nH -e '# *TODO' -- \"$@\" | grep -v -e '" + keepMark + "$' || true\n")}},
		Script: "test -f " + todoScript + "\n",
	}
}

// Lint implements style.Linter.
func (Todo) Lint(req style.Request) (style.Command, error) {
	out := req.Dir + "/report.txt"
	script := "mkdir -p " + req.Dir + "\nsh " + todoScript
	for _, f := range req.Files {
		script += " '" + strings.ReplaceAll(f, "'", `'\''`) + "'"
	}
	return style.Command{Script: script + " > " + out + "\n", Collect: []string{out}}, nil
}

// Read implements style.Linter. Lines of the report are PATH:LINE:TEXT.
func (Todo) Read(req style.Request, res harness.Result) ([]bench.Finding, error) {
	report, ok := res.Files[req.Dir+"/report.txt"]
	if !ok || res.ExitCode != 0 {
		return nil, &style.ToolError{Linter: "todo", Reason: "it left no report"}
	}
	var out []bench.Finding
	for line := range strings.Lines(string(report)) {
		file, rest, _ := strings.Cut(line, ":")
		number, text, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, &style.ToolError{Linter: "todo", Reason: "its report cannot be read: " + line}
		}
		out = append(out, bench.Finding{
			Tool: "todo", Rule: todoRule, Path: file, Range: bench.Range{Line: n}, Message: "something is left to do",
			Severity: bench.SeverityWarning, Line: strings.TrimRight(text, "\n"),
		})
	}
	return out, nil
}

// Rules implements style.RuleLister.
func (Todo) Rules() (style.RuleFile, error) {
	return style.RuleFile{Linter: "todo", Version: "1", Names: []string{todoRule}}, nil
}

// ConfigPath implements style.ConfigReader.
func (Todo) ConfigPath(p string) style.ConfigKind {
	if path.Base(p) == ".todorc" {
		return style.OwnConfig
	}
	return style.NoConfig
}

// Neutralise implements style.Neutraliser: the mark becomes one of the same
// length that the tool does not know.
func (Todo) Neutralise(file string, src []byte) ([]byte, []style.Suppression) {
	var found []style.Suppression
	for i, line := range bytes.Split(src, []byte("\n")) {
		if bytes.HasSuffix(line, []byte(keepMark)) {
			found = append(found, style.Suppression{Path: file, Line: i + 1, Kind: "todo", Names: []string{todoRule}, Text: string(line)})
		}
	}
	return bytes.ReplaceAll(src, []byte(keepMark), []byte("# todo: keeq")), found
}
