package languages

import (
	"regexp"
	"slices"
	"strings"
)

// MatchIDs maps test ids that benchmarks publish to canonical ids among known,
// those that ran: for each published id the ids that it stands for, sorted, and
// none where it is unknown. An exact match wins over any other reading. Of the
// languages that come with assay these forms are read, besides canonical ids:
//
//   - JUnit's classname::name and classname.name, of pytest, Surefire, Gradle
//     (Class > method()), GoogleTest and Catch2
//   - unittest's name (module.Class) and Maven's name(package.Class)
//   - a class, a test file or, for Python, a directory: all tests in it
//   - an end of any of these: Class::name, module.Class.name, a bare name; where
//     several tests have that end, all of them
//   - an id without parameters: all its cases
//   - an id that is cut inside its parameters, as SWE-bench publishes where
//     these hold a blank: recognised by a "[" that is not closed, and matched by its
//     beginning
//   - an id that holds what changes from run to run (an address, a temporary
//     path): all ids that are the same except for that
//   - C++: blanks around sections' names, and lower case throughout
func MatchIDs(l Language, published, known []string) map[string][]string {
	find := l.Finder(known)
	out := make(map[string][]string, len(published))
	for _, p := range published {
		if _, done := out[p]; done {
			continue
		}
		ids := slices.Clone(find(p))
		slices.Sort(ids)
		out[p] = slices.Compact(ids)
	}
	matchUnstable(out, published, known)
	return out
}

// dottedIDs finds ids of Python and Java. Their names, without parameters, are
// kept in dotted form: path, class and test all joined by dots.
type dottedIDs struct {
	language   string
	exact      map[string]bool
	heads      []string // dotted names, sorted
	cases      [][]dottedCase
	byEnd      ends
	containers []string // files and classes, dotted
	conByEnd   ends
}

type dottedCase struct{ params, id string }

func newDottedIDs(language string, known []string) *dottedIDs {
	d := &dottedIDs{language: language, exact: make(map[string]bool, len(known))}
	cases := map[string][]dottedCase{}
	containers := map[string]bool{}
	for _, id := range known {
		if d.exact[id] {
			continue
		}
		d.exact[id] = true
		head, params := d.split(id)
		cases[head] = append(cases[head], dottedCase{params, id})
		d.addContainers(containers, id)
	}
	for head := range cases {
		d.heads = append(d.heads, head)
	}
	slices.Sort(d.heads)
	for _, head := range d.heads {
		c := cases[head]
		slices.SortFunc(c, func(a, b dottedCase) int { return strings.Compare(a.params, b.params) })
		d.cases = append(d.cases, c)
	}
	for c := range containers {
		d.containers = append(d.containers, c)
	}
	slices.Sort(d.containers)
	d.byEnd, d.conByEnd = newEnds(d.heads), newEnds(d.containers)
	return d
}

// addContainers notes the file and the classes around a canonical id.
func (d *dottedIDs) addContainers(set map[string]bool, id string) {
	id, _, _ = strings.Cut(id, "[")
	separator := "::"
	for n, i := 0, strings.LastIndex(id, separator); i > 0 && n < maxParts; n, i = n+1, strings.LastIndex(id[:i], separator) {
		head := d.dotted(id[:i])
		if set[head] {
			return
		}
		set[head] = true
		if d.language == Java {
			separator = "$"
		}
	}
}

// find returns what a published id stands for.
func (d *dottedIDs) find(published string) []string {
	if d.exact[published] {
		return []string{published}
	}
	text := strings.TrimSpace(published)
	if text == "" {
		return nil
	}
	if d.exact[text] {
		return []string{text}
	}
	head, params := d.split(d.turned(text))
	if ids := d.tests(head, params); len(ids) > 0 || params != "" {
		return ids
	}
	return d.below(text, head)
}

// tests are those with this end and these parameters.
func (d *dottedIDs) tests(head, params string) []string {
	var out []string
	for _, h := range d.byEnd.find(head) {
		c := d.cases[h]
		from := 0
		if params != "" {
			from, _ = slices.BinarySearchFunc(c, params, func(c dottedCase, p string) int { return strings.Compare(c.params, p) })
		}
		cut := unclosed(params)
		for ; from < len(c); from++ {
			if params != "" && c[from].params != params && !(cut && strings.HasPrefix(c[from].params, params)) {
				break
			}
			out = append(out, c[from].id)
		}
	}
	return out
}

// below are the tests of files and classes with this end, or of a directory.
func (d *dottedIDs) below(text, head string) []string {
	var out []string
	for _, c := range d.conByEnd.find(head) {
		out = append(out, d.under(d.containers[c])...)
	}
	if len(out) == 0 && d.language == Python && strings.Contains(text, "/") && !strings.Contains(text, "::") {
		out = d.under(head)
	}
	return out
}

func (d *dottedIDs) under(container string) []string {
	var out []string
	prefix := strings.TrimSuffix(container, ".") + "."
	from, _ := slices.BinarySearch(d.heads, prefix)
	for ; from < len(d.heads) && strings.HasPrefix(d.heads[from], prefix); from++ {
		for _, c := range d.cases[from] {
			out = append(out, c.id)
		}
	}
	return out
}

var (
	unittestForm = regexp.MustCompile(`^(\w+) \(([\w.]+)\)(?:$|[\s:])`)
	mavenForm    = regexp.MustCompile(`^([\w$]+)\(([\w$]+(?:\.[\w$]+)+)\)$`)
)

// turned puts a class before its test where the form has it after.
func (d *dottedIDs) turned(text string) string {
	form := unittestForm
	if d.language == Java {
		form = mavenForm
	}
	m := form.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	if strings.HasSuffix(m[2], "."+m[1]) {
		return m[2] // unittest from Python 3.11 on
	}
	return m[2] + "." + m[1]
}

// split cuts an id into its dotted name and its parameters with their
// brackets. Java's parameter types are dropped, as in canonical ids.
func (d *dottedIDs) split(id string) (head, params string) {
	i := strings.IndexByte(id, '[')
	if d.language == Java {
		i = strings.IndexAny(id, "[({")
	}
	if i < 0 {
		return d.dotted(id), ""
	}
	head, params = id[:i], id[i:]
	if d.language == Java && params[0] != '[' {
		closing := map[byte]string{'(': ")", '{': "}"}[params[0]]
		_, params, _ = strings.Cut(params, closing)
		params = strings.TrimSpace(params)
	}
	return d.dotted(head), params
}

// dotted joins all parts of a name by dots.
func (d *dottedIDs) dotted(name string) string {
	name = strings.TrimSpace(name)
	if d.language == Java {
		if file, ok := strings.CutSuffix(name, ".java"); ok {
			_, below, found := strings.Cut("/"+file, "/java/")
			if name = file; found {
				name = below
			}
		}
		return strings.NewReplacer("::", ".", "$", ".", "#", ".", " > ", ".", "/", ".").Replace(name)
	}
	path, rest, within := strings.Cut(name, "::")
	path = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path, "./"), ".py"), "/", ".")
	if !within {
		return strings.TrimSuffix(path, ".")
	}
	return path + "." + strings.ReplaceAll(rest, "::", ".")
}

// unclosed reports whether a bracket stays open.
func unclosed(params string) bool {
	return strings.Count(params, "[") > strings.Count(params, "]")
}
