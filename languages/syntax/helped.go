package syntax

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Helped returns the tests of after whose own text did not change, but that of
// something in the same file which they use: a helper, a fixture, the class
// around them, what is done before each test. They use what their text names,
// and what that uses in turn.
func Helped(language, path string, beforeSrc, afterSrc []byte) ([]Test, error) {
	before, err := Parse(language, beforeSrc)
	if err != nil {
		return nil, err
	}
	after, err := Parse(language, afterSrc)
	if err != nil {
		return nil, err
	}
	tests := Tests(language, path, after)
	old := map[string][]byte{}
	for _, h := range helpers(before, Tests(language, path, before), beforeSrc) {
		old[h.key] = append(old[h.key], h.text...)
	}
	all := helpers(after, tests, afterSrc)
	changed := map[string]bool{}
	for _, h := range all {
		if text, there := old[h.key]; there && !bytes.Equal(text, textOf(all, h.key)) {
			changed[h.key] = true
		}
	}
	spread(all, changed)
	var out []Test
	for i, t := range tests {
		text := joined(afterSrc, own(tests, i))
		if slices.ContainsFunc(all, func(h helper) bool { return changed[h.key] && h.serves(t, text) }) {
			out = append(out, t)
		}
	}
	return out, nil
}

// helper is a function or a class next to tests.
type helper struct {
	key     string // its qualified name
	name    string
	named   *regexp.Regexp // finds the name as a word
	class   string         // the qualified name of the class that it is or is in
	before  bool           // it runs before or after tests that do not name it
	isClass bool
	text    []byte
	start   int
	end     int // lines of the class around it, or the file's
}

// serves reports whether a test uses a helper.
func (h helper) serves(t Test, text []byte) bool {
	if (h.before || h.isClass) && h.start <= t.Start && t.End <= h.end {
		return true
	}
	return h.named.Match(text)
}

// spread adds the helpers that use changed ones.
func spread(all []helper, changed map[string]bool) {
	for again := true; again; {
		again = false
		for _, h := range all {
			if changed[h.key] {
				continue
			}
			if slices.ContainsFunc(all, func(o helper) bool { return changed[o.key] && o.name != h.name && o.named.Match(h.text) }) {
				changed[h.key], again = true, true
			}
		}
	}
}

func textOf(all []helper, key string) []byte {
	var out []byte
	for _, h := range all {
		if h.key == key {
			out = append(out, h.text...)
		}
	}
	return out
}

// helpers are the functions and classes of a file that are not tests. A class's
// text is that of its lines without the functions and tests in it.
func helpers(f *File, tests []Test, src []byte) []helper {
	lines := bytes.Count(src, []byte{'\n'}) + 1
	var out []helper
	for i, s := range f.Symbols {
		if s.Kind != Class && s.Kind != Function || slices.ContainsFunc(tests, func(t Test) bool { return t.Start == s.Start && t.End == s.End }) {
			continue
		}
		h := helper{key: s.qualified(), name: s.Name, start: 1, end: lines, isClass: s.Kind == Class}
		h.named = regexp.MustCompile(`\b` + regexp.QuoteMeta(s.Name) + `\b`)
		var holes []Test
		if h.isClass {
			h.start, h.end = s.Start, s.End
			for _, in := range f.Symbols[i+1:] {
				if in.Start >= s.Start && in.End <= s.End {
					holes = append(holes, Test{Start: in.Start, End: in.End})
				}
			}
		} else {
			h.before = beforeTests(s)
			h.start, h.end = around(f, s, lines)
		}
		h.text = joined(src, own(append([]Test{{Start: s.Start, End: s.End}}, holes...), 0))
		out = append(out, h)
	}
	return out
}

// around are the lines of the class that a function is in, else the file's.
func around(f *File, fn Symbol, lines int) (start, end int) {
	start, end = 1, lines
	for _, c := range f.Symbols {
		if c.Kind == Class && c.Start <= fn.Start && fn.End <= c.End && c.Start >= start {
			start, end = c.Start, c.End
		}
	}
	return start, end
}

// beforeTests recognises what runners call around tests by its name or
// annotation.
func beforeTests(s Symbol) bool {
	name := strings.ToLower(strings.ReplaceAll(s.Name, "_", ""))
	for _, prefix := range []string{"setup", "teardown", "asyncsetup", "asyncteardown"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return s.hasAnnotation("Before", "BeforeEach", "BeforeAll", "BeforeClass", "BeforeMethod", "After", "AfterEach", "AfterAll", "AfterClass", "AfterMethod") ||
		slices.ContainsFunc(s.Annotations, func(a string) bool { return strings.Contains(a, "autouse=True") })
}

// joined are lines without line ends and trailing blanks.
func joined(src []byte, ranges []Range) []byte {
	lines := bytes.Split(src, []byte{'\n'})
	var out []byte
	for _, r := range ranges {
		for i := max(r.Start, 1); i <= min(r.End, len(lines)); i++ {
			if line := bytes.TrimRight(lines[i-1], " \t\r"); len(line) > 0 {
				out = append(append(out, line...), '\n')
			}
		}
	}
	return out
}
