//go:build linux

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func TestLayersListAndRemove(t *testing.T) {
	d := newDriver(t)
	low := harness.Recipe{Name: "low", Base: "host", Script: "head -c 300000 /dev/urandom > /opt/data"}
	top := harness.Recipe{Name: "top", Parent: &low}
	name, err := d.Prepare(t.Context(), top)
	require.NoError(t, err)
	all, err := d.Layers()
	require.NoError(t, err)
	require.Len(t, all, 2)
	byLabel := map[string]Layer{all[0].Label: all[0], all[1].Label: all[1]}
	require.Equal(t, name, byLabel["top"].Name)
	require.Equal(t, byLabel["low"].Name, byLabel["top"].Parent)
	require.Greater(t, byLabel["low"].Size, int64(300000))
	require.Less(t, byLabel["low"].Size, int64(600000))

	require.NoError(t, d.RemoveLayer(t.Context(), byLabel["low"].Name))
	require.NoError(t, d.RemoveLayer(t.Context(), byLabel["low"].Name))
	require.Error(t, d.RemoveLayer(t.Context(), "../layers"))
	_, err = d.Run(t.Context(), harness.Job{Environment: name, Script: "true"})
	require.ErrorIs(t, err, errUnknown)
	again, err := d.Prepare(t.Context(), top)
	require.NoError(t, err)
	require.Equal(t, name, again)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "stat -c %s /opt/data"})
	require.NoError(t, err)
	require.Equal(t, "300000\n", string(res.Output.Head))
}

// TestRemoveWaits: a layer is not taken from under a job.
func TestRemoveWaits(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	name, err := d.Prepare(t.Context(), harness.Recipe{Name: "held", Script: "echo kept > /opt/f"})
	require.NoError(t, err)
	type answer struct {
		res harness.Result
		err error
	}
	done := make(chan answer, 1)
	held, err := d.hold(t.Context(), name)
	require.NoError(t, err)
	removed := make(chan error, 1)
	go func() { removed <- d.RemoveLayer(t.Context(), name) }()
	go func() {
		res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "cat /opt/f"})
		done <- answer{res, err}
	}()
	a := <-done
	require.NoError(t, a.err)
	require.Equal(t, "kept\n", string(a.res.Output.Head))
	require.Empty(t, removed)
	held.release()
	require.NoError(t, <-removed)
	require.NoDirExists(t, d.layerDir(name))
}

// TestManyLayers: the options of an overlay mount must fit one page, and
// directories that were replaced, renamed and removed look right from above.
func TestManyLayers(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	var r *harness.Recipe
	for i := range 70 {
		next := harness.Recipe{Name: fmt.Sprint(i), Parent: r, Script: fmt.Sprintf(
			"test ! -d /opt/d || { mv /opt/d /opt/e; rm -r /opt/e; }\nmkdir /opt/d\necho %d > /opt/d/%d\necho %d >> /opt/log\n", i, i, i)}
		r = &next
	}
	name, err := d.Prepare(t.Context(), *r)
	require.NoError(t, err)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "ls /opt/d; wc -l < /opt/log; tail -1 /opt/log"})
	require.NoError(t, err)
	require.Equal(t, "69\n70\n69\n", string(res.Output.Head))
}

func TestImagesRefused(t *testing.T) {
	_, err := newDriver(t).Prepare(t.Context(), harness.Recipe{Name: "image", Base: "ubuntu:24.04"})
	require.ErrorIs(t, err, harness.ErrUnavailable)
	require.ErrorContains(t, err, "docker")
	require.False(t, harness.Retryable(err))
}

// TestPrepareDiskLimit: there is no quota on the disk where layers lie.
func TestPrepareDiskLimit(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	_, err := d.Prepare(t.Context(), harness.Recipe{
		Name: "large", Script: "for i in 1 2 3 4 5 6 7 8; do head -c 4000000 /dev/zero > /opt/f$i; done; sleep 60",
		Limits: harness.Limits{Disk: 16 << 20},
	})
	var failed *harness.BuildError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, harness.DiskLimit, failed.Result.End)
	require.Empty(t, leaks(t, d))
}

// TestReap: what a killed process has left is cleared by the next one, and
// only that.
func TestReap(t *testing.T) {
	d := newDriver(t)
	dead := filepath.Join(d.dir, "tmp", "dead")
	require.NoError(t, os.MkdirAll(filepath.Join(dead, "1", "fs", "shut"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dead, "lock"), nil, 0o600))
	require.NoError(t, os.Chmod(filepath.Join(dead, "1", "fs", "shut"), 0))
	var cgroup string
	for _, h := range d.hierarchies {
		cgroup = filepath.Join(filepath.Dir(h.base), "assay-dead")
		require.NoError(t, os.MkdirAll(filepath.Join(cgroup, "1"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dead, "cgroups"), []byte(cgroup+"\n"), 0o600))
		break
	}
	other, err := New(Options{Dir: d.dir})
	require.NoError(t, err)
	require.NoError(t, other.Close())
	require.NoDirExists(t, dead)
	if cgroup != "" {
		require.NoDirExists(t, cgroup)
	}
	require.DirExists(t, d.scratch.dir)
	require.Equal(t, "alive\n", sh(t, d, "echo alive"))
}
