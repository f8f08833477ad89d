package harnesstest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func stopChecks() []check {
	return []check{
		{"during", stopDuring},
		{"before", stopBefore},
		{"never", stopNever},
		{"after", stopAfter},
	}
}

// stopDuring: a job is killed with all that it started, soon, and what it
// wrote is collected.
func stopDuring(t *testing.T, s *suite) {
	mark := nonce()
	job := s.job("mkdir /out\necho partly > /out/f\nsleep " + mark + " &\nsleep " + mark + "\n")
	job.Collect = []string{"/out/*"}
	job.Tree = &harness.TreeQuery{Dir: "/out"}
	stop := make(chan struct{})
	job.Stop = stop
	time.AfterFunc(2*time.Second, func() { close(stop) })
	began := time.Now()
	res := s.run(t, job)
	overhead := res.Timings.Create + res.Timings.Start
	require.Equal(t, harness.Stopped, res.End, "output: %s", text(res))
	require.NotZero(t, res.ExitCode)
	require.Less(t, time.Since(began)-overhead, 2*time.Second+slack)
	require.Equal(t, "partly\n", string(res.Files["/out/f"]))
	require.Equal(t, []string{"f"}, paths(res.Tree))
	requireDead(t, mark)
	s.clean(t)
}

// stopBefore: a job that is stopped already ends as one that is stopped later.
func stopBefore(t *testing.T, s *suite) {
	stop := make(chan struct{})
	close(stop)
	job := s.job("sleep 600\n")
	job.Stop = stop
	require.Equal(t, harness.Stopped, s.run(t, job).End)
	s.clean(t)
}

func stopNever(t *testing.T, s *suite) {
	job := s.job("echo done\nexit 3\n")
	job.Stop = make(chan struct{})
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, 3, res.ExitCode)
}

// stopAfter: a limit that came first counts.
func stopAfter(t *testing.T, s *suite) {
	stop := make(chan struct{})
	job := s.job("sleep 600\n")
	job.Stop, job.Limits.Time = stop, time.Second
	res := s.run(t, job)
	close(stop)
	require.Equal(t, harness.TimedOut, res.End)
}
