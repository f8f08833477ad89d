package patch

import (
	"bytes"
	"slices"
	"sort"
)

// maxCompared bounds the lines compared in searching one file, so that a file
// and hunks of like lines cannot take quadratic time.
const maxCompared = 200_000_000

// text is a file in lines, each with its line end, numbered so that equal lines
// have equal numbers.
type text struct {
	lines  [][]byte
	keys   []int32
	ids    map[string]int32
	where  [][]int32 // by number: the indexes with it, ascending
	loose  bool      // lines that differ in their ends only are equal
	budget int
}

func newText(data []byte, loose bool) *text {
	t := &text{lines: splitLines(data), ids: make(map[string]int32), loose: loose, budget: maxCompared}
	t.keys = make([]int32, len(t.lines))
	for i, line := range t.lines {
		key := t.plain(line)
		id, ok := t.ids[string(key)]
		if !ok {
			id = int32(len(t.where))
			t.ids[string(key)] = id
			t.where = append(t.where, nil)
		}
		t.keys[i] = id
		t.where[id] = append(t.where[id], int32(i))
	}
	return t
}

// splitLines cuts after every line feed.
func splitLines(data []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(data, []byte{'\n'})+1)
	for len(data) > 0 {
		n := bytes.IndexByte(data, '\n') + 1
		if n == 0 {
			n = len(data)
		}
		lines = append(lines, data[:n])
		data = data[n:]
	}
	return lines
}

// plain is the part of a line that counts in comparing.
func (t *text) plain(line []byte) []byte {
	if t.loose {
		return withoutEnd(line)
	}
	return line
}

func withoutEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

func lineEnd(line []byte) []byte { return line[len(withoutEnd(line)):] }

// numbers looks up lines; one that the file does not have is -1.
func (t *text) numbers(lines [][]byte) []int32 {
	out := make([]int32, len(lines))
	for i, line := range lines {
		id, ok := t.ids[string(t.plain(line))]
		if !ok {
			id = -1
		}
		out[i] = id
	}
	return out
}

// nearest finds the place of a run of lines that is nearest to the expected
// index and not before first; of two as near, the later one, as git and patch do.
func (t *text) nearest(run []int32, expected, first int) (at int, ok bool) {
	rare := t.rarest(run)
	if rare < 0 {
		return 0, false
	}
	spots := t.where[run[rare]]
	after := sort.Search(len(spots), func(i int) bool { return int(spots[i]) >= expected+rare })
	before := after - 1
	for before >= 0 || after < len(spots) {
		var start int
		if after < len(spots) && (before < 0 || int(spots[after])-expected-rare <= expected+rare-int(spots[before])) {
			start = int(spots[after]) - rare
			after++
		} else {
			start = int(spots[before]) - rare
			before--
		}
		if start >= first && t.equal(run, start) {
			return start, true
		}
	}
	return 0, false
}

// rarest is the index in run of the line with the fewest places in the file, or
// -1 where a line has none.
func (t *text) rarest(run []int32) int {
	best := -1
	for i, id := range run {
		if id < 0 {
			return -1
		}
		if best < 0 || len(t.where[id]) < len(t.where[run[best]]) {
			best = i
		}
	}
	return best
}

func (t *text) equal(run []int32, start int) bool {
	if start+len(run) > len(t.keys) || t.budget < 0 {
		return false
	}
	for i, id := range run {
		if t.keys[start+i] != id {
			t.budget -= i + 1
			return false
		}
	}
	t.budget -= len(run)
	return true
}

// end is the line end that most lines of the file have.
func (t *text) end() []byte {
	windows, all := 0, 0
	for _, line := range t.lines {
		if bytes.HasSuffix(line, []byte{'\n'}) {
			all++
		}
		if bytes.HasSuffix(line, []byte("\r\n")) {
			windows++
		}
	}
	if windows*2 > all {
		return []byte("\r\n")
	}
	return []byte{'\n'}
}

// join puts lines together. A line inside that has no end gets the given one.
func join(lines [][]byte, end []byte) []byte {
	last := len(lines) - 1
	for i, line := range lines {
		if i < last && !bytes.HasSuffix(line, []byte{'\n'}) {
			lines[i] = slices.Concat(line, end)
		}
	}
	return bytes.Join(lines, nil)
}
