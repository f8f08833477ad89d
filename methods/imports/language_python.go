package imports

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/languages"
	"assay/languages/syntax"
	"assay/methods/nearest"
)

func pythonLanguage() language {
	l := plainLanguage(languages.Python)
	l.correct, l.find, l.inner, l.inside, l.head = correctPython, findPython, innerPython, insidePython, headPython
	l.fallback = func(name string) string { return "import " + name }
	return l
}

// pythonImport is one name that a statement makes known.
type pythonImport struct {
	module string // dotted, with the dots of a relative one
	name   string // "" where the module itself is imported
	alias  string
}

// bound is the name that is known then.
func (i pythonImport) bound() string {
	switch {
	case i.alias != "":
		return i.alias
	case i.name != "":
		return i.name
	}
	first, _, _ := strings.Cut(i.module, ".")
	return first
}

func (i pythonImport) String() string {
	text := "import " + i.module
	if i.name != "" {
		text = "from " + i.module + " import " + i.name
	}
	if i.alias != "" {
		text += " as " + i.alias
	}
	return text
}

// pythonImports reads a statement.
func pythonImports(statement string) []pythonImport {
	src := []byte(strings.TrimSpace(statement))
	root, _, err := syntax.Nodes(languages.Python, src)
	if err != nil || len(root.Items()) == 0 {
		return nil
	}
	n := root.Items()[0]
	if n.Kind != "import_statement" && n.Kind != "import_from_statement" {
		return nil
	}
	module := n.Get("module_name").Text(src)
	var out []pythonImport
	for _, c := range n.Children {
		if c.Field != "name" {
			if c.Kind == "wildcard_import" {
				out = append(out, pythonImport{module: module, name: "*"})
			}
			continue
		}
		name, alias := c.Text(src), ""
		if c.Kind == "aliased_import" {
			name, alias = c.Get("name").Text(src), c.Get("alias").Text(src)
		}
		if module == "" {
			out = append(out, pythonImport{module: name, alias: alias})
		} else {
			out = append(out, pythonImport{module, name, alias})
		}
	}
	return out
}

func isPython(p string) bool { return path.Ext(p) == ".py" }

// pythonName is a dotted name that a statement can hold.
var pythonName = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

// pythonModules are the repository's modules by dotted name. Files that cannot be
// imported by name, such as 01_intro.py, are left out. Folders above the first
// package are roots; those of a source folder without packages count as packages
// below it.
func (f *Finder) pythonModules() map[string]string {
	if f.modules != nil {
		return f.modules
	}
	f.modules = map[string]string{}
	inits := map[string]bool{}
	for _, p := range f.repo.Paths() {
		if path.Base(p) == "__init__.py" {
			inits[path.Dir(p)] = true
		}
	}
	for _, p := range f.repo.Paths() {
		if !isPython(p) {
			continue
		}
		dir, name := path.Dir(p), strings.TrimSuffix(path.Base(p), ".py")
		var parts []string
		if name != "__init__" {
			parts = append(parts, name)
		}
		for inits[dir] && dir != "." {
			parts = append(parts, path.Base(dir))
			dir = path.Dir(dir)
		}
		slices.Reverse(parts)
		if dotted := strings.Join(parts, "."); pythonName.MatchString(dotted) && f.modules[dotted] == "" {
			f.modules[dotted] = p
		}
	}
	return f.modules
}

// ours reports whether a module's first part is the repository's.
func (f *Finder) ours(module string) bool {
	first, _, _ := strings.Cut(module, ".")
	_, known := f.pythonModules()[first]
	return known
}

// provides reports whether a module of the repository has a name: as far as its
// text mentions it, or a module of that name is below it.
func (f *Finder) provides(module, name string) bool {
	if _, sub := f.pythonModules()[module+"."+name]; sub || name == "*" {
		return true
	}
	file, known := f.pythonModules()[module]
	return known && hasWord(f.text(file), name)
}

// correctPython replaces modules of the repository that do not exist, and names
// that they do not have. One of __future__ is dropped: it must be a file's first
// statement, and tests do without.
func correctPython(f *Finder, statement string) []string {
	if strings.HasPrefix(squeezed(statement), "from __future__ ") {
		return nil
	}
	found := pythonImports(statement)
	var out []string
	changed := false
	for _, i := range found {
		one := f.correctOne(i)
		changed = changed || one != i.String()
		out = append(out, one)
	}
	if !changed {
		return []string{strings.TrimSpace(statement)}
	}
	return out
}

