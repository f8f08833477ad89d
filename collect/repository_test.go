package collect

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/mirror"
	"assay/languages"
)

// made is a repository that a test makes, commit by commit. Its clock advances by
// a day with each.
type made struct {
	t    *testing.T
	dir  string
	name string
	day  int
}

func newRepository(t *testing.T) *made { return newRepositoryNamed(t, "owner/name") }

func newRepositoryNamed(t *testing.T, name string) *made {
	r := &made{t: t, dir: filepath.Join(t.TempDir(), filepath.FromSlash(name)), name: name}
	require.NoError(t, os.MkdirAll(r.dir, 0o755))
	r.git("init", "--quiet", "--template=", "--initial-branch=main")
	return r
}

func (r *made) git(args ...string) string {
	r.t.Helper()
	stamp := strconv.Itoa(1577836800+r.day*86400) + " +0000" // from 2020-01-01 on
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE="+stamp, "GIT_COMMITTER_DATE="+stamp)
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// commit writes files (path, content, path, content, ...) and commits them. An
// empty content removes the file.
func (r *made) commit(message string, files ...string) string {
	r.t.Helper()
	r.day++
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(r.dir, files[i])
		if files[i+1] == "" {
			require.NoError(r.t, os.Remove(path))
			continue
		}
		require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(r.t, os.WriteFile(path, []byte(files[i+1]), 0o644))
	}
	r.git("add", "-A")
	r.git("commit", "--quiet", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// fix commits a change of source and test that nothing else has made.
func (r *made) fix(message string, more ...string) string {
	r.t.Helper()
	n := strconv.Itoa(r.day)
	files := append([]string{"src/m" + n + ".py", "x = " + n + "\n", "tests/test_m" + n + ".py", "def test_m" + n + "():\n    assert True\n"}, more...)
	return r.commit(message, files...)
}

// merge merges a branch that holds a fix, and returns the merge.
func (r *made) merge(branch, message string, commits ...string) string {
	r.t.Helper()
	r.git("checkout", "--quiet", "-b", branch)
	for _, c := range commits {
		r.fix(c)
	}
	r.git("checkout", "--quiet", "main")
	r.day++
	r.git("merge", "--quiet", "--no-ff", "-m", message, branch)
	return r.git("rev-parse", "HEAD")
}

// source is the repository as it is now.
func (r *made) source() Source {
	r.t.Helper()
	repo, err := r.store().Open(r.t.Context(), r.name, "HEAD")
	require.NoError(r.t, err)
	head, err := repo.Resolve(r.t.Context(), "HEAD")
	require.NoError(r.t, err)
	return Source{Repo: repo, Name: r.name, Head: head, Languages: languages.Default()}
}

// store is the folder of mirrors that the repository is in.
func (r *made) store() *mirror.Store {
	return &mirror.Store{Dir: filepath.Dir(filepath.Dir(r.dir))}
}
