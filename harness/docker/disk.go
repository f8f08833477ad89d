package docker

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

const (
	diskFirst = 250 * time.Millisecond // most jobs that could fill a disk last longer
	diskMost  = 2 * time.Second
	// diskRate is how many bytes a second a job is taken to write at most
	// when the next look at it is planned.
	diskRate = 1 << 30
	// diskShare is the least ratio of the pause between two looks to the time
	// that a look takes.
	diskShare = 20
)

// watchDisk returns true when a container has written more than limit bytes,
// and false when the context ends first.
func (b *box) watchDisk(ctx context.Context, limit int64) bool {
	pause, pid := diskFirst, 0
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
		began := time.Now()
		if b.upper != "" && pid == 0 {
			pid = b.pid(ctx)
		}
		size := b.written(ctx)
		if pid > 0 {
			size += openDeleted(pid)
		}
		if size > limit {
			return true
		}
		left := time.Duration(float64(limit-size) / diskRate * float64(time.Second))
		pause = max(diskFirst, min(left, diskMost), diskShare*time.Since(began))
	}
}

// pid returns the container's first process, 0 when it has none.
func (b *box) pid(ctx context.Context) int {
	state, err := b.d.engine.ContainerInspect(ctx, b.id)
	if err != nil || state.ContainerJSONBase == nil || state.State == nil {
		return 0
	}
	return state.State.Pid
}

// written returns the size of the container's writable layer in bytes, as far
// as it can be measured: what is being changed may count in part.
func (b *box) written(ctx context.Context) int64 {
	if b.upper != "" {
		return treeSize(ctx, b.upper)
	}
	state, _, err := b.d.engine.ContainerInspectWithRaw(ctx, b.id, true)
	if err != nil || state.ContainerJSONBase == nil || state.SizeRw == nil {
		return 0
	}
	return *state.SizeRw
}

// treeSize adds up what the files below a directory take of the disk. Holes
// do not count, and a file with several names counts once.
func treeSize(ctx context.Context, dir string) int64 {
	var sum int64
	seen := map[uint64]bool{}
	// Files vanish while they are counted; that is not an error.
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return fs.SkipDir
		}
		if e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				sum += blocks(info, seen)
			}
		}
		return nil
	})
	return sum
}
