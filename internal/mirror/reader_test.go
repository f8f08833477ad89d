package mirror

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func testReader(t *testing.T, keep time.Duration) (r *reader, base string) {
	dir := filepath.Join(t.TempDir(), "repo")
	base, _ = history(t, dir)
	r = &reader{gitDir: filepath.Join(dir, ".git"), keep: keep}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.stop()
	})
	return r, base
}

func TestReader(t *testing.T) {
	r, base := testReader(t, time.Minute)
	kind, commit, err := r.read(t.Context(), base)
	require.NoError(t, err)
	require.Equal(t, "commit", kind)
	require.Regexp(t, `^tree [0-9a-f]{40}\n`, string(commit))
	kind, _, err = r.read(t.Context(), base+"^{tree}")
	require.NoError(t, err)
	require.Equal(t, "tree", kind)

	for _, name := range []string{"", "0000000000000000000000000000000000000000", "no-such-name", "two words", base + "\n" + base, base + ":missing.py"} {
		_, _, err := r.read(t.Context(), name)
		require.True(t, missingObject(err), "%q", name)
		require.NotErrorIs(t, err, fs.ErrNotExist)
	}
	again, data, err := r.read(t.Context(), base)
	require.NoError(t, err)
	require.Equal(t, "commit", again)
	require.Equal(t, commit, data)
}

// TestReaderStartsAgain loses its process between two questions.
func TestReaderStartsAgain(t *testing.T) {
	r, base := testReader(t, time.Minute)
	_, want, err := r.read(t.Context(), base)
	require.NoError(t, err)
	require.NoError(t, r.cmd.Process.Kill())
	r.cmd.Wait()
	_, got, err := r.read(t.Context(), base)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestReaderIsCancelled: the process is ended with the call.
func TestReaderIsCancelled(t *testing.T) {
	r, base := testReader(t, time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := r.read(ctx, base)
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = r.read(t.Context(), base)
	require.NoError(t, err)
}

func TestReaderReportsWhatGitSays(t *testing.T) {
	r := &reader{gitDir: t.TempDir(), keep: time.Minute}
	_, _, err := r.read(t.Context(), "HEAD")
	require.ErrorContains(t, err, "not a git repository")
}

func TestReaderEndsWhenIdle(t *testing.T) {
	r, base := testReader(t, time.Millisecond)
	_, _, err := r.read(t.Context(), base)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.cmd == nil
	}, 10*time.Second, time.Millisecond)
	_, _, err = r.read(t.Context(), base)
	require.NoError(t, err)
}

func TestReaderIsSharedByManyCallers(t *testing.T) {
	r, base := testReader(t, time.Minute)
	names := []string{base, base + "^{tree}", base + ":src/a.py"}
	var want [][]byte
	for _, n := range names {
		_, data, err := r.read(t.Context(), n)
		require.NoError(t, err)
		want = append(want, data)
	}
	var wg sync.WaitGroup
	errs := make(chan error, 8*50)
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				k := (w + i) % len(names)
				_, data, err := r.read(t.Context(), names[k])
				if err == nil && string(data) != string(want[k]) {
					err = fs.ErrInvalid
				}
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}
