package languages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

func reported(complete bool, tests ...bench.Test) reports.Report {
	return reports.Report{Complete: complete, Tests: tests}
}

func ended(id string, s bench.Status) bench.Test { return bench.Test{ID: id, Status: s} }

// TestState: how a run ended, from what ended it, how far its script came and
// what its report holds.
func TestState(t *testing.T) {
	passed, failed := ended("a.py::t", bench.Passed), ended("a.py::t", bench.Failed)
	for name, c := range map[string]struct {
		end         harness.End
		code        int
		phase       string
		contributed bool
		report      reports.Report
		want        bench.RunState
		detail      string
	}{
		"passed":                                 {harness.Exited, 0, "", false, reported(true, passed), bench.RunDone, ""},
		"failed":                                 {harness.Exited, 1, "", false, reported(true, failed), bench.RunDone, ""},
		"time":                                   {harness.TimedOut, 0, "", false, reported(true, passed), bench.RunTimeout, ""},
		"memory":                                 {harness.OutOfMemory, 0, "", false, reported(true, passed), bench.RunLimit, "out_of_memory"},
		"output":                                 {harness.OutputLimit, 0, "", false, reported(true, passed), bench.RunLimit, "output_limit"},
		"disk":                                   {harness.DiskLimit, 0, "", false, reported(true, passed), bench.RunLimit, "disk_limit"},
		"collected":                              {harness.CollectLimit, 0, "", false, reported(true, passed), bench.RunLimit, "collect_limit"},
		"configuring failed":                     {harness.Exited, 2, "configure", false, reported(true, passed), bench.RunUnbuilt, "failed to configure"},
		"building failed":                        {harness.Exited, 2, " build\n", false, reported(true, passed), bench.RunUnbuilt, "failed to build"},
		"built, and done":                        {harness.Exited, 0, "build", false, reported(true, passed), bench.RunDone, ""},
		"failed after the build":                 {harness.Exited, 1, "test", false, reported(true, failed), bench.RunDone, ""},
		"no test, and it says so":                {harness.Exited, 0, "", false, reported(true), bench.RunDone, "no test ran"},
		"no test, it says so, contributed":       {harness.Exited, 0, "", true, reported(true), bench.RunDone, "no test ran"},
		"no report, contributed":                 {harness.Exited, 0, "", true, reported(false), bench.RunUnbuilt, "no test ran"},
		"no report, code 0":                      {harness.Exited, 0, "", false, reported(false), bench.RunSuspect, "the runner exited with code 0 and without a report"},
		"no report, code 1":                      {harness.Exited, 1, "", false, reported(false), bench.RunUnbuilt, "no test ran"},
		"no report, code 125":                    {harness.Exited, 125, "", false, reported(false), bench.RunUnbuilt, "no test ran"},
		"no report, code 126":                    {harness.Exited, 126, "", false, reported(false), bench.RunCrashed, "no report was left"},
		"no report, after the build":             {harness.Exited, 1, "test", false, reported(false), bench.RunCrashed, "no report was left"},
		"no test, code 5":                        {harness.Exited, 5, "", false, reported(true), bench.RunUnbuilt, "no test ran"},
		"files that cannot be imported":          {harness.Exited, 2, "", false, reported(true, ended("a.py", bench.Error), ended("b.py", bench.Error)), bench.RunUnbuilt, "no test could be collected"},
		"one file that cannot be, and one fails": {harness.Exited, 1, "", false, reported(true, ended("a.py", bench.Error), failed), bench.RunDone, ""},
		"a test that errs":                       {harness.Exited, 1, "", false, reported(true, ended("a.py::t", bench.Error)), bench.RunDone, ""},
		"a file that was skipped":                {harness.Exited, 0, "", false, reported(true, ended("a.py", bench.Skipped)), bench.RunDone, ""},
		"cut, code 0":                            {harness.Exited, 0, "", false, reported(false, passed), bench.RunSuspect, "the runner exited with code 0, but its report is cut"},
		"cut, code 1":                            {harness.Exited, 1, "", false, reported(false, passed), bench.RunCrashed, "the report is cut"},
		"cut, a signal":                          {harness.Exited, 139, "", false, reported(false, passed), bench.RunCrashed, "the report is cut"},
		"whole, a signal":                        {harness.Exited, 139, "", false, reported(true, failed), bench.RunCrashed, "the runner exited with code 139"},
		"whole, code 126":                        {harness.Exited, 126, "", false, reported(true, failed), bench.RunCrashed, "the runner exited with code 126"},
		"whole, code 125":                        {harness.Exited, 125, "", false, reported(true, failed), bench.RunDone, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := Suite{Nonce: "n0", Contributed: c.contributed}
			res := harness.Result{End: c.end, ExitCode: c.code, Files: map[string][]byte{"/assay/n0/phase": []byte(c.phase)}}
			got, detail := state(s, c.report, res)
			require.Equal(t, c.want, got, detail)
			require.Equal(t, c.detail, detail)
		})
	}
	running := reported(false, passed)
	running.Running = "a.py::u"
	_, detail := state(Suite{}, running, harness.Result{End: harness.Exited})
	require.Equal(t, "the runner exited with code 0, but its report is cut while a.py::u was running", detail)
	_, detail = state(Suite{}, running, harness.Result{End: harness.Exited, ExitCode: 1})
	require.Equal(t, "the report is cut while a.py::u was running", detail)
}

