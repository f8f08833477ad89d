package languages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
)

// TestLimits: what the call says comes first, then what the instance says.
func TestLimits(t *testing.T) {
	own := bench.Env{TimeoutSeconds: 90, MemoryMB: 512}
	tests := map[string]struct {
		call Limits
		env  bench.Env
		want harness.Limits
		text string
	}{
		"nothing":  {Limits{}, bench.Env{}, harness.Limits{}, ""},
		"instance": {Limits{}, own, harness.Limits{Time: 90 * time.Second, Memory: 512 << 20}, ""},
		"call": {
			Limits{Time: time.Minute, Memory: 2 << 30, CPUs: 1.5}, bench.Env{},
			harness.Limits{Time: time.Minute, Memory: 2 << 30, CPUs: 1.5}, "timeout 1m0s, memory 2147483648, cpus 1.5",
		},
		"call over instance": {
			Limits{Time: time.Hour, Memory: 1 << 20}, own, harness.Limits{Time: time.Hour, Memory: 1 << 20}, "timeout 1h0m0s, memory 1048576",
		},
		"a part": {Limits{CPUs: 2}, own, harness.Limits{Time: 90 * time.Second, Memory: 512 << 20, CPUs: 2}, "cpus 2"},
		"set-up": {Limits{Setup: time.Minute}, own, harness.Limits{Time: 90 * time.Second, Memory: 512 << 20}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bed := &Testbed{machine: Machine{Limits: tt.call}, env: tt.env}
			require.Equal(t, tt.want, bed.limits())
			require.Equal(t, tt.text, tt.call.String())
		})
	}
}

func TestSetupLimits(t *testing.T) {
	usual := harness.Limits{Time: time.Hour, Memory: 8 << 30, Disk: 16 << 30, Processes: 4096}
	require.Equal(t, usual, Limits{}.setup())
	require.Equal(t, usual, Limits{Time: time.Minute, Memory: 1 << 30}.setup(), "runs and set-up are bounded apart")
	wide := usual
	wide.Time, wide.Memory, wide.CPUs = 2*time.Hour, 9<<30, 1.5
	require.Equal(t, wide, Limits{Setup: 2 * time.Hour, Memory: 9 << 30, CPUs: 1.5}.setup())
}
