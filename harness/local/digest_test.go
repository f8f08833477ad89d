//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFingerprint: what changes the tool chains that jobs see changes the
// host's fingerprint, at any depth; files that appear with use do not.
func TestFingerprint(t *testing.T) {
	root := t.TempDir()
	at := func(p string) string { return filepath.Join(root, p) }
	write := func(p, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(p)), 0o755))
		require.NoError(t, os.WriteFile(at(p), []byte(text), 0o644))
		old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(at(p), old, old))
	}
	link := func(target, p string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(p)), 0o755))
		_ = os.Remove(at(p))
		require.NoError(t, os.Symlink(target, at(p)))
	}
	print := func() string {
		f, err := fingerprint(root, nil, nil, false)
		require.NoError(t, err)
		return f
	}
	empty := print()
	const module = "usr/local/lib/python3.11/dist-packages/attr/core.py"
	write("etc/os-release", "ID=debian")
	write("var/lib/dpkg/status", "Package: gcc")
	write(module, "a = 1")
	write("usr/local/go/VERSION", "go1")
	link("/usr/lib/jvm/java-17/bin/java", "etc/alternatives/java")
	before := print()
	require.NotEqual(t, empty, before)
	require.Equal(t, before, print())

	write("usr/local/lib/python3.11/dist-packages/attr/__pycache__/core.cpython-311.pyc", "code")
	write("home/me/notes", "text")
	require.Equal(t, before, print(), "bytecode, and what jobs do not see")

	seen := map[string]bool{before: true}
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"another Java is chosen", func() { link("/usr/lib/jvm/java-21/bin/java", "etc/alternatives/java") }},
		{"a deep file grows", func() { write(module, "a = 12") }},
		{"a deep file is written anew", func() { require.NoError(t, os.Chtimes(at(module), time.Now(), time.Now())) }},
		{"a deep file may be run", func() { require.NoError(t, os.Chmod(at(module), 0o755)) }},
		{"a deep file is gone", func() { require.NoError(t, os.Remove(at(module))) }},
		{"a directory comes", func() { require.NoError(t, os.MkdirAll(at("usr/local/include/x"), 0o755)) }},
		{"a package is upgraded", func() { write("var/lib/dpkg/status", "Package: gcc-12") }},
		{"something comes into /opt", func() { write("opt/jdk", "") }},
	} {
		c.change()
		now := print()
		require.False(t, seen[now], c.name)
		seen[now] = true
	}
}
