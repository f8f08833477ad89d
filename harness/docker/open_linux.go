package docker

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// openDeleted adds up what files take of the disk that have no name any more
// but are held open by a process of the container: no walk finds them. pid is
// the container's first process, on this machine.
func openDeleted(pid int) int64 {
	var sum int64
	seen := map[[2]uint64]bool{}
	for _, p := range cgroupMembers(pid) {
		descriptors, _ := filepath.Glob("/proc/" + p + "/fd/*")
		for _, fd := range descriptors {
			info, err := os.Stat(fd)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			stat, ok := info.Sys().(*syscall.Stat_t)
			key := [2]uint64{}
			if ok {
				key = [2]uint64{uint64(stat.Dev), stat.Ino}
			}
			if !ok || stat.Nlink > 0 || seen[key] {
				continue
			}
			seen[key] = true
			sum += stat.Blocks * 512
		}
	}
	return sum
}

// cgroupMembers lists the processes in the cgroup of a process, by number.
func cgroupMembers(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return nil
	}
	members, _ := os.ReadFile(filepath.Join(cgroupDir(data), "cgroup.procs"))
	return strings.Fields(string(members))
}

// cgroupDir finds where a cgroup is mounted, from /proc/PID/cgroup: that of
// version 1's pids controller, else that of version 2.
func cgroupDir(data []byte) string {
	dir := ""
	for line := range bytes.Lines(data) {
		fields := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(fields) != 3 {
			continue
		}
		switch {
		case fields[1] == "pids":
			return "/sys/fs/cgroup/pids" + fields[2]
		case fields[0] == "0":
			dir = "/sys/fs/cgroup" + fields[2]
		}
	}
	return dir
}

// oomKills is how many processes the kernel has killed for want of memory
// since it started, in whichever cgroup.
func oomKills() int64 {
	data, _ := os.ReadFile("/proc/vmstat")
	for line := range bytes.Lines(data) {
		if count, ok := bytes.CutPrefix(line, []byte("oom_kill ")); ok {
			n, _ := strconv.ParseInt(string(bytes.TrimSpace(count)), 10, 64)
			return n
		}
	}
	return 0
}

// oomLogged reports whether the kernel's log records a kill in a container's
// cgroup, whose path holds the container's id, and whether the log could be
// read.
func oomLogged(id string) (killed, readable bool) {
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, false
	}
	defer unix.Close(fd)
	record := make([]byte, 8192) // one at a time; the kernel's are shorter
	for {
		n, err := unix.Read(fd, record)
		switch {
		case errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EINTR):
			continue // overwritten while we read
		case err != nil || n <= 0:
			return killed, errors.Is(err, unix.EAGAIN)
		case bytes.Contains(record[:n], []byte("oom-kill:")) && bytes.Contains(record[:n], []byte(id)):
			return true, true
		}
	}
}
