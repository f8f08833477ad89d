//go:build linux

package local

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keptCapabilities are what a job's root may do inside of its namespaces: what
// package managers need, and nothing that reaches the kernel or devices.
func keptCapabilities() uint64 {
	var set uint64
	for _, c := range []int{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID,
		unix.CAP_SETUID, unix.CAP_SETFCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_CHROOT, unix.CAP_AUDIT_WRITE,
	} {
		set |= 1 << c
	}
	return set
}

// confine takes the rights of the calling thread away, for good. Everything
// it starts inherits that.
func confine(weakSeccomp bool) error {
	keep := keptCapabilities()
	for c := range 64 {
		if keep&(1<<c) != 0 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err == unix.EINVAL {
			break // the kernel's last capability
		} else if err != nil {
			return fmt.Errorf("dropping capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("setting no_new_privs: %w", err)
	}
	if err := installFilter(); err != nil && !weakSeccomp {
		return step("installing the system call filter", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	for i := range data {
		part := uint32(keep >> (32 * i))
		data[i] = unix.CapUserData{Effective: part, Permitted: part}
	}
	if err := unix.Capset(&header, &data[0]); err != nil {
		return fmt.Errorf("setting capabilities: %w", err)
	}
	return nil
}

func installFilter() error {
	program := filter()
	if len(program) == 0 {
		return fmt.Errorf("no filter for this architecture")
	}
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&p)))
	if errno != 0 {
		return errno
	}
	return nil
}
