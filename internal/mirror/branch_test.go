package mirror

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestResolveAt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "owner", "name")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	day := "2020-01-01"
	run := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+day+"T00:00:00Z")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	run("init", "--quiet", "--template=", "--initial-branch=main")
	for _, day = range []string{"2020-01-01", "2022-01-01"} {
		run("commit", "--quiet", "--allow-empty", "-m", day)
	}
	run("tag", "v1")
	ids := map[string]string{}
	s := &Store{Dir: filepath.Dir(filepath.Dir(dir))}
	r, err := s.Open(t.Context(), "owner/name", "main")
	require.NoError(t, err)
	for _, name := range []string{"main~1", "main"} {
		ids[name], err = r.Resolve(t.Context(), name)
		require.NoError(t, err)
	}
	for _, c := range []struct{ name, at, want string }{
		{"main", "2021-01-01", "main~1"},
		{"HEAD", "2021-01-01", "main~1"},
		{"main", "2023-01-01", "main"},
		{"main", "2019-01-01", "main"},
		{"main", "", "main"},
		{"v1", "2021-01-01", "main"},
	} {
		at, _ := time.Parse(time.DateOnly, c.at)
		got, err := r.ResolveAt(t.Context(), c.name, at)
		require.NoError(t, err)
		require.Equal(t, ids[c.want], got, "%s at %s", c.name, c.at)
	}
	_, err = r.ResolveAt(t.Context(), "nowhere", time.Now())
	require.Error(t, err)
}
