package linters

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// tidyDir is the directory of the recorded requests.
const tidyDir = "/assay/clang-tidy"

// needTidy skips where the real tool is not there.
func needTidy(t *testing.T, more ...string) {
	t.Helper()
	for _, name := range append([]string{"clang-tidy-19", "clang-apply-replacements-19", "cmake", "c++"}, more...) {
		if _, err := exec.LookPath(name); err != nil {
			expected(t, "clang-tidy", name+" is not installed")
			t.Skipf("%s is not installed", name)
		}
	}
	out, _ := exec.Command("clang-tidy-19", "--version").Output()
	if !strings.Contains(string(out), clangTidyVersion) {
		expected(t, "clang-tidy", "it is of another version")
		t.Skipf("clang-tidy is not of version %s", clangTidyVersion)
	}
	if err := exec.Command("/usr/bin/python3", "-I", "-c", "import yaml").Run(); err != nil {
		expected(t, "clang-tidy", "no YAML library for the system's Python")
		t.Skip("the system's Python has no YAML library")
	}
}

// longTidy is needTidy for a test that lints for seconds.
func longTidy(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it lints for seconds with clang-tidy: not in short mode")
	}
	needTidy(t)
}

func tidyRules(names ...string) style.Rules {
	return style.Rules{Linter: "clang-tidy", Names: names}
}

// writeTree writes files below a fresh directory and returns its real path.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		put(t, filepath.Join(root, name), []byte(text))
	}
	return root
}

func put(t *testing.T, file string, data []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, data, 0o644))
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		out[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return out
}

// tidyTree is a tree with the request to lint files of it.
type tidyTree struct {
	root string
	req  style.Request
}

// newTidyTree writes the requested files neutralised, as style.Lint does.
func newTidyTree(t *testing.T, tree map[string]string, rules style.Rules, files ...string) tidyTree {
	t.Helper()
	root := writeTree(t, tree)
	req := style.Request{Files: files, Rules: rules, Dir: t.TempDir(), Sources: map[string][]byte{}}
	for _, f := range files {
		clean, _ := style.Neutralise("cpp", f, []byte(tree[f]))
		req.Sources[f] = clean
		put(t, filepath.Join(root, f), clean)
	}
	return tidyTree{root, req}
}

// run runs a command in the tree, as an executor would.
func (tr tidyTree) run(t *testing.T, cmd style.Command, env ...string) harness.Result {
	t.Helper()
	for _, f := range cmd.Files {
		put(t, f.Path, f.Data)
	}
	sh := exec.CommandContext(t.Context(), "/bin/sh", "-c", cmd.Script)
	sh.Dir, sh.Env = tr.root, append(append(os.Environ(), cmd.Env...), env...)
	text, err := sh.CombinedOutput()
	if err != nil {
		t.Logf("%v: %s", err, text)
	}
	res := harness.Result{End: harness.Exited, ExitCode: sh.ProcessState.ExitCode(), Output: harness.Output{Head: text}, Files: map[string][]byte{}}
	for _, pattern := range cmd.Collect {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, f := range files {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			res.Files[f] = data
		}
	}
	return res
}

func (tr tidyTree) lint(t *testing.T, env ...string) ([]bench.Finding, error) {
	t.Helper()
	cmd, err := clangTidy{}.Lint(tr.req)
	require.NoError(t, err)
	return clangTidy{}.Read(tr.req, tr.run(t, cmd, env...))
}

// brief is "path:line rule" of each finding.
func brief(found []bench.Finding) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Path+":"+itoa(f.Range.Line)+" "+f.Rule)
	}
	return out
}

func itoa(n int) string {
	out, _ := json.Marshal(n)
	return string(out)
}

// tidyResult is what the scripts would leave for reports of files.
func tidyResult(t *testing.T, req style.Request, reports map[string]string, change func(*tidyReport)) harness.Result {
	t.Helper()
	report := tidyReport{Root: "/testbed", Version: "LLVM version 19.1.7"}
	res := harness.Result{End: harness.Exited, Files: map[string][]byte{}}
	for i, p := range req.Files {
		digest := sha256.Sum256(req.Sources[p])
		f := tidyFile{Path: p, How: "database", Digest: hex.EncodeToString(digest[:])}
		if text, ok := reports[p]; ok {
			f.Report = itoa(i) + ".yaml"
			res.Files[req.Dir+"/out/"+f.Report] = []byte(text)
		}
		report.Files = append(report.Files, f)
	}
	if change != nil {
		change(&report)
	}
	data, err := json.Marshal(report)
	require.NoError(t, err)
	res.Files[req.Dir+"/out/report.json"] = data
	return res
}
