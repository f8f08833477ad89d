//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPythons: interpreters of pyenv's folder are found and are a tree of
// their own; a folder that would show all of a home is not.
func TestPythons(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root := filepath.Join(dir, "a", "pyenv")
	program := filepath.Join(root, "versions", "3.4.10", "bin", "python3.4")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, nil, 0o755))
	t.Setenv("PYENV_ROOT", root)
	require.Equal(t, program, Pythons()["3.4"])
	require.Contains(t, interpreterDirs(), filepath.Join(root, "versions"))

	t.Setenv("PYENV_ROOT", "/usr")
	t.Setenv("UV_PYTHON_INSTALL_DIR", "/home")
	require.Empty(t, interpreterDirs())
}