func (f *Finder) correctOne(i pythonImport) string {
	file, known := f.pythonModules()[i.module]
	switch {
	case strings.HasPrefix(i.module, ".") || !f.ours(i.module):
		return i.String()
	case known && file != "" && (i.name == "" || f.provides(i.module, i.name)):
		return i.String()
	}
	if i.name != "" && i.name != "*" {
		if s, ok := f.For(i.name); ok {
			if found := pythonImports(s); len(found) > 0 {
				better := found[0]
				if better.alias = i.alias; better.bound() == i.bound() {
					return better.String()
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(f.pythonModules()))
	names = slices.DeleteFunc(names, func(m string) bool { return i.name != "" && !f.provides(m, i.name) })
	if best, ok := nearest.Close(i.module, names); ok {
		i.module = best
	}
	return i.String()
}

// findPython looks for an import of a name, for its definition and for a module
// of that name, in this order.
func findPython(f *Finder, name string) (string, bool) {
	var tests, others []string
	for _, p := range f.mentioning(name, isPython) {
		for _, s := range f.importsOf(p, name) {
			if f.lang.isTest(p) {
				tests = append(tests, s)
			} else {
				others = append(others, s)
			}
		}
	}
	if len(tests) > 0 {
		return most(tests), true
	}
	if s := f.definition(name); s != "" {
		return s, true
	}
	if s := most(others); s != "" {
		return s, true
	}
	for _, m := range slices.Sorted(maps.Keys(f.pythonModules())) {
		parent, last := "", m
		if at := strings.LastIndexByte(m, '.'); at >= 0 {
			parent, last = m[:at], m[at+1:]
		}
		if last == name {
			return pythonImport{module: orElse(parent, m), name: only(parent != "", name)}.String(), true
		}
	}
	return "", false
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func only(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// importsOf are a file's statements that make a name known, without those that
// are relative and those of modules that are gone.
func (f *Finder) importsOf(p, name string) []string {
	var out []string
	for _, text := range pythonHead(f.text(p)) {
		if !hasWord([]byte(text), name) {
			continue
		}
		for _, i := range pythonImports(text) {
			stale := f.ours(i.module) && f.pythonModules()[i.module] == ""
			if i.bound() == name && !strings.HasPrefix(i.module, ".") && i.module != "__future__" && !stale {
				out = append(out, i.String())
			}
		}
	}
	return out
}

// pythonHead are the import statements of a source that are not indented. It
// looks at lines alone: many files are read this way.
func pythonHead(src []byte) []string {
	var out []string
	open := false
	for line := range strings.Lines(string(src)) {
		switch {
		case open:
			out[len(out)-1] += line
		case strings.HasPrefix(line, "import "), strings.HasPrefix(line, "from "):
			out = append(out, line)
		default:
			continue
		}
		last := out[len(out)-1]
		bare, _, _ := strings.Cut(line, "#")
		open = strings.Contains(last, "(") && !strings.Contains(bare, ")") || strings.HasSuffix(strings.TrimSpace(bare), "\\")
	}
	return out
}

// definition imports a name from the first module that defines it; "" for none.
func (f *Finder) definition(name string) string {
	for _, m := range slices.Sorted(maps.Keys(f.pythonModules())) {
		p := f.modules[m]
		if f.lang.isTest(p) || !hasWord(f.text(p), name) {
			continue
		}
		parsed, err := syntax.Parse(f.lang.name, f.text(p))
		if err != nil {
			continue
		}
		if slices.ContainsFunc(parsed.Symbols, func(s syntax.Symbol) bool { return s.Name == name && len(s.Parents) == 0 }) {
			return pythonImport{module: m, name: name}.String()
		}
	}
	return ""
}

// innerPython are the import statements inside of functions.
func innerPython(src []byte, lines []syntax.Range) []Statement {
	root, _, err := syntax.Nodes(languages.Python, src)
	if err != nil {
		return nil
	}
	var out []Statement
	root.Walk(func(n *syntax.Node) bool {
		if n.Kind != "import_statement" && n.Kind != "import_from_statement" {
			return true
		}
		if on(lines, n.Line) && n.Parent != nil && n.Parent.Kind == "block" {
			out = append(out, Statement{Text: n.Text(src), Start: n.Start, End: n.End, Indent: indentAt(src, n.Start)})
		}
		return false
	})
	return out
}

// indentAt is the blank before an offset, if nothing else is in its line.
func indentAt(src []byte, offset int) string {
	from := bytes.LastIndexByte(src[:offset], '\n') + 1
	if strings.TrimSpace(string(src[from:offset])) != "" {
		return ""
	}
	return string(src[from:offset])
}

// insidePython puts a statement at the beginning of the first function on these lines
// that uses what it makes known.
func insidePython(src []byte, lines []syntax.Range, statement string) ([]byte, bool) {
	root, _, err := syntax.Nodes(languages.Python, src)
	if err != nil {
		return src, false
	}
	at := -1
	root.Walk(func(n *syntax.Node) bool {
		if n.Kind != "function_definition" || !on(lines, n.Line) {
			return true
		}
		uses := slices.ContainsFunc(pythonImports(statement), func(i pythonImport) bool {
			return hasWord([]byte(n.Get("body").Text(src)), i.bound())
		})
		if first := firstStatement(n); at < 0 && uses && first != nil && first.Line > n.Line {
			at = first.Start
		}
		return false
	})
	if at < 0 {
		return src, false
	}
	return slices.Concat(src[:at], []byte(statement+"\n"+indentAt(src, at)), src[at:]), true
}

// firstStatement is that of a function's body, a docstring left out.
func firstStatement(fn *syntax.Node) *syntax.Node {
	items := fn.Get("body").Items()
	if len(items) > 1 && items[0].Kind == "expression_statement" && len(items[0].Items()) == 1 && items[0].Items()[0].Kind == "string" {
		items = items[1:]
	}
	if len(items) == 0 {
		return nil
	}
	return items[0]
}

// headPython is after comments and the module's docstring.
func headPython(lines []string) int {
	root, _, err := syntax.Nodes(languages.Python, []byte(strings.Join(lines, "\n")))
	if err != nil {
		return 0
	}
	at := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "#") {
			break
		}
		at = i + 1
	}
	if items := root.Items(); len(items) > 0 && items[0].Kind == "expression_statement" && len(items[0].Items()) == 1 && items[0].Items()[0].Kind == "string" {
		at = items[0].Line + strings.Count(strings.Join(lines, "\n")[items[0].Start:items[0].End], "\n")
	}
	return at
}
