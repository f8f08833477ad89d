//go:build linux

package local

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// proc is mounted before the root changes: the kernel allows it in a user
// namespace only where another complete one is in sight.
func (r *root) proc() error {
	return step("mounting /proc", mount("proc", "root/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""))
}

type device struct {
	name         string
	major, minor uint32
}

// devices makes a minimal /dev. Root makes the nodes again, since a mode set
// on the host's would be set for the host; a user, who may not make nodes,
// cannot change the host's either and gets them bound in.
func (r *root) devices() error {
	const dev = "root/dev"
	if err := mount("dev", dev, "tmpfs", unix.MS_NOSUID|unix.MS_NOATIME, "size=1m,nr_inodes=256,mode=755"); err != nil {
		return step("mounting /dev", err)
	}
	for _, d := range []device{{"null", 1, 3}, {"zero", 1, 5}, {"full", 1, 7}, {"random", 1, 8}, {"urandom", 1, 9}, {"tty", 5, 0}} {
		if err := r.device(dev, d); err != nil {
			return step("making /dev/"+d.name, err)
		}
	}
	for _, l := range []link{{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"},
		{"stderr", "/proc/self/fd/2"}, {"ptmx", "pts/ptmx"}} {
		if err := os.Symlink(l.Target, dev+"/"+l.Path); err != nil {
			return err
		}
	}
	if err := mkdirs(dev+"/pts", dev+"/shm"); err != nil {
		return err
	}
	if err := mount("shm", dev+"/shm", "", unix.MS_BIND, ""); err != nil {
		return step("mounting /dev/shm", err)
	}
	options := "newinstance,ptmxmode=0666,mode=0620"
	if !r.User {
		options += ",gid=5" // tty in Debian
	}
	return step("mounting /dev/pts", mount("devpts", dev+"/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, options))
}

func (r *root) device(dev string, d device) error {
	p := dev + "/" + d.name
	if !r.User {
		if err := unix.Mknod(p, unix.S_IFCHR|0o666, int(unix.Mkdev(d.major, d.minor))); err != nil {
			return err
		}
		return os.Chmod(p, 0o666)
	}
	if err := writeNew(p, nil, 0o666); err != nil {
		return err
	}
	return mount("/dev/"+d.name, p, "", unix.MS_BIND, "")
}

// protectProc shuts what process 1's namespace does not confine: settings of
// the kernel, which a job's root could otherwise write.
func protectProc(weak bool) error {
	for _, p := range []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/mtrr"} {
		if err := readOnly(p); err != nil && !weak {
			return step("protecting /proc", err)
		}
	}
	for _, p := range []string{"/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/kmsg", "/proc/timer_list", "/proc/sched_debug", "/proc/kallsyms"} {
		if _, err := os.Lstat(p); err != nil {
			continue
		}
		if err := mount("/dev/null", p, "", unix.MS_BIND, ""); err != nil && !weak {
			return step("protecting /proc", err)
		}
	}
	return nil
}

func readOnly(p string) error {
	if _, err := os.Lstat(p); err != nil {
		return nil
	}
	if err := mount(p, p, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	return mount("", p, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}

// network activates the loopback device of the job's own network.
func network(host, weak bool) error {
	if err := unix.Sethostname([]byte(hostname)); err != nil {
		return step("setting the host name", err)
	}
	if host || weak {
		return nil
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening a socket: %w", err)
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return step("raising the loopback device", unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req))
}
