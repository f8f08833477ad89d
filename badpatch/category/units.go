package category

import (
	"bytes"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/languages/syntax"
)

// unit is a function, or what a file has outside of functions and imports (fn
// is nil then).
type unit struct {
	code *code.File
	fn   *syntax.Node
	form string
}

// units adds a file's functions by their names, and the rest of it.
func units(c *code.File, into map[string]unit) {
	if c == nil {
		return
	}
	var rest bytes.Buffer
	at := 0
	c.Root.Walk(func(n *syntax.Node) bool {
		fn := c.IsFunction(n)
		if !fn && !code.IsImport(n) {
			return true
		}
		rest.Write(c.Src[at:n.Start])
		at = n.End
		if fn {
			into[key(c, n, into)] = unit{c, n, code.Normalise(c.Language, []byte(c.Text(n)))}
		}
		return false
	})
	rest.Write(c.Src[at:])
	into[c.Path+":"] = unit{code: c, form: code.Normalise(c.Language, rest.Bytes())}
}

// key names a function by its file and the classes around it; those of one
// name are distinguished by their order.
func key(c *code.File, fn *syntax.Node, taken map[string]unit) string {
	name := c.Name(fn)
	for at := c.Class(fn.Parent); at != nil; at = c.Class(at.Parent) {
		name = c.Name(at) + "." + name
	}
	key := c.Path + ":" + name
	for {
		if _, ok := taken[key]; !ok {
			return key
		}
		key += "'"
	}
}

// codeLines are the lines of a file that hold code, and no import.
func codeLines(c *code.File) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, l := range code.Lines(c.Src) {
		text := strings.Join(strings.Fields(string(l)), " ")
		if strings.Trim(text, "{}();") == "" || hasAnyPrefix(text, "//", "/*", "*", "import ", "from ", "using ", "#include") || c.Python() && text[0] == '#' {
			continue
		}
		out = append(out, text)
	}
	return out
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}
