package methods

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/languages"
	"assay/samples"
	"assay/tasks"
)

// sampled reads the samples, and a machine on which nothing runs.
func sampled(t *testing.T) (map[string]bench.Instance, languages.Machine, *machine) {
	t.Helper()
	paths, err := samples.Write(t.Context(), t.TempDir())
	require.NoError(t, err)
	data, err := os.ReadFile(paths.Dataset)
	require.NoError(t, err)
	out := map[string]bench.Instance{}
	for line := range strings.Lines(string(data)) {
		var inst bench.Instance
		require.NoError(t, json.Unmarshal([]byte(line), &inst))
		out[inst.ID] = inst
	}
	m := &machine{}
	return out, languages.Machine{Runner: m, Preparer: m, Secret: []byte("s"), Sources: &mirror.Store{Dir: paths.Repos, Cache: filepath.Join(t.TempDir(), "c")}}, m
}

// TestRunsAreWithheld: what was derived from gold or hidden tests is removed from
// a method's runs in every language, and a run of existing tests is of the files
// that are named and of no published ones.
func TestRunsAreWithheld(t *testing.T) {
	instances, machine, seen := sampled(t)
	for id, inst := range instances {
		t.Run(id, func(t *testing.T) {
			b, tree, err := openBed(t.Context(), machine, tasks.Task{Kind: "testgen", Instance: &inst})
			require.NoError(t, err)
			language := languages.Default().Named(inst.Language)
			var files []string
			for _, p := range tree.Paths() {
				found, err := language.Tests(p, read(t, tree, p))
				if languages.IsTest(language, p) && err == nil && len(found) > 0 && language.About().IsRunnable(p) {
					files = append(files, p)
				}
			}
			require.NotEmpty(t, files)
			seen.jobs = nil
			_, err = b.RunTests(t.Context(), Trial{Files: files[:1]})
			require.NoError(t, err)
			require.NotEmpty(t, seen.jobs)
			parsed, err := patch.Parse([]byte(inst.TestPatch))
			require.NoError(t, err)
			for _, j := range seen.jobs {
				require.Contains(t, j.Remove, "/assay")
				require.Contains(t, j.Remove, "/opt/assay-python/plan.json")
				require.False(t, j.Network)
				for _, f := range j.Files {
					p, _ := strings.CutPrefix(f.Path, languages.Root+"/")
					require.False(t, slices.Contains(parsed.Paths(), p) && p != files[0], "%s is put into the run", p)
				}
			}
		})
	}
}

// TestRunsAreOfTestsAlone: what a patch of tests changes besides tests is left out
// of a run, as it is when the submission is judged.
func TestRunsAreOfTestsAlone(t *testing.T) {
	b := bed{language: languages.Default().Named(languages.Python)}
	file := func(name string) string { return string(patch.Between(name, nil, []byte("x = 1\n"))) }
	tests := file("tests/conftest.py") + file("tests/test_a.py")
	require.Equal(t, tests, b.testsOf(tests))
	require.Equal(t, tests, b.testsOf(file("lib/a.py")+tests))
	require.Equal(t, "no patch", b.testsOf("no patch"))
	run, err := b.RunTests(t.Context(), Trial{Tests: file("lib/a.py")})
	require.NoError(t, err)
	require.Equal(t, Run{State: bench.RunDone, Detail: "the patch changes no test"}, run)
}

func read(t *testing.T, tree Tree, p string) []byte {
	t.Helper()
	data, err := tree.Read(p)
	require.NoError(t, err)
	return data
}

// TestViewsAndTrees: a method sees the issue and the tree at the start, and none
// of gold, hidden tests or bad patches.
func TestViewsAndTrees(t *testing.T) {
	instances, machine, _ := sampled(t)
	inst := instances["assay-samples__layercake-12"]
	task := tasks.Task{Kind: "testgen", Instance: &inst}
	_, tree, err := openBed(t.Context(), machine, task)
	require.NoError(t, err)
	require.Contains(t, tree.Paths(), "src/layercake/stack.py")
	require.True(t, slices.IsSorted(tree.Paths()))
	_, err = tree.Read("src/nowhere.py")
	require.ErrorIs(t, err, os.ErrNotExist)
	view := viewOf(task, 2)
	require.Equal(t, inst.ProblemStatement, view.Problem)
	require.Equal(t, 2, view.Attempt)
	view.Language = nil
	text, err := json.Marshal(view)
	require.NoError(t, err)
	for _, secret := range []string{inst.Patch, inst.TestPatch, inst.BadPatches[0].Patch, inst.FailToPass[0]} {
		encoded, err := json.Marshal(secret)
		require.NoError(t, err)
		require.NotContains(t, string(text), string(encoded[1:len(encoded)-1]))
	}
}
