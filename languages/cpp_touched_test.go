package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTouched(t *testing.T) {
	known := map[string]bool{"tests/a.cpp": true, "tests/twin.cpp": true}
	for name, c := range map[string]struct {
		changed, names string
		written        bool
	}{
		"written to in place":                 {"1 900 7 /testbed/tests/a.cpp", "", true},
		"made anew":                           {"1 1000 7 /testbed/tests/a.cpp", "", true},
		"made anew, and linked":               {"2 1000 7 /testbed/tests/a.cpp", "7 /testbed/tests/a.cpp\n", true},
		"linked by another environment":       {"3 900 7 /testbed/tests/a.cpp", "7 /testbed/tests/a.cpp\n", false},
		"equal to another test":               {"3 900 7 /testbed/tests/a.cpp", "7 /testbed/tests/a.cpp\n7 /testbed/tests/twin.cpp\n", false},
		"linked by the run":                   {"2 900 7 /testbed/tests/a.cpp", "7 /testbed/tests/a.cpp\n7 /build/x\n", true},
		"names of other files":                {"2 900 7 /testbed/tests/a.cpp", "8 /build/x\n", false},
		"birth is not known":                  {"2 0 7 /testbed/tests/a.cpp", "", true},
		"birth is not known to old coreutils": {"2 - 7 /testbed/tests/a.cpp", "", true},
		"more names than are listed":          {"2 900 7 /testbed/tests/a.cpp", strings.Repeat("8 /x\n", touchedNames), true},
	} {
		t.Run(name, func(t *testing.T) {
			got := touchedIn(map[string][]byte{"d/begin": []byte("1000.5\n"), "d/changed": []byte(c.changed + "\nbroken\n"), "d/names": []byte(c.names)}, "d/")
			require.Len(t, got.files, 1)
			require.Equal(t, "/testbed/tests/a.cpp", got.files[0].path)
			require.Equal(t, c.written, got.written(got.files[0], known))
		})
	}
}

// TestTouchedOnDisk runs the commands that find changed files.
func TestTouchedOnDisk(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"linked", "kept", "rewritten"} {
		require.NoError(t, os.WriteFile(file(name), []byte(name), 0o644))
	}
	time.Sleep(1100 * time.Millisecond) // times of birth are in whole seconds
	script := strings.NewReplacer(cppTrusted, dir, "/usr/bin/sort", "sort").Replace(cppBegin+`sleep 0.05
ln linked another
cp rewritten copy; rm rewritten; mv copy rewritten
S=.
`+cppSystemCheck) + "cat system\n"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	if strings.Contains(string(out), "linked") {
		t.Skip("this file system does not tell when files were born")
	}
	require.Contains(t, string(out), file("rewritten"))
	require.NotContains(t, string(out), file("kept"))
}
