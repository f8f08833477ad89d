package relay

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// Listen opens a port on the loopback address of the network namespace that
// the calling thread is in, and returns the listening socket.
func Listen(port int) (int, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, fmt.Errorf("relay on port %d: opening a socket: %w", port, err)
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	err = unix.Bind(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
	if err == nil {
		err = unix.Listen(fd, unix.SOMAXCONN)
	}
	if err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("relay on port %d: %w", port, err)
	}
	return fd, nil
}

// Listeners makes listeners of listening sockets. The listeners own the sockets
// then. It closes all sockets if one cannot be used.
func Listeners(fds []int) ([]net.Listener, error) {
	var made []net.Listener
	var failed error
	for _, fd := range fds {
		f := os.NewFile(uintptr(fd), "relay")
		l, err := net.FileListener(f) // on a descriptor of its own
		_ = f.Close()
		if err != nil {
			failed = err
			continue
		}
		made = append(made, l)
	}
	if failed == nil {
		return made, nil
	}
	for _, l := range made {
		_ = l.Close()
	}
	return nil, fmt.Errorf("serving a relay: %w", failed)
}
