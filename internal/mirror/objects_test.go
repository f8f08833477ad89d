package mirror

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArchivesShareLargeFiles: two commits' archives hold the object of a large
// file that both have as the same file, and each holds no object but its own.
func TestArchivesShareLargeFiles(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	first, _ := history(t, filepath.Join(dir, "owner__name"))
	repo := filepath.Join(dir, "owner__name")
	commit := func(name, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644))
		for _, args := range [][]string{{"add", "-f", "-A"}, {"commit", "-q", "-m", name}} {
			_, err := git(ctx, repo, args...)
			require.NoError(t, err)
		}
		out, err := git(ctx, repo, "rev-parse", "HEAD")
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	large := strings.Repeat("a line of a large file\n", 1000)
	second := commit("large.txt", large)
	third := commit("small.txt", "x\n")
	loose := func(c string) map[string]string {
		r, err := (&Store{Dir: dir}).Open(ctx, "owner/name", c)
		require.NoError(t, err)
		archive, err := r.Archive(ctx, c, nil)
		require.NoError(t, err)
		work := unpack(t, archive)
		all, err := git(ctx, work, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
		require.NoError(t, err)
		reached, err := git(ctx, work, "rev-list", "--objects", "--no-object-names", "--all")
		require.NoError(t, err)
		require.ElementsMatch(t, strings.Fields(string(reached)), strings.Fields(string(all)))
		_, err = git(ctx, work, "fsck", "--strict")
		require.NoError(t, err)
		found := map[string]string{}
		files, err := filepath.Glob(filepath.Join(work, ".git/shared/??/*"))
		require.NoError(t, err)
		own, err := filepath.Glob(filepath.Join(work, ".git/objects/??/*"))
		require.NoError(t, err)
		require.Empty(t, own)
		for _, f := range files {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			found[filepath.Base(f)] = string(data)
		}
		return found
	}
	require.Empty(t, loose(first))
	one := loose(second)
	require.Len(t, one, 1)
	require.Equal(t, one, loose(third))
}

// TestSharedObjectsAreRead: the repository can be moved, cloned, packed again and
// written to, with its large objects in a folder of their own.
func TestSharedObjectsAreRead(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	history(t, filepath.Join(dir, "owner__name"))
	repo := filepath.Join(dir, "owner__name")
	large := strings.Repeat("a line of a large file\n", 1000)
	require.NoError(t, os.WriteFile(filepath.Join(repo, "large.txt"), []byte(large), 0o644))
	run := func(dir string, args ...string) string {
		out, err := git(ctx, dir, args...)
		require.NoError(t, err, args)
		return strings.TrimSpace(string(out))
	}
	run(repo, "add", "-f", "-A")
	run(repo, "commit", "-q", "-m", "large")
	commit := run(repo, "rev-parse", "HEAD")
	r, err := (&Store{Dir: dir}).Open(ctx, "owner/name", commit)
	require.NoError(t, err)
	archive, err := r.Archive(ctx, commit, nil)
	require.NoError(t, err)
	work := filepath.Join(t.TempDir(), "moved")
	require.NoError(t, os.Rename(unpack(t, archive), work))
	require.Empty(t, run(work, "status", "--porcelain"))
	clone := filepath.Join(t.TempDir(), "clone")
	run("", "clone", "-q", work, clone)
	require.Equal(t, strings.TrimSpace(large), run(clone, "cat-file", "blob", "HEAD:large.txt"))
	require.NoError(t, os.WriteFile(filepath.Join(work, "large.txt"), []byte(large+"x\n"), 0o644))
	run(work, "commit", "-q", "-a", "-m", "more")
	run(work, "gc", "-q")
	require.Equal(t, strings.TrimSpace(large), run(work, "cat-file", "blob", "HEAD~1:large.txt"))
	run(work, "fsck", "--strict")
}
