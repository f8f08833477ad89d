package linters

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

var update = flag.Bool("update", false, "run the linters that are installed and write what they say to testdata")

// sample is a file of testdata/read: what is linted, the report that the tool
// made of it, and what Read makes of that.
type sample struct {
	path    string
	archive *txtar.Archive
	linter  style.Linter
	req     style.Request
	report  string // the file that the tool leaves
}

// outputs are the files of a sample that are not linted.
func outputs() []string { return []string{"report.json", "report.xml", "want"} }

func samples(t testing.TB) []sample {
	paths, err := filepath.Glob("testdata/read/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var out []sample
	for _, p := range paths {
		out = append(out, loadSample(t, p))
	}
	return out
}

func loadSample(t testing.TB, path string) sample {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	tool, _, _ := strings.Cut(filepath.Base(path), "-")
	s := sample{path: path, archive: archive, report: "report.json"}
	for _, l := range []style.Linter{Pylint{}, PMD{}, Checkstyle{}} {
		if l.About().Name == tool {
			s.linter = l
		}
	}
	require.NotNil(t, s.linter, path)
	if tool == "checkstyle" {
		s.report = "report.xml"
	}
	file, err := Rules(tool)
	require.NoError(t, err)
	s.req = style.Request{Rules: file.Rules(), Dir: "/assay/a1b2c3", Sources: map[string][]byte{}}
	for _, f := range archive.Files {
		if !slices.Contains(outputs(), f.Name) {
			s.req.Sources[f.Name] = f.Data
			s.req.Files = append(s.req.Files, f.Name)
		}
	}
	slices.Sort(s.req.Files)
	return s
}

func (s sample) output(name string) []byte {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func (s sample) result() harness.Result {
	return harness.Result{End: harness.Exited, Files: map[string][]byte{s.req.Dir + "/" + s.report: s.output(s.report)}}
}

// printed is what Read returns, for people.
func printed(findings []bench.Finding, err error) string {
	var b strings.Builder
	var broken *style.BrokenError
	if errors.As(err, &broken) {
		for _, p := range slices.Sorted(maps.Keys(broken.Files)) {
			fmt.Fprintf(&b, "%s is broken: %s\n", p, broken.Files[p])
		}
	} else if err != nil {
		fmt.Fprintf(&b, "%T: %v\n", err, err)
	}
	for _, f := range findings {
		r := f.Range
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d: %s: %s: %s\n", f.Path, r.Line, r.Column, r.EndLine, r.EndColumn, f.Severity, f.Rule, f.Message)
		fmt.Fprintf(&b, "\t%q", f.Line)
		for _, more := range []string{f.Symbol, f.Suppressed} {
			if more != "" {
				fmt.Fprintf(&b, " %s", more)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(strings.TrimSuffix(filepath.Base(s.path), ".txtar"), func(t *testing.T) {
			if *update {
				s.record(t)
			}
			findings, err := s.linter.Read(s.req, s.result())
			require.Equal(t, string(s.output("want")), printed(findings, err))
		})
	}
}

// TestLive runs the linters that are installed: they must describe what the
// recorded reports say.
func TestLive(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(strings.TrimSuffix(filepath.Base(s.path), ".txtar"), func(t *testing.T) {
			res := s.run(t)
			findings, err := s.linter.Read(s.req, res)
			require.Equal(t, string(s.output("want")), printed(findings, err))
		})
	}
}

// record replaces the report and what is read from it.
func (s sample) record(t *testing.T) {
	res := s.run(t)
	s.archive.Files = slices.DeleteFunc(s.archive.Files, func(f txtar.File) bool { return slices.Contains(outputs(), f.Name) })
	report := append(res.Files[s.req.Dir+"/"+s.report], '\n')
	res.Files[s.req.Dir+"/"+s.report] = report
	findings, err := s.linter.Read(s.req, res)
	s.archive.Files = append(s.archive.Files, txtar.File{Name: s.report, Data: report}, txtar.File{Name: "want", Data: []byte(printed(findings, err))})
	require.NoError(t, os.WriteFile(s.path, txtar.Format(s.archive), 0o666))
}

// run runs the linter over a sample.
func (s sample) run(t testing.TB) harness.Result {
	cmd, err := s.linter.Lint(s.req)
	require.NoError(t, err)
	return execute(t, s.linter.About().Name, s.req, cmd)
}

// toolsDir is where the linters are on this machine; see Install for what
// belongs there.
func toolsDir(t testing.TB, tool string) string {
	root := os.Getenv("ASSAY_TOOLS")
	if root == "" {
		root = filepath.Clean(tools)
	}
	if _, err := os.Stat(filepath.Join(root, tool)); err != nil {
		expected(t, tool, "it is not installed below "+root)
		t.Skipf("%s is not installed below %s (ASSAY_TOOLS names another place)", tool, root)
	}
	return root
}

// expected fails where a tool must be there: ASSAY_EXPECT_LINTERS names linters.
func expected(t testing.TB, tool, reason string) {
	name, _, _ := strings.Cut(tool, "/")
	require.NotContains(t, strings.Fields(os.Getenv("ASSAY_EXPECT_LINTERS")), name, "%s was expected: %s", name, reason)
}

// execute runs a command over the request's sources as a harness would, in
// directories of its own; paths in what it leaves are replaced with the real
// ones.
func execute(t testing.TB, tool string, req style.Request, cmd style.Command) harness.Result {
	root, tree, dir := toolsDir(t, tool), t.TempDir(), t.TempDir()
	real := strings.NewReplacer(tools, root+"/", "/testbed", tree, req.Dir, dir)
	for p, data := range req.Sources {
		write(t, filepath.Join(tree, p), data)
	}
	for _, f := range cmd.Files {
		write(t, real.Replace(f.Path), []byte(real.Replace(string(f.Data))))
	}
	sh := exec.Command("sh")
	sh.Dir, sh.Stdin = tree, strings.NewReader(real.Replace(cmd.Script))
	sh.Env = append(os.Environ(), "LANG=C.UTF-8")
	for _, e := range cmd.Env {
		sh.Env = append(sh.Env, real.Replace(e))
	}
	out, err := sh.CombinedOutput()
	t.Logf("%s", out)
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	res := harness.Result{End: harness.Exited, ExitCode: sh.ProcessState.ExitCode(), Output: harness.Output{Tail: out}, Files: map[string][]byte{}}
	back := strings.NewReplacer(tree, "/testbed", dir, req.Dir)
	for _, pattern := range cmd.Collect {
		if data, err := os.ReadFile(real.Replace(pattern)); err == nil {
			res.Files[pattern] = []byte(back.Replace(string(data)))
		}
	}
	for p := range req.Sources {
		data, err := os.ReadFile(filepath.Join(tree, p))
		require.NoError(t, err)
		res.Files["/testbed/"+p] = data
	}
	return res
}

func write(t testing.TB, path string, data []byte) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, data, 0o666))
}
