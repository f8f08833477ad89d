package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// runProgram runs a few lines beside the set-up's programs.
func runProgram(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"python_setup.py": pythonSetupProgram, "python_uv.py": pythonUvProgram, "python_pip.py": pythonPipProgram,
		"python_index.py": pythonIndexProgram, "python_tools.py": pythonToolsProgram, "python_collect.py": pythonCollectProgram, "code.py": code,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	out, err := exec.Command("python3", "-B", filepath.Join(dir, "code.py")).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestIndexAsOfADate(t *testing.T) {
	out := runProgram(t, `
import python_index, urllib.request
files = [
    {"filename": "a-1.tar.gz", "url": "https://x.org/a-1.tar.gz?a&b", "upload-time": "2013-05-01T10:00:00Z", "hashes": {"sha256": "00"}},
    {"filename": "a-2.tar.gz", "url": "https://x.org/a-2.tar.gz", "upload-time": "2015-05-01T10:00:00Z", "requires-python": ">=3"},
    {"filename": "a-3.tar.gz", "url": "https://x.org/a-3.tar.gz"},
]
python_index.fetch = lambda index, name: files
index = python_index.DatedIndex("https://x.org/simple", "2014-01-01", {"later": "2016-01-01"})
for name in ("A_b", "later"):
    print(urllib.request.urlopen(index.url + name + "/").read().decode())
`)
	require.Equal(t, `<!DOCTYPE html><html><body>
<a href="https://x.org/a-1.tar.gz?a&amp;b#sha256=00">a-1.tar.gz</a><br>
<a href="https://x.org/a-3.tar.gz">a-3.tar.gz</a><br>
</body></html>
<!DOCTYPE html><html><body>
<a href="https://x.org/a-1.tar.gz?a&amp;b#sha256=00">a-1.tar.gz</a><br>
<a href="https://x.org/a-2.tar.gz" data-requires-python="&gt;=3">a-2.tar.gz</a><br>
<a href="https://x.org/a-3.tar.gz">a-3.tar.gz</a><br>
</body></html>
`, out)
}

func TestWhatIsLeftOutIsRecorded(t *testing.T) {
	out := runProgram(t, `
import json, python_uv, tempfile
home = tempfile.mkdtemp()
python_uv.HOME = home
python_uv.wheel = lambda plan, name, version: name == "refused"
from python_setup import Setup
setup = Setup({"later": {}, "needs": [], "date": ""})
for log, names in (
    ("  x Failed to extract archive: `+"`refused==1.0`"+`\n", ["refused"]),
    ("  x Failed to build `+"`broken==2.0`"+`\nerror: no", ["broken", "kept"]),
    ("nothing that is known", ["kept"]),
):
    print(setup.mend(log, names, []))
for line in open(home + "/choices.jsonl"):
    print(json.loads(line)["value"])
`)
	require.Equal(t, "True\nassay: left out: broken: x Failed to build `broken==2.0` | error: no\nTrue\nFalse\nrefused==1.0 by pip\nwithout broken\n", out)
}

func TestCollectsAsUnittest(t *testing.T) {
	out := runProgram(t, `
import os, subprocess, sys
here = os.path.dirname(os.path.abspath(__file__))
for path, text in (
    ("pkg/__init__.py", ""),
    ("pkg/test_a.py", "import unittest\nclass A(unittest.TestCase):\n    def test_x(self): pass\n    def test_y(self): pass\n"),
    ("more-tests/test_b.py", "import unittest\nclass B(unittest.TestCase):\n    def test_x(self): pass\n"),
    ("broken.py", "import missing_thing\n"),
    ("none.py", ""),
):
    os.makedirs(os.path.dirname(os.path.join(here, path)), exist_ok=True)
    open(os.path.join(here, path), "w").write(text)
for paths in (["pkg/test_a.py", "more-tests/test_b.py"], ["pkg/test_a.py", "broken.py"], ["broken.py"], ["none.py"], []):
    done = subprocess.run([sys.executable, "python_collect.py"] + paths, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    print(done.returncode, done.stdout.splitlines()[-1])
`)
	require.Equal(t, "0 3 tests collected\n0 2 tests collected\n2 ModuleNotFoundError: No module named 'missing_thing'\n2 error: no file holds a test\n0 0 tests collected\n", out)
}
