package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/languages/reports"
)

// cppIDs finds ids of C++ frameworks, whose names may hold any character.
type cppIDs struct {
	exact map[string]bool
	// alias holds, in the order in which they are tried, other names.
	normal, loose, below, lower map[string][]string
}

// maxParts bounds how many parts of a name are looked at: names may be made
// of slashes.
const maxParts = 16

func newCppIDs(known []string) *cppIDs {
	c := &cppIDs{
		exact:  make(map[string]bool, len(known)),
		normal: map[string][]string{}, loose: map[string][]string{},
		below: map[string][]string{}, lower: map[string][]string{},
	}
	for _, id := range known {
		if !c.exact[id] {
			c.exact[id] = true
			c.add(id)
		}
	}
	return c
}

func (c *cppIDs) add(id string) {
	if check, ok := strings.CutPrefix(id, configureCheck); ok {
		c.normal[check] = append(c.normal[check], id)
		c.lower[strings.ToLower(check)] = append(c.lower[strings.ToLower(check)], id)
		return
	}
	name := normalName(id)
	c.normal[name] = append(c.normal[name], id)
	lower := strings.ToLower(name)
	c.lower[lower] = append(c.lower[lower], id)
	if suites, test, ok := gtestParts(id); ok {
		plain, _, _ := strings.Cut(test, "/")
		for _, key := range []string{plain, test} {
			c.loose[key] = append(c.loose[key], id)
			if plain == test {
				break
			}
		}
		for _, s := range suites {
			c.loose[s+"."+plain] = append(c.loose[s+"."+plain], id)
			c.below[s] = append(c.below[s], id)
		}
		return
	}
	for n, i := 0, strings.IndexByte(name, '/'); i > 0 && n < maxParts; n++ {
		c.below[name[:i]] = append(c.below[name[:i]], id)
		next := strings.IndexByte(name[i+1:], '/')
		if next < 0 {
			return
		}
		i += 1 + next
	}
}

// gtestParts splits Prefix/Suite/type.Name/param; which of the parts before
// the dot is the suite is ambiguous. A name with blanks is not one of
// GoogleTest's.
func gtestParts(id string) (suites []string, test string, ok bool) {
	before, test, ok := strings.Cut(id, ".")
	if !ok || before == "" || test == "" || strings.ContainsAny(id, " \t\"") {
		return nil, "", false
	}
	suites = strings.SplitN(before, "/", maxParts)
	if len(suites) > 1 {
		suites = append(suites, before)
	}
	return suites, test, true
}

// find returns what a published id stands for.
func (c *cppIDs) find(published string) []string {
	if c.exact[published] {
		return []string{published}
	}
	text, _, _ := strings.Cut(published, ", where ") // GoogleTest's own summary
	name := normalName(text)
	if ids := c.normal[name]; len(ids) > 0 {
		return ids
	}
	if ids := c.junit(name); len(ids) > 0 {
		return ids
	}
	for _, m := range []map[string][]string{c.loose, c.below} {
		if ids := m[name]; len(ids) > 0 {
			return ids
		}
	}
	lower := strings.ToLower(name)
	for _, other := range []string{lower, atRoot(lower), strings.ToLower(normalName(reports.MesonName(text)))} {
		if ids := c.lower[other]; len(ids) > 0 {
			return ids
		}
	}
	return nil
}

var checkedPath = regexp.MustCompile(`_home_[a-z0-9.+]+(_|$)`)

// atRoot is the name that a configure check of a path has here: CMake makes
// names of options, and an option may hold the folder in which the repository
// was when the id was published.
func atRoot(name string) string { return checkedPath.ReplaceAllString(name, "_testbed${1}") }

// junit reads classname::name: suite and test of GoogleTest, or a classname
// that the framework makes up before the name of the case. Names may hold
// "::" themselves.
func (c *cppIDs) junit(name string) []string {
	var colons []int
	for i := 0; len(colons) < maxParts; {
		next := strings.Index(name[i:], "::")
		if next < 0 {
			break
		}
		colons = append(colons, i+next)
		i += next + 2
	}
	for _, i := range colons {
		dotted := name[:i] + "." + name[i+2:]
		if ids := slices.Concat(c.normal[dotted], c.loose[dotted]); len(ids) > 0 {
			return ids
		}
	}
	for _, i := range colons {
		if ids := c.normal[strings.TrimSpace(name[i+2:])]; len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// normalName drops blanks around the parts of a name.
func normalName(id string) string {
	if !strings.ContainsAny(id, " \t\r\n") {
		return id
	}
	parts := strings.Split(id, "/")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return strings.Join(parts, "/")
}
