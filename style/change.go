package style

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay/internal/patch"
	"assay/languages"
)

// Change is what happened to a tree between two lintings: the texts of the
// files that have findings or that an edit touched. A path that is in Before
// only was deleted, one in After only is new; a path in neither is the same
// in both. The texts are only read.
type Change struct {
	// Language lets symbols be read from the texts; may be empty.
	Language      string
	Languages     *languages.Registry // nil means those that come with assay
	Before, After map[string][]byte
	// Renamed gives the new path by the old one. Renames that it does not
	// list are found by similarity (half of the lines, as git does).
	Renamed map[string]string
}

// Renames returns the renames that a patch states, new path by old one.
func Renames(p *patch.Patch) map[string]string {
	out := map[string]string{}
	for _, f := range p.Files {
		if f.Renamed && f.OldPath != "" && f.NewPath != "" {
			out[f.OldPath] = f.NewPath
		}
	}
	return out
}

// renames completes Renamed: every deleted file goes to the new file that
// shares most lines with it, if that is half of both or more.
func (c Change) renames() map[string]string {
	out := map[string]string{}
	taken := map[string]bool{}
	for old, path := range c.Renamed {
		if _, ok := c.After[path]; ok {
			out[old], taken[path] = path, true
		}
	}
	for _, pair := range c.similar(out, taken) {
		if out[pair.old] == "" && !taken[pair.new] {
			out[pair.old], taken[pair.new] = pair.new, true
		}
	}
	return out
}

type renamePair struct {
	old, new string
	alike    float64
}

func (c Change) similar(known map[string]string, taken map[string]bool) []renamePair {
	var created []string
	for _, path := range slices.Sorted(maps.Keys(c.After)) {
		if _, was := c.Before[path]; !was && !taken[path] {
			created = append(created, path)
		}
	}
	if len(created) == 0 {
		return nil
	}
	var out []renamePair
	for _, old := range slices.Sorted(maps.Keys(c.Before)) {
		if _, is := c.After[old]; is || known[old] != "" {
			continue
		}
		for _, path := range created {
			if a := alike(squeezed(c.Before[old]), squeezed(c.After[path])); a >= 0.5 {
				out = append(out, renamePair{old, path, a})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b renamePair) int { return cmp.Compare(b.alike, a.alike) })
	return out
}

// alike is the share of lines that two texts have in common, of the longer
// one; blank lines do not count.
func alike(a, b []string) float64 {
	count := map[string]int{}
	lines := func(list []string, step int) (n, shared int) {
		for _, line := range list {
			if line == "" {
				continue
			}
			n++
			if step < 0 && count[line] > 0 {
				shared++
			}
			count[line] += step
		}
		return n, shared
	}
	na, _ := lines(a, 1)
	nb, shared := lines(b, -1)
	if max(na, nb) == 0 {
		return 0
	}
	return float64(shared) / float64(max(na, nb))
}

// squeezed returns a text's lines without any white space. A last line end
// begins no line.
func squeezed(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		lines[i] = squeeze(line)
	}
	return lines
}

// squeeze removes white space, so that neither indentation nor line ends nor
// a formatter's blanks make a line another one.
func squeeze(line string) string {
	if !strings.ContainsAny(line, " \t\r\n\f\v\u00a0") {
		return line
	}
	return strings.Join(strings.Fields(line), "")
}
