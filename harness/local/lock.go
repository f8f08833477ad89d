//go:build linux

package local

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile locks a file, which is made, between processes and within this
// one; closing it unlocks. The file stays: removing it would let two hold the
// lock.
func lockFile(ctx context.Context, name string, how int) (*os.File, error) {
	return lockUnless(ctx, name, how, func() (bool, error) { return false, nil })
}

// lockUnless locks a file like lockFile, unless the lock is not needed: it
// asks so before each try and returns nil when that is the case. It tries
// again and again, as waiting in the kernel cannot be cancelled.
func lockUnless(ctx context.Context, name string, how int, needless func() (bool, error)) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening a lock: %w", err)
	}
	for wait := 2 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		if done, err := needless(); done || err != nil {
			f.Close()
			return nil, err
		}
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if err != unix.EWOULDBLOCK && err != unix.EINTR {
			f.Close()
			return nil, fmt.Errorf("locking %s: %w", name, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}
