package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"assay/harness"
)

// lock takes the machine-wide lock of a name, waiting while another
// goroutine or process has it; label names for people what is waited for. A dead process holds no lock.
func (d *Driver) lock(ctx context.Context, name, label string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(d.dir, "locks", name), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, broken("opening a lock", err)
	}
	// Asking again and again, as a waiting flock could not be cancelled.
	told := false
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, broken("locking "+name, err)
		}
		if !told {
			harness.Notify(ctx, harness.Waiting, label)
			told = true
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("waiting for another to prepare %s: %w", name, ctx.Err())
		}
	}
}
