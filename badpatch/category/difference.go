package category

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/internal/patch"
)

// difference is how a patch and gold differ, in code.
type difference struct {
	base, gold, bad map[string]unit
	golds, bads     map[string]bool // the units that each changes
	// own counts lines of the patch that neither base nor gold has; dropped,
	// lines of both that it has not; kept, lines of gold's own that it has;
	// missing, those that it has not; left, lines of base's own that it has.
	own, dropped, kept, missing, left int
	onlyResults                       bool // all of its own lines return or raise
}

// compare applies a patch, and gold, to base. It fails for what is not a
// patch.
func compare(s *badpatch.Subject, diff string) (*difference, bool) {
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, false
	}
	changes, err := patch.Apply(s.Base, p)
	if err != nil {
		return nil, false
	}
	d := &difference{base: map[string]unit{}, gold: map[string]unit{}, bad: map[string]unit{}, onlyResults: true}
	for _, path := range touched(s, changes) {
		base, gold, bad, err := states(s, path, changes)
		if err != nil {
			return nil, false
		}
		units(base, d.base)
		units(gold, d.gold)
		units(bad, d.bad)
		d.count(fileLines{codeLines(base), codeLines(gold), codeLines(bad)})
	}
	d.golds, d.bads = changed(d.base, d.gold), changed(d.base, d.bad)
	d.onlyResults = d.onlyResults && d.own > 0
	return d, true
}

// touched are the files of code that gold or a patch changes.
func touched(s *badpatch.Subject, changes *patch.Changes) []string {
	all := map[string]bool{}
	for _, f := range s.Files {
		all[f.Path] = true
		if f.From != "" {
			all[f.From] = true
		}
	}
	for _, p := range append(slices.Collect(maps.Keys(changes.Write)), changes.Remove...) {
		if code.IsSource(s.Language, p) {
			all[p] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// states are a file at base, with gold and with a patch; nil for no file.
func states(s *badpatch.Subject, path string, changes *patch.Changes) (base, gold, bad *code.File, err error) {
	at := slices.IndexFunc(s.Files, func(f *badpatch.ChangedFile) bool { return f.Path == path })
	if at >= 0 && s.Files[at].From == "" {
		base, gold = s.Files[at].Base, s.Files[at].Gold
	} else {
		if base, err = parseAt(s, s.Base, path); err != nil {
			return nil, nil, nil, err
		}
		gold = base
		switch {
		case at >= 0:
			gold = s.Files[at].Gold
		case slices.ContainsFunc(s.Files, func(f *badpatch.ChangedFile) bool { return f.From == path }):
			gold = nil
		}
	}
	_, written := changes.Write[path]
	switch {
	case written:
		bad, err = parseAt(s, changes.Over(s.Base), path)
	case !slices.Contains(changes.Remove, path):
		bad = base
	}
	return base, gold, bad, err
}

func parseAt(s *badpatch.Subject, tree patch.Tree, path string) (*code.File, error) {
	entry, err := tree.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return code.Parse(s.Language, path, code.Present(entry.Data))
}

// changed are the units that a version has in another form than base, or that
// one of them lacks.
func changed(base, to map[string]unit) map[string]bool {
	out := map[string]bool{}
	for key, u := range to {
		if old, ok := base[key]; !ok && u.form != "" || ok && old.form != u.form {
			out[key] = true
		}
	}
	for key, u := range base {
		if _, ok := to[key]; !ok && u.form != "" {
			out[key] = true
		}
	}
	return out
}

// common are the units that both patches change.
func (d *difference) common() []string {
	var out []string
	for key := range d.bads {
		if d.golds[key] {
			out = append(out, key)
		}
	}
	return out
}

// complete reports whether all that gold changes is as with gold.
func (d *difference) complete() bool {
	for key := range d.golds {
		gold, inGold := d.gold[key]
		bad, inBad := d.bad[key]
		if inGold != inBad || gold.form != bad.form {
			return false
		}
	}
	return true
}

// stray counts functions of base that the patch changes and gold does not;
// what a file has outside of them counts as one.
func (d *difference) stray() int {
	n := 0
	for key := range d.bads {
		if d.base[key].form != "" && !d.golds[key] {
			n++
		}
	}
	return n
}

// pairs are the units that differ from gold's; whole means that none of gold's
// is missing altogether.
func (d *difference) pairs() (out []pair, whole bool) {
	whole = true
	for _, key := range slices.Sorted(maps.Keys(d.gold)) {
		gold, bad := d.gold[key], d.bad[key]
		switch _, ok := d.bad[key]; {
		case !ok:
			whole = false
		case gold.form != bad.form:
			out = append(out, pair{d.base[key], gold, bad})
		}
	}
	return out, whole
}

// literals are strings, numbers and comparisons by size, of code in normal
// form. Equality turned into its contrary does not concern an edge.
var literals = regexp.MustCompile(`\b[rRbBuUfFL8]{0,3}"(?:[^"\\]|\\.)*"|\b[rRbBuUfFL8]{0,3}'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d[\w.]*|[<>](?: =)?`)

func blurred(form string) string { return literals.ReplaceAllString(form, "_") }

// fileLines are the lines of a file in its three states.
type fileLines struct{ base, gold, bad []string }

func (d *difference) count(l fileLines) {
	both := without(l.gold, without(l.gold, l.base)) // lines that base and gold share
	for _, line := range without(without(l.bad, l.base), without(l.gold, l.base)) {
		d.own++
		d.onlyResults = d.onlyResults && result(line)
	}
	d.dropped += len(without(both, l.bad))
	fresh := without(l.gold, l.base)
	missing := len(without(fresh, without(l.bad, l.base)))
	d.kept += len(fresh) - missing
	d.missing += missing
	stale := without(l.base, l.gold)
	d.left += len(stale) - len(without(stale, without(l.bad, both)))
}

func result(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"return", "raise", "throw"}, strings.TrimSuffix(word, ";"))
}
