package languages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

var (
	mavenTotal = regexp.MustCompile(`(?m)^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+\s*$`)
	mavenClass = regexp.MustCompile(`(?m)^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+, .*(?:FAILURE|ERROR)!.*\bin ([\w.$]+)\s*$`)
)

// doubtedByMaven searches the output of a suite's run for what contradicts
// its reports.
func doubtedByMaven(suite Suite, nonce *Nonce) func(reports.Report, []bench.Test, harness.Output) []oddity {
	return func(report reports.Report, ours []bench.Test, output harness.Output) []oddity {
		return slices.Concat(shadowsSaid(suite, output), saidOtherwise(report, ours, output), startedAgain(suite, nonce, report, ours, output))
	}
}

// saidOtherwise compares what Maven printed of failures with its reports:
// these are files, which code under test can write again; what was printed
// cannot be taken back. The nonce tests that ran along are failures, too.
func saidOtherwise(report reports.Report, ours []bench.Test, output harness.Output) []oddity {
	text := string(output.Head) + "\n" + string(output.Tail)
	seen := map[string]bool{}
	count := func(tests []bench.Test) (failures int, failing map[string]int) {
		failing = map[string]int{}
		for _, t := range tests {
			class := outermost(t.ID)
			seen[class] = true
			if t.Status.Failing() {
				failing[class]++
				failures++
			}
		}
		return failures, failing
	}
	theirs, failing := count(report.Tests)
	own, expected := count(ours)
	if said := counted(mavenTotal, text) - own; theirs == 0 && said > 0 {
		return []oddity{{"printed failures", fmt.Sprintf("Maven printed that %d tests fail, its reports contain no failure", said)}}
	}
	if strings.Contains(text, "Flakes: ") {
		return nil // a class that failed at first may have passed when it ran again
	}
	for _, m := range mavenClass.FindAllStringSubmatch(text, -1) {
		class := outermost(m[3])
		if said := javaNumber(m[1]) + javaNumber(m[2]) - expected[class]; seen[class] && failing[class] == 0 && said > 0 {
			return []oddity{{"printed failures", fmt.Sprintf("Maven printed that tests of %s fail, its report contains no failure", m[3])}}
		}
	}
	return nil
}

// outermost is the class that a test's class is nested in: Surefire's versions
// do not agree on which of them they print for tests of nested classes.
func outermost(id string) string {
	class, _, _ := strings.Cut(id, "::")
	class, _, _ = strings.Cut(class, "$")
	return class
}

// counted adds up the failures and errors of all lines.
func counted(line *regexp.Regexp, text string) int {
	sum := 0
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		sum += javaNumber(m[1]) + javaNumber(m[2])
	}
	return sum
}

// startedAgain recognises a run that reports none of its nonce tests, so that
// they had a start of their own.
func startedAgain(suite Suite, n *Nonce, report reports.Report, ours []bench.Test, output harness.Output) []oddity {
	if n == nil || !n.Beside || n.Script == "" || len(n.withoutCopies(ours)) > 0 || endedEarly(suite, report, output) {
		return nil
	}
	return []oddity{{"nonce start", "the run reports none of its nonce tests"}}
}

// endedEarly reports whether a process of Surefire's died before all classes
// of the suite had run, which the code under test may cause unintentionally.
func endedEarly(suite Suite, report reports.Report, output harness.Output) bool {
	if !strings.Contains(string(output.Head)+string(output.Tail), "The forked VM terminated") {
		return false
	}
	seen := map[string]bool{}
	for _, t := range report.Tests {
		class, _, _ := strings.Cut(t.ID, "::")
		seen[class] = true
	}
	return slices.ContainsFunc(javaTestNames(suite), func(class string) bool { return !seen[class] })
}
