package docker

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"

	"assay/harness"
	"assay/harness/relay"
)

const (
	// killPatience bounds how long a killed container may take to die.
	killPatience = time.Minute
	// drainPatience bounds how long its output may come after its death.
	drainPatience = 10 * time.Second
)

// execution is what is watched while a script runs.
type execution struct {
	limits harness.Limits
	given  int64 // size of the files that were put in
	relays []harness.Relay
	stop   <-chan struct{} // as Job.Stop
}

// execute starts the container, watches over its limits until it has ended,
// and describes what ended it.
func (b *box) execute(ctx context.Context, x execution) (harness.Result, error) {
	began, kills := time.Now(), oomKills()
	stream, err := b.d.engine.ContainerAttach(ctx, b.id, container.AttachOptions{Stream: true, Stdout: true, Stderr: true})
	if err != nil {
		return harness.Result{}, infra(ctx, "attaching to a container", err)
	}
	defer stream.Close()
	if err := b.d.engine.ContainerStart(ctx, b.id, container.StartOptions{}); err != nil {
		return harness.Result{}, infra(ctx, "starting a container", err)
	}
	started := time.Now()
	served, err := b.serve(ctx, x.relays)
	if err != nil {
		return harness.Result{}, infra(ctx, "serving a container", err)
	}
	w := b.watch(ctx, x.limits, x.given)
	printed := copyOutput(io.MultiWriter(w.capture, harness.Lines(ctx)), stream)
	end, err := w.wait(ctx, x)
	if err != nil {
		b.kill(served)
		return harness.Result{}, err
	}
	ended := time.Now()
	served.Close()
	drain(printed, stream)
	res := harness.Result{End: end, Output: w.capture.Output()}
	res.Timings.Start = started.Sub(began)
	res.Timings.Run = ended.Sub(started)
	res, err = b.judge(ctx, res, x.limits, x.given)
	if res.End == harness.Exited && b.d.engine.podman && b.starved(res.ExitCode, kills) {
		res.End = harness.OutOfMemory
	}
	return res, err
}

// kill ends a container whose job is given up, so that it is not served any
// longer. The removal that follows makes sure of it.
func (b *box) kill(served *relay.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	if served != nil {
		b.d.logged("killing a container", b.d.engine.ContainerKill(ctx, b.id, "KILL"))
		served.Close()
	}
}

// starved reports whether the kernel killed a process of the container for
// want of memory. Podman does not report it. The kernel's log does; where
// that cannot be read, an exit by SIGKILL counts as such a kill if the
// machine's count of them rose meanwhile.
func (b *box) starved(code int, killsBefore int64) bool {
	if !b.d.engine.local || oomKills() == killsBefore {
		return false
	}
	killed, readable := oomLogged(b.id)
	return killed || (!readable && code == 128+9)
}

// copyOutput writes what the container prints to a capture, until the stream
// ends.
func copyOutput(to io.Writer, stream types.HijackedResponse) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		// A broken stream is seen by who waits for the container.
		_, _ = stdcopy.StdCopy(to, to, stream.Reader)
	}()
	return done
}

// drain waits for the last of the output.
func drain(printed <-chan struct{}, stream types.HijackedResponse) {
	select {
	case <-printed:
	case <-time.After(drainPatience):
		stream.Close()
		<-printed
	}
}

// judge completes a result with what the engine reports about the ended
// container.
func (b *box) judge(ctx context.Context, res harness.Result, l harness.Limits, given int64) (harness.Result, error) {
	state, err := b.d.engine.ContainerInspect(ctx, b.id)
	if err != nil {
		return harness.Result{}, infra(ctx, "inspecting a container", err)
	}
	res.ExitCode = state.State.ExitCode
	if res.End != harness.Exited {
		return res, nil
	}
	switch {
	case state.State.Error != "":
		return harness.Result{}, infra(ctx, "running a container", fmt.Errorf("the engine says: %s", state.State.Error))
	case state.State.OOMKilled:
		res.End = harness.OutOfMemory
	case res.ExitCode != 0 && b.written(ctx)-given > l.Disk:
		// Faster than the watch: a write failed at the limit of a file's size.
		res.End = harness.DiskLimit
	}
	return res, nil
}
