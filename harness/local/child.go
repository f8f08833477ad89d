//go:build linux

package local

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// childName is the name (argument 0) by which the program knows that it was
// started as a supervisor.
const childName = "assay-sandbox"

// What the supervisor inherits, by number.
const (
	controlFD = 3
	outputFD  = 4
	firstFD   = 5 // the cgroups' files, which inherited lists
)

// IsChild reports whether this process was started by a Driver as the
// supervisor of a job. Programs that use a Driver (and TestMain of their
// tests) begin with
//
//	if local.IsChild() {
//		local.ChildMain()
//	}
func IsChild() bool { return len(os.Args) == 1 && os.Args[0] == childName && os.Getpid() == 1 }

// ChildMain runs the job that is described on an inherited socket and ends
// the process. It ends at once, and with it all of the job, when the other
// end of the socket is closed, as it is when the driver's process dies.
//
// Note: a parent-death signal would be tied to the thread that started the
// supervisor, which the Go runtime may end earlier than the process.
func ChildMain() {
	// The first thread stays with the main goroutine, so that threads which
	// gave up their rights can end.
	runtime.LockOSThread()
	control := os.NewFile(controlFD, "control")
	c := &child{wire: wire{bufio.NewReaderSize(control, 64<<10), control}}
	if err := c.run(); err != nil {
		var f failure
		var s *stepError
		if errors.As(err, &s) {
			f.Step = s.step
		}
		f.Text = err.Error()
		_ = c.wire.sendValue(frameFailed, f)
		os.Exit(1)
	}
	os.Exit(0)
}

// stepError names the step of setting up that failed; some can be gone
// without under Options.AllowWeak.
type stepError struct {
	step string
	err  error
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

func step(name string, err error) error {
	if err == nil {
		return nil
	}
	return &stepError{name, err}
}

type child struct {
	wire    wire
	spec    spec
	scratch *os.File // of the job's tmpfs
}

// run goes through the life of a job.
func (c *child) run() error {
	unix.CloseOnExec(outputFD)
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return step("hiding the supervisor", err)
	}
	if err := c.receiveSpec(); err != nil {
		return err
	}
	syscall.Umask(0)
	if err := c.build(); err != nil {
		return err
	}
	if err := c.putIn(); err != nil {
		return err
	}
	var ended exit
	if c.spec.Process.Script != "" {
		var err error
		if err = c.listen(); err != nil {
			return err
		}
		if ended, err = c.supervise(); err != nil {
			return err
		}
	} else if err := c.wire.send(frameStarted, nil); err != nil {
		return err
	}
	if err := c.wire.sendValue(frameExit, ended); err != nil {
		return err
	}
	if err := c.returnLent(); err != nil {
		return err
	}
	if err := c.collect(); err != nil {
		return fmt.Errorf("collecting files: %w", err)
	}
	if err := c.sendTree(); err != nil {
		return fmt.Errorf("reading the tree: %w", err)
	}
	return c.wire.send(frameDone, nil)
}

func (c *child) receiveSpec() error {
	kind, data, err := c.wire.receive()
	if err != nil {
		return err
	}
	if kind != frameSpec {
		return fmt.Errorf("frame %q where the specification was due", kind)
	}
	return decode(data, &c.spec)
}

// supervise starts the script, waits for its end or for a reason to kill it,
// and returns when no process is left but this one.
func (c *child) supervise() (exit, error) {
	w, err := newWatch(c.spec.Bounds, c.scratch)
	if err != nil {
		return exit{}, err
	}
	pid, err := c.start()
	if err != nil {
		return exit{}, err
	}
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("900"), 0)
	if err := c.wire.send(frameStarted, nil); err != nil {
		return exit{}, err
	}
	status, empty := reap(pid)
	ended := c.await(status, w)
	killAll(empty)
	ended.OOMKills = w.oomKills()
	return ended, nil
}

// await returns when the script has ended by itself or must be killed.
func (c *child) await(status <-chan int, w *watch) exit {
	stop := c.commands()
	tick := w.ticker()
	defer tick.Stop()
	for {
		select {
		case code := <-status:
			return exit{Code: code}
		case reason := <-stop:
			return exit{Reason: reason, Code: -1}
		case <-tick.C:
			if w.overMemory() {
				return exit{Reason: harness.OutOfMemory, Code: 128 + int(unix.SIGKILL)}
			}
			if w.overProcesses() {
				return exit{TooMany: true, Code: 128 + int(unix.SIGKILL)}
			}
		}
	}
}

// commands receives what the driver has to say while the script runs. The
// end of the connection is the end of the job.
func (c *child) commands() <-chan harness.End {
	stop := make(chan harness.End, 1)
	go func() {
		for {
			kind, data, err := c.wire.receive()
			if err != nil {
				os.Exit(2)
			}
			if kind == frameStop {
				select {
				case stop <- harness.End(data):
				default:
				}
			}
		}
	}()
	return stop
}

// reap waits for all processes, which process 1 inherits. It sends the code
// of the script's main process, and closes empty when there is none left.
func reap(script int) (status <-chan int, empty <-chan struct{}) {
	code, done := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(done)
		for {
			var ws syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &ws, 0, nil)
			switch {
			case err == syscall.EINTR:
			case err != nil:
				return
			case pid == script:
				code <- exitCode(ws)
			}
		}
	}()
	return code, done
}

func exitCode(ws syscall.WaitStatus) int {
	if ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ws.ExitStatus()
}

// receiveNext returns the next frame of the putting-in phase; io.EOF is the
// driver's death.
func (c *child) receiveNext() (byte, []byte, error) {
	kind, data, err := c.wire.receive()
	if errors.Is(err, io.EOF) {
		os.Exit(2)
	}
	return kind, data, err
}
