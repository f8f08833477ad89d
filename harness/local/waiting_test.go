//go:build linux

package local

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"assay/harness"
)

// parentHeld returns a recipe and a job on it that runs until the test ends
// it, so that the recipe's layers are held.
func parentHeld(t *testing.T, d *Driver) harness.Recipe {
	t.Helper()
	parent := harness.Recipe{Name: "parent", Base: "host", Script: "echo parent > /opt/f"}
	first := harness.Recipe{Name: "first", Parent: &parent, Script: "echo first > /opt/g"}
	name, err := d.Prepare(t.Context(), first)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	held := d.lockName(d.layerName(parent))
	go func() {
		_, err := d.Run(ctx, harness.Job{Name: "endless", Environment: name, Script: "sleep 1000"})
		ended <- err
	}()
	require.Eventually(t, func() bool { return locked(t, held) }, time.Minute, time.Millisecond)
	t.Cleanup(func() {
		require.True(t, locked(t, held), "the job did not hold the parent all the time")
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
	return parent
}

// locked reports whether anybody holds a lock.
func locked(t *testing.T, name string) bool {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	require.NoError(t, err)
	defer f.Close()
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err != nil {
		require.ErrorIs(t, err, unix.EWOULDBLOCK)
	}
	return err != nil
}

// contentOf runs a job on an environment that prints a file.
func contentOf(t *testing.T, d *Driver, name, file string) string {
	t.Helper()
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "cat " + file})
	require.NoError(t, err)
	return string(res.Output.Head)
}

// TestPrepareDuringJob: preparing on a layer does not wait for the jobs that
// run on it, neither in the same process nor in another.
func TestPrepareDuringJob(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	parent := parentHeld(t, d)
	other, err := New(Options{Dir: d.dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i, who := range []*Driver{d, other} {
		sibling := harness.Recipe{Name: "sibling", Parent: &parent, Script: "cat /opt/f > /opt/h" + strconv.Itoa(i)}
		name, err := who.Prepare(ctx, sibling)
		require.NoError(t, err)
		require.Equal(t, "parent\n", contentOf(t, who, name, "/opt/h"+strconv.Itoa(i)))
		again, err := who.Prepare(ctx, sibling)
		require.NoError(t, err)
		require.Equal(t, name, again)
	}
}

// TestWaitersLeave: those who wait for a layer that another makes continue
// when it is made, also when jobs hold it from then on.
func TestWaitersLeave(t *testing.T) {
	d := newDriver(t)
	r := harness.Recipe{Name: "slow", Script: "sleep 1; date +%s%N > /opt/made"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			name, err := d.Prepare(ctx, r)
			if err != nil {
				return err
			}
			held, err := d.hold(ctx, name) // and does not let go
			if err == nil {
				t.Cleanup(held.release)
			}
			return err
		})
	}
	require.NoError(t, g.Wait())
}
