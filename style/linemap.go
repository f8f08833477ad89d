package style

import (
	"strings"

	"assay/internal/patch"
)

// fileMap maps the lines of one file to where they went. Lines are counted from 1;
// the slices begin with a place for line 0, which stands for the whole file.
type fileMap struct {
	path     string   // afterwards
	old, new []string // squeezed lines, from index 1
	// to gives the new line of an old one, 0 where it was removed; from the
	// other way.
	to, from []int
	// gaps number the places between kept lines: a removed and an added line
	// in the same place are an edit of each other.
	oldGap, newGap []int
}

// newFileMap compares by lines without white space: re-indenting, or other
// line ends, leave every line where it is.
func newFileMap(path string, old, new []byte) *fileMap {
	m := &fileMap{path: path, old: append([]string{""}, squeezed(old)...), new: append([]string{""}, squeezed(new)...)}
	m.to, m.oldGap = make([]int, len(m.old)), make([]int, len(m.old))
	m.from, m.newGap = make([]int, len(m.new)), make([]int, len(m.new))
	removed, added := changedLines(m.old[1:], m.new[1:])
	kept := 0
	for i, j := 1, 1; i < len(m.old) || j < len(m.new); {
		switch {
		case i < len(m.old) && removed[i]:
			m.oldGap[i] = kept
			i++
		case j < len(m.new) && added[j]:
			m.newGap[j] = kept
			j++
		case i < len(m.old) && j < len(m.new):
			m.to[i], m.from[j] = j, i
			kept++
			m.oldGap[i], m.newGap[j] = kept, kept
			i, j = i+1, j+1
		default:
			return m // a diff that does not add up: what is left is not mapped
		}
	}
	return m
}

// changedLines returns the numbers of removed and added lines. Where the diff
// cannot be made, all lines are both.
func changedLines(old, new []string) (removed, added map[int]bool) {
	removed, added = map[int]bool{}, map[int]bool{}
	diff := patch.Between("f", joined(old), joined(new))
	if diff == nil {
		return removed, added
	}
	p, err := patch.Parse(diff)
	if err != nil || len(p.Files) != 1 {
		return every(len(old)), every(len(new))
	}
	mark := func(set map[int]bool, ranges []patch.LineRange) {
		for _, r := range ranges {
			for i := r.Start; i <= r.End; i++ {
				set[i] = true
			}
		}
	}
	mark(removed, p.Files[0].RemovedLines())
	mark(added, p.Files[0].AddedLines())
	return removed, added
}

func every(n int) map[int]bool {
	out := map[int]bool{}
	for i := 1; i <= n; i++ {
		out[i] = true
	}
	return out
}

func joined(lines []string) []byte {
	if len(lines) == 0 {
		return []byte{}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// kept reports whether an old line is still there.
func (m *fileMap) kept(line int) bool { return line == 0 || line < len(m.to) && m.to[line] > 0 }

// survives reports whether a new line was there before.
func (m *fileMap) survives(line int) bool {
	return line == 0 || line < len(m.from) && m.from[line] > 0
}

// about is where an old line would be now: for a removed one, after the
// nearest kept line above it.
func (m *fileMap) about(line int) int {
	if line >= len(m.to) {
		line = len(m.to) - 1
	}
	for i := line; i > 0; i-- {
		if m.to[i] > 0 {
			return m.to[i] + line - i
		}
	}
	return line
}
