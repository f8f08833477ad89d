package harnesstest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func relayChecks() []check {
	return []check{
		{"talk", relayTalk},
		{"user", relayUser},
		{"nothing-else", relayNothingElse},
		{"apart", relayApart},
		{"many", relayMany},
		{"closed", relayClosed},
		{"cancelled", relayCancelled},
		{"refused", relayRefused},
	}
}

// echo answers each line with a name and the line.
func echo(name string) func(net.Conn) {
	return func(c net.Conn) {
		defer c.Close()
		for lines := bufio.NewScanner(c); lines.Scan(); {
			if _, err := fmt.Fprintf(c, "%s %s\n", name, lines.Text()); err != nil {
				return
			}
		}
	}
}

// ask is a script that sends a line to a port and prints the answer.
func ask(port int, line string) string {
	return fmt.Sprintf(`python3 -c '
import socket
c = socket.create_connection(("127.0.0.1", %d), timeout=20)
c.sendall(b"%s\n")
print(c.makefile().readline().strip())
'
`, port, line)
}

// relayTalk: the ports listen when the script's first command runs.
func relayTalk(t *testing.T, s *suite) {
	s.need(t, "python3")
	job := s.job(ask(8791, "one") + ask(80, "two") + ask(8791, "three"))
	job.Relays = []harness.Relay{{Port: 8791, Serve: echo("a")}, {Port: 80, Serve: echo("b")}}
	for range 3 {
		require.Equal(t, "a one\nb two\na three\n", s.ok(t, job))
	}
	s.clean(t)
}

func relayUser(t *testing.T, s *suite) {
	s.need(t, "python3")
	job := s.job("id -u\n" + ask(8791, "one"))
	job.User = "nobody"
	job.Relays = []harness.Relay{{Port: 8791, Serve: echo("a")}}
	require.Equal(t, "65534\na one\n", s.ok(t, job))
}

// relayNothingElse: a relay opens no way to anything but what serves it.
func relayNothingElse(t *testing.T, s *suite) {
	s.need(t, "python3")
	port, accepted := listen(t, "tcp", ":0")
	var tries strings.Builder
	for _, addr := range append(addresses(t), "127.0.0.1", "1.1.1.1") {
		fmt.Fprintf(&tries, "try(%q, %d)\n", addr, port)
	}
	job := s.job("python3 -c '\nimport socket\ndef try_(a, p):\n    try:\n        socket.create_connection((a, p), 3)\n        print(a, \"connected\")\n    except OSError:\n        pass\n" +
		strings.ReplaceAll(tries.String(), "try(", "try_(") + "'\nwhile read -r iface rest; do echo \"$iface\"; done < /proc/net/route\n" + ask(8791, "one"))
	job.Relays = []harness.Relay{{Port: 8791, Serve: echo("a")}}
	require.Equal(t, "Iface\na one\n", s.ok(t, job))
	require.Zero(t, accepted.Load())
}

// relayApart: jobs at the same time have their own, on the same port.
func relayApart(t *testing.T, s *suite) {
	s.need(t, "python3")
	var jobs sync.WaitGroup
	answers := make([]string, 4)
	for i := range answers {
		jobs.Go(func() {
			job := s.job(ask(8791, "x") + "sleep 1\n" + ask(8791, "y"))
			job.Relays = []harness.Relay{{Port: 8791, Serve: echo(fmt.Sprint("job", i))}}
			res, err := s.Run(t.Context(), job)
			answers[i] = fmt.Sprint(text(res), err)
		})
	}
	jobs.Wait()
	for i, answer := range answers {
		require.Equal(t, fmt.Sprintf("job%[1]d x\njob%[1]d y\n<nil>", i), answer)
	}
}

// relayMany: more connections than are served at a time wait, and all that
// are closed make room.
func relayMany(t *testing.T, s *suite) {
	s.need(t, "python3")
	var now, most, all atomic.Int64
	serve := func(c net.Conn) {
		defer c.Close()
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		all.Add(1)
		_, _ = c.Read(make([]byte, 1))
	}
	job := s.job(`python3 -c '
import socket
open_ = [socket.create_connection(("127.0.0.1", 8791), timeout=20) for i in range(200)]
for c in open_:
    c.sendall(b"x")
    c.recv(1)
print("all")
'
`)
	job.Relays = []harness.Relay{{Port: 8791, Serve: serve}}
	require.Equal(t, "all\n", s.ok(t, job))
	require.EqualValues(t, 200, all.Load())
	require.LessOrEqual(t, most.Load(), int64(harness.MaxConnections))
	require.Zero(t, now.Load())
}

// relayClosed: what a job leaves open, a daemon of it included, is closed, and
// nothing serves any more when Run returns.
func relayClosed(t *testing.T, s *suite) {
	s.need(t, "python3")
	var calls, returned atomic.Int64
	serve := func(c net.Conn) {
		calls.Add(1)
		_, err := c.Read(make([]byte, 1)) // until someone closes it
		time.Sleep(300 * time.Millisecond)
		if err != nil {
			returned.Add(1)
		}
	}
	hold := `import socket, time; c = socket.create_connection(("127.0.0.1", 8791)); print("held", flush=True); time.sleep(600)`
	for _, limit := range []time.Duration{time.Minute, 3 * time.Second} {
		job := s.job("(python3 -c '" + hold + "' &) > /w/held\nuntil grep -q held /w/held; do sleep 0.1; done\n")
		if limit < time.Minute {
			job.Script += "sleep 600\n"
		}
		job.Limits.Time = limit
		job.Files = []harness.File{{Path: "/w/x"}}
		job.Relays = []harness.Relay{{Port: 8791, Serve: serve}}
		before := calls.Load()
		res := s.run(t, job)
		require.Equal(t, map[bool]harness.End{true: harness.Exited, false: harness.TimedOut}[limit == time.Minute], res.End, text(res))
		require.Equal(t, before+1, calls.Load())
		require.Equal(t, calls.Load(), returned.Load())
		s.clean(t)
	}
}

// relayCancelled: the caller's cancellation ends what serves as well.
func relayCancelled(t *testing.T, s *suite) {
	s.need(t, "python3")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var now atomic.Int64
	job := s.job(ask(8791, "one"))
	job.Relays = []harness.Relay{{Port: 8791, Serve: func(c net.Conn) {
		now.Add(1)
		defer now.Add(-1)
		cancel()
		_, _ = bufio.NewReader(c).ReadBytes(0)
	}}}
	_, err := s.Run(ctx, job)
	require.True(t, errors.Is(err, context.Canceled), "%v", err)
	require.Zero(t, now.Load())
	s.clean(t)
}

func relayRefused(t *testing.T, s *suite) {
	job := s.job("true\n")
	job.Network = true
	job.Relays = []harness.Relay{{Port: 8791, Serve: echo("a")}}
	_, err := s.Run(t.Context(), job)
	require.ErrorContains(t, err, "relays")
	require.False(t, harness.Retryable(err))
	var infra *harness.InfraError
	require.ErrorAs(t, err, &infra)
}
