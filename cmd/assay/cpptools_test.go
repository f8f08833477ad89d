package main

import (
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
	"assay/internal/patch"
)

// TestCppTools judges gold, an empty change, code that does not compile, and
// submissions that would be resolved without a fix, in small projects that no
// CMake file builds, without any env. The tools come from Debian; where they
// cannot be installed, the set-up reports it.
func TestCppTools(t *testing.T) {
	w := newWorld(t)
	files, err := filepath.Glob("testdata/cpptools/*.txtar")
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			inst, trees := cppToolInstance(t, &w, file, name)
			predictions := []bench.Prediction{
				{InstanceID: inst.ID, Model: "gold", Task: "bugfix", Patch: inst.Patch},
				{InstanceID: inst.ID, Model: "idle", Task: "bugfix", Patch: string(patch.Between("NOTES", nil, []byte("nothing\n")))},
			}
			for _, tree := range slices.Sorted(maps.Keys(trees)) {
				predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: tree, Task: "bugfix", Patch: trees[tree]})
			}
			results := w.judge(t, predictions, "-j", "2")
			if r := results["gold"]; r.Verdict == bench.Infra {
				t.Skipf("the environment cannot be made here: %s", r.Reason)
			}
			require.Equal(t, bench.Resolved, results["gold"].Verdict, results["gold"].Reason)
			require.Empty(t, results["gold"].BugFix.LeftOut)
			require.NotContains(t, flagKinds(results["gold"]), "no_nonce")
			require.Equal(t, bench.Unresolved, results["idle"].Verdict, results["idle"].Reason)
			require.Equal(t, bench.Unresolved, results["wrong"].Verdict, results["wrong"].Reason)
			require.Equal(t, bench.RunUnbuilt, results["wrong"].Runs[0].State)
			for model, r := range results {
				if strings.HasPrefix(model, "attack ") {
					require.Contains(t, caught(), r.Verdict, model+": "+r.Reason)
				}
			}
		})
	}
}

// cppToolInstance makes the repository and the dataset of a project, and the
// patches to its other trees: one that does not compile, and attacks.
func cppToolInstance(t *testing.T, w *world, file, name string) (bench.Instance, map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	trees := map[string]map[string][]byte{}
	for _, f := range archive.Files {
		tree, path, _ := strings.Cut(f.Name, "/")
		if trees[tree] == nil {
			trees[tree] = map[string][]byte{}
		}
		trees[tree][path] = f.Data
	}
	w.paths.Repos = t.TempDir()
	place := filepath.Join(w.paths.Repos, "own", name)
	for path, data := range trees["base"] {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(place, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(place, path), data, 0o644))
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = place
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "base")
	between := func(tree string) string {
		var b strings.Builder
		for _, f := range archive.Files { // in the archive's order
			if rest, ok := strings.CutPrefix(f.Name, tree+"/"); ok {
				b.Write(patch.Between(rest, trees["base"][rest], f.Data))
			}
		}
		return b.String()
	}
	inst := bench.Instance{
		ID: "own__" + name + "-1", Repo: "own/" + name, Language: "cpp", BaseCommit: git("rev-parse", "HEAD"),
		ProblemStatement: "add subtracts", Patch: between("gold"), TestPatch: between("tests"),
	}
	for line := range strings.Lines(string(archive.Comment)) {
		kind, ids, _ := strings.Cut(strings.TrimSpace(line), " ")
		if list := strings.Split(ids, ", "); kind == "F2P" {
			inst.FailToPass = list
		} else {
			inst.PassToPass = list
		}
	}
	w.paths.Dataset = filepath.Join(t.TempDir(), "one.jsonl")
	writeLines(t, w.paths.Dataset, []bench.Instance{inst})
	patches := map[string]string{}
	for tree := range trees {
		if tree != "base" && tree != "gold" && tree != "tests" {
			patches[tree] = between(tree)
		}
	}
	return inst, patches
}
