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
	own, instances := w.ownAll(t, sample, map[string]project{t.Name(): p})
	return own, instances[t.Name()]
}

// ownAll does the same for several projects, by name: their environments can be
// prepared side by side.
func (w world) ownAll(t *testing.T, sample string, projects map[string]project) (world, map[string]bench.Instance) {
	t.Helper()
	like, _ := w.sample(t, sample)
	w.paths.Repos, w.paths.Dataset = t.TempDir(), filepath.Join(t.TempDir(), "own.jsonl")
	var lines []bench.Instance
	found := map[string]bench.Instance{}
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		inst := projects[name].instance(t, w.paths.Repos, name, like)
		found[name], lines = inst, append(lines, inst)
	}
	writeLines(t, w.paths.Dataset, lines)
	return w, found
}

// instance writes the project's repository below a folder.
func (p project) instance(t *testing.T, repos, name string, like bench.Instance) bench.Instance {
	t.Helper()
	name = "own/" + strings.ToLower(strings.NewReplacer("/", "-", " ", "-", "_", "-").Replace(name))
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
	return inst
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

// commitFiles makes a repository of one commit and returns the commit, which is
// the same for the same files: an environment is found again.
func commitFiles(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for p, text := range files {
		place := filepath.Join(dir, p)
		require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
		require.NoError(t, os.WriteFile(place, []byte(text), 0o644))
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z")
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
