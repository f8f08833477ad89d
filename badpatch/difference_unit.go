package badpatch

import (
	"bytes"
	"slices"
	"strings"

	"assay/languages/syntax"
)

// unit is a function, or what a file has outside of functions and imports (fn
// is nil then).
type unit struct {
	code *code
	fn   *syntax.Node
	form string
}

// units adds a file's functions by their names, and the rest of it.
func (c *code) units(into map[string]unit) {
	if c == nil {
		return
	}
	var rest bytes.Buffer
	at := 0
	c.root.Walk(func(n *syntax.Node) bool {
		fn := c.isFunction(n)
		if !fn && !isImport(n) {
			return true
		}
		rest.Write(c.src[at:n.Start])
		at = n.End
		if fn {
			into[c.key(n, into)] = unit{c, n, Normalise(c.language, []byte(c.text(n)))}
		}
		return false
	})
	rest.Write(c.src[at:])
	into[c.path+":"] = unit{code: c, form: Normalise(c.language, rest.Bytes())}
}

// key names a function by its file and the classes round it; those of one name
// are told apart by their order.
func (c *code) key(fn *syntax.Node, taken map[string]unit) string {
	name := c.name(fn)
	for at := c.class(fn.Parent); at != nil; at = c.class(at.Parent) {
		name = c.name(at) + "." + name
	}
	key := c.path + ":" + name
	for {
		if _, ok := taken[key]; !ok {
			return key
		}
		key += "'"
	}
}

// codeLines are the lines of a file that hold code, and no import.
func (c *code) codeLines() []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, l := range lines(c.src) {
		text := strings.Join(strings.Fields(string(l)), " ")
		if strings.Trim(text, "{}();") == "" || hasAnyPrefix(text, "//", "/*", "*", "import ", "from ", "using ", "#include") || c.python() && text[0] == '#' {
			continue
		}
		out = append(out, text)
	}
	return out
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}
