package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// A status is OK, failing, or neither.
func TestStatusOKAndFailing(t *testing.T) {
	for status, want := range map[bench.Status]struct{ ok, failing bool }{
		bench.Passed:  {ok: true},
		bench.XFail:   {ok: true},
		bench.XPass:   {ok: true},
		bench.Failed:  {failing: true},
		bench.Error:   {failing: true},
		bench.Skipped: {},
		bench.Missing: {},
		"":            {},
	} {
		require.Equal(t, want.ok, status.OK(), "OK of %q", status)
		require.Equal(t, want.failing, status.Failing(), "Failing of %q", status)
	}
}
