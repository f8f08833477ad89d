package languages

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

var (
	mavenTotal = regexp.MustCompile(`(?m)^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+\s*$`)
	mavenClass = regexp.MustCompile(`(?m)^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+, .*(?:FAILURE|ERROR)!.*\bin ([\w.$]+)\s*$`)
)

// doubtedByMaven reads the output of a suite's run for what speaks against its
// reports.
func doubtedByMaven(suite Suite) func(reports.Report, harness.Output) []oddity {
	return func(report reports.Report, output harness.Output) []oddity {
		return append(shadowsSaid(suite, output), saidOtherwise(report, output)...)
	}
}

// saidOtherwise compares what Maven printed of failures with its reports: these
// are files, which code under test can write anew; what was printed cannot be
// taken back.
func saidOtherwise(report reports.Report, output harness.Output) []oddity {
	text := string(output.Head) + "\n" + string(output.Tail)
	failing, seen := map[string]bool{}, map[string]bool{}
	for _, t := range report.Tests {
		class, _, _ := strings.Cut(t.ID, "::")
		seen[class] = true
		if t.Status.Failing() {
			failing[class] = true
		}
	}
	if len(failing) == 0 && counted(mavenTotal, text) > 0 {
		return []oddity{{"printed failures", fmt.Sprintf("Maven printed that %d tests fail, its reports hold none", counted(mavenTotal, text))}}
	}
	if strings.Contains(text, "Flakes: ") {
		return nil // a class that failed at first may have passed when it ran again
	}
	for _, m := range mavenClass.FindAllStringSubmatch(text, -1) {
		if class := m[3]; seen[class] && !failing[class] {
			return []oddity{{"printed failures", fmt.Sprintf("Maven printed that tests of %s fail, its report holds none", class)}}
		}
	}
	return nil
}

// counted adds up the failures and errors of all lines.
func counted(line *regexp.Regexp, text string) int {
	sum := 0
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		for _, n := range m[1:3] {
			if k, err := strconv.Atoi(n); err == nil {
				sum += k
			}
		}
	}
	return sum
}
