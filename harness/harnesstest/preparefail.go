package harnesstest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// prepareArchiveError: an archive that breaks off in the middle makes no
// environment, and is tried again the next time.
func prepareArchiveError(t *testing.T, s *suite) {
	broken := true
	r := s.layer("cat /opt/src/dir/f > /opt/copy")
	r.Archives = []harness.Archive{{Dest: "/opt/src", Digest: "sha256:" + nonce(), Open: func() (io.ReadCloser, error) {
		data := tarOf(t, "packed\n")
		if broken {
			return io.NopCloser(io.MultiReader(bytes.NewReader(data[:600]), failingReader{})), nil
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}}}
	_, err := s.Prepare(t.Context(), r)
	require.Error(t, err)
	s.clean(t)
	broken = false
	job := s.job("cat /opt/copy\n")
	job.Environment = s.make(t, r)
	require.Equal(t, "packed\n", s.ok(t, job))
}

// prepareFailure: a failed recipe reports what its script printed, and the
// next attempt starts from nothing.
func prepareFailure(t *testing.T, s *suite) {
	r := s.layer("test ! -e /opt/half || echo dirty", "echo x > /opt/half", "echo attempt; date +%s%N", "false", "echo not reached")
	var outputs []string
	for range 2 {
		_, err := s.Prepare(t.Context(), r)
		var build *harness.BuildError
		require.True(t, errors.As(err, &build), "want a *BuildError, got %v", err)
		require.Equal(t, harness.Exited, build.Result.End)
		require.Equal(t, 1, build.Result.ExitCode)
		require.Regexp(t, `^attempt\n\d+\n$`, text(build.Result))
		require.Contains(t, err.Error(), "attempt")
		require.Equal(t, r.Name, build.Recipe)
		require.False(t, harness.Retryable(err))
		outputs = append(outputs, text(build.Result))
		s.clean(t)
	}
	require.NotEqual(t, outputs[0], outputs[1], "the second Prepare did not run the script")
}

// prepareTimeout: a set-up that does not end is the recipe's failure.
func prepareTimeout(t *testing.T, s *suite) {
	mark := nonce()
	r := s.layer("echo begun", "sleep "+mark)
	r.Limits.Time = 2 * time.Second
	began := time.Now()
	_, err := s.Prepare(t.Context(), r)
	require.Less(t, time.Since(began), 30*time.Second)
	var build *harness.BuildError
	require.True(t, errors.As(err, &build), "want a *BuildError, got %v", err)
	require.Equal(t, harness.TimedOut, build.Result.End)
	require.Equal(t, "begun\n", text(build.Result))
	requireDead(t, mark)
	s.clean(t)
}

// prepareCancel: a set-up that was cancelled leaves nothing half-made.
func prepareCancel(t *testing.T, s *suite) {
	mark := nonce()
	r := s.layer("test ! -e /opt/begun", "echo x > /opt/begun", "sh -c 'sleep 5' "+mark, "echo done > /opt/marker")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errs := make(chan error, 1)
	go func() {
		_, err := s.Prepare(ctx, r)
		errs <- err
	}()
	waitAlive(mark)
	requireEnds(t, cancel, errs)
	requireDead(t, mark)
	s.clean(t)
	require.Equal(t, "done\n", s.marker(t, s.make(t, r)))
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the source went away") }
