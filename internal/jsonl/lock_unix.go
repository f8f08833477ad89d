//go:build unix

package jsonl

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed, or fails at once
// where another one has it.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errors.New("another process is writing it")
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK):
		return nil // a network file system without locks
	}
	return err
}
