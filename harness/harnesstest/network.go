package harnesstest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func networkChecks() []check {
	return []check{
		{"no-route", networkNoRoute},
		{"outside", networkOutside},
		{"names", networkNames},
		{"host-loopback", networkHostLoopback},
		{"host-sockets", networkHostSockets},
		{"loopback", networkLoopback},
		{"open", networkOpen},
	}
}

// networkNoRoute: the kernel's table has its heading only.
func networkNoRoute(t *testing.T, s *suite) {
	out := s.sh(t,
		`while read -r iface rest; do echo "$iface"; done < /proc/net/route`,
		`cut -d: -f1 /proc/net/dev | grep -E '^ *(eth|en|wl|veth|docker|br)' || true`)
	require.Equal(t, "Iface\n", out, "routes or interfaces in a job without network")
}

// networkOutside: an address that answers most of the world is not reached.
func networkOutside(t *testing.T, s *suite) {
	require.Equal(t, "failed\n", s.connect(t, "1.1.1.1", 53, false))
}

func networkNames(t *testing.T, s *suite) {
	require.Equal(t, "none\n", s.sh(t, "timeout 20 getent hosts example.com || echo none"))
}

// networkHostLoopback: what listens on the machine's own loopback, as
// databases and engines do, is not reached by any address of the machine.
func networkHostLoopback(t *testing.T, s *suite) {
	port, accepted := listen(t, "tcp", ":0")
	for _, addr := range append(addresses(t), "127.0.0.1") {
		require.Equal(t, "failed\n", s.connect(t, addr, port, false), addr)
	}
	require.Zero(t, accepted.Load())
}

// networkOpen: a job that is given the network reaches the machine. It shows
// as well that the checks above look for the right thing.
func networkOpen(t *testing.T, s *suite) {
	port, accepted := listen(t, "tcp", ":0")
	addrs := addresses(t)
	if len(addrs) == 0 {
		t.Skip("the machine has no address but loopback")
	}
	for _, addr := range addrs {
		if s.connect(t, addr, port, true) == "connected\n" {
			break
		}
	}
	require.NotZero(t, accepted.Load(), "none of %v was reached", addrs)
}

// addresses are those of the machine, without loopback.
func addresses(t *testing.T) []string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	var addrs []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			addrs = append(addrs, ip.IP.String())
		}
	}
	return addrs
}

// networkHostSockets: unix sockets of the host, abstract or in the file
// system, count as a network.
func networkHostSockets(t *testing.T, s *suite) {
	s.need(t, "python3")
	hidden := "assay-conformance-" + nonce()
	_, abstract := listen(t, "unix", "@"+hidden)
	names := []string{`'\0` + hidden + `'`}
	counts := []*atomic.Int64{abstract}
	for _, dir := range []string{"/run", "/tmp", "/var/tmp", "/usr/local/lib"} {
		path := filepath.Join(dir, "assay-conformance-"+nonce()+".sock")
		if l, err := net.Listen("unix", path); err == nil {
			counts = append(counts, accept(t, l))
			names = append(names, "'"+path+"'")
			t.Cleanup(func() { _ = os.Remove(path) })
		}
	}
	for _, name := range names {
		out := s.sh(t, "python3 -c \"", "import socket", "s = socket.socket(socket.AF_UNIX)", "s.settimeout(3)",
			"try:", "    s.connect("+name+")", "    print('connected')", "except OSError:", "    print('failed')", "\"")
		require.Equal(t, "failed\n", out, name)
	}
	for i, n := range counts {
		require.Zero(t, n.Load(), names[i])
	}
}

// networkLoopback: the job's own loopback works, as many test suites need
// it, and has nothing of another job on it.
func networkLoopback(t *testing.T, s *suite) {
	s.need(t, "python3")
	job := s.job(`python3 -c '
import socket
l = socket.create_server(("127.0.0.1", 8099))
c = socket.create_connection(("localhost", 8099), timeout=5)
a, _ = l.accept()
a.sendall(b"hello")
print(c.recv(5).decode())
'
`)
	require.Equal(t, "hello\n", s.ok(t, job))
}

// connect tries to reach a port from within a job: "connected" or "failed".
func (s *suite) connect(t *testing.T, host string, port int, network bool) string {
	t.Helper()
	job := s.job("")
	switch {
	case s.has(t, "python3"):
		job.Script = fmt.Sprintf(`python3 -c '
import socket
try:
    socket.create_connection(("%s", %d), timeout=4)
    print("connected")
except OSError:
    print("failed")
'
`, host, port)
	case s.has(t, "bash"):
		job.Script = fmt.Sprintf("timeout 4 bash -c 'exec 3<>/dev/tcp/%s/%d' 2>/dev/null && echo connected || echo failed\n", host, port)
	default:
		t.Skip("the base environment has neither python3 nor bash")
	}
	job.Limits.Time, job.Network = 20*time.Second, network
	return s.ok(t, job)
}

// listen accepts connections for the length of the test, and counts them.
func listen(t *testing.T, network, addr string) (port int, accepted *atomic.Int64) {
	t.Helper()
	l, err := net.Listen(network, addr)
	require.NoError(t, err)
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		port = a.Port
	}
	return port, accept(t, l)
}

func accept(t *testing.T, l net.Listener) *atomic.Int64 {
	accepted := new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return accepted
}
