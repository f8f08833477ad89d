package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sweBenchScript = `#!/bin/bash
set -uxo pipefail
source /opt/miniconda3/bin/activate
conda activate testbed
cd /testbed
git config --global --add safe.directory /testbed
git status
git -c core.fileMode=false diff 0123456
git checkout 0123456 tests/test_a.py
git apply -v - <<'EOF_114329324912'
diff --git a/tests/test_a.py b/tests/test_a.py
--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -1 +1 @@
-: '>>>>> Start Test Output'
+git reset --hard
EOF_114329324912
: '>>>>> Start Test Output'
pytest -rA tests/test_a.py
: '>>>>> End Test Output'
git checkout 0123456 tests/test_a.py
`

func TestParseEvalScript(t *testing.T) {
	tests := []struct {
		name, script      string
		setup, tests, cut string // joined by "; "
	}{
		{
			"SWE-bench", sweBenchScript,
			"set -uxo pipefail; source /opt/miniconda3/bin/activate; conda activate testbed; cd /testbed; git config --global --add safe.directory /testbed; git status; git -c core.fileMode=false diff 0123456",
			"pytest -rA tests/test_a.py", "git checkout 0123456 tests/test_a.py; git apply -v - <<'EOF_114329324912'",
		},
		{
			"Multi-SWE-bench", "#!/bin/bash\nset -e\n\ncd /home/gson\ngit apply --whitespace=nowarn /home/test.patch /home/fix.patch\nmvn clean test -Dmaven.test.skip=false\n",
			"", "set -e; cd /home/gson; mvn clean test -Dmaven.test.skip=false", "git apply --whitespace=nowarn /home/test.patch /home/fix.patch",
		},
		{"chained", "cd /x && git apply a.patch && make test", "", "cd /x && make test", "cd /x && git apply a.patch && make test"},
		{"patch", "patch -p1 < /home/a.patch\nmake", "", "make", "patch -p1 < /home/a.patch"},
		{"words inside of others", "echo git apply\ngit-apply x\nmake git checkout", "", "echo git apply; git-apply x; make git checkout", ""},
		{"document that stays", "cat > x <<EOF\ngit apply y\nEOF\nmake", "", "cat > x <<EOF\ngit apply y\nEOF; make", ""},
		{"here-string", "git apply <<< \"$P\"\nmake", "", "make", "git apply <<< \"$P\""},
		{"document without an end", "git apply - <<'E'\n+x\n: '>>>>> Start Test Output'", "", "", "git apply - <<'E'"},
		{"git with options", "git -C /x -c a=b checkout HEAD -- t\ngit reset --hard HEAD\ngit stash\nmake", "", "make", "git -C /x -c a=b checkout HEAD -- t; git reset --hard HEAD; git stash"},
		{"line ends of Windows", "git apply x\r\nmake\r\n", "", "make", "git apply x"},
	}
	join := func(lines []string) string {
		var kept []string
		for _, l := range lines {
			if l != "" {
				kept = append(kept, l)
			}
		}
		return strings.Join(kept, "; ")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parseEvalScript(tt.script)
			require.Equal(t, tt.setup, join(s.Setup))
			require.Equal(t, tt.tests, join(s.Tests))
			require.Equal(t, tt.cut, join(s.Cut))
		})
	}
}

func TestPlainPytest(t *testing.T) {
	tests := []struct{ script, head, rest string }{
		{sweBenchScript, "pytest", " -rA tests/test_a.py"},
		{"cd /x\nexport A=b\npython -m pytest -q 'a b'", "python -m pytest", " -q 'a b'"},
		{"A=b C='d' /opt/bin/python3.9 -W ignore -m pytest", "A=b C='d' /opt/bin/python3.9 -W ignore -m pytest", ""},
		{"source /opt/miniconda3/bin/activate\nconda activate testbed\npy.test a", "py.test", " a"},
		{"pytest a; true", "", ""},
		{"pytest a || true", "", ""},
		{"pytest a | tee log", "", ""},
		{"pytest a\npytest b", "", ""},
		{"pytest a\nmake check", "", ""},
		{"(pytest a)", "", ""},
		{"pytest $(ls tests)", "", ""},
		{"pytest-3 a", "", ""},
		{"mypytest a", "", ""},
		{"tox -e py39 -- a", "", ""},
		{"./tests/runtests.py --verbosity 2 a", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		_, head, rest, ok := parseEvalScript(tt.script).pytest()
		require.Equal(t, tt.head != "", ok, tt.script)
		require.Equal(t, tt.head, head, tt.script)
		require.Equal(t, tt.rest, rest, tt.script)
	}
}

func TestMaskedCodes(t *testing.T) {
	for script, masked := range map[string]bool{
		"npm test": false, "npm test || true": true, "npx jest --json | jq .": true, "set +e\nmake": true, "make &": true,
	} {
		require.Equal(t, masked, parseEvalScript(script).masked(), script)
	}
}

func TestChooseRoot(t *testing.T) {
	tests := []struct {
		roots []string
		repo  string
		want  string
		err   string
	}{
		{[]string{"/workspace/x"}, "acme/calc", "/workspace/x", ""},
		{[]string{"/home/Calc", "/root/.pyenv"}, "acme/calc", "/home/Calc", ""},
		{[]string{"/home/calc", "/root/.pyenv"}, "https://x.y/acme/calc.git", "/home/calc", ""},
		{nil, "acme/calc", "", "no git repository"},
		{[]string{"/a", "/b"}, "acme/calc", "", "2 repositories (/a, /b)"},
		{[]string{"/a/calc", "/b/calc"}, "acme/calc", "", "2 repositories"},
	}
	for _, tt := range tests {
		got, err := chooseRoot(tt.roots, tt.repo)
		require.Equal(t, tt.want, got)
		if tt.err != "" {
			require.ErrorContains(t, err, tt.err)
		} else {
			require.NoError(t, err)
		}
	}
}

// FuzzParseEvalScript holds that no line of a script is made up, that none of
// the kept ones lays a patch, and that the test section stays behind its marker.
func FuzzParseEvalScript(f *testing.F) {
	f.Add(sweBenchScript)
	f.Add("cd /x && git apply a && make\ncat <<A <<B\n1\nA\n2\nB\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := parseEvalScript(text)
		for _, command := range append(s.Setup, s.Tests...) {
			first, _, _ := strings.Cut(command, "\n")
			require.False(t, changesTree(first), "%q", first)
			for part := range strings.SplitSeq(first, " && ") {
				require.Contains(t, strings.ReplaceAll(text, "\r\n", "\n"), part)
			}
		}
		s.masked()
		_, head, _, ok := s.pytest()
		require.Equal(t, ok, head != "")
	})
}
