package relay

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assay/harness"
)

func TestListen(t *testing.T) {
	free := loopback(t)
	port := free.Addr().(*net.TCPAddr).Port
	_, err := Listen(port)
	require.ErrorContains(t, err, "address already in use")
	free.Close()

	fd, err := Listen(port)
	require.NoError(t, err)
	listeners, err := Listeners([]int{fd})
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1", listeners[0].Addr().(*net.TCPAddr).IP.String())
	s := Start([]harness.Relay{{Port: port, Serve: func(c net.Conn) { c.Close() }}}, listeners)
	dial(t, listeners[0])
	s.Close()
}

func TestListenersOfNoSocket(t *testing.T) {
	fd, err := unix.Dup(1)
	require.NoError(t, err)
	_, err = Listeners([]int{fd})
	require.ErrorContains(t, err, "serving a relay")
}
