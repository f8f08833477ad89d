package assay

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoPrograms: no build output is committed. Programs are large, and hold
// paths of the machine that built them.
func TestNoPrograms(t *testing.T) {
	listed, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	for p := range strings.SplitSeq(strings.TrimRight(string(listed), "\x00"), "\x00") {
		data, err := os.ReadFile(p)
		if err != nil {
			continue // deleted, or a link to nowhere
		}
		require.False(t, bytes.HasPrefix(data, []byte("\x7fELF")), "%s is a program", p)
		require.Less(t, len(data), 2<<20, p)
	}
}
