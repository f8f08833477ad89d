package docker

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/stretchr/testify/require"

	"assay/harness"
)

// TestReap kills a process in the middle of a job and of a set-up; the next
// driver clears what it left, and nothing of those that live.
func TestReap(t *testing.T) {
	d := newDriver(t)
	env, err := d.Prepare(context.Background(), base())
	require.NoError(t, err)
	helper := exec.Command(os.Args[0], "-test.run=^TestReapHelper$")
	helper.Env = append(os.Environ(), "ASSAY_REAP_ENVIRONMENT="+env)
	require.NoError(t, helper.Start())
	defer func() { _ = helper.Process.Kill() }()
	left := containersOf(t, d, helper.Process.Pid, 2)
	newDriver(t) // the owner lives: nothing happens
	require.Equal(t, left, containersOf(t, d, helper.Process.Pid, 2))

	require.NoError(t, helper.Process.Kill())
	_ = helper.Wait()
	require.Len(t, containersOf(t, d, helper.Process.Pid, 2), 2)
	scratch := d.dir + "/scratch/" + strconv.Itoa(helper.Process.Pid) + "-1"
	require.NoError(t, os.MkdirAll(scratch, 0o755))
	newDriver(t)
	require.Empty(t, containersOf(t, d, helper.Process.Pid, 0))
	require.NoDirExists(t, scratch)
}

// TestReapHelper is the process that TestReap kills.
func TestReapHelper(t *testing.T) {
	env := os.Getenv("ASSAY_REAP_ENVIRONMENT")
	if env == "" {
		t.Skip("runs in a process that TestReap starts")
	}
	d := newDriver(t)
	recipe := base()
	go func() {
		_, _ = d.Prepare(context.Background(), harness.Recipe{Name: "reap", Parent: &recipe, Script: nonce() + "sleep 600\n"})
	}()
	_, err := d.Run(context.Background(), harness.Job{Name: "reap", Environment: env, Script: "sleep 600\n"})
	require.NoError(t, err)
}

// containersOf waits until a process has as many running containers as
// wanted, and lists them.
func containersOf(t *testing.T, d *Driver, pid, want int) []string {
	t.Helper()
	var ids []string
	require.Eventually(t, func() bool {
		list, err := d.engine.ContainerList(context.Background(), container.ListOptions{
			Filters: filters.NewArgs(filters.Arg("label", labelPID+"="+strconv.Itoa(pid))),
		})
		require.NoError(t, err)
		ids = nil
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		return len(ids) == want
	}, 30*time.Second, 100*time.Millisecond)
	return ids
}

func TestBereft(t *testing.T) {
	me := self()
	require.NotEmpty(t, me.start)
	tests := map[string]struct {
		change map[string]string
		want   bool
	}{
		"alive":                  {nil, false},
		"id given anew":          {map[string]string{labelStart: "1"}, true},
		"no such process":        {map[string]string{labelPID: "4194305"}, true},
		"before the last boot":   {map[string]string{labelBoot: "another"}, true},
		"on another machine":     {map[string]string{labelHost: "another", labelPID: "4194305"}, false},
		"labels are not numbers": {map[string]string{labelPID: "x"}, true},
	}
	for name, test := range tests {
		require.Equal(t, test.want, me.bereft(with(me.labels(), test.change)), name)
	}
}

// TestOwnContainer: another program's container of one of our images has the
// image's labels, and stays.
func TestOwnContainer(t *testing.T) {
	for kind, want := range map[string]bool{"job": true, "setup": true, "layer": false, "base": false, "": false} {
		require.Equal(t, want, ownContainer(map[string]string{labelKind: kind}), kind)
	}
}

// TestDeletedButOpen: files without a name count as written.
func TestDeletedButOpen(t *testing.T) {
	d := newDriver(t)
	if !d.direct {
		t.Skip("needs the engine on this machine")
	}
	env, err := d.Prepare(context.Background(), base())
	require.NoError(t, err)
	job := harness.Job{Environment: env, Script: `exec 7>/a 8>/b
rm /a /b
head -c 40000000 /dev/zero >&7
head -c 40000000 /dev/zero >&8
sleep 20
`}
	job.Limits.Disk = 64 << 20
	res, err := d.Run(context.Background(), job)
	require.NoError(t, err)
	require.Equal(t, harness.DiskLimit, res.End)
	require.Less(t, res.Timings.Run, 10*time.Second)
}
