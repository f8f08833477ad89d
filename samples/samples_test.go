package samples

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func definitions(t *testing.T) []definition {
	t.Helper()
	var out []definition
	for _, folder := range folders() {
		d, err := load(folder)
		require.NoError(t, err)
		out = append(out, d)
	}
	return out
}

func TestIDsNameTwoPerLanguage(t *testing.T) {
	count := map[string]int{}
	for _, d := range definitions(t) {
		require.True(t, strings.HasPrefix(d.ID, strings.ReplaceAll(d.Repo, "/", "__")+"-"), d.ID)
		count[d.language]++
	}
	require.Equal(t, map[string]int{"python": 2, "java": 2, "cpp": 2}, count)
}

func TestEverySampleIsComplete(t *testing.T) {
	for _, d := range definitions(t) {
		t.Run(d.ID, func(t *testing.T) {
			in, err := d.instance("")
			require.NoError(t, err)
			require.NotNil(t, in.Env)
			require.Greater(t, len(in.ProblemStatement), 500)
			require.Greater(t, len(in.FailToPass), 1)
			require.NotEmpty(t, in.PassToPass)
			require.Empty(t, common(in.FailToPass, in.PassToPass))
			require.NotEmpty(t, in.GoodVariants)
			failing := 0
			for _, b := range in.BadPatches {
				require.Regexp(t, "^[A-F]$", b.Category)
				if b.Level == bench.LevelFailsF2P {
					failing++
				}
			}
			require.GreaterOrEqual(t, failing, 2)
		})
	}
}

func common(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			if x == y {
				out = append(out, x)
			}
		}
	}
	return out
}

// No file of a sample may lie about unused.
func TestEveryPatchIsListed(t *testing.T) {
	for _, d := range definitions(t) {
		t.Run(d.ID, func(t *testing.T) {
			for folder, listed := range map[string]int{"bad": len(d.BadPatches), "good": len(d.GoodVariants), "flawed": 2} {
				entries, err := data.ReadDir(d.dir + "/" + folder)
				require.NoError(t, err)
				require.Len(t, entries, listed, folder)
			}
		})
	}
}

func TestPatchesTouchTheirSide(t *testing.T) {
	header := regexp.MustCompile(`(?m)^diff --git a/(\S+) b/`)
	test := regexp.MustCompile(`(^|/)(tests|src/test)/`)
	for _, d := range definitions(t) {
		for _, name := range d.patches() {
			text, err := d.patch(name)
			require.NoError(t, err)
			found := header.FindAllStringSubmatch(text, -1)
			require.NotEmpty(t, found)
			wanted := name == "test" || name == "flawed/testgen"
			for _, m := range found {
				require.Equal(t, wanted, test.MatchString(m[1]), "%s: %s touches %s", d.ID, name, m[1])
			}
		}
	}
}

// patches lists all patches by name.
func (d definition) patches() []string {
	out := []string{"gold", "test", "flawed/bugfix", "flawed/testgen"}
	return append(out, append(numbered("bad", len(d.BadPatches)), numbered("good", len(d.GoodVariants))...)...)
}

func TestWriteGivesTheSameEverywhere(t *testing.T) {
	// A user's own settings and a git hook's environment change nothing.
	t.Setenv("GIT_DIR", "/nonexistent")
	t.Setenv("GIT_AUTHOR_NAME", "Somebody Else")
	first, second := t.TempDir(), t.TempDir()
	one := write(t, first)
	two := write(t, second)
	require.Equal(t, snapshot(t, first), snapshot(t, second))
	require.FileExists(t, one.Dataset)
	require.FileExists(t, two.Flawed)
	require.FileExists(t, two.FlawedTests)
}

