//go:build linux

package local

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
	"assay/harness/relay"
)

// collectGrace is how long a job that has to stop may take to kill its
// processes and send its files, before its supervisor is killed as well.
const collectGrace = 2 * time.Minute

// session is a running supervisor, seen from the driver.
type session struct {
	cmd     *exec.Cmd
	control *controlConn
	wire    wire
	output  *os.File // what the script prints
	trouble *limitedBuffer
	group   *group
	once    sync.Once
	closing error
}

// startSession starts a supervisor in the group's care. The session must be
// closed.
func startSession(g *group, user, shareNetwork bool) (*session, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "control")
	defer theirs.Close()
	control, err := newControlConn(fds[0])
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	defer w.Close()
	s := &session{control: control, output: r, group: g, trouble: &limitedBuffer{left: 16 << 10}}
	s.wire = wire{bufio.NewReaderSize(control, 64<<10), control}
	s.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{childName}, Dir: "/",
		Env:         []string{"GOMAXPROCS=2", "GOTRACEBACK=single"},
		ExtraFiles:  append([]*os.File{theirs, w}, g.files...),
		Stderr:      s.trouble,
		SysProcAttr: namespaces(user, shareNetwork),
	}
	if err := s.cmd.Start(); err != nil {
		control.Close()
		r.Close()
		return nil, step("making namespaces", err)
	}
	g.closeFiles()
	return s, nil
}

// namespaces: a session of its own keeps the terminal's signals away.
func namespaces(user, shareNetwork bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{
		Setsid:     true,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
	}
	if !shareNetwork {
		attr.Cloneflags |= syscall.CLONE_NEWNET
	}
	if user {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// close kills what is left of the job and waits until nothing is. It may be
// called more than once.
func (s *session) close() error {
	s.once.Do(func() {
		s.control.Close()
		_ = s.cmd.Process.Kill() // process 1: the kernel kills the rest before Wait returns
		_ = s.cmd.Wait()
		s.output.Close()
		s.closing = s.group.remove()
	})
	return s.closing
}

// message is a frame from the supervisor, or what ended the connection.
type message struct {
	kind byte
	data []byte
	err  error
}

// messages receives frames until the connection ends or stop is closed.
func (s *session) messages(stop <-chan struct{}) <-chan message {
	out := make(chan message, 8)
	go func() {
		defer close(out)
		for {
			kind, data, err := s.wire.receive()
			select {
			case out <- message{kind, data, err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// capture copies the output until all writers are gone.
func (s *session) capture(to io.Writer) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(onlyWriter{to}, s.output) // ends by end of file or by close
	}()
	return done
}

// onlyWriter hides everything but Write, so that io.Copy uses a small buffer.
type onlyWriter struct{ io.Writer }

// outcome is what a session came to.
type outcome struct {
	exit    exit
	files   map[string][]byte
	tree    []harness.Entry
	treeCut bool
	relays  *relay.Server // nil until the supervisor listens
	tooMuch bool
	began   time.Time // of the script
	ended   time.Time
}

// follow waits for the end of the job. overflow, a full disk and the
// caller's wish to stop end it early.
func (s *session) follow(ctx context.Context, x execution, overflow <-chan struct{}) (outcome, error) {
	stop := make(chan struct{})
	defer close(stop)
	f := &follower{files: receiver{files: map[string][]byte{}}, serve: func() (*relay.Server, error) { return s.serve(x.relays) }}
	messages := s.messages(stop)
	var timeout, hard <-chan time.Time
	diskFull, stopped := x.diskFull, x.stop
	end := func(reason harness.End) {
		overflow, diskFull, stopped, timeout = nil, nil, nil, nil
		hard = time.After(collectGrace)
		_ = s.wire.send(frameStop, []byte(reason))
	}
	for {
		select {
		case <-ctx.Done():
			return f.outcome, ctx.Err()
		case <-timeout:
			end(harness.TimedOut)
		case <-overflow:
			end(harness.OutputLimit)
		case <-diskFull:
			end(harness.DiskLimit)
		case <-stopped:
			end(harness.Stopped)
		case <-hard:
			return f.outcome, fmt.Errorf("the job did not stop within %v", collectGrace)
		case m := <-messages:
			done, err := f.take(m)
			if done || err != nil {
				return f.outcome, s.explain(err)
			}
			if m.kind == frameStarted {
				timer := time.NewTimer(x.limits.Time)
				defer timer.Stop()
				timeout = timer.C
			}
			if m.kind == frameExit {
				timeout, stopped, hard = nil, nil, time.After(collectGrace)
			}
		}
	}
}

// explain adds what the supervisor printed before it died.
func (s *session) explain(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	_ = s.close()
	return fmt.Errorf("the supervisor died (%v): %s", s.cmd.ProcessState, bytes.TrimSpace(s.trouble.bytes()))
}

// limitedBuffer keeps the beginning of what is written.
type limitedBuffer struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	left int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(p), b.left)
	b.buf.Write(p[:n])
	b.left -= n
	return len(p), nil
}

func (b *limitedBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buf.Bytes())
}
