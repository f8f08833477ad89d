package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
)

func ownSuite() Suite {
	return Suite{Files: []string{"tests/test_a.py"}, Repo: noFiles{}, Nonce: "n123456789abcdef", Key: "00ff", Root: "/home/a"}
}

type noFiles struct{}

func (noFiles) Paths() []string    { return nil }
func (noFiles) Text(string) string { return "" }
func (noFiles) exists(string) bool { return false }

func fileOf(t *testing.T, c Command, suffix string) string {
	for _, f := range c.Files {
		if strings.HasSuffix(f.Path, suffix) {
			return string(f.Data)
		}
	}
	require.Fail(t, "no file "+suffix)
	return ""
}

// TestSealedScript checks that pytest alone gets our reporter, with the
// published arguments, and that the nonce tests come in only after it.
func TestSealedScript(t *testing.T) {
	own := ownCommand{script: parseEvalScript(sweBenchScript), parser: "parse_log_pytest"}
	c, err := own.command(ownSuite())
	require.NoError(t, err)
	require.False(t, c.Printed)
	script := fileOf(t, c, "/eval.sh")
	require.Contains(t, script, "pytest -p assay_n123456789abcdef --continue-on-collection-errors -rA tests/test_a.py\ntrap - ERR\n")
	require.NotContains(t, script, "git apply")
	require.NotNil(t, c.Nonce)
	require.Less(t, strings.Index(script, "-rA tests/test_a.py"), strings.Index(script, "cp '/assay/n123456789abcdef/nonce.py' '/home/a/tests/test_"))
	for _, f := range append(c.Files, c.Nonce.Files...) {
		require.True(t, strings.HasPrefix(f.Path, "/assay/n123456789abcdef/"), f.Path)
	}

	path := ownCommand{script: parseEvalScript("PYTHONPATH=tests python -m pytest tests")}
	c, err = path.command(ownSuite())
	require.NoError(t, err)
	require.Contains(t, fileOf(t, c, "/eval.sh"), " PYTHONPATH=/assay/n123456789abcdef/lib:tests python -m pytest ")

	own = ownCommand{script: parseEvalScript(sweBenchScript)}
	s := ownSuite()
	s.Contributed = true
	c, err = own.command(s)
	require.NoError(t, err)
	require.Contains(t, fileOf(t, c, "/eval.sh"), "--continue-on-collection-errors 'tests/test_a.py'\n")
}

// TestPrintedScript checks that only what the tests print is read.
func TestPrintedScript(t *testing.T) {
	text := strings.Replace(sweBenchScript, "pytest -rA", "./run -v", 1)
	own := ownCommand{script: parseEvalScript(text), parser: "parse_log_pytest"}
	c, err := own.command(ownSuite())
	require.NoError(t, err)
	require.True(t, c.Printed)
	require.Nil(t, c.Nonce)
	script := fileOf(t, c, "/eval.sh")
	require.Less(t, strings.Index(script, "git -c core.fileMode=false diff"), strings.Index(script, "exec >"))
	require.Less(t, strings.Index(script, "exec >"), strings.Index(script, "./run -v"))

	s := ownSuite()
	s.Contributed = true
	_, err = own.command(s)
	require.ErrorIs(t, err, ErrPrinted)
}

