package badpatch

import (
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
	"assay/languages/token"
)

// novelty is a name that gold declares and base does not.
type novelty struct {
	name string
	// bare says that base has the name for members or functions: then only
	// uses as a variable count.
	bare bool
}

// brought are the names of functions, classes and variables that gold adds.
func (s *Subject) brought() []novelty {
	had := map[string]bool{}
	var all, forms []string
	var text strings.Builder
	for _, f := range s.Files {
		if f.Base != nil {
			for _, name := range declares(f.Base) {
				had[name] = true
			}
			forms = append(forms, code.Normalise(s.Language, f.Before))
			text.Write(f.Before)
		}
		if f.Gold != nil {
			all = append(all, declares(f.Gold)...)
		}
	}
	slices.Sort(all)
	var out []novelty
	for _, name := range slices.Compact(all) {
		n := novelty{name, strings.Contains(text.String(), name)}
		if !had[name] && (!n.bare || !code.IsPython(s.Language) && !n.dangles(forms)) {
			out = append(out, n)
		}
	}
	return out
}

// declares lists the names that a file declares, parameters left out in
// Python, where they look like anything else.
func declares(c *code.File) []string {
	var out []string
	c.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case c.IsFunction(n) || c.IsClass(n):
			out = append(out, c.Name(n))
		case c.Python() && code.Is(n, "assignment") && code.Is(n.Get("left"), "identifier"):
			out = append(out, c.Text(n.Get("left")))
		case code.Is(n, "variable_declarator"):
			out = append(out, c.Text(n.Get("name")))
		case !c.Python():
			if v, ok := c.Declared(n); ok {
				out = append(out, v.Name)
			} else if id := code.DeclaredName(n.Get("declarator")); code.Is(n, "field_declaration") && id != nil {
				out = append(out, c.Text(id))
			}
		}
		return true
	})
	return slices.DeleteFunc(out, func(name string) bool { return len(name) < 3 })
}

// dangles reports whether code in normal form uses a name that it does not
// declare. If unsure it returns false: what looks like a declaration is one.
func (v novelty) dangles(forms []string) bool {
	name, used := v.name, false
	for _, form := range forms {
		for at := 0; ; {
			i := strings.Index(form[at:], name)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(name)
			at = end
			if start > 0 && form[start-1] != ' ' || end < len(form) && form[end] != ' ' {
				continue // a part of another word
			}
			if declaredAt(form, start, end) {
				return false
			}
			used = used || !v.bare || !member(form, start, end)
		}
	}
	return used
}

// member reports whether a name follows a dot or before arguments.
func member(form string, start, end int) bool {
	before := strings.TrimSuffix(form[:start], " ")
	return strings.HasSuffix(before, ".") || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "- >") || strings.HasPrefix(form[end:], " (")
}

// declaredAt looks at the tokens around a name.
func declaredAt(form string, start, end int) bool {
	after := strings.TrimPrefix(form[end:], " ")
	if strings.HasPrefix(after, ",") || strings.HasPrefix(after, "= ") && !strings.HasPrefix(after, "= =") {
		return true
	}
	before := strings.TrimSuffix(form[:start], " ")
	before = before[strings.LastIndexByte(before, ' ')+1:]
	switch before {
	case "return", "else", "throw", "case", "new", "not", "in", "and", "or", "if", "is", "raise", "yield", "elif", "while", "assert", "":
		return false
	}
	return token.IsWord(before[len(before)-1]) || strings.Contains("> & * ]", before)
}
