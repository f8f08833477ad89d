package harnesstest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"assay/harness"
)

func manyChecks() []check {
	return []check{
		{"concurrent", manyConcurrent},
		{"no-leak", manyNoLeak},
	}
}

// manyConcurrent: eight jobs at a time write to the same paths and see
// nothing of each other.
func manyConcurrent(t *testing.T, s *suite) {
	var g errgroup.Group
	g.SetLimit(8)
	for i := range 24 {
		g.Go(func() error {
			job := s.job("cat /w/id > /tmp/id\nsleep 0.3\ncat /tmp/id >> /w/id\ncat /w/id\n")
			job.Files = []harness.File{{Path: "/w/id", Data: fmt.Appendf(nil, "%d\n", i)}}
			job.Collect = []string{"/tmp/id"}
			res, err := s.Run(t.Context(), job)
			if err != nil {
				return err
			}
			id := fmt.Sprintf("%d\n", i)
			if text(res) != id+id || string(res.Files["/tmp/id"]) != id {
				return fmt.Errorf("job %d got output %q and file %q", i, text(res), res.Files["/tmp/id"])
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	s.clean(t)
}

// manyNoLeak: after many jobs, good and bad, the machine and this process
// hold what they held before.
func manyNoLeak(t *testing.T, s *suite) {
	require.NoError(t, s.mixed(t, 0))
	require.NoError(t, s.mixed(t, 5))
	goroutines, files := runtime.NumGoroutine(), descriptors()
	var g errgroup.Group
	g.SetLimit(4)
	for i := range s.o.Jobs {
		g.Go(func() error { return s.mixed(t, i) })
	}
	require.NoError(t, g.Wait())
	s.clean(t)
	require.Eventually(t, func() bool {
		return runtime.NumGoroutine() <= goroutines+8 && descriptors() <= files+8
	}, 10*time.Second, 100*time.Millisecond, "goroutines: %d, then %d; open files: %d, then %d",
		goroutines, runtime.NumGoroutine(), files, descriptors())
}

// mixed runs the i-th of a row of jobs that end in different ways.
func (s *suite) mixed(t *testing.T, i int) error {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	job := s.job("cat /w/f\nexit 3\n")
	job.Files = []harness.File{{Path: "/w/f", Data: fmt.Appendf(nil, "%d", i)}}
	job.Collect = []string{"/w/*"}
	want := harness.Exited
	switch i % 10 {
	case 3:
		job.Script, job.Limits.Time, want = "sleep 600\n", 500*time.Millisecond, harness.TimedOut
	case 5:
		time.AfterFunc(300*time.Millisecond, cancel)
		job.Script, want = "sleep 600\n", ""
	case 7:
		job.Script, job.Limits.Output, want = "yes\n", 1000, harness.OutputLimit
	case 8:
		job.Script = ""
	}
	res, err := s.Run(ctx, job)
	if want == "" {
		if err == nil {
			return fmt.Errorf("job %d was cancelled and came back without an error", i)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("job %d: %w", i, err)
	}
	if res.End != want || len(res.Files) != 1 {
		return fmt.Errorf("job %d ended by %s, want %s, with %d files", i, res.End, want, len(res.Files))
	}
	return nil
}

// descriptors counts this process's open files; 0 where the system does not
// report it.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}
