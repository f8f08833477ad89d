package languages

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// read turns what a job left into the record of a run: reports first, then
// whether they, the exit code and the nonce tests agree. A wrong answer of
// the nonce tests makes a run suspect only if gold's run does not have it,
// too.
func read(name string, s Suite, cmd Command, res harness.Result) Outcome {
	run := bench.Run{Name: name, ExitCode: res.ExitCode}
	report, notes, forged := gather(cmd, res.Files)
	report, ours := splitNonce(cmd.Nonce, report)
	left := res.ExitCode
	res.ExitCode = withoutOurs(cmd, report, ours, left)
	theirs := cmd.Own.without(report.Tests)
	run.ExitCode, run.Tests = res.ExitCode, recorded(theirs)
	run.State, run.Detail = state(s, report, res)
	if run.State == bench.RunDone {
		if odd := disagreement(cmd, report, res.ExitCode); odd != "" {
			run.State, run.Detail = bench.RunSuspect, odd
		}
	}
	if forged != "" {
		run.State, run.Detail = bench.RunSuspect, forged
	}
	o := Outcome{Run: run, Said: complaints(theirs), Unguarded: cmd.Nonce == nil && cmd.Own == nil, Printed: cmd.Printed}
	if o.State == bench.RunDone {
		odd := oddities(cmd, report, ours, left, res.Files)
		if cmd.doubted != nil {
			odd = append(cmd.doubted(report, ours, res.Output), odd...)
		}
		o.check(cmd, theirs, res.Files)
		for _, d := range odd {
			o.doubt(d.kind, d.detail)
		}
	}
	if cmd.Settings != nil {
		o.Settings = cmd.Settings(res.Files)
	}
	if o.Detail == "" {
		o.Detail = strings.Join(notes, "; ")
	}
	return o
}

// check notes what nonce tests in executables say about a run that ended.
func (o *Outcome) check(cmd Command, tests []bench.Test, files map[string][]byte) {
	if cmd.Own == nil {
		return
	}
	ran, odd := cmd.Own.judge(files)
	o.Unguarded = !ran
	if odd != "" {
		o.doubt(DoubtNonce, odd)
	}
	for _, d := range cmd.Own.swallowed(files, tests) {
		o.doubt(d.kind, d.detail)
	}
}

// gather reads and merges the structured reports; a runner that died before
// it wrote one is read from its output. forged describes what is wrong with a
// seal.
func gather(cmd Command, files map[string][]byte) (_ reports.Report, notes []string, forged string) {
	var all []reports.Report
	for _, p := range sortedKeys(files) {
		if !matchesAny(cmd.Reports, p) || isNonce(cmd, p) {
			continue
		}
		format, died := cmd.formatOf(p), false
		if strings.HasSuffix(p, ".log") && cmd.ByName == nil {
			if cmd.Text == "" || readable(files[strings.TrimSuffix(p, ".log")+".xml"]) {
				continue
			}
			format = cmd.Text
			died = true
		}
		data, broken := unseal(cmd.Key, files[p])
		if broken != "" {
			forged = broken
		}
		r, err := readReport(cmd, format, data)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v", path.Base(p), err))
			all = append(all, reports.Report{})
			continue
		}
		if died {
			unproven(r.Tests)
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return reports.Report{}, notes, forged
	}
	merged := reports.Merge(all...)
	return merged, append(notes, merged.Notes...), forged
}

// unproven turns the successes that only the output of a runner reports,
// which died before its report was written, into errors: the code under test
// can print them, too.
func unproven(tests []bench.Test) {
	for i, t := range tests {
		if t.Status.OK() || t.Status == bench.Skipped {
			tests[i].Status, tests[i].Message = bench.Error, "the runner ended before it wrote its report"
		}
	}
}

// unseal takes the seals off a report, where it has to have them.
func unseal(key string, data []byte) (plain []byte, broken string) {
	if key == "" {
		return data, ""
	}
	raw, err := hex.DecodeString(key)
	if err != nil {
		return nil, err.Error()
	}
	lines, ok, note := reports.Unseal(data, raw)
	if !ok {
		return lines, note
	}
	return lines, ""
}

// formatOf is the format of one report.
func (c Command) formatOf(p string) reports.Format {
	format, longest := c.Format, -1
	for ending, f := range c.ByName {
		if len(ending) > longest && strings.HasSuffix(p, ending) {
			format, longest = f, len(ending)
		}
	}
	return format
}

func readable(xml []byte) bool { return len(xml) > 0 }

