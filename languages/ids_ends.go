package languages

import (
	"slices"
	"strings"
)

// ends finds dotted names by their last parts: sorted by their reverse, names
// with a common end are neighbours.
type ends struct {
	reversed []string
	index    []int // of the name in the list that was given
}

func newEnds(names []string) ends {
	e := ends{reversed: make([]string, len(names)), index: make([]int, len(names))}
	back := make([]string, len(names))
	for i, n := range names {
		back[i] = reverse(n)
		e.index[i] = i
	}
	slices.SortFunc(e.index, func(a, b int) int { return strings.Compare(back[a], back[b]) })
	for k, i := range e.index {
		e.reversed[k] = back[i]
	}
	return e
}

// find returns the name itself if it is there, or else all names that end in
// its parts.
func (e ends) find(name string) []int {
	if name == "" {
		return nil
	}
	want := reverse(name)
	if i, ok := slices.BinarySearch(e.reversed, want); ok {
		return e.index[i : i+1]
	}
	want += "."
	from, _ := slices.BinarySearch(e.reversed, want)
	to := from
	for to < len(e.reversed) && strings.HasPrefix(e.reversed[to], want) {
		to++
	}
	return e.index[from:to]
}

// reverse turns a string's bytes around.
func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
