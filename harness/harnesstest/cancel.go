package harnesstest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func cancelChecks() []check {
	return []check{
		{"before", cancelBefore},
		{"during", cancelDuring},
		{"deadline", cancelDeadline},
		{"any-moment", cancelAnyMoment},
	}
}

func cancelBefore(t *testing.T, s *suite) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Run(ctx, s.job("true\n"))
	require.ErrorIs(t, err, context.Canceled)
	s.clean(t)
}

func cancelDuring(t *testing.T, s *suite) {
	mark := nonce()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errs := make(chan error, 1)
	go func() {
		_, err := s.Run(ctx, s.job("trap '' TERM\nsleep "+mark+" &\nsleep "+mark+"\n"))
		errs <- err
	}()
	if !waitAlive(mark) {
		t.Log("no process of the job was seen on this machine")
	}
	requireEnds(t, cancel, errs)
	requireDead(t, mark)
	s.clean(t)
}

func cancelDeadline(t *testing.T, s *suite) {
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	_, err := s.Run(ctx, s.job("sleep 600\n"))
	require.ErrorIs(t, err, context.DeadlineExceeded, "the caller's deadline is not the job's limit")
	s.clean(t)
}

// cancelAnyMoment: also while the job is set up, collected or cleared.
func cancelAnyMoment(t *testing.T, s *suite) {
	job := s.job("sleep 0.2\nhead -c 8000000 /dev/zero > /w/large\n")
	job.Files = []harness.File{{Path: "/w/data", Data: make([]byte, 4<<20)}}
	job.Collect = []string{"/w/**"}
	for i := range 15 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*5*time.Millisecond)
		_, err := s.Run(ctx, job)
		cancel()
		if err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		s.clean(t)
	}
	require.Equal(t, "works\n", s.sh(t, "echo works"))
}

// requireEnds cancels and waits for a Run or Prepare to come back.
func requireEnds(t *testing.T, cancel context.CancelFunc, errs <-chan error) {
	t.Helper()
	cancel()
	select {
	case err := <-errs:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(2 * time.Second):
		require.Fail(t, "still running two seconds after its context was cancelled")
	}
}
