//go:build linux

package local

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// longScript is the length from which a script does not fit one argument of
// a program (128 KiB on Linux) and is read from a file.
const longScript = 100 << 10

// account is the user that a script runs as.
type account struct {
	uid, gid uint32
	groups   []uint32
	home     string
}

// start starts the script on a thread of its own that has entered the job's
// cgroups and given up its rights. The thread ends with it.
func (c *child) start() (int, error) {
	p := c.spec.Process
	who, err := c.account(p.User)
	if err != nil {
		return 0, err
	}
	argv, err := shell(p)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(p.Workdir, 0o755); err != nil {
		return 0, fmt.Errorf("making the working directory: %w", err)
	}
	if err := c.setLimits(); err != nil {
		return 0, err
	}
	null, err := os.Open("/dev/null")
	if err != nil {
		return 0, err
	}
	defer null.Close()
	// Programs open /dev/stdout again, which takes the rights of its owner.
	_ = unix.Fchown(outputFD, int(who.uid), int(who.gid))
	defer unix.Close(outputFD)
	attr := &syscall.ProcAttr{
		Dir: p.Workdir, Env: withHome(p.Env, who.home),
		Files: []uintptr{null.Fd(), outputFD, outputFD},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	if who.uid != 0 || who.gid != 0 {
		attr.Sys.Credential = &syscall.Credential{Uid: who.uid, Gid: who.gid, Groups: who.groups}
	}
	return c.launch(argv, attr)
}

func (c *child) launch(argv []string, attr *syscall.ProcAttr) (int, error) {
	g := c.spec.Bounds.Cgroups
	if err := enter(g.Enter); err != nil {
		return 0, fmt.Errorf("entering the job's cgroup: %w", err)
	}
	type started struct {
		pid int
		err error
	}
	done := make(chan started)
	go func() {
		runtime.LockOSThread() // for ever: the thread must not serve anything else
		for _, fd := range g.Tasks {
			if err := enter(fd); err != nil {
				done <- started{0, fmt.Errorf("entering the job's cgroup: %w", err)}
				return
			}
		}
		if err := confine(c.spec.Root.Weak.Seccomp); err != nil {
			done <- started{0, err}
			return
		}
		pid, err := syscall.ForkExec("/bin/sh", argv, attr)
		done <- started{pid, err}
	}()
	s := <-done
	if err := enter(g.Leave); err != nil {
		return 0, fmt.Errorf("leaving the job's cgroup: %w", err)
	}
	if s.err != nil {
		return 0, fmt.Errorf("starting the script: %w", s.err)
	}
	return s.pid, c.limitProcesses(s.pid)
}

// enter writes the caller into a cgroup; -1 means no cgroup.
func enter(fd int) error {
	if fd < 0 {
		return nil
	}
	_, err := unix.Write(fd, []byte("0"))
	return err
}

// limitProcesses sets the limit when the supervisor has left the cgroup. In
// a user namespace without cgroups there is the limit per user instead, which
// counts the supervisor's own threads.
func (c *child) limitProcesses(pid int) error {
	b := c.spec.Bounds
	if b.Cgroups.Pids >= 0 {
		if _, err := unix.Write(b.Cgroups.Pids, []byte(strconv.Itoa(b.Processes))); err != nil {
			return fmt.Errorf("limiting processes: %w", err)
		}
		return nil
	}
	if !c.spec.Root.User {
		return nil // the watch has it
	}
	n := uint64(b.Processes + threads())
	return unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: n, Max: n}, nil)
}

func threads() int {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 8
	}
	return len(entries)
}

// setLimits sets those of the supervisor, which the script inherits.
func (c *child) setLimits() error {
	syscall.Umask(0o022)
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbidding core files: %w", err)
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return err
	}
	files.Max = min(files.Max, 1<<16)
	files.Cur = files.Max
	// By package syscall, which otherwise restores what it found at its start.
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return fmt.Errorf("limiting open files: %w", err)
	}
	if n := c.spec.Bounds.FileSize; n > 0 {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(n), Max: uint64(n)}); err != nil {
			return fmt.Errorf("limiting the size of files: %w", err)
		}
	}
	return nil
}

func shell(p process) ([]string, error) {
	argv := []string{"sh"}
	if p.Strict {
		argv = append(argv, "-e")
	}
	if len(p.Script) < longScript {
		return append(argv, "-c", p.Script), nil
	}
	const file = "/run/.assay-script"
	if err := os.RemoveAll(file); err != nil {
		return nil, err
	}
	return append(argv, file), writeNew(file, []byte(p.Script), 0o644)
}

// account looks a user up in the job's own files. A number need not be
// there; it gets group 0, as it does in engines.
func (c *child) account(user string) (account, error) {
	if user == "" || user == "root" || user == "0" {
		return account{home: "/root"}, nil
	}
	if c.spec.Root.User {
		return account{}, fmt.Errorf("user %s: without root's rights jobs have one user only", user)
	}
	for f := range fields("/etc/passwd", 7) {
		if f[0] != user && f[2] != user {
			continue
		}
		uid, err1 := strconv.ParseUint(f[2], 10, 32)
		gid, err2 := strconv.ParseUint(f[3], 10, 32)
		if err1 == nil && err2 == nil {
			return account{uint32(uid), uint32(gid), groupsOf(f[0]), f[5]}, nil
		}
	}
	uid, err := strconv.ParseUint(user, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user %s: not known in the environment", user)
	}
	return account{uid: uint32(uid), home: "/"}, nil
}

func groupsOf(name string) []uint32 {
	var out []uint32
	for f := range fields("/etc/group", 4) {
		for member := range strings.SplitSeq(f[3], ",") {
			if gid, err := strconv.ParseUint(f[2], 10, 32); err == nil && member == name {
				out = append(out, uint32(gid))
			}
		}
	}
	return out
}

// fields yields the lines of a file of colon-separated fields that have n.
func fields(file string, n int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		f, err := os.Open(file)
		if err != nil {
			return
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if parts := strings.Split(lines.Text(), ":"); len(parts) == n && !yield(parts) {
				return
			}
		}
	}
}

func withHome(env []string, home string) []string {
	for _, kv := range env {
		if strings.HasPrefix(kv, "HOME=") {
			return env
		}
	}
	return append(env, "HOME="+home)
}

// killAll kills every process but this one until empty is closed. Processes
// may fork while they are being killed, so it repeats.
func killAll(empty <-chan struct{}) {
	for {
		_ = unix.Kill(-1, unix.SIGKILL) // ESRCH: there is none
		select {
		case <-empty:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}
