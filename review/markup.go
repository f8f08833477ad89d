package review

import "strings"

// codeSpan is code in a review: what is between backticks, or in a fence.
type codeSpan struct {
	start, end int // of the content, bytes
	fenced     bool
	info       string // what follows the fence
}

// codeSpans finds the code in a review, as CommonMark marks it: fences of
// three or more backticks or tildes, and runs of backticks within a line or
// paragraph. A fence that is never closed goes to the end.
func codeSpans(text string) []codeSpan {
	var out []codeSpan
	for pos := 0; pos < len(text); {
		line := lineAt(text, pos)
		if fence, info := fenceOf(line); fence != "" {
			start := min(pos+len(line)+1, len(text))
			end, after := fenceEnd(text, start, fence)
			out = append(out, codeSpan{start, end, true, info})
			pos = after
			continue
		}
		next := pos + len(line) + 1
		for next < len(text) {
			following := lineAt(text, next)
			if fence, _ := fenceOf(following); fence != "" || strings.TrimSpace(following) == "" {
				break
			}
			next += len(following) + 1
		}
		next = min(next, len(text))
		out = append(out, inlineSpans(text[:next], pos)...)
		pos = max(next, pos+1)
	}
	return out
}

func lineAt(text string, pos int) string {
	line, _, _ := strings.Cut(text[pos:], "\n")
	return line
}

// fenceOf returns the fence that a line opens or closes.
func fenceOf(line string) (fence, info string) {
	line = strings.TrimLeft(line, " \t>")
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && !strings.Contains(rest, "`") {
			return line[:n], strings.TrimSpace(rest)
		}
	}
	return "", ""
}

// fenceEnd finds the end of a fence's content, and where the text continues.
func fenceEnd(text string, start int, open string) (end, after int) {
	for pos := start; pos < len(text); {
		line := lineAt(text, pos)
		if fence, info := fenceOf(line); info == "" && strings.HasPrefix(fence, open) {
			return pos, min(pos+len(line)+1, len(text))
		}
		pos += len(line) + 1
	}
	return len(text), len(text)
}

// inlineSpans finds runs of backticks with a closing run of the same length.
func inlineSpans(text string, pos int) []codeSpan {
	var out []codeSpan
	for pos < len(text) {
		open := strings.IndexByte(text[pos:], '`')
		if open < 0 {
			return out
		}
		pos += open
		n := ticks(text[pos:])
		start := pos + n
		pos = start
		for at := start; at < len(text); {
			found := strings.IndexByte(text[at:], '`')
			if found < 0 {
				break
			}
			at += found
			m := ticks(text[at:])
			if m == n {
				out = append(out, codeSpan{start: start, end: at})
				pos = at + m
				break
			}
			at += m
		}
	}
	return out
}

func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }
