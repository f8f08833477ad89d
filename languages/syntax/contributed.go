package syntax

import (
	"bytes"
	"crypto/sha256"
	"sort"
)

// Contribution is a test that a change adds.
type Contribution struct {
	Test
	// OnlyParams: nothing but the test's parameter cases changed. Then only
	// ids with parameters that did not run before are new.
	OnlyParams bool
}

// Contributed returns the tests of after that are new or whose text differs
// from before's, each id once, in order of their lines. These are TDD-Bench's
// contributed functions (Otter, section 5.1: the tests of a patch that count,
// found by parsing the patched file), but found by text and not by diff lines:
// a test that only moved contributes nothing, nor does one whose fixture or
// helper changed. A test's text is that of its lines without those of the
// sections in it, which are tests of their own.
func Contributed(before, after []Test, beforeSrc, afterSrc []byte) []Contribution {
	old := map[string][]version{}
	for i, v := range versions(before, beforeSrc) {
		old[before[i].ID] = append(old[before[i].ID], v)
	}
	at := map[string]int{}
	var out []Contribution
	for i, v := range versions(after, afterSrc) {
		same, body := compare(old[after[i].ID], v)
		if same {
			continue
		}
		if k, ok := at[after[i].ID]; ok {
			out[k].OnlyParams = out[k].OnlyParams && body
			continue
		}
		at[after[i].ID] = len(out)
		out = append(out, Contribution{Test: after[i], OnlyParams: body})
	}
	return out
}

// version is the text of a test, as digests.
type version struct{ body, params [sha256.Size]byte }

// compare reports whether one of the old versions is the same, or has at
// least the same body.
func compare(old []version, v version) (same, body bool) {
	for _, o := range old {
		same = same || o == v
		body = body || o.body == v.body
	}
	return same, body
}

func versions(tests []Test, src []byte) []version {
	lines := bytes.Split(src, []byte{'\n'})
	out := make([]version, len(tests))
	for i, t := range tests {
		out[i] = version{body: digest(lines, own(tests, i)), params: digest(lines, t.Params)}
	}
	return out
}

// digest hashes lines without their ends, CRLF or LF. Blank lines do not
// count: a section that is added to a case adds one, too.
func digest(lines [][]byte, ranges []Range) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, r := range ranges {
		for i := max(r.Start, 1); i <= min(r.End, len(lines)); i++ {
			if line := bytes.TrimRight(lines[i-1], " \t\r"); len(line) > 0 {
				h.Write(line)
				h.Write([]byte{'\n'})
			}
		}
	}
	h.Sum(sum[:0])
	return sum
}

// own are the lines of a test without those of its parameter cases and of the
// tests in it. Tests are in order of their lines.
func own(tests []Test, i int) []Range {
	t := tests[i]
	holes := append([]Range(nil), t.Params...)
	for j := i + 1; j < len(tests) && tests[j].Start <= t.End; j++ {
		if in := (Range{tests[j].Start, tests[j].End}); in != (Range{t.Start, t.End}) && in.End <= t.End {
			holes = append(holes, in)
		}
	}
	sort.Slice(holes, func(a, b int) bool { return holes[a].Start < holes[b].Start })
	var out []Range
	next := t.Start
	for _, h := range holes {
		if h.End < next || h.Start > t.End {
			continue
		}
		if h.Start > next {
			out = append(out, Range{next, h.Start - 1})
		}
		next = h.End + 1
	}
	if next <= t.End {
		out = append(out, Range{next, t.End})
	}
	return out
}
