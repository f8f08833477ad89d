package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"assay/harness"
	"assay/harness/relay"
)

// relayable reports why this driver cannot serve loopback ports of its
// containers: it enters their networks, which must be on this machine.
func (d *Driver) relayable() error {
	if !d.engine.local {
		return fmt.Errorf("relays need an engine on this machine, not %s: use --executor local", d.engine.host)
	}
	return nil
}

// serve listens in the network of a running container. Its script waits for
// that.
func (b *box) serve(ctx context.Context, relays []harness.Relay) (*relay.Server, error) {
	if len(relays) == 0 {
		return nil, nil
	}
	state, err := b.d.engine.ContainerInspect(ctx, b.id)
	if err != nil {
		return nil, err
	}
	network, err := b.network(state.State.Pid)
	if err != nil {
		return nil, broken("finding a container's network", err)
	}
	defer network.Close()
	fds, err := listenIn(network, relays)
	if err != nil {
		return nil, broken("listening in a container's network", err)
	}
	listeners, err := relay.Listeners(fds)
	if err != nil {
		return nil, err
	}
	return relay.Start(relays, listeners), nil
}

// network opens the network namespace of the container's first process. An
// engine in another process namespace names a process that is not, or is
// another one, here: the container's id must be among its cgroups.
func (b *box) network(pid int) (*os.File, error) {
	if pid <= 0 {
		return nil, errors.New("the container has ended before its script began")
	}
	network, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return nil, fmt.Errorf("%w; relays need root's rights and an engine whose processes are visible: use --executor local", err)
	}
	groups, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err == nil && !strings.Contains(string(groups), b.id) {
		err = fmt.Errorf("process %d is not the container's: relays need an engine whose processes are visible: use --executor local", pid)
	}
	if err == nil {
		err = foreign(network)
	}
	if err != nil {
		network.Close()
		return nil, err
	}
	return network, nil
}

// foreign makes sure that a network namespace is not this program's own.
func foreign(network *os.File) error {
	own, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		return err
	}
	its, err := network.Stat()
	if err != nil {
		return err
	}
	if os.SameFile(own, its) {
		return errors.New("the container has no network of its own")
	}
	return nil
}

// listenIn opens ports in a network namespace, from a thread that enters it
// and ends there.
func listenIn(network *os.File, relays []harness.Relay) ([]int, error) {
	type reply struct {
		fds []int
		err error
	}
	done := make(chan reply)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends here
		fds, err := listenHere(network, relays)
		done <- reply{fds, err}
	}()
	r := <-done
	return r.fds, r.err
}

func listenHere(network *os.File, relays []harness.Relay) ([]int, error) {
	if err := unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("entering it: %w; relays need root's rights: use --executor local", err)
	}
	var fds []int
	for _, r := range relays {
		fd, err := relay.Listen(r.Port)
		if err != nil {
			for _, fd := range fds {
				unix.Close(fd)
			}
			return nil, err
		}
		fds = append(fds, fd)
	}
	return fds, nil
}
