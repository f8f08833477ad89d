//go:build linux

package local

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"assay/harness"
	"assay/harness/relay"
)

// maxSockets is how many descriptors one message can contain.
const maxSockets = 64

// controlConn is the driver's end of the connection to a supervisor. Reading
// keeps the descriptors that come along.
type controlConn struct {
	*net.UnixConn

	mu      sync.Mutex
	sockets []int
	closed  bool
}

func newControlConn(fd int) (*controlConn, error) {
	f := os.NewFile(uintptr(fd), "control")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("opening the connection to the supervisor: %w", err)
	}
	return &controlConn{UnixConn: c.(*net.UnixConn)}, nil
}

func (c *controlConn) Read(p []byte) (int, error) {
	space := make([]byte, unix.CmsgSpace(4*maxSockets))
	n, rights, _, _, err := c.ReadMsgUnix(p, space)
	if rights > 0 {
		c.keep(space[:rights])
	}
	if errors.Is(err, io.EOF) {
		err = io.EOF // bare, as readers return it
	}
	return max(n, 0), err
}

// keep takes over the descriptors of a message.
func (c *controlConn) keep(rights []byte) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return
	}
	for _, m := range messages {
		fds, _ := unix.ParseUnixRights(&m)
		c.mu.Lock()
		if c.closed {
			closeAll(fds)
		} else {
			c.sockets = append(c.sockets, fds...)
		}
		c.mu.Unlock()
	}
}

// take returns the descriptors that came, which are then the caller's.
func (c *controlConn) take() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	fds := c.sockets
	c.sockets = nil
	return fds
}

// Close ends a read that waits, and closes the descriptors that were not taken.
func (c *controlConn) Close() error {
	err := c.UnixConn.Close()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	closeAll(c.take())
	return err
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}

// serve starts to serve the relays, whose sockets the supervisor has sent.
func (s *session) serve(relays []harness.Relay) (*relay.Server, error) {
	fds := s.control.take()
	if len(fds) != len(relays) {
		closeAll(fds)
		return nil, fmt.Errorf("the supervisor listens on %d ports instead of %d", len(fds), len(relays))
	}
	listeners, err := relay.Listeners(fds)
	if err != nil {
		return nil, err
	}
	return relay.Start(relays, listeners), nil
}

// listen opens the ports of the relays in the job's own network, and sends
// them to the driver. No process of the job gets them.
func (c *child) listen() error {
	if len(c.spec.Relays) == 0 {
		return nil
	}
	var fds []int
	defer func() { closeAll(fds) }()
	for _, port := range c.spec.Relays {
		fd, err := relay.Listen(port)
		if err != nil {
			return err
		}
		fds = append(fds, fd)
	}
	frame := []byte{frameRelays, 0, 0, 0, 0}
	if err := unix.Sendmsg(controlFD, frame, unix.UnixRights(fds...), nil, 0); err != nil {
		return fmt.Errorf("sending the relays: %w", err)
	}
	return nil
}
