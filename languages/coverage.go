package languages

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"assay/harness"
)

// Coverage is which of the lines that a variant asked for its run executed, by
// path. A file that the language cannot measure is absent.
type Coverage map[string]FileCoverage

// FileCoverage is about one file. All lines are those that were asked for.
type FileCoverage struct {
	// Executable are the lines that the language's tool can see being executed.
	Executable []int `json:"executable"`
	// Covered are the executable lines that ran, by test; "" for what ran outside
	// of tests, when modules were imported for one.
	Covered map[string][]int `json:"covered"`
	// Loaded is false where nothing of the file ran.
	Loaded bool `json:"loaded"`
	// Whole is set where the tool does not distinguish tests: all lines are under
	// "" then.
	Whole bool `json:"whole"`
	// Missing are the lines that the tool's report lists as missing, with what
	// is between them.
	Missing []int `json:"missing"`
}

// By is which lines these tests executed, with what ran outside of tests, sorted.
func (f FileCoverage) By(tests []string) []int {
	return union(f.Covered[""], f.InTests(tests))
}

// InTests is which lines these tests executed while they ran, sorted. If the tool
// does not distinguish tests, it is all lines that ran.
func (f FileCoverage) InTests(tests []string) []int {
	if f.Whole {
		return slices.Clone(f.Covered[""])
	}
	var out []int
	for _, t := range tests {
		out = append(out, f.Covered[t]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Executed reports whether anything executed a line.
func (f FileCoverage) Executed(line int) bool {
	for _, lines := range f.Covered {
		if slices.Contains(lines, line) {
			return true
		}
	}
	return false
}

// measurer is a language whose runs can be measured.
type measurer interface {
	// measures reports whether a source's lines can be seen being executed.
	measures(path string) bool
	// tellsTestsApart reports whether the lines of single tests are known.
	tellsTestsApart() bool
	// coverageLayer adds the tool to an environment, with network; without a
	// script where it is there anyway.
	coverageLayer() harness.Recipe
	// measure is what a run needs to be measured.
	measure(suite Suite, lines map[string][]int) measurement
}

// measurement is added to a suite's command.
type measurement struct {
	script string // before the suite's
	after  string // after it, for any exit code
	env    []string
	files  []harness.File
	// collect is a glob of what the run leaves, which read reads; nil where nothing
	// was measured.
	collect string
	read    func(files map[string][]byte) Coverage
}

// Measurable reports whether runs can note which lines of a file they execute.
func Measurable(l Language, path string) bool {
	m, ok := l.(measurer)
	return ok && m.measures(path)
}

// TellsTestsApart reports whether measured runs of a language know which test
// executed a line.
func TellsTestsApart(l Language) bool {
	m, ok := l.(measurer)
	return ok && m.tellsTestsApart()
}

// prepareMeasured makes the environment with the tool for coverage on top.
func (t *Testbed) prepareMeasured(ctx context.Context) (string, error) {
	m, ok := t.language.(measurer)
	if !ok {
		return "", fmt.Errorf("coverage cannot be measured in %s", t.language.About().Name)
	}
	parent, err := t.recipe(ctx)
	if err != nil {
		return "", err
	}
	layer := m.coverageLayer()
	if layer.Script == "" {
		return t.Prepare(ctx)
	}
	layer.Parent, layer.Env, layer.Limits = &parent, environ(t.env.Vars), t.machine.Limits.setup()
	return t.machine.Preparer.Prepare(ctx, layer)
}

// measured adds to a command what its run needs to be measured.
func (t *Testbed) measured(c Command, s Suite, lines map[string][]int) Command {
	m := t.language.(measurer).measure(s, lines)
	if m.after != "" { // an empty list is not shell
		c.Script = "(\n" + c.Script + ")\nassay_measured=$?\n(\n" + m.after + "\n) >/dev/null 2>&1\nexit $assay_measured\n"
	}
	c.Script = m.script + c.Script
	c.Env = append(slices.Clone(c.Env), m.env...)
	c.Files = append(slices.Clone(c.Files), m.files...)
	c.Collect = append(slices.Clone(c.Collect), m.collect)
	c.measured = m.read
	return c
}

// readCoverage joins what the processes of a run measured; nil where none left
// anything.
func readCoverage(pattern string, files map[string][]byte) Coverage {
	var all Coverage
	for _, p := range sortedKeys(files) {
		var one Coverage
		if !harness.MatchGlob(pattern, p) || json.Unmarshal(files[p], &one) != nil {
			continue
		}
		if all == nil {
			all = Coverage{}
		}
		for name, f := range one {
			all[name] = f.with(all[name])
		}
	}
	return all
}

// with joins what two processes measured of a file.
func (f FileCoverage) with(g FileCoverage) FileCoverage {
	if g.Covered == nil {
		return f
	}
	out := FileCoverage{Executable: union(f.Executable, g.Executable), Covered: map[string][]int{}, Loaded: f.Loaded || g.Loaded, Whole: f.Whole || g.Whole}
	for _, n := range f.Missing {
		if slices.Contains(g.Missing, n) {
			out.Missing = append(out.Missing, n)
		}
	}
	for _, m := range []map[string][]int{f.Covered, g.Covered} {
		for test, lines := range m {
			out.Covered[test] = union(out.Covered[test], lines)
		}
	}
	return out
}

func union(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// coverFolder is where a measured run leaves files.
func coverFolder(s Suite) string { return path.Join(s.dir(), "cover") }