// readReport reads one report of a command, and gives its tests the names that
// published lists have.
func readReport(cmd Command, format reports.Format, data []byte) (reports.Report, error) {
	if cmd.Printed && cmd.Parser != "" {
		return reports.ReadPrinted(cmd.Parser, data)
	}
	r, err := readOne(format, data)
	for i, t := range r.Tests {
		if alias := reports.PublishedAlias(cmd.Parser, t.ID); alias != "" {
			r.Tests[i].Alias = alias
		}
	}
	return r, err
}

func readOne(format reports.Format, data []byte) (reports.Report, error) {
	if format == "" {
		found, ok := reports.Sniff(data)
		if !ok {
			return reports.Report{}, fmt.Errorf("no known report")
		}
		format = found
	}
	return reports.Read(format, data)
}

func matchesAny(patterns []string, p string) bool {
	for _, g := range patterns {
		if harness.MatchGlob(g, p) {
			return true
		}
	}
	return false
}

func isNonce(cmd Command, p string) bool { return cmd.Nonce != nil && matchesAny(cmd.Nonce.Reports, p) }

// recorded keeps what is the same in every run: no durations, no messages.
func recorded(tests []bench.Test) []bench.Test {
	out := make([]bench.Test, len(tests))
	for i, t := range tests {
		out[i] = bench.Test{ID: t.ID, Status: t.Status, Alias: t.Alias}
	}
	return out
}

// complaints are the messages of tests that did not pass.
func complaints(tests []bench.Test) map[string]string {
	said := map[string]string{}
	for _, t := range tests {
		if !t.Status.OK() && t.Message != "" {
			said[t.ID] = t.Message
		}
	}
	return said
}

// state describes how the run ended, from what ended it, how far its script
// came and what its reports hold.
func state(s Suite, report reports.Report, res harness.Result) (bench.RunState, string) {
	switch res.End {
	case harness.TimedOut:
		return bench.RunTimeout, ""
	case harness.OutOfMemory, harness.OutputLimit, harness.DiskLimit, harness.CollectLimit:
		return bench.RunLimit, string(res.End)
	}
	phase := strings.TrimSpace(string(res.Files[s.dir()+"/phase"]))
	none := len(report.Tests) == 0
	switch {
	case res.ExitCode != 0 && (phase == "configure" || phase == "build"):
		return bench.RunUnbuilt, "failed to " + phase
	case none && report.Complete && res.ExitCode == 0:
		return bench.RunDone, "no test ran"
	case none && res.ExitCode == 0 && s.Contributed:
		return bench.RunUnbuilt, "no test ran"
	case none && res.ExitCode == 0:
		return bench.RunSuspect, "the runner exited with code 0 and without a report"
	case none && res.ExitCode < 126 && phase == "":
		return bench.RunUnbuilt, "no test ran"
	case none:
		return bench.RunCrashed, "no report was left"
	case allUncollected(report.Tests):
		return bench.RunUnbuilt, "no test could be collected"
	case !report.Complete && res.ExitCode == 0:
		return bench.RunSuspect, "the runner exited with code 0, but its report is cut" + ifRunning(report.Running)
	case !report.Complete:
		return bench.RunCrashed, "the report is cut" + ifRunning(report.Running)
	case res.ExitCode >= 126:
		return bench.RunCrashed, fmt.Sprintf("the runner exited with code %d", res.ExitCode)
	}
	return bench.RunDone, ""
}

func ifRunning(test string) string {
	if test == "" {
		return ""
	}
	return " while " + test + " was running"
}

// allUncollected holds where every entry is an error of a file as a whole.
func allUncollected(tests []bench.Test) bool {
	for _, t := range tests {
		if t.Status != bench.Error || !strings.HasSuffix(t.ID, ".py") {
			return false
		}
	}
	return true
}

// disagreement names a contradiction between exit code and report: a runner
// exits with a failure code if and only if tests fail.
func disagreement(cmd Command, report reports.Report, code int) string {
	failing, skipped, ours := 0, 0, 0
	for _, t := range report.Tests {
		switch {
		case t.Status.Failing():
			if cmd.Own.holds(t.ID) {
				ours++
				continue
			}
			failing++
		case t.Status == bench.Skipped:
			skipped++
		}
	}
	switch {
	case code == 4 && cmd.Format == reports.Catch2 && skipped == len(report.Tests):
		return "" // Catch2 3 leaves so where it skipped everything
	case code == 0 && failing > 0 && cmd.FailuresIgnored:
		return ""
	case code == 0 && failing > 0:
		return fmt.Sprintf("the runner exited with code 0, but its report holds %d failures", failing)
	case code != 0 && failing == 0 && (cmd.OtherFailures || ours > 0):
		return "" // of what does not show in the reports: those tests are missing
	case code != 0 && failing == 0:
		return fmt.Sprintf("the runner exited with code %d, but its report holds no failure", code)
	}
	return ""
}
