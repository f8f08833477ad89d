package languages

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// settled is how long a version of Python must have been out to be chosen:
// packages with compiled code follow a release by some months.
const settled = 183 * 24 * time.Hour

// pythonRelease is a minor version of Python with the day it came out.
type pythonRelease struct {
	version string
	at      time.Time
}

// pythonReleases are the versions that projects name, in order. For those
// before 3.6 a newer one is used, except for 2.7. From
// https://peps.python.org, the release schedules.
func pythonReleases() []pythonRelease {
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	return []pythonRelease{
		{"2.7", day(2010, 7, 3)}, {"3.3", day(2012, 9, 29)}, {"3.4", day(2014, 3, 16)}, {"3.5", day(2015, 9, 13)}, {"3.6", day(2016, 12, 23)}, {"3.7", day(2018, 6, 27)}, {"3.8", day(2019, 10, 14)},
		{"3.9", day(2020, 10, 5)}, {"3.10", day(2021, 10, 4)}, {"3.11", day(2022, 10, 24)}, {"3.12", day(2023, 10, 2)},
		{"3.13", day(2024, 10, 7)}, {"3.14", day(2025, 10, 7)},
	}
}

// pythonOrder makes versions of Python comparable; 0 for anything else.
func pythonOrder(version string) int {
	major, rest, ok := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if !ok || err != nil || err2 != nil || a < 2 || a > 3 || b < 0 || b > 99 {
		return 0
	}
	return a*100 + b
}

// settledBy lists the versions that had been out long enough at a date, in
// order; all of them where there is no date.
func settledBy(at time.Time) []string {
	var out []string
	for _, r := range pythonReleases() {
		if at.IsZero() || r.at.Add(settled).Before(at) {
			out = append(out, r.version)
		}
	}
	return out
}

// newestOf is the newest of the allowed versions that is also listed; "" where
// there is none.
func newestOf(listed, allowed []string) string {
	for _, v := range slices.Backward(allowed) {
		if slices.Contains(listed, v) {
			return v
		}
	}
	return ""
}

// nearest is the offered interpreter that stands in for a version: the version
// itself, else the next newer one, else the newest older one.
func nearest(version string, offered []Interpreter) (Interpreter, bool) {
	var best Interpreter
	want := pythonOrder(version)
	better := func(a, b int) bool {
		switch {
		case a == 0 || (a < 300) != (want < 300):
			return false
		case b == 0:
			return true
		case a >= want:
			return b < want || a < b
		}
		return b < want && a > b
	}
	for _, o := range offered {
		if better(pythonOrder(o.Version), pythonOrder(best.Version)) {
			best = o
		}
	}
	return best, best.Version != ""
}

// satisfies reports whether a version of Python is within a specifier such as
// ">=3.6,!=3.7.*,<4". What cannot be read excludes nothing.
func satisfies(version, specifier string) bool {
	for _, part := range strings.Split(specifier, ",") {
		part = strings.TrimSpace(part)
		op := strings.TrimRight(part[:min(3, len(part))], "0123456789. *")
		bound := strings.TrimSpace(strings.TrimPrefix(part, op))
		if !inBound(pythonOrder(version), strings.TrimSpace(op), bound) {
			return false
		}
	}
	return true
}

func inBound(have int, op, bound string) bool {
	whole := strings.HasSuffix(bound, ".*")
	bound = strings.TrimSuffix(bound, ".*")
	if !strings.Contains(bound, ".") {
		bound += ".0"
	}
	want, deep := pythonOrder(bound), strings.Count(bound, ".") > 1
	if strings.HasPrefix(bound, "4") {
		want = 400
	}
	if want == 0 {
		return true
	}
	switch op {
	case ">=", "^", "~=", "~":
		return have >= want
	case ">":
		return have > want || have == want && deep
	case "<":
		return have < want || have == want && deep && !strings.HasSuffix(bound, ".0")
	case "<=":
		return have <= want
	case "!=":
		return have != want || deep && !whole
	case "==", "===":
		return have == want || whole && strings.Count(bound, ".") == 1 && strings.HasSuffix(bound, ".0") && have/100 == want/100
	}
	return true
}

// factor is a version as tox names it: py39.
func factor(version string) string { return "py" + strings.ReplaceAll(version, ".", "") }

func daysAfter(at time.Time, days int) string {
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}
