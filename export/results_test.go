package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestResults: what scripts for evaluation print of tests' reports and output.
func TestResults(t *testing.T) {
	const surefire = `<?xml version="1.0"?>
<testsuite name="p.ATest">
  <testcase name="f" classname="p.ATest" time="0.1"/>
  <testcase name="g(int)[1]" classname="p.ATest" time="0.1">
    <system-out><![CDATA[<testcase name="forged" classname="p.ATest"/> and
<failure/> more]]></system-out>
  </testcase>
  <testcase name="h{int}[2]" classname="p.ATest$In"><failure message="1 &lt; 2">x</failure></testcase>
  <testcase name="i" classname="p.ATest"><error/></testcase><testcase name="j" classname="p.ATest"><skipped/></testcase>
  <testcase name="k &quot;&amp;&lt;&quot;" classname="p.ATest"></testcase>
</testsuite>
`
	for name, tt := range map[string]struct {
		language, ids, log, code string
		reports                  map[string]string
		want                     []string
	}{
		"pytest": {
			"python", "", "PASSED forged\n=== short test summary info ===\nPASSED t.py::a[x - y]\nFAILED t.py::b - assert 1\nERROR t.py::c\nXFAIL t.py::d - later\nXPASS t.py::e\nSKIPPED [1] t.py:3: no\n1 failed\n", "1", nil,
			[]string{"PASS: t.py::a[x - y]", "FAIL: t.py::b - assert 1", "FAIL: t.py::c", "PASS: t.py::d", "PASS: t.py::e"},
		},
		"pytest ends before": {"python", "t.py::a", "PASS: t.py::a\nPASSED t.py::a\n", "4", nil, nil},
		"surefire": {
			"java", "p.ATest::other\n", "", "1", map[string]string{"m/target/surefire-reports/TEST-p.ATest.xml": surefire, "m/TEST-x.xml": surefire},
			[]string{"PASS: p.ATest::f", "PASS: p.ATest::g[1]", "FAIL: p.ATest$In::h[2]", "FAIL: p.ATest::i", `PASS: p.ATest::k "&<"`},
		},
		"a name of gradle's": {
			"java", "p.BTest::f[1]\np.CTest::g\n", "", "0", map[string]string{"build/test-results/test/TEST-p.BTest.xml": `<testcase name="[1] x" classname="p.BTest"/>`},
			[]string{"PASS: p.BTest::[1] x", "PASS: p.BTest::f[1]"},
		},
		"nothing ran": {"java", "p.BTest::f", "", "0", nil, nil},
		"ctest":       {"cpp", "A.b\nC.d/x y\n", "", "0", nil, []string{"PASS: A.b", "PASS: C.d/x y"}},
		"ctest fails": {"cpp", "A.b\n", "PASS: A.b\n", "8", nil, []string{"FAIL: A.b"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, put(filepath.Join(dir, "ids.txt"), tt.ids, 0o644))
			require.NoError(t, put(filepath.Join(dir, "log.txt"), tt.log, 0o644))
			before, err := os.Stat(filepath.Join(dir, "ids.txt"))
			require.NoError(t, err)
			for file, text := range tt.reports {
				file = filepath.Join(dir, file)
				require.NoError(t, put(file, text, 0o644))
				after := before.ModTime().Add(1e9)
				require.NoError(t, os.Chtimes(file, after, after))
			}
			c, err := containerOf(bench.Instance{Language: tt.language})
			require.NoError(t, err)
			cmd := exec.Command("bash", "-c", "ids=$PWD/ids.txt log=$PWD/log.txt code="+tt.code+"\n"+c.results)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			var lines []string
			if text := strings.TrimSpace(string(out)); text != "" {
				lines = strings.Split(text, "\n")
			}
			require.Equal(t, tt.want, lines)
		})
	}
}

// TestEvalScript: the script has each mark once, runs without the network, and
// judges the patch that is applied: here with a test tool that a made-up one
// replaces.
func TestEvalScript(t *testing.T) {
	dir := t.TempDir()
	repo, bin := filepath.Join(dir, "repo"), filepath.Join(dir, "bin")
	inst := instances()[0]
	inst.Root, inst.FailToPass, inst.PassToPass = repo, []string{"tests/test_a.py::x"}, nil
	require.NoError(t, put(filepath.Join(repo, "src/a.py"), "a\n", 0o644))
	require.NoError(t, put(filepath.Join(bin, "python"), `#!/bin/bash
echo ">>>>> Start Test Output"; echo "PASS: tests/test_a.py::forged"
echo "=== short test summary info ==="
if grep -q b src/a.py && [ -f tests/test_a.py ]; then echo "PASSED tests/test_a.py::x"; else echo "FAILED tests/test_a.py::x"; exit 1; fi
`, 0o755))
	run := func(dir, line string) string {
		cmd := exec.Command("bash", "-c", line)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	run(repo, "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm base && git tag "+baseTag)
	c, err := containerOf(inst)
	require.NoError(t, err)
	script, err := sweScript(c, inst, bench.Env{})
	require.NoError(t, err)
	require.NoError(t, put(filepath.Join(dir, "eval.sh"), script, 0o644))
	for _, tt := range []struct{ before, want string }{
		{"true", "FAIL: tests/test_a.py::x\n"},
		{"echo b > src/a.py; mkdir -p tests; echo mine > tests/test_a.py; git add -A; git -c user.name=a -c user.email=a@b commit -qm agent", "PASS: tests/test_a.py::x\n"},
	} {
		run(repo, tt.before)
		out := run(dir, "bash eval.sh")
		require.Equal(t, 1, strings.Count(out, sweStart))
		require.Equal(t, 1, strings.Count(out, sweEnd))
		_, rest, _ := strings.Cut(out, sweStart+"\n")
		got, _, _ := strings.Cut(rest, sweEnd)
		require.Equal(t, tt.want, got)
	}
}
