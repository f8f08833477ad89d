package relay

import (
	"errors"
	"net"
	"sync"
	"time"

	"assay/harness"
)

// Server serves the relays of one job.
type Server struct {
	listeners []net.Listener

	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed bool
	calls  sync.WaitGroup
}

// Start accepts connections for each relay on the listener in the same place
// of the other list. The caller calls Close.
func Start(relays []harness.Relay, listeners []net.Listener) *Server {
	s := &Server{listeners: listeners, conns: map[net.Conn]bool{}}
	for i, r := range relays {
		s.calls.Add(1)
		go func() {
			defer s.calls.Done()
			s.accept(r, listeners[i])
		}()
	}
	return s
}

// Close ends all connections and returns when nothing serves any more. It may
// be called on nil.
func (s *Server) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	for _, l := range s.listeners {
		_ = l.Close()
	}
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.calls.Wait()
}

// acceptPause is how long no connection is accepted after one could not be,
// as where this program has no open file left.
const acceptPause = 50 * time.Millisecond

// accept takes a connection only when one more may be served, so that a job
// cannot make this program keep more.
func (s *Server) accept(r harness.Relay, l net.Listener) {
	room := make(chan struct{}, harness.MaxConnections)
	for {
		room <- struct{}{}
		c, err := l.Accept()
		switch {
		case err == nil:
			s.serve(r, c, room)
		case errors.Is(err, net.ErrClosed) || s.ended():
			return
		default:
			time.Sleep(acceptPause)
			<-room
		}
	}
}

func (s *Server) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// serve hands a connection over, and closes it afterwards in any case.
func (s *Server) serve(r harness.Relay, c net.Conn, room <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = c.Close()
		<-room
		return
	}
	s.conns[c] = true
	s.calls.Add(1)
	go func() {
		defer func() {
			_ = c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
			<-room
			s.calls.Done()
		}()
		r.Serve(c)
	}()
}
