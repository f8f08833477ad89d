//go:build linux

package local

import (
	"errors"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// newDriver opens a driver of the test's own, or skips the test where the
// machine does not allow one.
func newDriver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(Options{Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if errors.Is(err, harness.ErrUnavailable) {
		t.Skipf("namespaces cannot be made here: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// BenchmarkStart is the cost of an empty job, from end to end.
func BenchmarkStart(b *testing.B) {
	d := newDriver(b)
	for b.Loop() {
		_, err := d.Run(b.Context(), harness.Job{Script: "true"})
		require.NoError(b, err)
	}
}
