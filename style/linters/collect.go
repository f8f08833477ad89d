package linters

import (
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// collector gathers findings of the files and rules that were asked for, each
// once, and keeps account of the files.
type collector struct {
	req    style.Request
	rules  map[string]bool
	lines  map[string][]string
	known  map[bench.Finding]bool
	seen   map[string]bool
	broken map[string]string
	out    []bench.Finding
}

func newCollector(req style.Request) *collector {
	c := &collector{
		req: req, rules: map[string]bool{}, lines: map[string][]string{},
		known: map[bench.Finding]bool{}, seen: map[string]bool{}, broken: map[string]string{},
	}
	for _, r := range req.Rules.Names {
		c.rules[r] = true
	}
	for _, f := range req.Files {
		c.lines[f] = strings.Split(string(req.Sources[f]), "\n")
	}
	return c
}

// inTree is a path as the request has it, from one that a tool reports.
func inTree(p string) string { return strings.TrimPrefix(path.Clean(p), "/testbed/") }

// add takes a finding, under the present name of its rule and with the text of
// its line.
func (c *collector) add(f bench.Finding) {
	f.Path = inTree(f.Path)
	if now, ok := c.req.Rules.Aliases[f.Rule]; ok {
		f.Rule = now
	}
	lines, asked := c.lines[f.Path]
	if !asked || !c.rules[f.Rule] {
		return
	}
	f.Line = lineOf(lines, f.Range.Line)
	if !c.known[f] {
		c.known[f] = true
		c.out = append(c.out, f)
	}
}

func (c *collector) asked(p string) bool {
	_, ok := c.lines[inTree(p)]
	return ok
}

// saw notes that the tool looked at a file.
func (c *collector) saw(p string) { c.seen[inTree(p)] = true }

// broke notes that the tool could not parse a file.
func (c *collector) broke(p, why string) { c.broken[inTree(p)] = why }

// findings are what was gathered, sorted; an error where files are broken.
func (c *collector) findings(linter string) ([]bench.Finding, error) {
	if len(c.broken) > 0 {
		return nil, &style.BrokenError{Linter: linter, Files: c.broken}
	}
	style.SortFindings(c.out)
	return c.out, nil
}

// counted is findings for tools that report each file that they look at: a
// skipped file is not clean.
func (c *collector) counted(linter string) ([]bench.Finding, error) {
	for _, f := range c.req.Files {
		if !c.seen[f] && len(c.broken) == 0 {
			return nil, &style.ToolError{Linter: linter, Reason: fmt.Sprintf("it did not look at %s", f)}
		}
	}
	return c.findings(linter)
}

// lineOf is the text of a line, counted from 1.
func lineOf(lines []string, n int) string {
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[n-1], "\r")
}

// report is the one collected file; none, or an empty one, means that the tool
// did not end its work, and so does a code other than 0.
func report(linter string, res harness.Result, name string) ([]byte, error) {
	if res.ExitCode != 0 {
		return nil, &style.ToolError{Linter: linter, Reason: fmt.Sprintf("it ended with code %d: %s", res.ExitCode, lastLine(res.Output))}
	}
	data := res.Files[name]
	if len(data) == 0 {
		return nil, &style.ToolError{Linter: linter, Reason: "it left no report: " + lastLine(res.Output)}
	}
	return data, nil
}
