//go:build linux

package local

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// watchInterval is how often the memory is looked at: what a program can fill
// meanwhile, some hundred megabytes at the most, is the watch's slack.
const watchInterval = 25 * time.Millisecond

// watch looks after limits that the kernel cannot keep by itself. The memory
// cgroup must have room for the job's tmpfs too, so that a full disk is
// ENOSPC and not a kill; the memory of processes is therefore watched
// separately, in the cgroup's figures or, where there is none, in those of
// /proc.
type watch struct {
	bounds  bounds
	scratch *os.File
	base    int64 // bytes of the tmpfs that were put in by the supervisor
	buf     []byte
}

func newWatch(b bounds, scratch *os.File) (*watch, error) {
	w := &watch{bounds: b, scratch: scratch, buf: make([]byte, 16<<10)}
	var err error
	w.base, err = w.written()
	return w, err
}

func (w *watch) ticker() *time.Ticker { return time.NewTicker(watchInterval) }

// written is the fill of the job's tmpfs in bytes.
func (w *watch) written() (int64, error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(w.scratch.Fd()), &st); err != nil {
		return 0, fmt.Errorf("looking at the job's tmpfs: %w", err)
	}
	return int64(st.Blocks-st.Bfree) * st.Bsize, nil
}

func (w *watch) overMemory() bool {
	if w.bounds.Cgroups.Stat < 0 {
		_, resident := w.processes()
		return resident > w.bounds.Memory
	}
	stat := w.read(w.bounds.Cgroups.Stat)
	anonymous, shared := statValue(stat, "total_rss", "anon"), statValue(stat, "total_shmem", "shmem")
	// Shared memory that is not a file of the tmpfs is the processes' own.
	if written, err := w.written(); err == nil {
		shared = max(0, shared-max(0, written-w.base))
	}
	return anonymous+shared > w.bounds.Memory
}

// overProcesses counts where neither a cgroup nor the user namespace does.
func (w *watch) overProcesses() bool {
	if w.bounds.Cgroups.Pids >= 0 {
		return false
	}
	n, _ := w.processes()
	return n > w.bounds.Processes
}

// oomKills is how often the kernel has killed for the cgroup's limit.
func (w *watch) oomKills() int64 {
	if w.bounds.Cgroups.Events < 0 {
		return 0
	}
	return statValue(w.read(w.bounds.Cgroups.Events), "oom_kill")
}

func (w *watch) read(fd int) []byte {
	n, err := unix.Pread(fd, w.buf, 0)
	if err != nil {
		return nil
	}
	return w.buf[:n]
}

// statValue finds the number after one of the keys at the start of a line.
// The first key that is there counts.
func statValue(stat []byte, keys ...string) int64 {
	for _, key := range keys {
		for line := range bytes.Lines(stat) {
			rest, ok := bytes.CutPrefix(line, []byte(key+" "))
			if !ok {
				continue
			}
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64); err == nil {
				return n
			}
		}
	}
	return 0
}

// processes counts the job's processes and sums up their memory that is not
// shared, from /proc/PID/statm.
func (w *watch) processes() (n int, resident int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err != nil || pid == 1 {
			continue
		}
		n++
		statm, err := os.ReadFile("/proc/" + e.Name() + "/statm")
		if err != nil {
			continue
		}
		f := bytes.Fields(statm)
		if len(f) < 3 {
			continue
		}
		rss, _ := strconv.ParseInt(string(f[1]), 10, 64)
		shared, _ := strconv.ParseInt(string(f[2]), 10, 64)
		resident += (rss - shared) * page
	}
	return n, resident
}
