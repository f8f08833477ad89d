package languages

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const libraryProject = `cmake_minimum_required(VERSION 3.14)
project(small CXX)
enable_testing()
configure_file(version.h.in version.h)
add_library(inside STATIC inside.cpp)
target_include_directories(inside PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
add_executable(a tests/a.cpp)
target_link_libraries(a PRIVATE inside)
add_test(NAME RunA COMMAND a)
`

// TestLiveWarmKeeps: a set-up keeps objects and no files that are linked or
// repeat them, all of one time, and a run compiles only what differs.
func TestLiveWarmKeeps(t *testing.T) {
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": libraryProject,
		"version.h.in":   "#define VERSION 0\n",
		"inside.cpp":     "#include <string>\n#include \"version.h\"\nint inside() { return VERSION; }\n",
		"tests/a.cpp":    "int inside();\nint main() { return inside(); }\n",
	}, "runa")
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Chtimes(path, old, old)
	}))
	warmed := p.suite("warm", "runa")
	warmed.Hidden = []string{"tests/a.cpp"}
	stamp := time.Now().Add(-time.Second).Truncate(time.Microsecond)
	warm := p.shell(fmt.Sprintf("export ASSAY_STAMP=%d.%09d\nmkdir -p /assay/warm\n", stamp.Unix(), stamp.Nanosecond()) + cppLanguage{}.Warm(p.env, warmed))
	require.Zero(t, warm.ExitCode, string(warm.Output.Head))
	objects := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(p.root, "build"), func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() || strings.Contains(path, "CompilerId") {
			return nil
		}
		info, err := d.Info()
		require.NoError(t, err)
		require.Equal(t, stamp.UnixNano(), info.ModTime().UnixNano(), path)
		require.NotEqual(t, ".a", filepath.Ext(path))
		require.False(t, info.Mode()&0o111 != 0 && d.Name() == "a", "the executable is left")
		if filepath.Ext(path) == ".o" {
			objects++
		}
		return nil
	}))
	require.Equal(t, 1, objects, "the hidden test's is left out")

	run, log := p.run("same", "runa")
	require.Equal(t, []string{"RunA passed"}, statuses(run), log)
	require.Equal(t, 1, strings.Count(log, "Building CXX object"), log)
	p.write("inside.cpp", "int inside() { return 1; }\n")
	run, log = p.run("changed", "runa")
	require.Equal(t, []string{"RunA failed"}, statuses(run), log)
	require.Equal(t, 1, strings.Count(log, "Building CXX object"), log)
}

// TestLiveWarmFailed: after a build that failed in part, the times stay.
func TestLiveWarmFailed(t *testing.T) {
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": ctestProject, "tests/a.cpp": "int main() { return 0; }\n", "tests/b.cpp": "this does not compile\n",
	}, "runa")
	begin := time.Now()
	warm := p.shell("export ASSAY_STAMP=1000000000.5\nmkdir -p /assay/warm\n" + cppLanguage{}.Warm(p.env, p.suite("warm", "runa")))
	require.Zero(t, warm.ExitCode, string(warm.Output.Head))
	info, err := os.Stat(filepath.Join(p.root, "build", "build.ninja"))
	require.NoError(t, err)
	require.False(t, info.ModTime().Before(begin.Add(-time.Second)))
}
