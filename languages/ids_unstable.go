package languages

import (
	"regexp"
	"slices"
)

// unstable finds what differs from run to run.
var unstable = []*regexp.Regexp{
	// Addresses as Python's repr writes them.
	regexp.MustCompile(`(?i) at 0x[0-9a-f]{5,}`),
	// Java's Object.toString.
	regexp.MustCompile(`(?:\w\.|\[L?|\b)[A-Z][\w$]*;?@[0-9a-f]{5,8}(?:\W|$)|\[[ZBCSIJFD]@[0-9a-f]{5,8}`),
	// Temporary directories and files of Python, pytest, Java and mktemp.
	regexp.MustCompile(`(?:^|[^\w.-])/tmp/|/var/folders/|\\Temp\\|/pytest-of-|\bpytest-\d+/|\btmp[a-z0-9_]{8}\b|\bjunit-?\d{8,}`),
	// Moments with parts of a second, ctime's form, seconds since 1970 with
	// a fraction. Dates and whole seconds are usually constants of the test.
	regexp.MustCompile(`\d{1,2}:\d\d:\d\d[.,]\d*[1-9]`),
	regexp.MustCompile(`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d`),
	regexp.MustCompile(`\b1[5-9]\d{8}\.\d{3,}`),
	// Durations that a runner appends.
	regexp.MustCompile(`(?i)(?:\(\s*\d+(?:\.\d+)?| \d+\.\d+) ?(?:ms|msec|s|sec|secs|seconds|µs|us)\s*\)?$`),
	// Ports and processes.
	regexp.MustCompile(`\b(?:127\.0\.0\.1|localhost|\[::1\]):[3-6]\d{4}\b`),
	regexp.MustCompile(`(?i)\bpid[ =:]\d+`),
}

var (
	// processAddress is in a stack, heap or mapping on x86-64 or arm64.
	processAddress = regexp.MustCompile(`(?i)\b0x(?:7[ef]|5[56])[0-9a-f]{10}\b|\b0x(?:aaaa|ffff)[0-9a-f]{8}\b`)
	// constantTail is the end of a number that is rather a constant.
	constantTail = regexp.MustCompile(`(?i)(?:f{8}|0{6})$`)
)

// UnstableID reports whether an id holds what no other run will repeat: an
// address, a temporary directory, a moment, a duration. Such an id can't be
// expected of a run. Moments are recognised only where they can hardly be
// constants: others are found by running a test again.
func UnstableID(id string) bool {
	for _, re := range unstable {
		if re.MatchString(id) {
			return true
		}
	}
	for _, a := range processAddress.FindAllString(id, -1) {
		if !constantTail.MatchString(a) {
			return true
		}
	}
	return false
}

// stableForm replaces what makes an id unstable by a mark, so that two runs'
// ids of one test are equal.
func stableForm(id string) string {
	for _, re := range unstable {
		id = re.ReplaceAllString(id, "\x00")
	}
	return processAddress.ReplaceAllString(id, "\x00")
}

// matchUnstable finds, for published ids that no known one matched, those that
// differ from them in unstable parts only.
func matchUnstable(out map[string][]string, published, known []string) {
	var byForm map[string][]string
	for _, p := range published {
		if len(out[p]) > 0 || !UnstableID(p) {
			continue
		}
		if byForm == nil {
			byForm = map[string][]string{}
			for _, k := range known {
				if UnstableID(k) {
					byForm[stableForm(k)] = append(byForm[stableForm(k)], k)
				}
			}
		}
		out[p] = slices.Sorted(slices.Values(byForm[stableForm(p)]))
	}
}
