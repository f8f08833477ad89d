//go:build linux

package local

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if IsChild() {
		ChildMain()
	}
	os.Exit(m.Run())
}
