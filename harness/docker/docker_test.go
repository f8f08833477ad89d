package docker

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/harness/harnesstest"
)

// newDriver connects to the machine's engine, or skips the test. All tests
// share one cache directory, as the environments they make stay.
func newDriver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(context.Background(), Options{Dir: cacheDir(t), RunID: "test", Log: slog.New(slog.DiscardHandler)})
	if errors.Is(err, harness.ErrUnavailable) {
		require.NotEqual(t, "1", os.Getenv("ASSAY_EXPECT_DOCKER"), "a container engine was expected: %v", err)
		t.Skipf("no container engine answers: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func cacheDir(t testing.TB) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "assay-test", "docker")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// base is the environment of the tests.
func base() harness.Recipe {
	return harness.Recipe{Name: "test base", Packages: []string{"python3-minimal"}}
}

// leaks lists our containers that are on the engine, and what is mounted or
// left in the driver's directory.
func leaks(d *Driver) func(t *testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		var out []string
		list, err := d.engine.ContainerList(context.Background(), container.ListOptions{
			All: true, Filters: filters.NewArgs(filters.Arg("label", labelPID+"="+d.owner.labels()[labelPID])),
		})
		require.NoError(t, err)
		for _, c := range list {
			out = append(out, "container "+c.ID)
		}
		left, err := filepath.Glob(filepath.Join(d.dir, "mnt", "*"))
		require.NoError(t, err)
		scratch, err := filepath.Glob(filepath.Join(d.dir, "scratch", "*"))
		require.NoError(t, err)
		return append(append(out, left...), scratch...)
	}
}

func TestConformance(t *testing.T) {
	for _, direct := range []bool{true, false} {
		name := map[bool]string{true: "direct", false: "archive"}[direct]
		t.Run(name, func(t *testing.T) {
			d := newDriver(t)
			if direct && !d.direct {
				t.Skip("the engine's storage cannot be reached from here")
			}
			if !direct && d.direct && testing.Short() {
				t.Skip("files through the engine's API: not in short mode, where the storage can be reached")
			}
			d.direct = direct
			t.Cleanup(func() { discardConformance(t) })
			jobs := 0
			if !direct {
				jobs = 20
			}
			harnesstest.Run(t, d, harnesstest.Options{
				Base:    base(),
				Leaks:   leaks(d),
				Jobs:    jobs,
				Discard: func(t *testing.T, name string) { _ = d.Remove(context.Background(), name) },
				Another: func(t *testing.T) harnesstest.Driver { return newDriver(t) },
			})
		})
	}
}

// discardConformance removes the environments that the suite leaves.
func discardConformance(t *testing.T) {
	d := newDriver(t)
	images, err := d.Images(context.Background())
	require.NoError(t, err)
	for _, i := range images {
		if i.Recipe == "conformance" {
			require.NoError(t, d.Remove(context.Background(), i.Name))
		}
	}
}
