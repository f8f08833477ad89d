package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// project is a small repository of a test's own, with the environment of one
// of the samples.
type project struct {
	base, gold, hidden map[string]string // files; gold and hidden are whole new contents
	bad                map[string]string // the files of a bad patch that fails fail-to-pass tests
	f2p, p2p           []string
	change             func(*bench.Instance)
}

// own writes the project's repository and returns a world whose dataset holds
// it alone.
func (w world) own(t *testing.T, sample string, p project) (world, bench.Instance) {
	t.Helper()
	like, _ := w.sample(t, sample)
	name := "own/" + strings.ToLower(strings.NewReplacer("/", "-", " ", "-", "_", "-").Replace(t.Name()))
	repos := t.TempDir()
	inst := bench.Instance{
		ID: strings.ReplaceAll(name, "/", "__") + "-1", Repo: name, Language: like.Language, Env: like.Env, CreatedAt: like.CreatedAt,
		ProblemStatement: "x", BaseCommit: commitFiles(t, filepath.Join(repos, strings.ReplaceAll(name, "/", "__")), p.base),
		Patch: between(p.base, p.gold), TestPatch: between(p.base, p.hidden), FailToPass: p.f2p, PassToPass: p.p2p,
	}
	if p.bad != nil {
		inst.BadPatches = []bench.BadPatch{{Index: 1, Patch: between(p.base, p.bad), Level: bench.LevelFailsF2P}}
	}
	if p.change != nil {
		p.change(&inst)
	}
	w.paths.Repos, w.paths.Dataset = repos, filepath.Join(t.TempDir(), "own.jsonl")
	writeLines(t, w.paths.Dataset, []bench.Instance{inst})
	return w, inst
}

// between is the patch from some files to others; "" deletes a file.
func between(from, to map[string]string) string {
	var out strings.Builder
	for _, p := range slices.Sorted(maps.Keys(to)) {
		var before, after []byte
		if text, ok := from[p]; ok {
			before = []byte(text)
		}
		if to[p] != "" {
			after = []byte(to[p])
		}
		out.Write(patch.Between(p, before, after))
	}
	return out.String()
}

// commitFiles makes a repository of one commit and returns the commit.
func commitFiles(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for p, text := range files {
		place := filepath.Join(dir, p)
		require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
		require.NoError(t, os.WriteFile(place, []byte(text), 0o644))
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "git %v: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	return git("rev-parse", "HEAD")
}

// verdict judges one submission.
func (w world) verdict(t *testing.T, inst bench.Instance, task, text string) bench.Result {
	t.Helper()
	r, ok := w.judge(t, []bench.Prediction{{InstanceID: inst.ID, Model: "m", Task: task, Patch: text}}, "-t", task)["m"]
	require.True(t, ok, "no result")
	return r
}
