package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm/prompts"
)

// TestRunConfigTime: config.yaml has the time that an attempt gets.
func TestRunConfigTime(t *testing.T) {
	for given, want := range map[time.Duration]string{0: "timeout: 1h0m0s\n", time.Minute: "timeout: 1m0s\n"} {
		o := runFlags{output: t.TempDir()}
		o.executor.limits.time = given
		require.NoError(t, o.writeConfig([]string{"bugfix"}, prompts.Set{}))
		text, err := os.ReadFile(filepath.Join(o.output, "config.yaml"))
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
}