// TestDisagreement: a runner exits with a failure code if and only if tests
// fail.
func TestDisagreement(t *testing.T) {
	p, f, e, s := ended("p", bench.Passed), ended("f", bench.Failed), ended("e", bench.Error), ended("s", bench.Skipped)
	for name, c := range map[string]struct {
		cmd   Command
		code  int
		tests []bench.Test
		want  string
	}{
		"passes":                         {Command{}, 0, []bench.Test{p, s}, ""},
		"fails":                          {Command{}, 1, []bench.Test{p, f}, ""},
		"errs":                           {Command{}, 1, []bench.Test{e}, ""},
		"code 0, a failure and an error": {Command{}, 0, []bench.Test{p, f, e}, "the runner exited with code 0, but its report holds 2 failures"},
		"code 0, failures are ignored":   {Command{FailuresIgnored: true}, 0, []bench.Test{f}, ""},
		"code 1, nothing fails":          {Command{}, 1, []bench.Test{p, s}, "the runner exited with code 1, but its report holds no failure"},
		"code 1, nothing fails, ignored": {Command{FailuresIgnored: true}, 1, []bench.Test{p}, "the runner exited with code 1, but its report holds no failure"},
		"Catch2, all skipped":            {Command{Format: reports.Catch2}, 4, []bench.Test{s, s}, ""},
		"Catch2, one passes":             {Command{Format: reports.Catch2}, 4, []bench.Test{s, p}, "the runner exited with code 4, but its report holds no failure"},
		"Catch2, another code":           {Command{Format: reports.Catch2}, 3, []bench.Test{s}, "the runner exited with code 3, but its report holds no failure"},
		"another runner, all skipped":    {Command{Format: reports.Doctest}, 4, []bench.Test{s}, "the runner exited with code 4, but its report holds no failure"},
	} {
		require.Equal(t, c.want, disagreement(c.cmd, reported(true, c.tests...), c.code), name)
	}
}

// sealed writes lines as our reporter does.
func sealed(key string, lines ...string) []byte {
	raw, err := hex.DecodeString(key)
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	last := ""
	for _, l := range lines {
		mac := hmac.New(sha256.New, raw)
		mac.Write([]byte(last + l))
		last = hex.EncodeToString(mac.Sum(nil))[:64]
		fmt.Fprintf(&out, "%s %s\n", last, l)
	}
	return []byte(out.String())
}

