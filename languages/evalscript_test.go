package languages

import (
	"context"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
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
		{
			"a patch as a condition", "if ! git -C /home/x apply --whitespace=nowarn  /home/test.patch /home/fix.patch; then\n  exit 1\nfi\nif git apply a; then\n  make\nfi",
			"", "if false; then;   exit 1; fi; if true; then;   make; fi", "if ! git -C /home/x apply --whitespace=nowarn  /home/test.patch /home/fix.patch; then; if git apply a; then",
		},
		{"another condition", "if ! git diff --quiet; then\nmake\nfi", "", "if ! git diff --quiet; then; make; fi", ""},
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

// FuzzParseEvalScript checks that no line of a script is made up, that none
// of the kept ones applies a patch, and that the test section stays after its
// marker.
func FuzzParseEvalScript(f *testing.F) {
	f.Add(sweBenchScript)
	f.Add("if ! git apply a; then\nexit 1\nfi\nmake")
	f.Add("cd /x && git apply a && make\ncat <<A <<B\n1\nA\n2\nB\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := parseEvalScript(text)
		for _, command := range append(s.Setup, s.Tests...) {
			first, _, _ := strings.Cut(command, "\n")
			if first == "if true; then" || first == "if false; then" {
				require.NotEmpty(t, s.Cut)
				continue // in place of a patch that is a condition
			}
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

func TestParserOfCommand(t *testing.T) {
	for script, want := range map[string]string{
		"cd build\ncmake ..\nmake\nctest\n":           "ctest-text",
		"cd build && ctest":                           "ctest-text",
		"(cd build; ctest -j4)":                       "ctest-text",
		"mvn clean test -DfailIfNoTests=false":        "maven-text",
		"./mvnw -V clean test":                        "maven-text",
		"./gradlew clean test --continue":             "gradle-text",
		"go test -v -count=1 ./...":                   "gotest",
		"cargo test":                                  "cargo",
		"cd test\nmake":                               "",
		"npm test":                                    "",
		"cat myctest":                                 "",
		"cp mvn.txt /tmp\nrm /opt/maven/mvn-settings": "",
	} {
		require.Equal(t, want, parserOfCommand(script), script)
	}
}

type fakeImages struct{ workdir string }

func (f fakeImages) Workdir(context.Context, string) (string, error) { return f.workdir, nil }

// TestRootByWorkdir checks that an image's working directory is where its
// repository is, if it holds one.
func TestRootByWorkdir(t *testing.T) {
	tests := []struct {
		name, root, workdir string
		heads               []string
		want                string
	}{
		{"the working directory", "", "/home/calc/", []string{"/home/calc", "/root/.pyenv"}, "/home/calc"},
		{"before the usual place", "", "/srv/calc", []string{"/testbed", "/srv/calc"}, "/srv/calc"},
		{"without a repository", "", "/home", []string{"/testbed"}, "/testbed"},
		{"none", "", "", []string{"/testbed"}, "/testbed"},
		{"the instance says it", "/opt/calc", "/home/calc", []string{"/testbed", "/home/calc"}, "/opt/calc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bed := &Testbed{instance: &bench.Instance{Image: "x", Language: Python, Root: tt.root}, machine: Machine{Images: fakeImages{tt.workdir}}}
			bed.once.Do(func() { bed.name = "x" })
			copies := 0
			copyOut := func(_ context.Context, globs []string) (map[string][]byte, error) {
				copies++
				found := map[string][]byte{}
				for _, h := range tt.heads {
					for _, name := range []string{h + "/.git/HEAD", h + "/README"} {
						if slices.Contains(globs, name) {
							found[name] = []byte(name)
						}
					}
				}
				return found, nil
			}
			found, err := bed.lookIn(t.Context(), copyOut, func(root string) []string { return []string{path.Join(root, "README")} })
			require.NoError(t, err)
			require.Equal(t, 1, copies, "what is wanted comes with the first copy")
			if slices.Contains(tt.heads, tt.want) {
				require.Equal(t, tt.want+"/README", string(found[tt.want+"/README"]))
			}
			require.Equal(t, tt.want, bed.Root())
		})
	}
}
