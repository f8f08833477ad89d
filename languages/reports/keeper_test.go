package reports_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// kept runs a runner under the keeper and the bootstrap, and returns the report
// that the key opens, the program's output and its exit code.
func (p project) kept(t *testing.T, runner, source string, added []string, args ...string) (reports.Report, string, int) {
	t.Helper()
	return p.guarded(t, runner, source, added, nil, args...)
}

// guarded does the same with further settings of the bootstrap.
func (p project) guarded(t *testing.T, runner, source string, added []string, more map[string]any, args ...string) (reports.Report, string, int) {
	t.Helper()
	at := func(name string) string { return filepath.Join(p.plugin, name) }
	write := func(name, text string) string {
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o600))
		return at(name)
	}
	as := func(v any) string {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		return string(data)
	}
	own := []string{"unittest"}
	if runner != "" {
		own = []string{"pytest", "_pytest"}
	}
	given := map[string]any{"module": "assay_5eed", "source": write("assay_5eed.py", source), "runner": runner, "own": own, "added": added}
	maps.Copy(given, more)
	boot := write("boot.json", as(given))
	command := append([]string{"{python}", write("assay_boot.py", reports.PythonBoot()), boot}, args...)
	settings := write("keeper.json", as(map[string]any{"report": at("kept.jsonl"), "key": write("key", "00112233\n"), "command": command, "environment": map[string]string{}, "prepare": "true"}))
	cmd := exec.Command(p.python, "-E", "-s", "-S", write("assay_keeper.py", reports.PythonKeeper()), settings)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, _ := cmd.CombinedOutput()
	require.NoFileExists(t, at("key"))
	require.NoFileExists(t, settings)
	data, err := os.ReadFile(at("kept.jsonl"))
	require.NoError(t, err, string(out))
	return genuine(t, data, []byte{0x00, 0x11, 0x22, 0x33}), string(out), cmd.ProcessState.ExitCode()
}

func TestKeptPytest(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		// The first would be mistaken for the standard library's, the second
		// is new.
		require.NoError(t, os.WriteFile(p.dir+"/hmac.py", []byte("raise SystemExit(9)\n"), 0o644))
		require.NoError(t, os.WriteFile(p.dir+"/brandnew.py", nil, 0o644))
		r, out, code := p.kept(t, "pytest", reports.PytestPlugin(), []string{"brandnew", "hmac"}, append([]string{"-p", "assay_5eed", "-p", "no:cacheprovider"}, suite()...)...)
		require.True(t, r.Complete, out)
		require.Equal(t, 1, code)
		require.Equal(t, golden(t, "testdata/tools/pytest/p9.jsonl"), summary(r))
		require.Equal(t, []string{"hmac"}, r.Shadowed)
		require.Empty(t, r.Drifted)
	})
}

func TestKeptUnittest(t *testing.T) {
	eachPython(t, "unittest", func(t *testing.T, p project) {
		r, out, _ := p.kept(t, "", reports.UnittestRunner(), []string{}, "test_unit.py", "test_broken.py", "pkg/tests/test_sub.py")
		require.True(t, r.Complete, out)
		require.Equal(t, golden(t, "testdata/tools/unittest/3.11.7.jsonl"), summary(r))
		require.Empty(t, r.Drifted)
	})
}

// TestKeptTampered: code that replaces a function of the runner is reported,
// and a leftover process does not block the keeper.
func TestKeptTampered(t *testing.T) {
	const attack = `
import subprocess, sys, unittest

class T(unittest.TestCase):
    def test_it(self):
        unittest.TestCase.assertEqual = lambda *a: None
        self.assertEqual(1, 2)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"], close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
`
	startsMany(t)
	eachPython(t, "pytest", func(t *testing.T, p project) {
		require.NoError(t, os.WriteFile(p.dir+"/test_attack.py", []byte(attack), 0o644))
		for runner, source := range map[string]string{"pytest": reports.PytestPlugin(), "": reports.UnittestRunner()} {
			args := []string{"test_attack.py"}
			if runner != "" {
				args = append(args, "-p", "assay_5eed", "-p", "no:cacheprovider", "-s")
			}
			r, out, code := p.kept(t, runner, source, []string{}, args...)
			require.Equal(t, []string{"unittest.case.TestCase.assertEqual"}, r.Drifted, out)
			require.Equal(t, 0, code)
		}
	})
}