// TestHooked: what two nonce tests must show.
func TestHooked(t *testing.T) {
	nonce := Nonce{Reports: []string{"/r/n-*.xml"}, Format: reports.Surefire, Pass: "n.N::p", Fail: "n.N::f"}
	suite := func(p, f string) []byte {
		cases := ""
		for name, s := range map[string]string{"p": p, "f": f} {
			switch s {
			case "pass":
				cases += `<testcase classname="n.N" name="` + name + `"/>`
			case "":
			default:
				cases += `<testcase classname="n.N" name="` + name + `"><` + s + `/></testcase>`
			}
		}
		return []byte(`<testsuite name="n.N" tests="2">` + cases + `</testsuite>`)
	}
	for name, c := range map[string]struct{ p, f, want string }{
		"as it should be":     {"pass", "failure", ""},
		"an error will do":    {"pass", "error", ""},
		"both pass":           {"pass", "pass", "the runner reports a test that must fail as passed"},
		"both fail":           {"failure", "failure", `the runner gives a test that must pass as "failed" and one that must fail as "failed"`},
		"turned round":        {"failure", "pass", "the runner reports a test that must fail as passed"},
		"none is there":       {"", "", "the runner does not report two nonce tests"},
		"only the one passes": {"pass", "", `the runner gives a test that must pass as "passed" and one that must fail as ""`},
		"only the one fails":  {"", "failure", `the runner gives a test that must pass as "" and one that must fail as "failed"`},
		"it skips":            {"pass", "skipped", `the runner gives a test that must pass as "passed" and one that must fail as "skipped"`},
	} {
		files := map[string][]byte{"/r/n-1.xml": suite(c.p, c.f), "/r/other.xml": suite("failure", "pass")}
		require.Equal(t, c.want, hooked(nonce, nonceStatuses(nonce, nil, files)), name)
	}
	empty := Nonce{Reports: nonce.Reports, Format: reports.Surefire, Empty: true}
	require.Empty(t, hooked(empty, nonceStatuses(empty, nil, nil)))
	require.Empty(t, hooked(empty, nonceStatuses(empty, nil, map[string][]byte{"/r/n-1.xml": suite("skipped", "skipped")})))
	require.Contains(t, hooked(empty, nonceStatuses(empty, nil, map[string][]byte{"/r/n-1.xml": suite("pass", "skipped")})), "asked for a test that does not exist, the runner reports n.N::p as passed")
	withKey := nonce
	withKey.Key = "00ff"
	require.NotEmpty(t, hooked(withKey, nonceStatuses(withKey, nil, map[string][]byte{"/r/n-1.xml": suite("pass", "failure")})), "a report without seals is none")
}

// TestGather: which of the collected files are read, and how.
func TestGather(t *testing.T) {
	const one, two = `<testcase classname="a.B" name="x"/>`, `<testcase classname="a.B" name="y"/>`
	ids := func(r reports.Report) (out []string) {
		for _, test := range r.Tests {
			out = append(out, test.ID)
		}
		return out
	}
	text := []byte("[==========] Running 1 test from 1 test suite.\n[ RUN      ] S.T\n[       OK ] S.T (0 ms)\n[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n")
	base := Command{Reports: []string{"/r/**"}, Format: reports.Surefire}
	withText := Command{Reports: []string{"/r/**"}, Format: reports.GTest, Text: reports.GTestText}
	sniffed := Command{Reports: []string{"/r/**"}}
	guarded := base
	guarded.Nonce = &Nonce{Reports: []string{"/r/nonce.xml"}}
	for name, c := range map[string]struct {
		cmd   Command
		files map[string][]byte
		want  []string
		notes int
	}{
		"all that match, merged":               {base, map[string][]byte{"/r/b.xml": xml(two), "/r/a.xml": xml(one), "/else/c.xml": xml(one)}, []string{"a.B::x", "a.B::y"}, 0},
		"not the nonce's":                      {guarded, map[string][]byte{"/r/b.xml": xml(two), "/r/nonce.xml": xml(one)}, []string{"a.B::y"}, 0},
		"nothing":                              {base, nil, nil, 0},
		"what is none":                         {base, map[string][]byte{"/r/b.xml": []byte("what")}, nil, 1},
		"by content":                           {sniffed, map[string][]byte{"/r/a.txt": text}, []string{"S.T"}, 0},
		"what nobody knows":                    {sniffed, map[string][]byte{"/r/a.txt": []byte("what")}, nil, 1},
		"printed, where no report is":          {withText, map[string][]byte{"/r/t.log": text}, []string{"S.T"}, 0},
		"printed, where the report is empty":   {withText, map[string][]byte{"/r/t.log": text, "/r/t.xml": nil}, []string{"S.T"}, 1},
		"printed text of another report":       {withText, map[string][]byte{"/r/t.log": text, "/r/u.xml": []byte(`<testsuites tests="0" disabled="0"></testsuites>`)}, []string{"S.T"}, 0},
		"printed text is not read for reports": {base, map[string][]byte{"/r/t.log": text, "/r/a.xml": xml(one)}, []string{"a.B::x"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			report, notes, forged := gather(c.cmd, c.files)
			require.Equal(t, c.want, ids(report))
			require.Len(t, notes, c.notes, notes)
			require.Empty(t, forged)
		})
	}
	xmlToo := []byte(`<testsuites tests="1" disabled="0"><testsuite name="S"><testcase name="U" classname="S" status="run" result="completed"/></testsuite></testsuites>`)
	report, _, _ := gather(withText, map[string][]byte{"/r/t.log": text, "/r/t.xml": xmlToo})
	require.Equal(t, []string{"S.U"}, ids(report), "the report goes before what was printed")
	both, _, _ := gather(base, map[string][]byte{"/r/a.xml": xml(one), "/r/b.xml": []byte("what")})
	require.False(t, both.Complete, "with one that cannot be read the rest is not all")
}

