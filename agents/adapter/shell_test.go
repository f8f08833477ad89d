package adapter

import (
	"os/exec"
	"testing"
)

// runs reports whether a script of POSIX shell ends with code 0.
func runs(t *testing.T, file string) bool {
	t.Helper()
	return exec.CommandContext(t.Context(), "sh", "-e", file).Run() == nil
}
