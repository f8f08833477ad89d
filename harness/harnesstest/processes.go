package harnesstest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requireDead fails when a process of this machine has mark among its
// arguments. Jobs in an engine on another machine are not seen.
func requireDead(t *testing.T, mark string) {
	t.Helper()
	require.Empty(t, processesWith(mark), "processes that outlived their job")
}

// waitAlive waits until a process with mark is seen, or for two seconds;
// it reports whether one came.
func waitAlive(mark string) bool {
	for began := time.Now(); time.Since(began) < 2*time.Second; time.Sleep(20 * time.Millisecond) {
		if len(processesWith(mark)) > 0 {
			return true
		}
	}
	return false
}

// processesWith lists the command lines of processes that have mark in them.
func processesWith(mark string) []string {
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	var found []string
	for _, p := range paths {
		line, err := os.ReadFile(p)
		if err == nil && bytes.Contains(line, []byte(mark)) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