// TestSealedReports: a report without a valid seal is forged, regardless of
// its content.
func TestSealedReports(t *testing.T) {
	const key = "00112233"
	cmd := Command{Reports: []string{"/r/*"}, Format: reports.PytestJSON, Key: key}
	plain := []byte(`{"ev":"start"}` + "\n")
	for name, data := range map[string][]byte{"no seals": plain, "another key": sealed("ff", `{"ev":"start"}`)} {
		_, _, forged := gather(cmd, map[string][]byte{"/r/a": data})
		require.NotEmpty(t, forged, name)
		run := read("r", Suite{Nonce: "n0"}, cmd, harness.Result{End: harness.Exited, ExitCode: 1, Files: map[string][]byte{"/r/a": data}}).Run
		require.Equal(t, bench.RunSuspect, run.State, name)
		require.Equal(t, forged, run.Detail, name)
	}
	same, broken := unseal("", plain)
	require.Equal(t, plain, same)
	require.Empty(t, broken)
	_, broken = unseal("no hex", plain)
	require.NotEmpty(t, broken)
}

// TestReadTellsTheFirstFault: a run that hangs or crashes is not a suspect
// for what its nonce tests did not show; notes fill in where nothing else is
// said.
func TestReadTellsTheFirstFault(t *testing.T) {
	cmd := Command{Reports: []string{"/r/*.xml"}, Format: reports.Surefire, Nonce: &Nonce{Reports: []string{"/n/*.xml"}, Format: reports.Surefire, Pass: "p", Fail: "f"}}
	whole := map[string][]byte{"/r/a.xml": xml(`<testcase classname="a.B" name="x"/>`)}
	for want, res := range map[bench.RunState]harness.Result{
		bench.RunTimeout: {End: harness.TimedOut, Files: whole},
		bench.RunLimit:   {End: harness.DiskLimit, Files: whole},
		bench.RunCrashed: {End: harness.Exited, ExitCode: 139, Files: whole},
		bench.RunUnbuilt: {End: harness.Exited, ExitCode: 1},
		bench.RunSuspect: {End: harness.Exited, Files: whole},
	} {
		o := read("name", Suite{Nonce: "n0"}, cmd, res)
		run := o.Run
		require.Equal(t, want, run.State)
		require.Equal(t, want == bench.RunSuspect, len(o.Doubts) > 0, "only a run that ended is doubted")
		require.Equal(t, "name", run.Name)
		require.Equal(t, res.ExitCode, run.ExitCode)
	}
	cmd.Nonce = nil
	both := map[string][]byte{"/r/a.xml": whole["/r/a.xml"], "/r/b.xml": []byte("what")}
	run := read("name", Suite{Nonce: "n0"}, cmd, harness.Result{End: harness.TimedOut, Files: both}).Run
	require.Contains(t, run.Detail, "b.xml: ")
}

// TestComplaints: what is said about tests that did not pass, and nothing
// else.
func TestComplaints(t *testing.T) {
	tests := []bench.Test{
		{ID: "p", Status: bench.Passed, Message: "chatter"}, {ID: "f", Status: bench.Failed, Message: "no"},
		{ID: "e", Status: bench.Error}, {ID: "s", Status: bench.Skipped, Message: "why"}, {ID: "x", Status: bench.XFail, Message: "known"},
	}
	require.Equal(t, map[string]string{"f": "no", "s": "why"}, complaints(tests))
	tests[0].Seconds, tests[0].File = 1, "f"
	require.Equal(t, bench.Test{ID: "p", Status: bench.Passed}, recorded(tests)[0])
}
