package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// xml is a JUnit report of one class.
func xml(cases string) []byte {
	return []byte(`<?xml version="1.0"?><testsuite name="a.B" tests="1">` + cases + `</testsuite>`)
}

// TestRead checks how a run is read, from what its job left. Surefire's
// reports stand for all: reading them is tested where they are read.
func TestRead(t *testing.T) {
	const (
		good = `<testcase classname="a.B" name="x" time="0.1"/>`
		bad  = `<testcase classname="a.B" name="y"><failure message="no">trace</failure></testcase>`
	)
	suite := Suite{Nonce: "n0"}
	plain := Command{Reports: []string{"/testbed/**/TEST-*.xml"}, Format: reports.Surefire}
	guarded := plain
	guarded.Nonce = &Nonce{Reports: []string{"/testbed/TEST-nonce.xml"}, Format: reports.Surefire, Pass: "n.N::p", Fail: "n.N::f"}
	empty := plain
	empty.Nonce = &Nonce{Reports: []string{"/testbed/TEST-nonce.xml"}, Format: reports.Surefire, Empty: true}
	nonce := func(cases string) []byte {
		return []byte(`<testsuite name="n.N" tests="2">` + cases + `</testsuite>`)
	}
	const (
		nonceGood = `<testcase classname="n.N" name="p"/><testcase classname="n.N" name="f"><failure>x</failure></testcase>`
		nonceBad  = `<testcase classname="n.N" name="p"/><testcase classname="n.N" name="f"/>`
	)
	report := func(cases string) map[string][]byte {
		return map[string][]byte{"/testbed/target/TEST-a.B.xml": xml(cases)}
	}
	with := func(files map[string][]byte, path string, data []byte) map[string][]byte {
		files[path] = data
		return files
	}
	for name, c := range map[string]struct {
		cmd   Command
		res   harness.Result
		state bench.RunState
		tests int
	}{
		"passed":                              {plain, harness.Result{End: harness.Exited, Files: report(good)}, bench.RunDone, 1},
		"failed":                              {plain, harness.Result{End: harness.Exited, ExitCode: 1, Files: report(good + bad)}, bench.RunDone, 2},
		"failures, but code 0":                {plain, harness.Result{End: harness.Exited, Files: report(good + bad)}, bench.RunSuspect, 2},
		"no failure, but code 1":              {plain, harness.Result{End: harness.Exited, ExitCode: 1, Files: report(good)}, bench.RunSuspect, 1},
		"no report and code 0":                {plain, harness.Result{End: harness.Exited}, bench.RunSuspect, 0},
		"no report and code 1":                {plain, harness.Result{End: harness.Exited, ExitCode: 1}, bench.RunUnbuilt, 0},
		"killed by a signal":                  {plain, harness.Result{End: harness.Exited, ExitCode: 139}, bench.RunCrashed, 0},
		"the build failed":                    {plain, harness.Result{End: harness.Exited, ExitCode: 139, Files: map[string][]byte{"/assay/n0/phase": []byte("build\n")}}, bench.RunUnbuilt, 0},
		"died after the build":                {plain, harness.Result{End: harness.Exited, ExitCode: 1, Files: map[string][]byte{"/assay/n0/phase": []byte("run\n")}}, bench.RunCrashed, 0},
		"timeout":                             {plain, harness.Result{End: harness.TimedOut, ExitCode: -1, Files: report(good)}, bench.RunTimeout, 1},
		"out of memory":                       {plain, harness.Result{End: harness.OutOfMemory, ExitCode: 137}, bench.RunLimit, 0},
		"too much output":                     {plain, harness.Result{End: harness.OutputLimit, ExitCode: 137}, bench.RunLimit, 0},
		"cut report and a signal":             {plain, harness.Result{End: harness.Exited, ExitCode: 134, Files: map[string][]byte{"/testbed/TEST-a.xml": xml(good)[:70]}}, bench.RunCrashed, 0},
		"nonce tests right":                   {guarded, harness.Result{End: harness.Exited, Files: with(report(good), "/testbed/TEST-nonce.xml", nonce(nonceGood))}, bench.RunDone, 1},
		"the one that must fail passes":       {guarded, harness.Result{End: harness.Exited, Files: with(report(good), "/testbed/TEST-nonce.xml", nonce(nonceBad))}, bench.RunSuspect, 1},
		"nothing answers to no name":          {empty, harness.Result{End: harness.Exited, Files: with(report(good), "/testbed/TEST-nonce.xml", nonce(`<testcase classname="n.N" name="p"><skipped/></testcase>`))}, bench.RunDone, 1},
		"something answers to no name":        {empty, harness.Result{End: harness.Exited, Files: with(report(good), "/testbed/TEST-nonce.xml", nonce(nonceBad))}, bench.RunSuspect, 1},
		"nothing is heard of the nonce tests": {guarded, harness.Result{End: harness.Exited, Files: report(good)}, bench.RunSuspect, 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := read("r", suite, c.cmd, c.res)
			run, said := o.Run, o.Said
			require.Equal(t, c.state, run.State, run.Detail)
			require.Len(t, run.Tests, c.tests)
			for _, test := range run.Tests {
				require.Zero(t, test.Seconds, "times differ from run to run")
				require.Empty(t, test.Message, "messages may, too")
				require.Equal(t, !test.Status.OK(), said[test.ID] != "", "%s: %v", test.ID, said)
			}
		})
	}
}
