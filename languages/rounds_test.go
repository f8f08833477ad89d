package languages

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// TestRounds: after the build each round has its own value, reports, output and
// exit code, and one that does not end is cut. A build that fails has no rounds.
func TestRounds(t *testing.T) {
	const round = `echo "round $ASSAY_X"
status=
if [ "$ASSAY_X" = b ]; then status='<failure message="no"/>'; fi
echo "<testsuite><testcase classname=\"a.B\" name=\"$ASSAY_X\">$status</testcase></testsuite>" >/assay/n/reports/TEST-a.xml
if [ "$ASSAY_X" = b ]; then exit 1; fi
if [ "$ASSAY_X" = c ]; then sleep 20; fi
`
	bed := &Testbed{language: javaLanguage{}}
	s, r := Suite{Nonce: "n"}, Rounds{Variable: "ASSAY_X", Values: []string{"a", "b", "c", "d"}, Time: time.Second}
	cmd := Command{Reports: []string{s.reports() + "/TEST-*.xml"}, Format: reports.Surefire, OtherFailures: true}
	for _, build := range []string{"true", "false"} {
		job := bed.roundsJob(harness.Job{Script: build + "\nassay_code=$?\nexit $assay_code\n", Limits: harness.Limits{Time: time.Minute}}, s, round, r)
		require.Equal(t, time.Minute+4*time.Second, job.Limits.Time)
		require.Equal(t, s.dir()+"/round.sh", job.Files[0].Path)
		res := roundsHere(t, job)
		out := bed.repeated(Variant{Name: "v"}, s, cmd, r, res)
		if build == "false" {
			require.Equal(t, bench.RunUnbuilt, out.Build.State)
			require.Empty(t, out.Rounds)
			continue
		}
		require.Equal(t, bench.RunDone, out.Build.State)
		var got []string
		for _, o := range out.Rounds {
			line := string(o.State)
			for _, test := range o.Tests {
				line += " " + test.ID + " " + string(test.Status)
			}
			got = append(got, line)
		}
		require.Equal(t, []string{"done a.B::a passed", "done a.B::b failed", "timeout a.B::c passed", "done a.B::d passed"}, got)
	}
}

// roundsHere runs a job's script on this machine, without what ends other
// processes.
func roundsHere(t *testing.T, job harness.Job) harness.Result {
	root := t.TempDir()
	here := func(text string) string { return strings.ReplaceAll(text, "/assay/", root+"/") }
	for _, f := range job.Files {
		require.NoError(t, os.MkdirAll(filepath.Dir(here(f.Path)), 0o755))
		require.NoError(t, os.WriteFile(here(f.Path), []byte(here(string(f.Data))), 0o644))
	}
	require.Contains(t, job.Script, "kill -KILL -1 2>/dev/null\n")
	out, _, err := shell(t, nil, "set +e\n"+here(strings.ReplaceAll(job.Script, "kill -KILL -1 2>/dev/null\n", "")))
	res := harness.Result{End: harness.Exited, Files: map[string][]byte{}}
	res.Output.Head = []byte(out)
	if err != nil {
		res.ExitCode = 1
	}
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		name := "/assay/" + strings.TrimPrefix(p, root+"/")
		if err == nil && !d.IsDir() && matchesAny(job.Collect, name) {
			data, err := os.ReadFile(p)
			require.NoError(t, err)
			res.Files[name] = data
		}
		return err
	}))
	return res
}

// TestRepeat: which builds can be used again.
func TestRepeat(t *testing.T) {
	test := "package a;\nimport org.junit.Test;\npublic class BoxTest {\n  @Test public void area() {}\n}\n"
	repo := javaRepo{"pom.xml": "<project/>", "src/test/java/a/BoxTest.java": test}
	suite := Suite{Files: []string{"src/test/java/a/BoxTest.java"}, Repo: repo, Nonce: "n"}
	c, round, ok := javaLanguage{}.repeat(bench.Env{Framework: "maven"}, suite)
	require.True(t, ok)
	require.Nil(t, c.Nonce)
	require.Contains(t, round, "/assay/n/again'/classes '/assay/n/reports'")
	require.Equal(t, "a.BoxTest\n", string(c.Files[1].Data))
	require.Regexp(t, `'-Dtest=a\.\w+Test'`, c.Script)

	_, _, ok = javaLanguage{}.repeat(bench.Env{Framework: "gradle"}, suite)
	require.False(t, ok)
	suite.Repo = javaRepo{"pom.xml": "<project/>", "src/test/java/a/BoxTest.java": strings.Replace(test, "org.junit.Test", "org.testng.annotations.Test", 1)}
	_, _, ok = javaLanguage{}.repeat(bench.Env{Framework: "maven"}, suite)
	require.False(t, ok, "TestNG")

	_, _, ok = cppLanguage{}.repeat(bench.Env{Framework: "meson"}, Suite{Nonce: "n", Repo: cppRepo{}})
	require.False(t, ok)
	c, _, ok = cppLanguage{}.repeat(bench.Env{Framework: "gtest"}, Suite{Nonce: "n", Repo: cppRepo{}})
	require.True(t, ok)
	require.NotContains(t, c.Script, "-k 0")
}

// TestLiveRounds: one build of CMake's serves runs with and without the variable.
func TestLiveRounds(t *testing.T) {
	ids := []string{"runa", "runb", "have_flag_-wall"}
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": ctestProject,
		"tests/a.cpp":    "#include <cstdlib>\nint main() { return std::getenv(\"ASSAY_MUTANT\") ? 1 : 0; }\n",
		"tests/b.cpp":    "int main() { return 0; }\n",
	}, ids...)
	warm := p.warm(ids...)
	require.Zero(t, warm.ExitCode, string(warm.Output.Head))
	s := p.suite("many", ids...)
	c, round, ok := cppLanguage{}.repeat(p.env, s)
	require.True(t, ok)
	built := p.shell("mkdir -p " + s.reports() + "\n" + c.Script)
	require.Zero(t, built.ExitCode, string(built.Output.Head))
	for set, want := range map[string]string{"": "RunA passed", "export ASSAY_MUTANT=3\n": "RunA failed"} {
		res := p.shell(set + round)
		require.Contains(t, statuses(read("round", s, c, res).Run), want, string(res.Output.Head))
	}
	p.write("tests/b.cpp", "this does not compile\n")
	require.NotZero(t, p.shell(c.Script).ExitCode, "a part that does not build ends the build")
}

// TestBareRuns: a run that judges nothing makes no nonce tests.
func TestBareRuns(t *testing.T) {
	java := javaRepo{"pom.xml": "<project/>", "src/test/java/a/BoxTest.java": "package a;\nimport org.junit.Test;\npublic class BoxTest {\n  @Test public void area() {}\n}\n"}
	cpp := cppRepo{"CMakeLists.txt": "add_executable(a tests/a.cpp)", "tests/a.cpp": "#include <gtest/gtest.h>\nTEST(A, B) { EXPECT_EQ(1, 1); }\n"}
	for _, bare := range []bool{false, true} {
		c := mavenCommand(bench.Env{Framework: "maven"}, Suite{Files: []string{"src/test/java/a/BoxTest.java"}, Repo: java, Nonce: "n", Bare: bare})
		require.Equal(t, bare, c.Nonce == nil)
		require.Contains(t, c.Script, "a.BoxTest")
		c = cppLanguage{}.Command(bench.Env{Framework: "gtest"}, Suite{Files: []string{"tests/a.cpp"}, Repo: cpp, Nonce: "n", Bare: bare})
		require.Equal(t, bare, c.Nonce == nil)
		require.Equal(t, bare, c.Own == nil)
	}
}