func TestWriteMayBeRepeated(t *testing.T) {
	dir := t.TempDir()
	write(t, dir)
	before := snapshot(t, dir)
	repos, err := filepath.Glob(filepath.Join(dir, "repos", "*.git"))
	require.NoError(t, err)
	require.Len(t, repos, 6)
	kept, err := os.Stat(repos[0])
	require.NoError(t, err)
	// What is damaged is made again, the rest is left as it is.
	require.NoError(t, os.RemoveAll(filepath.Join(repos[1], "objects")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dataset.jsonl"), []byte("{"), 0o600))
	write(t, dir)
	require.Equal(t, before, snapshot(t, dir))
	now, err := os.Stat(repos[0])
	require.NoError(t, err)
	require.True(t, os.SameFile(kept, now))
}

func TestWriteFromSeveralSides(t *testing.T) {
	dir := t.TempDir()
	errs := make(chan error, 3)
	for range 3 {
		go func() {
			_, err := Write(context.Background(), dir)
			errs <- err
		}()
	}
	for range 3 {
		require.NoError(t, <-errs)
	}
	left, err := filepath.Glob(filepath.Join(dir, "repos", ".making-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestWriteEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Write(ctx, t.TempDir())
	require.ErrorIs(t, err, context.Canceled)
}

// A benchmark's reader gets back what was written.
func TestDatasetReads(t *testing.T) {
	p := write(t, t.TempDir())
	data, err := bench.OpenDataset(p.Dataset)
	require.NoError(t, err)
	defer data.Close()
	entries, err := data.Index(t.Context())
	require.NoError(t, err)
	require.Len(t, entries, 6)
	for i, d := range definitions(t) {
		in, err := data.Read(entries[i])
		require.NoError(t, err)
		want, err := d.instance(in.BaseCommit)
		require.NoError(t, err)
		require.Equal(t, want, in)
	}
}

func TestHistory(t *testing.T) {
	p := write(t, t.TempDir())
	for _, d := range definitions(t) {
		t.Run(d.ID, func(t *testing.T) {
			repo := filepath.Join(p.Repos, strings.ReplaceAll(d.Repo, "/", "__")+".git")
			commits := strings.Fields(git(t, repo, "rev-list", "--reverse", "main"))
			require.Len(t, commits, len(d.History)+1)
			text, err := os.ReadFile(p.Dataset)
			require.NoError(t, err)
			require.Contains(t, string(text), `"base_commit":"`+commits[len(commits)-2]+`"`)
			require.Equal(t, commits[len(commits)-1], strings.TrimSpace(git(t, repo, "rev-parse", d.Fix.Tag)))
			tree := t.TempDir()
			git(t, repo, "--work-tree="+tree, "checkout", "--quiet", "-f", commits[len(commits)-2], "--", ".")
			files, err := d.files()
			require.NoError(t, err)
			require.Equal(t, files, read(t, tree))
			applyAll(t, d, tree)
		})
	}
}

// applyAll tries every patch on the tree.
func applyAll(t *testing.T, d definition, tree string) {
	for _, name := range d.patches() {
		text, err := d.patch(name)
		require.NoError(t, err)
		cmd := exec.Command("git", "apply", "--check", "-")
		cmd.Dir = tree
		cmd.Env = append(gitEnviron(os.Environ()), "GIT_CEILING_DIRECTORIES="+filepath.Dir(tree))
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
}

func write(t *testing.T, dir string) Paths {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := Write(ctx, dir)
	require.NoError(t, err)
	return p
}

// snapshot returns the files that Write made, and the references of the
// repositories.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, text := range read(t, dir) {
		if !strings.HasPrefix(name, "repos/") {
			out[name] = string(text)
		}
	}
	repos, err := filepath.Glob(filepath.Join(dir, "repos", "*.git"))
	require.NoError(t, err)
	for _, repo := range repos {
		git(t, repo, "fsck", "--strict")
		out[filepath.Base(repo)] = git(t, repo, "show-ref")
	}
	return out
}

func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = text
		return err
	}))
	return out
}

func git(t *testing.T, repo string, args ...string) string {
	t.Helper()
	out, err := repository{dir: repo}.git(t.Context(), nil, nil, args...)
	require.NoError(t, err)
	return out
}

func TestPatchesAreText(t *testing.T) {
	for _, d := range definitions(t) {
		for _, name := range d.patches() {
			text, err := d.patch(name)
			require.NoError(t, err)
			require.True(t, strings.HasSuffix(text, "\n"), "%s: %s", d.ID, name)
			require.NotContains(t, text, "\r")
		}
	}
}
