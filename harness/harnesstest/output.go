package harnesstest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func outputChecks() []check {
	return []check{
		{"streams", outputStreams},
		{"bytes", outputBytes},
		{"whole", outputWhole},
		{"cut", outputCut},
		{"flood", outputFlood},
		{"none", outputNone},
	}
}

// outputStreams: standard output and error come in the order in which they
// were written.
func outputStreams(t *testing.T, s *suite) {
	var lines []string
	var want strings.Builder
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("echo out %d", i), fmt.Sprintf("echo err %d >&2", i))
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	require.Equal(t, want.String(), s.sh(t, lines...))
}

// outputBytes: nothing is added, dropped or decoded, also at the very end.
func outputBytes(t *testing.T, s *suite) {
	job := s.job("cat /w/bytes\n")
	data := "a\r\n\x00\xff\xfe\x1b[1mü\n\n\x01\x00\x00\x00\x00\x00\x00\x05no newline"
	job.Files = []harness.File{{Path: "/w/bytes", Data: []byte(data)}}
	require.Equal(t, data, s.ok(t, job))
}

// outputWhole: output of just the limit is kept whole, in Head.
func outputWhole(t *testing.T, s *suite) {
	job := s.job("head -c 1000 /dev/zero\n")
	job.Limits.Output = 1000
	res := s.run(t, job)
	require.Len(t, res.Output.Head, 1000)
	require.Empty(t, res.Output.Tail)
	require.Zero(t, res.Output.Omitted)
}

// outputCut: of longer output head and tail are kept, and what was omitted is
// counted; the job continues to its end.
func outputCut(t *testing.T, s *suite) {
	var all strings.Builder
	for i := 1; i <= 1200; i++ {
		fmt.Fprintln(&all, i)
	}
	job := s.job("seq 1 1200\nexit 3\n")
	job.Limits.Output = 1000
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, 3, res.ExitCode)
	head, tail := string(res.Output.Head), string(res.Output.Tail)
	require.LessOrEqual(t, len(head)+len(tail), 1000)
	require.GreaterOrEqual(t, len(head), 300)
	require.GreaterOrEqual(t, len(tail), 300)
	require.True(t, strings.HasPrefix(all.String(), head), "head: %q", head)
	require.True(t, strings.HasSuffix(all.String(), tail), "tail: %q", tail)
	require.EqualValues(t, all.Len()-len(head)-len(tail), res.Output.Omitted)
}

// outputFlood: a job that prints without end is ended, soon.
func outputFlood(t *testing.T, s *suite) {
	job := s.job("echo begin\nyes\n")
	job.Limits.Output = 64 << 10
	began := time.Now()
	res := s.run(t, job)
	require.Less(t, time.Since(began), 10*time.Second)
	require.Equal(t, harness.OutputLimit, res.End)
	require.LessOrEqual(t, len(text(res)), 64<<10)
	require.True(t, strings.HasPrefix(string(res.Output.Head), "begin\ny\n"))
	require.Greater(t, res.Output.Omitted, int64(9*64<<10))
	s.clean(t)
}

func outputNone(t *testing.T, s *suite) {
	require.Empty(t, s.sh(t, "true"))
}
