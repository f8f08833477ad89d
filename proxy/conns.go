package proxy

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Serve serves one connection of the agent and returns when it is closed.
func (s *Session) Serve(c net.Conn) {
	select {
	case s.open <- struct{}{}:
		defer func() { <-s.open }()
	default:
		_ = c.Close() // far more than an agent has
		return
	}
	conn := &tracked{Conn: c, done: make(chan struct{})}
	select {
	case s.conns <- conn:
		<-conn.done
	case <-s.closing:
		_ = c.Close()
	}
}

// tracked reports when a connection is closed.
type tracked struct {
	net.Conn
	once sync.Once
	done chan struct{}
}

func (t *tracked) Close() error {
	err := t.Conn.Close()
	t.once.Do(func() { close(t.done) })
	return err
}

// listener gives the connections of Serve to an HTTP server.
type listener struct{ s *Session }

func (l listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.s.conns:
		return c, nil
	case <-l.s.closing:
		return nil, net.ErrClosed
	}
}

func (l listener) Close() error   { return nil }
func (l listener) Addr() net.Addr { return &net.UnixAddr{Name: "proxy", Net: "unix"} }

func (s *Session) newServer() *http.Server {
	return &http.Server{
		Handler:           http.HandlerFunc(s.handle),
		ReadHeaderTimeout: 30 * time.Second,
		IdleTimeout:       idleClient,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}
