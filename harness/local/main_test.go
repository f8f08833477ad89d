//go:build linux

package local

import (
	"os"
	"testing"
)

// notInShortMode skips what takes seconds.
func notInShortMode(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds of real time: not in short mode")
	}
}

func TestMain(m *testing.M) {
	if IsChild() {
		ChildMain()
	}
	os.Exit(m.Run())
}
