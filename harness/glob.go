package harness

import (
	"path"
	"strings"
)

// MatchGlob reports whether an absolute path matches a pattern of
// Job.Collect: element by element as path.Match does, so that "*" never
// crosses a slash, where an element "**" stands for any number of elements,
// none included. A malformed pattern matches nothing. It takes time in
// proportion to the product of both numbers of elements.
func MatchGlob(pattern, name string) bool {
	pat, elems := globElements(pattern), globElements(name)
	p, e := 0, 0
	star, mark := -1, 0 // the last "**" seen, and what it has swallowed so far
	for e < len(elems) {
		switch {
		case p < len(pat) && pat[p] == "**":
			star, mark = p, e
			p++
		case p < len(pat) && matchElement(pat[p], elems[e]):
			p++
			e++
		case star >= 0:
			mark++
			p, e = star+1, mark
		default:
			return false
		}
	}
	for p < len(pat) && pat[p] == "**" {
		p++
	}
	return p == len(pat)
}

// GlobRoot returns the deepest directory that holds all that a pattern can
// match: the directory to walk. Of a pattern without wildcards it is the
// path itself. A backslash counts as a wildcard.
func GlobRoot(pattern string) string {
	root := "/"
	for _, elem := range globElements(pattern) {
		if strings.ContainsAny(elem, `*?[\`) {
			break
		}
		root = path.Join(root, elem)
	}
	return root
}

func matchElement(pattern, elem string) bool {
	ok, err := path.Match(pattern, elem)
	return ok && err == nil
}

// globElements splits at slashes and drops empty elements, so that "//" and
// a slash at the end mean nothing.
func globElements(p string) []string {
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' })
}

// EscapeGlob is the pattern that matches this path only.
func EscapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
