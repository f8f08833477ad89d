package harnesstest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// slack is how much later than its limit a job may end.
const slack = 3 * time.Second

func timeChecks() []check {
	return []check{
		{"timeout", timeTimeout},
		{"stubborn", timeStubborn},
		{"tree", timeTree},
		{"daemon", timeDaemon},
		{"daemon-output", timeDaemonOutput},
	}
}

func timeTimeout(t *testing.T, s *suite) {
	res := s.timedOut(t, "echo before >&2\nsleep 600\necho after\n")
	require.Equal(t, "before\n", text(res))
	require.GreaterOrEqual(t, res.Timings.Run, 1900*time.Millisecond)
}

// timeStubborn: a job is killed, not asked, and its wish to clean up does
// not prolong it.
func timeStubborn(t *testing.T, s *suite) {
	res := s.timedOut(t, script(
		"trap '' TERM INT HUP QUIT",
		"trap 'echo cleaning; sleep 600' EXIT",
		"while true; do sleep 1; done"))
	require.Empty(t, text(res))
}

// timeTree: children in sessions and process groups of their own, adopted by
// init, holding the output open or not, die as well.
func timeTree(t *testing.T, s *suite) {
	mark := nonce()
	lines := []string{
		"sleep " + mark + " &",
		"(trap '' TERM; (sleep " + mark + " >/dev/null 2>&1 &) &) &",
		"nohup sleep " + mark + " >/dev/null 2>&1 &",
	}
	if s.has(t, "setsid") {
		lines = append(lines, "setsid sleep "+mark+" &", "(setsid sh -c 'sleep "+mark+" & sleep "+mark+"' </dev/null >/dev/null 2>&1 &)")
	}
	res := s.timedOut(t, script(append(lines, "echo started", "sleep "+mark)...))
	require.Equal(t, "started\n", text(res))
	requireDead(t, mark)
}

// timeDaemon: what a script leaves running neither keeps the job nor
// outlives it.
func timeDaemon(t *testing.T, s *suite) {
	mark := nonce()
	lines := []string{"(sleep " + mark + " >/dev/null 2>&1 </dev/null &)"}
	if s.has(t, "setsid") {
		lines = append(lines, "setsid sleep "+mark+" >/dev/null 2>&1 </dev/null &")
	}
	began := time.Now()
	require.Equal(t, "done\n", s.sh(t, append(lines, "echo done")...))
	require.Less(t, time.Since(began), slack+2*time.Second)
	requireDead(t, mark)
	s.clean(t)
}

// timeDaemonOutput: nor does one that holds the output open.
func timeDaemonOutput(t *testing.T, s *suite) {
	mark := nonce()
	job := s.job("sleep " + mark + " &\necho done\nexit 6\n")
	began := time.Now()
	res := s.run(t, job)
	require.Less(t, time.Since(began), slack+2*time.Second)
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, 6, res.ExitCode)
	require.Equal(t, "done\n", text(res))
	requireDead(t, mark)
	s.clean(t)
}

// timedOut runs a script that must be ended after two seconds, soon.
func (s *suite) timedOut(t *testing.T, script string) harness.Result {
	t.Helper()
	job := s.job(script)
	job.Limits.Time = 2 * time.Second
	began := time.Now()
	res := s.run(t, job)
	took := time.Since(began)
	require.Equal(t, harness.TimedOut, res.End, "output: %s", text(res))
	require.NotZero(t, res.ExitCode)
	overhead := res.Timings.Create + res.Timings.Start
	require.Less(t, took-overhead, job.Limits.Time+slack, "timings: %+v", res.Timings)
	s.clean(t)
	return res
}
