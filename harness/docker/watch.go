package docker

import (
	"context"
	"fmt"
	"time"

	"github.com/docker/docker/api/types/container"

	"assay/harness"
)

// watcher waits for a container's end and kills it at a limit.
type watcher struct {
	box     *box
	capture *harness.Capture
	flooded chan struct{} // closed when too much was printed
	filled  chan struct{} // closed when too much was written
	ended   chan error    // gets one value
	stop    context.CancelFunc
	done    chan struct{} // closed when the watch over the disk has ended
}

// watch starts to watch a running container. The caller calls wait.
func (b *box) watch(ctx context.Context, l harness.Limits, given int64) *watcher {
	w := &watcher{
		box:     b,
		flooded: make(chan struct{}),
		filled:  make(chan struct{}),
		ended:   make(chan error, 1),
		done:    make(chan struct{}),
	}
	w.capture = harness.NewCapture(l.Output, func() { close(w.flooded) })
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(w.done)
		if b.watchDisk(ctx, l.Disk+given) {
			close(w.filled)
		}
	}()
	exit, fail := b.d.engine.ContainerWait(ctx, b.id, container.WaitConditionNotRunning)
	go func() {
		select {
		case r := <-exit:
			if r.Error != nil {
				w.ended <- fmt.Errorf("the engine says: %s", r.Error.Message)
				return
			}
			w.ended <- nil
		case err := <-fail:
			w.ended <- err
		}
	}()
	return w
}

// wait returns once the container has ended, and what ended it. Nothing of
// the watch runs on when it returns.
func (w *watcher) wait(ctx context.Context, x execution) (harness.End, error) {
	defer func() { w.stop(); <-w.done }()
	timer := time.NewTimer(x.limits.Time)
	defer timer.Stop()
	var end harness.End
	select {
	case err := <-w.ended:
		return harness.Exited, infra(ctx, "waiting for a container", err)
	case <-timer.C:
		end = harness.TimedOut
	case <-w.flooded:
		end = harness.OutputLimit
	case <-w.filled:
		end = harness.DiskLimit
	case <-x.stop:
		end = harness.Stopped
	case <-ctx.Done():
		// The removal that follows kills what runs.
		return "", fmt.Errorf("running a container: %w", ctx.Err())
	}
	return end, w.kill(ctx)
}

// kill ends the container at once, without a grace period. That it has ended
// meanwhile is not an error; that it does not end is.
func (w *watcher) kill(ctx context.Context) error {
	err := w.box.d.engine.ContainerKill(ctx, w.box.id, "KILL")
	select {
	case err := <-w.ended:
		return infra(ctx, "waiting for a killed container", err)
	case <-ctx.Done():
		return fmt.Errorf("killing a container: %w", ctx.Err())
	case <-time.After(killPatience):
		return infra(ctx, "killing a container", fmt.Errorf("it did not end within %s (%w)", killPatience, err))
	}
}
