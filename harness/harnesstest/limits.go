package harnesstest

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func limitChecks() []check {
	return []check{
		{"memory", limitMemory},
		{"memory-child", limitMemoryChild},
		{"memory-python", limitMemoryPython},
		{"memory-together", limitMemoryTogether},
		{"memory-within", limitMemoryWithin},
		{"processes", limitProcesses},
		{"fork-bomb", limitForkBomb},
		{"disk", limitDisk},
		{"disk-many-files", limitDiskManyFiles},
		{"disk-within", limitDiskWithin},
		{"shared-memory", limitSharedMemory},
	}
}

func (s *suite) memoryJob(script string) harness.Job {
	job := s.job(script)
	job.Limits.Memory = 128 << 20
	return job
}

// limitMemory: tail keeps what has no line end.
func limitMemory(t *testing.T, s *suite) {
	res := s.run(t, s.memoryJob("echo before\ntail /dev/zero\n"))
	require.Equal(t, harness.OutOfMemory, res.End, "output: %s", text(res))
	require.NotZero(t, res.ExitCode)
	require.True(t, strings.HasPrefix(text(res), "before\n"))
	s.clean(t)
}

// limitMemoryChild: that a script survives the death of its child, and ends
// with a code that looks like failed tests, must not hide the cause.
func limitMemoryChild(t *testing.T, s *suite) {
	res := s.run(t, s.memoryJob("tail /dev/zero\nsleep 1\nexit 1\n"))
	require.Equal(t, harness.OutOfMemory, res.End)
}

func limitMemoryPython(t *testing.T, s *suite) {
	s.need(t, "python3")
	res := s.run(t, s.memoryJob(`python3 -c '
kept = []
while True:
    kept.append(b"x" * (4 << 20))
'
`))
	require.Equal(t, harness.OutOfMemory, res.End, "output: %s", text(res))
}

// limitMemoryTogether: the limit is that of the whole tree, not of each
// process.
func limitMemoryTogether(t *testing.T, s *suite) {
	s.need(t, "python3")
	res := s.run(t, s.memoryJob(script(
		"for i in 1 2 3 4; do",
		`  python3 -c 'import time; b = b"x" * (60 << 20); time.sleep(5)' &`,
		"done",
		"wait")))
	require.Equal(t, harness.OutOfMemory, res.End, "output: %s", text(res))
}

// limitMemoryWithin: a job within its limit is not touched.
func limitMemoryWithin(t *testing.T, s *suite) {
	s.need(t, "python3")
	job := s.memoryJob("python3 -c 'b = b\"x\" * (60 << 20); print(len(b))'\n")
	require.Equal(t, "62914560\n", s.ok(t, job))
}

// limitProcesses: the shell cannot start as many as it wants.
func limitProcesses(t *testing.T, s *suite) {
	job := s.job(script(
		"i=0",
		"while [ $i -lt 150 ]; do sleep 20 & i=$((i+1)); done",
		"echo all started"))
	job.Limits.Processes = 60
	job.Limits.Time = 30 * time.Second
	res := s.run(t, job)
	require.NotContains(t, text(res), "all started", "150 processes were started under a limit of 60")

	job.Limits.Processes = 200
	require.Contains(t, s.ok(t, job), "all started")
}

// limitForkBomb: processes that multiply until the limit and then sit there
// hurt no one else: another job works meanwhile, the bomb ends in time, and
// nothing of it is left.
func limitForkBomb(t *testing.T, s *suite) {
	mark := "bomb" + nonce()
	again := "sh /w/bomb " + mark + " 2>/dev/null &\n"
	wait := "read x < /w/fifo\n" // for ever, without a process of its own
	job := s.job("mkfifo /w/fifo\n" + again + wait)
	job.Files = []harness.File{{Path: "/w/bomb", Data: []byte(again + again + wait)}}
	job.Limits.Processes = 64
	job.Limits.Time = 6 * time.Second
	done := make(chan outcome, 1)
	go func() {
		res, err := s.Run(t.Context(), job)
		done <- outcome{res, err}
	}()
	time.Sleep(3 * time.Second)
	require.LessOrEqual(t, len(processesWith(mark)), job.Limits.Processes)
	require.Equal(t, "works\n", s.sh(t, "echo works"))
	select {
	case out := <-done:
		require.NoError(t, out.err)
		require.Equal(t, harness.TimedOut, out.res.End, "output: %s", text(out.res))
	case <-time.After(job.Limits.Time + 2*slack):
		require.Fail(t, "the bomb was not ended")
	}
	requireDead(t, mark)
	s.clean(t)
}

// limitDisk: a job that writes more than its limit gets no space or is
// ended, wherever it writes, and the machine keeps its space.
func limitDisk(t *testing.T, s *suite) {
	for _, dir := range []string{"/w", "/tmp", "/var/tmp", "/root"} {
		s.fills(t, dir, "head -c 1500000000 /dev/zero > "+dir+"/big")
	}
}

// limitDiskManyFiles: nor do many files help.
func limitDiskManyFiles(t *testing.T, s *suite) {
	s.fills(t, "/w", "for i in $(seq 600); do head -c 2000000 /dev/zero > /w/f$i || exit 9; done")
}

func (s *suite) fills(t *testing.T, dir, command string) {
	t.Helper()
	job := s.job(script("mkdir -p "+dir, command+" || exit 9", "sleep 15", "echo wrote it all"))
	job.Limits.Disk = 64 << 20
	job.Limits.Memory = 512 << 20
	before := free(t)
	res := s.run(t, job)
	require.NotContains(t, text(res), "wrote it all", "a job wrote 1.5 GB to %s under a limit of 64 MiB", dir)
	require.Contains(t, []harness.End{harness.DiskLimit, harness.Exited}, res.End)
	if res.End == harness.Exited {
		require.NotZero(t, res.ExitCode)
	}
	s.clean(t)
	require.Less(t, before-free(t), int64(1<<30), "the job's space was not given back")
}

func limitDiskWithin(t *testing.T, s *suite) {
	job := s.job("head -c 20000000 /dev/zero > /w/big && stat -c %s /w/big\n")
	job.Files = []harness.File{{Path: "/w/f"}}
	job.Limits.Disk = 64 << 20
	require.Equal(t, "20000000\n", s.ok(t, job))
}

// limitSharedMemory: /dev/shm is memory; filling it must be bounded by some
// limit of the job.
func limitSharedMemory(t *testing.T, s *suite) {
	job := s.job("test -d /dev/shm || exit 9\nhead -c 1500000000 /dev/zero > /dev/shm/big || exit 9\nsleep 15\necho wrote it all\n")
	job.Limits.Disk = 64 << 20
	job.Limits.Memory = 128 << 20
	res := s.run(t, job)
	require.NotContains(t, text(res), "wrote it all")
	s.clean(t)
}

type outcome struct {
	res harness.Result
	err error
}

// free is the free space of the file system of the working directory.
func free(t *testing.T) int64 {
	t.Helper()
	var st syscall.Statfs_t
	require.NoError(t, syscall.Statfs("/", &st))
	return int64(st.Bavail) * int64(st.Bsize)
}
