//go:build linux

package local

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// refusedCalls are system calls that change the machine or open large parts
// of the kernel, and that no build or test needs. Most want capabilities that
// jobs lack anyway; the filter is a second wall.
func refusedCalls() []uint32 {
	return []uint32{
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
		unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_SETNS,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_USERFAULTFD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
		unix.SYS_QUOTACTL, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_VHANGUP, unix.SYS_SYSLOG,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	}
}

// newNamespaces are the flags of clone and unshare that make namespaces;
// CLONE_NEWUSER above all gives back the capabilities that were dropped.
const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// Offsets in struct seccomp_data.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArg0 = 16 // its low half, as both architectures are little-endian
)

// filter is a classic BPF program over struct seccomp_data (seccomp(2)): the
// calls above are refused with EPERM, clone and unshare where they make a
// namespace. clone3, whose flags a filter cannot see, is said to be unknown
// (ENOSYS), on which the C libraries fall back to clone; so is every call of
// another architecture, such as of 32-bit programs. Empty where the
// architecture is not known.
func filter() []unix.SockFilter {
	const allow, refuse, unknown = unix.SECCOMP_RET_ALLOW, unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	arch, last := architecture()
	if arch == 0 {
		return nil
	}
	p := []unix.SockFilter{
		load(offsetArch), skipIf(unix.BPF_JEQ, arch, 1), give(unknown),
		load(offsetCall), skipUnless(unix.BPF_JGT, last, 1), give(unknown),
	}
	for _, nr := range refusedCalls() {
		p = append(p, skipUnless(unix.BPF_JEQ, nr, 1), give(refuse))
	}
	p = append(p, skipUnless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), give(unknown))
	for _, nr := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
		p = append(p, skipUnless(unix.BPF_JEQ, nr, 4), load(offsetArg0), skipUnless(unix.BPF_JSET, newNamespaces, 1), give(refuse), give(allow))
	}
	return append(p, give(allow))
}

// architecture returns the audit number of this architecture and the highest
// number of a call in its own table (x32's is above).
func architecture() (arch, last uint32) {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64, 0x3fffffff
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64, 0x3fffffff
	}
	return 0, 0
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func give(result uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
}

func skipIf(test uint16, k uint32, n uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: n, K: k}
}

func skipUnless(test uint16, k uint32, n uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jf: n, K: k}
}
