package tasks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/languages"
)

func TestPatience(t *testing.T) {
	for _, c := range []struct {
		language        string
		gold, own, want time.Duration
	}{
		{languages.Python, 0, 0, 0},
		{languages.Python, time.Second, time.Hour, 0},
		{languages.Python, time.Millisecond, 0, time.Minute},
		{languages.Python, 6 * time.Second, 0, time.Minute},
		{languages.Python, 6*time.Second + 1, 0, 2 * time.Minute},
		{languages.Python, 12 * time.Second, 0, 2 * time.Minute},
		{languages.Python, 13 * time.Second, 0, 4 * time.Minute},
		{languages.Python, 40 * time.Second, 0, 8 * time.Minute},
		{languages.Python, 3 * time.Minute, 0, 0},
		{languages.Java, time.Second, 0, 10 * time.Minute},
		{languages.Cpp, time.Minute, 0, 10 * time.Minute},
		{languages.Cpp, 61 * time.Second, 0, 20 * time.Minute},
		{"rust", 5 * time.Minute, 0, 0},
	} {
		got := patience(c.language, c.gold, c.own)
		require.Equal(t, c.want, got, c)
		require.True(t, got == 0 || got >= 10*c.gold, c)
	}
	run := Run{}
	require.Equal(t, time.Duration(0), control{}.within(run).Time)
	require.Equal(t, time.Minute, control{patience: time.Minute}.within(run).Time)
	run.Time = time.Second
	require.Equal(t, time.Second, control{patience: time.Minute}.within(run).Time)
	run.Time = time.Hour
	require.Equal(t, time.Minute, control{patience: time.Minute}.within(run).Time)
}
