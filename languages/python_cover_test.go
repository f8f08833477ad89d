package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// coverageStub is as much of coverage.py as the program uses: it says that line 1
// of every file ran in test t, and cannot parse a file that holds "bad".
const coverageStub = `
class Data(object):
    def __init__(self, files): self.files = files
    def measured_files(self): return self.files
    def contexts_by_lineno(self, name): return {1: ["t"]}
class Coverage(object):
    def __init__(self, include, **options): self.files = include
    def start(self): pass
    def stop(self): pass
    def analysis2(self, path): return path, [1], [], [], ""
    def get_data(self): return Data(self.files)
`

const coverageParserStub = `
class PythonParser(object):
    def __init__(self, text): self.text = text
    def parse_source(self):
        if "bad" in self.text: raise SyntaxError("bad")
    def first_line(self, n): return n
`

// TestPythonFileThatCannotBeParsed: it is left out, and what was measured of the
// other files stays; where none can be read nothing was measured.
func TestPythonFileThatCannotBeParsed(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  Coverage
	}{
		"one of two": {
			map[string]string{"a.py": "bad\n", "b.py": "x = 1\n", "gone.py": ""},
			Coverage{"b.py": {Executable: []int{1}, Covered: map[string][]int{"t": {1}}, Loaded: true, Missing: []int{}}},
		},
		"all": {map[string]string{"a.py": "bad\n"}, nil},
	} {
		require.Equal(t, c.want, measuredFiles(t, c.files), name)
	}
}

// measuredFiles lets the program measure line 1 of files; an empty one is not
// there.
func measuredFiles(t *testing.T, files map[string]string) Coverage {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("lib/coverage/__init__.py", coverageStub)
	write("lib/coverage/parser.py", coverageParserStub)
	write("cover.py", pythonCoverProgram)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "out"), 0o755))
	lines := map[string][]int{}
	for name, text := range files {
		lines[name] = []int{1}
		if text != "" {
			write("root/"+name, text)
		}
	}
	write("cover.json", string(jsonText(map[string]any{"lib": dir + "/lib", "root": dir + "/root", "lines": lines, "out": dir + "/out"})))
	cmd := exec.Command("python3", "-B", filepath.Join(dir, "cover.py"))
	cmd.Env = append(os.Environ(), "ASSAY_COVER="+filepath.Join(dir, "cover.json"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	found, err := filepath.Glob(filepath.Join(dir, "out", "*.json"))
	require.NoError(t, err)
	left := map[string][]byte{}
	for _, p := range found {
		left[p], err = os.ReadFile(p)
		require.NoError(t, err)
	}
	return readCoverage(filepath.Join(dir, "out")+"/*.json", left)
}
