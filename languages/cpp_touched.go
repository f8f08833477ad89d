package languages

import (
	"strconv"
	"strings"
)

// touched are the files of the tree whose status changed since the run began.
// It changes when a file is written to, even if its times are set back, and
// also when another environment links to it: environments share equal files.
type touched struct {
	begin float64 // seconds since 1970
	files []touchedFile
	names map[string][]string // by inode, of files with several names
	cut   bool                // names has not all
}

type touchedFile struct {
	path, inode string
	links       int
	born        float64 // seconds since 1970; 0 where it is not known
}

// touchedNames is how many names the list has at most.
const touchedNames = 20000

// touchedIn reads what cppSettingsScript left.
func touchedIn(files map[string][]byte, dir string) touched {
	t := touched{names: map[string][]string{}}
	t.begin, _ = strconv.ParseFloat(strings.TrimSpace(string(files[dir+"begin"])), 64)
	for line := range strings.Lines(string(files[dir+"changed"])) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " ", 4)
		if len(fields) < 4 {
			continue
		}
		f := touchedFile{path: fields[3], inode: fields[2]}
		f.links, _ = strconv.Atoi(fields[0])
		f.born, _ = strconv.ParseFloat(fields[1], 64)
		t.files = append(t.files, f)
	}
	lines := 0
	for line := range strings.Lines(string(files[dir+"names"])) {
		if inode, name, ok := strings.Cut(strings.TrimRight(line, "\n"), " "); ok {
			t.names[inode] = append(t.names[inode], name)
		}
		lines++
	}
	t.cut = lines >= touchedNames
	return t
}

// written reports whether the run itself wrote to a file. A file of the
// environment's that is written to becomes one of the run's own, which is born
// then and has one name. So an older file with several names was not written
// to, unless the run gave it another name.
func (t touched) written(f touchedFile, known map[string]bool) bool {
	if f.links < 2 || f.born < 1 || f.born >= float64(int64(t.begin)) || t.cut {
		return true
	}
	for _, name := range t.names[f.inode] {
		if name != f.path && !known[strings.TrimPrefix(name, Root+"/")] {
			return true
		}
	}
	return false
}
