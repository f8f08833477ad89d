package reports

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
)

// lines yields the lines of console output without colour codes and line
// ends. Of a line that was overwritten with carriage returns, as progress
// displays do, the last state counts.
func lines(data []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(data) > 0 {
			line := data
			if i := bytes.IndexByte(data, '\n'); i >= 0 {
				line, data = data[:i], data[i+1:]
			} else {
				data = nil
			}
			line = bytes.TrimRight(stripANSI(line), "\r")
			if i := bytes.LastIndexByte(line, '\r'); i >= 0 {
				line = line[i+1:]
			}
			if !yield(string(line)) {
				return
			}
		}
	}
}

const escape = 0x1b

// stripANSI removes escape sequences (ECMA-48: CSI, OSC and two-byte ones).
// The result shares memory with b where there are none.
func stripANSI(b []byte) []byte {
	i := bytes.IndexByte(b, escape)
	if i < 0 {
		return b
	}
	out := append(make([]byte, 0, len(b)), b[:i]...)
	for i < len(b) {
		if b[i] != escape {
			out = append(out, b[i])
			i++
			continue
		}
		i += escapeLen(b[i:])
	}
	return out
}

// escapeLen is the length of the escape sequence that b begins with.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b) && i < 64; i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return 2
	case ']':
		for i := 2; i < len(b) && i < 1024; i++ {
			if b[i] == 7 {
				return i + 1
			}
			if b[i] == escape && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	case '(', ')':
		return min(3, len(b))
	}
	return 2
}

// seconds reads a time in seconds; Surefire writes thousands with a comma,
// GoogleTest's JSON ends in an "s".
func seconds(s string) float64 {
	s = strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(s), ",", ""), "s")
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v > 1e9 || v != v {
		return 0
	}
	return v
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// cutNumber splits leading digits off s.
func cutNumber(s string) (number, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
