package bench

import (
	"strconv"
	"strings"
	"time"
)

const expectedTime = "a time (RFC 3339, 2021-03-04 05:06:07, or seconds or milliseconds since 1970)"

// moment takes a field that holds a time and returns it as RFC 3339 in UTC.
// An empty text is not a time.
func (r *record) moment(name string) string {
	raw, ok := r.take(name)
	if !ok {
		return ""
	}
	text := string(raw)
	if !isNumber(raw) {
		var err error
		if text, err = unquote(raw); err != nil {
			r.fail(name, expectedTime, raw)
			return ""
		}
	}
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	t, ok := parseMoment(text)
	if !ok {
		r.fail(name, expectedTime, raw)
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// parseMoment reads the forms in which benchmarks publish times. One without
// a zone is in UTC.
func parseMoment(text string) (time.Time, bool) {
	// The largest number of seconds that is read: the year 5138. What is
	// larger counts milliseconds.
	const mostSeconds = 100_000_000_000
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < 1000*mostSeconds && len(text) > 8 {
		if n < mostSeconds {
			n *= 1000
		}
		return time.UnixMilli(int64(n)), true
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 MST",
		"2006-01-02T15:04:05", time.DateTime, time.DateOnly,
	} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 0 {
			return t, strings.HasSuffix(text, "UTC") || layout != "2006-01-02 15:04:05 MST"
		}
	}
	return time.Time{}, false
}
