package harness

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// lock keeps other processes, and other Caches of this one, from running the
// job with this key. All keys share one file: each has a byte of it, at the
// offset that its first digits spell, which is locked and never written. The
// kernel frees it when the process dies. When the file cannot be opened,
// nothing is locked. The error is the context's.
func (c *Cache) lock(ctx context.Context, key string) (unlock func(), err error) {
	f, err := c.lockFile()
	if err != nil {
		return func() {}, nil
	}
	byteOfKey := unix.Flock_t{Type: unix.F_WRLCK, Start: lockOffset(key), Len: 1}
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &byteOfKey)
		if !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EINTR) {
			return func() { _ = f.Close() }, nil
		}
		if err := Sleep(ctx, pause); err != nil {
			_ = f.Close()
			return nil, err
		}
	}
}

// lockFile opens the file again: a lock belongs to the open file.
func (c *Cache) lockFile() (*os.File, error) {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(c.Dir, "lock"), os.O_RDWR|os.O_CREATE, 0o666)
}

func lockOffset(key string) int64 {
	var first [8]byte
	_, _ = hex.Decode(first[:], []byte(key[:16]))
	return int64(binary.BigEndian.Uint64(first[:]) >> 2)
}
