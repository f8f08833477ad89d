package relay

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func loopback(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return l
}

func dial(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// TestCloseWaits: connections are closed, their calls return before Close
// does, and the port is free.
func TestCloseWaits(t *testing.T) {
	var returned atomic.Int64
	began := make(chan struct{}, 3)
	serve := func(c net.Conn) {
		began <- struct{}{}
		_, err := c.Read(make([]byte, 1))
		if errors.Is(err, net.ErrClosed) {
			returned.Add(1)
		}
	}
	l := loopback(t)
	s := Start([]harness.Relay{{Port: 1, Serve: serve}}, []net.Listener{l})
	var conns []net.Conn
	for range 3 {
		conns = append(conns, dial(t, l))
		<-began
	}
	s.Close()
	require.EqualValues(t, 3, returned.Load())
	for _, c := range conns {
		_, err := c.Read(make([]byte, 1))
		require.Error(t, err)
	}
	again, err := net.Listen("tcp", l.Addr().String())
	require.NoError(t, err)
	again.Close()
	s.Close() // a second time does nothing
	(*Server)(nil).Close()
}

// TestRoom: at most as many connections as the bound are served at a time, and
// those that wait are served when others end.
func TestRoom(t *testing.T) {
	var now, all atomic.Int64
	var over atomic.Bool
	serve := func(c net.Conn) {
		over.Store(over.Load() || now.Add(1) > harness.MaxConnections)
		all.Add(1)
		_, _ = io.Copy(io.Discard, c)
		now.Add(-1)
	}
	l := loopback(t)
	s := Start([]harness.Relay{{Port: 1, Serve: serve}}, []net.Listener{l})
	var clients sync.WaitGroup
	const many = harness.MaxConnections + 60
	for range many {
		c := dial(t, l)
		clients.Go(func() {
			_, _ = c.Write([]byte("x"))
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c) // until the server has closed it
		})
	}
	clients.Wait()
	s.Close()
	require.EqualValues(t, many, all.Load())
	require.False(t, over.Load())
	require.Zero(t, now.Load())
}

// refusing fails to accept a few times before it is closed.
type refusing struct {
	net.Listener
	left atomic.Int64
}

func (r *refusing) Accept() (net.Conn, error) {
	if r.left.Add(-1) >= 0 {
		return nil, errors.New("too many open files")
	}
	return r.Listener.Accept()
}

func TestAcceptGoesOn(t *testing.T) {
	l := &refusing{Listener: loopback(t)}
	l.left.Store(2)
	s := Start([]harness.Relay{{Port: 1, Serve: func(c net.Conn) { _, _ = c.Write([]byte("hello")); c.Close() }}}, []net.Listener{l})
	defer s.Close()
	got, err := io.ReadAll(dial(t, l))
	require.NoError(t, err)
	require.Equal(t, "hello", string(got))
}
