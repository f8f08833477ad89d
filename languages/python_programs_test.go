package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// runProgram runs a few lines next to the set-up's programs.
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
    ("Because there is no version of gone==1.0.dev4 and x depends on gone==1.0.dev4", ["kept"]),
    ("nothing that is known", ["kept"]),
):
    print(setup.mend(log, names, []))
for line in open(home + "/choices.jsonl"):
    print(json.loads(line)["value"])
`)
	require.Equal(t, "True\nassay: left out: broken: x Failed to build `broken==2.0` | error: no\nTrue\nassay: gone is taken in another version: the index has not the one that is asked for\nTrue\nFalse\nrefused==1.0 by pip\nwithout broken\ngone in another version\n", out)
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

func TestTellsWhetherTestsWereCollected(t *testing.T) {
	out := runProgram(t, `
from python_setup import collected
for text in (
    "tests/test_a.py::test_x\n\n1 test collected in 0.1s\n",
    "tests/test_a.py: 5\n",
    "<Module tests/test_a.py>\n  <Function test_x>\n",
    "collected 5 items / 1 error\n",
    "12/13 tests collected (1 deselected), 1 error in 3s\n",
    "collected 0 items / 1 error\n",
    "no tests collected, 1 error in 0.2s\nERROR tests/test_a.py - std::bad_alloc: x\n",
    "Traceback:\n<frozen importlib._bootstrap>:241: in _find\nE   AttributeError: x\n",
):
    print(int(bool(collected(text))), end="")
`)
	require.Equal(t, "11111000", out)
}

func TestTellsWhetherTestsRan(t *testing.T) {
	out := runProgram(t, `
from python_setup import ran
for text in (
    "Ran 1 test in 0.001s\n\nFAILED (errors=1)\n",
    "Found 3 test(s).\n...\nRan 3 tests in 1.2s\n\nOK\n",
    "=== tests finished: 0 passed, 1 failed, in 0.44 seconds ===\n",
    "=== tests finished: 2 passed, in 0.44 seconds ===\n",
    "=== tests finished: 0 passed, 1 exceptions, in 0.44 seconds ===\n",
    "Ran 0 tests in 0.000s\n\nOK\n",
    "ImportError: Failed to import test module: a\nRan 1 test in 0.000s\n",
    "a/test_a.py[?]   Failed to import\n=== tests finished: 0 passed, 1 exceptions, in 0.1 seconds ===\n",
    "No module named pytest\n",
):
    print(int(bool(ran(text))), end="")
`)
	require.Equal(t, "111110000", out)
}

func TestTakesAwayWhatCannotBeImported(t *testing.T) {
	out := runProgram(t, `
import python_setup, python_uv, tempfile
python_uv.HOME = tempfile.mkdtemp()
calls = []
def run(command, **more):
    calls.append(command[0])
    return True, "needed other"
python_setup.run = run
setup = python_setup.Setup({"later": {}, "modules": {}, "sets": [["broken>=1", "needed", "pytest"]], "always": ["pytest>=3"]})
text = "site-packages/pytest/a.py:1\nsite-packages/needed/a.py:1\nsite-packages/foreign.py:1\nsite-packages/broken/b.py:3\nE   AttributeError: no such thing\n"
print(setup.breaks(text), setup.breaks(text), calls.count("uv"))
print(open(python_uv.HOME + "/choices.jsonl").read())
`)
	require.Equal(t, `assay: taken away: broken: E   AttributeError: no such thing
True False 1
{"field": "setup", "value": "without broken", "why": "at set-up: it cannot be imported: AttributeError: no such thing"}

`, out)
}

func TestTagsOfDevelopmentVersionsAreTakenOut(t *testing.T) {
	out := runProgram(t, `
import os, tempfile
from python_tools import untagged
root = tempfile.mkdtemp()
text = "[metadata]\nname = x\n[egg_info]\ntag_build = .dev\ntag_date = true\n[more]\nx = 1\n"
open(root + "/setup.cfg", "w").write(text)
try:
    with untagged(root):
        print(open(root + "/setup.cfg").read().split("\n"))
        raise SystemExit(1)
except SystemExit:
    print(open(root + "/setup.cfg").read() == text)
with untagged(root + "/none"):
    print(os.listdir(root))
`)
	require.Equal(t, "['[metadata]', 'name = x', '[egg_info]', '[more]', 'x = 1', '']\nTrue\n['setup.cfg']\n", out)
}

// TestWhatIsInstalledIsSettled: files get the sources' time, whenever they were
// installed, and only bytecode of files whose time was another goes.
func TestWhatIsInstalledIsSettled(t *testing.T) {
	out := runProgram(t, `
import os, py_compile, tempfile
from python_tools import settle
root = tempfile.mkdtemp()
def put(name, at):
    open(root + "/" + name, "w").write("x = 1\n")
    os.utime(root + "/" + name, (at, at))
    py_compile.compile(root + "/" + name)
put("fresh.py", 1700000000)
put("fresher.py", 978307200)
put("data.txt", 1700000000)
os.symlink("nowhere", root + "/link")
settle(root, root + "/none")
print(sorted(os.listdir(root + "/__pycache__")) == ["data." + __import__("sys").implementation.cache_tag + ".pyc", "fresher." + __import__("sys").implementation.cache_tag + ".pyc"])
print([os.stat(root + "/" + n).st_mtime for n in ("fresh.py", "fresher.py", "data.txt")], os.readlink(root + "/link"))
`)
	require.Equal(t, "True\n[978307200.0, 978307200.0, 978307200.0] nowhere\n", out)
}
