package harness

import "net"

// Relay is one loopback port of a job, served by this program. 127.0.0.1:Port
// accepts connections before the job's script starts.
type Relay struct {
	Port int // from 1 to 65535
	// Serve gets each connection, on a goroutine of its own, and closes it. It
	// must return soon after the connection was closed by someone else: when
	// the job has ended all its connections are closed, and Run returns after
	// all calls of Serve have. MaxConnections calls run at a time at most;
	// further connections wait.
	Serve func(net.Conn)
}

// MaxConnections is how many connections of one relay are served at a time,
// so that a job cannot use up this program's open files.
const MaxConnections = 128
