package mirror

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// grown is a repository with a merge, a pull request and a file that moves.
func grown(t *testing.T) (r *Repo, git func(args ...string) string) {
	dir := filepath.Join(t.TempDir(), "owner", "name")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	git = func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A é", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2020-01-02T00:00:00Z")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	write := func(file, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
		git("add", "-A")
	}
	git("init", "--quiet", "--template=", "--initial-branch=main")
	write("a.txt", strings.Repeat("some words\n", 9))
	write("é b.txt", "one\n")
	git("commit", "--quiet", "-m", "first\n\nbody\n\n  more")
	git("checkout", "--quiet", "-b", "side")
	git("mv", "a.txt", "c.txt")
	write("é b.txt", "one\ntwo\n+++ three\n")
	git("commit", "--quiet", "-m", "on the side")
	git("update-ref", "refs/pull/7/head", "HEAD")
	git("update-ref", "refs/pull/7/merge", "HEAD")
	git("checkout", "--quiet", "main")
	git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
	s := &Store{Dir: filepath.Dir(filepath.Dir(dir))}
	r, err := s.Open(t.Context(), "owner/name", "HEAD")
	require.NoError(t, err)
	return r, git
}

func TestHistory(t *testing.T) {
	r, git := grown(t)
	commits, err := r.History(t.Context(), "HEAD")
	require.NoError(t, err)
	require.Len(t, commits, 3)
	merge, side, first := commits[0], commits[1], commits[2]
	require.Equal(t, []string{first.ID, side.ID}, merge.Parents)
	require.Equal(t, "first\n\nbody\n\n  more", first.Message)
	require.Equal(t, "first", first.Subject())
	require.Equal(t, "A é", first.Author)
	require.Equal(t, "2020-01-01 00:00:00 +0000 UTC", first.Authored.String())
	require.Equal(t, "2020-01-02 00:00:00 +0000 UTC", first.Committed.String())
	require.Empty(t, first.Parents)
	rest, err := r.History(t.Context(), "HEAD", "^"+first.ID)
	require.NoError(t, err)
	require.Len(t, rest, 2)
	_, err = r.History(t.Context(), "nowhere")
	require.Error(t, err)

	pulls, err := r.Pulls(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int]string{7: side.ID}, pulls)
	base, err := r.MergeBase(t.Context(), first.ID, side.ID)
	require.NoError(t, err)
	require.Equal(t, first.ID, base)

	changed, err := r.Changed(t.Context(), []string{merge.ID, first.ID})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{merge.ID: {"a.txt", "c.txt", "é b.txt"}, first.ID: {"a.txt", "é b.txt"}}, changed)
	added, err := r.Added(t.Context(), []string{merge.ID}, []string{":(glob)**/*b.txt"})
	require.NoError(t, err)
	require.Equal(t, map[string][]AddedLines{merge.ID: {{Path: "é b.txt", Lines: []string{"two", "+++ three"}}}}, added)
	added, err = r.Added(t.Context(), []string{first.ID}, []string{":(glob)**/*b.txt"})
	require.NoError(t, err)
	require.True(t, added[first.ID][0].New)
	added, err = r.Added(t.Context(), []string{merge.ID, git("hash-object", "-w", "--stdin")}, nil)
	require.NoError(t, err)
	require.Len(t, added, 1, "what cannot be read is left out")

	diff, err := r.Diff(t.Context(), first.ID, merge.ID, true)
	require.NoError(t, err)
	require.Contains(t, string(diff), "rename to c.txt")
	diff, err = r.Diff(t.Context(), first.ID, merge.ID, false)
	require.NoError(t, err)
	require.NotContains(t, string(diff), "rename to c.txt")

	held, err := r.Holds(t.Context(), merge.ID, []string{"two", "word", "one", "hr"})
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"two": true, "one": true}, held)
	held, err = r.Holds(t.Context(), merge.ID, []string{"nothing-of-this"})
	require.NoError(t, err)
	require.Empty(t, held)
	_, err = r.Holds(t.Context(), "nowhere", []string{"a"})
	require.Error(t, err)
}

// TestRefresh: a clone gets what is new; a local mirror stays as it is.
func TestRefresh(t *testing.T) {
	r, git := grown(t)
	dir := filepath.Dir(r.gitDir)
	s := &Store{Cache: t.TempDir()}
	require.NoError(t, s.Refresh(t.Context(), dir), "nothing is cloned yet")
	clone, err := s.Open(t.Context(), dir, "HEAD")
	require.NoError(t, err)
	git("commit", "--quiet", "--allow-empty", "-m", "new")
	before, err := clone.Resolve(t.Context(), "HEAD")
	require.NoError(t, err)
	require.NoError(t, s.Refresh(t.Context(), dir))
	after, err := clone.Resolve(t.Context(), "HEAD")
	require.NoError(t, err)
	require.NotEqual(t, before, after)
	require.Equal(t, git("rev-parse", "HEAD"), after)
	local := &Store{Dir: filepath.Dir(filepath.Dir(dir)), Cache: t.TempDir()}
	require.NoError(t, local.Refresh(t.Context(), "owner/name"))
	require.NoError(t, os.RemoveAll(dir))
	require.Error(t, s.Refresh(t.Context(), dir))
}
