package style

import (
	"maps"
	"slices"
	"strings"
)

// place is a line of a file.
type place struct {
	path string
	line int
}

// minMoved is how many characters, white space left out, a moved block must
// have: braces and "return None" turn up anywhere by chance.
const minMoved = 16

// maxCandidates bounds how many places of equal lines are tried.
const maxCandidates = 64

// mover finds blocks of lines that were removed in one place and added in
// another, of the same file or another one.
type mover struct {
	files map[string]*fileMap // by new path
	added map[string][]place  // by text
	taken map[place]bool
	to    map[place]place
}

// moves maps removed lines, by old path, to added ones.
func moves(files map[string]*fileMap) map[place]place {
	m := &mover{files: map[string]*fileMap{}, added: map[string][]place{}, taken: map[place]bool{}, to: map[place]place{}}
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths {
		f := files[path]
		m.files[f.path] = f
		for i := 1; i < len(f.new); i++ {
			if text := f.new[i]; text != "" && !f.survives(i) {
				m.added[text] = append(m.added[text], place{f.path, i})
			}
		}
	}
	for _, path := range paths {
		f := files[path]
		for i := 1; i < len(f.old); i++ {
			if _, done := m.to[place{path, i}]; !done && !f.kept(i) && letters(f.old[i]) > 0 {
				m.move(path, f, i)
			}
		}
	}
	return m.to
}

// move takes the heaviest block that begins at an old line.
func (m *mover) move(path string, f *fileMap, line int) {
	var best []place
	weight := minMoved - 1
	candidates := m.added[f.old[line]]
	for _, at := range candidates[:min(len(candidates), maxCandidates)] {
		if block, w := m.block(f, line, at); w > weight {
			best, weight = block, w
		}
	}
	for i := 0; i+1 < len(best); i += 2 {
		m.to[place{path, best[i].line}] = best[i+1]
		m.taken[best[i+1]] = true
	}
}

// block follows equal lines from an old and a new one on, over blank ones. It
// returns the pairs, old and new in turn, and their weight.
func (m *mover) block(f *fileMap, line int, at place) (pairs []place, weight int) {
	target := m.files[at.path]
	for i, j := line, at.line; i < len(f.old) && j < len(target.new); {
		switch {
		case f.old[i] == "":
			i++
			continue
		case target.new[j] == "":
			j++
			continue
		}
		next := place{at.path, j}
		if f.old[i] != target.new[j] || f.kept(i) || target.survives(j) || m.taken[next] {
			break
		}
		pairs = append(pairs, place{line: i}, next)
		weight += letters(f.old[i])
		i, j = i+1, j+1
	}
	return pairs, weight
}

// letters counts what makes a line distinctive.
func letters(text string) int {
	return len(text) - strings.Count(text, ")") - strings.Count(text, "(") - strings.Count(text, "}") - strings.Count(text, "{")
}
