package syntax

import (
	"slices"
	"strings"
)

// Covers reports whether a canonical id, parameters and sections included, is
// one of this test's: path::test[1] of path::test, Prefix/Suite.Name/0 and
// Suite/0.Name of Suite.Name, "case/section" of "case", and, of a template,
// "case - int" (Catch2) and "case<int>" (doctest).
func (t Test) Covers(id string) bool {
	if rest, ok := strings.CutPrefix(id, t.ID); ok && (rest == "" || t.extends(rest)) {
		return true
	}
	switch {
	case t.Abstract:
		_, name, ok := strings.Cut(id, "::")
		rest, same := strings.CutPrefix(name, t.method)
		return ok && same && t.method != "" && (rest == "" || rest[0] == '[' || rest[0] == '(')
	case t.family != "":
		return t.instantiates(id)
	case strings.Contains(t.ID, "::"):
		return false
	}
	return t.parametrizes(id)
}

// extends distinguishes parameters and sections from a mere common beginning.
func (t Test) extends(rest string) bool {
	switch rest[0] {
	case '[', '(', '/':
		return true
	case '_': // parameterized, absl and ddt number their cases
		return t.numbered && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9'
	}
	return false
}

// instantiates handles templates and their sections.
func (t Test) instantiates(id string) bool {
	rest, ok := strings.CutPrefix(id, t.family)
	if !ok || !strings.HasPrefix(rest, " - ") && !strings.HasPrefix(rest, "<") {
		return false
	}
	section := t.ID[len(t.family):]
	i := strings.Index(rest, section)
	return i >= 0 && (i+len(section) == len(rest) || section == "" || rest[i+len(section)] == '/')
}

// parametrizes handles GoogleTest's instances.
func (t Test) parametrizes(id string) bool {
	suite, name, ok := strings.Cut(t.ID, ".")
	if !ok || !t.Parametrized {
		return false
	}
	// A type may be in the suite's part, and hold dots.
	dot := strings.Index(id+"/", "."+name+"/")
	if dot < 0 {
		return false
	}
	parts := strings.Split(id[:dot], "/")
	last := len(parts) - 1
	if t.typed {
		return slices.Contains(parts[:last], suite)
	}
	return parts[last] == suite
}