// TestPrintedStates reads results of printed commands.
func TestPrintedStates(t *testing.T) {
	const counts = "test result: %. 1 passed; 1 failed; 0 ignored\n"
	good := "running 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n"
	bad := "running 2 tests\ntest a ... ok\ntest b ... FAILED\n" + strings.Replace(counts, "%", "FAILED", 1)
	forged := "running 2 tests\ntest a ... ok\ntest b ... ok\n" + strings.Replace(counts, "%", "FAILED", 1)
	tests := []struct {
		name, text string
		code       int
		masked     bool
		state      bench.RunState
	}{
		{"passes", good, 0, false, bench.RunDone},
		{"fails", bad, 101, false, bench.RunDone},
		{"code and text contradict", good, 1, false, bench.RunSuspect},
		{"text and code contradict", bad, 0, false, bench.RunSuspect},
		{"the code is lost in a pipe", bad, 0, true, bench.RunDone},
		{"more passed than counted", forged, 0, false, bench.RunSuspect},
		{"more passed than counted, failing", forged, 101, false, bench.RunCrashed},
		{"nothing", "", 0, false, bench.RunSuspect},
		{"nothing, failing", "error: could not compile\n", 101, false, bench.RunUnbuilt},
		{"killed", good, 137, false, bench.RunCrashed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ownSuite()
			c := Command{Printed: true, Parser: "cargo", Reports: []string{s.reports() + "/printed"}, FailuresIgnored: tt.masked}
			res := harness.Result{End: harness.Exited, ExitCode: tt.code, Files: map[string][]byte{s.reports() + "/printed": []byte(tt.text)}}
			run := read("x", s, c, res).Run
			require.Equal(t, tt.state, run.State, run.Detail)
		})
	}
}

func TestOpenOwn(t *testing.T) {
	tests := []struct {
		inst bench.Instance
		err  string
	}{
		{bench.Instance{EvalScript: "pytest a"}, ""},
		{bench.Instance{EvalScript: "make check"}, "needs log_parser"},
		{bench.Instance{EvalScript: "make check", LogParser: "parse_log_gotest"}, ""},
		{bench.Instance{TestCmds: []string{"make check"}, LogParser: "nobody"}, `log_parser "nobody" is not known`},
		{bench.Instance{TestCmds: []string{"make check"}, LogParser: "def parse(log):\n  return {}"}, "holds code"},
		{bench.Instance{LogParser: "maven-text"}, ""},
	}
	for _, tt := range tests {
		tt.inst.Image = "x"
		bed := &Testbed{instance: &tt.inst}
		err := bed.openOwn()
		if tt.err != "" {
			require.ErrorContains(t, err, tt.err)
			continue
		}
		require.NoError(t, err)
		require.NotNil(t, bed.own)
	}
	bed := &Testbed{instance: &bench.Instance{EvalScript: "pytest a"}}
	require.NoError(t, bed.openOwn())
	require.Nil(t, bed.own, "without an image the language's command runs")
}

func TestReadMulti(t *testing.T) {
	bed := &Testbed{instance: &bench.Instance{Image: "mswebench/google_m_gson:pr-1"}}
	require.NoError(t, bed.readMulti([]byte("#!/bin/bash\nset -e\ncd /home/gson\ngit apply /home/test.patch /home/fix.patch\nmvn clean test\n")))
	require.Equal(t, "maven-text", bed.own.parser)
	c, err := bed.own.command(ownSuite())
	require.NoError(t, err)
	require.Contains(t, c.Remove, "/home/fix.patch", "the gold patch lies in the image")
	require.ErrorContains(t, bed.readMulti([]byte("./runtest\n")), "/home/fix-run.sh: the instance's command needs log_parser")
}

func TestGenericLanguage(t *testing.T) {
	for p, want := range map[string]PathKind{
		"src/a.js": SourcePath, "src/a.test.js": TestPath, "src/__tests__/a.js": TestPath, "pkg/a_test.go": TestPath,
		"spec/models/a_spec.rb": TestPath, "tests/ATest.php": TestPath, "src/lib.rs": SourcePath, "src/latest.ts": SourcePath,
		"src/contest.go": SourcePath, "tests/unit/type/a.tcl": TestPath,
	} {
		require.Equal(t, want, classify("typescript", p), p)
	}
	got := MatchIDs((*Registry)(nil).Named("go"), []string{"TestA", "TestA ", "TestB/x"}, []string{"TestA", "TestB"})
	require.Equal(t, map[string][]string{"TestA": {"TestA"}, "TestA ": {"TestA"}, "TestB/x": nil}, got)
	_, err := (*Registry)(nil).of(&bench.Instance{Language: "go"})
	require.ErrorContains(t, err, "is not known")
	_, err = (*Registry)(nil).of(&bench.Instance{Language: "go", Image: "x", EvalScript: "go test", LogParser: "gotest"})
	require.NoError(t, err)
}
