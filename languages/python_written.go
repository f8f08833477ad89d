package languages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
	"assay/languages/syntax"
)

// writtenCopies are test files with copies of some of their tests in them, each
// with assertions at its end that must fail: for runners to which our reporter
// can add no tests.
type writtenCopies struct {
	dir    string // where the run takes the files from
	paths  []string
	texts  []string
	copies []NonceCopy
}

// pythonWritten writes copies of the tests that decide; nil where none can be
// copied. Their names come last among the file's, since unittest sorts.
func pythonWritten(suite Suite) *writtenCopies {
	of := map[string][]string{} // by file
	for _, c := range pythonCopies(suite) {
		file, _, _ := strings.Cut(c.Of, "::")
		if slices.Contains(suite.Changed, file) {
			of[file] = append(of[file], c.Of)
		}
	}
	out, taken := &writtenCopies{dir: suite.dir() + "/copies"}, takenIn(suite)
	for _, f := range sortedKeys(of) {
		text, copies := pythonCopied(f, suite.Repo.Text(f), of[f], namesOf(wordsOf(suite, f), suite.Nonce+f), taken)
		if len(copies) > 0 {
			out.paths, out.texts, out.copies = append(out.paths, path.Join(suite.root(), f)), append(out.texts, text), append(out.copies, copies...)
		}
	}
	if len(out.paths) == 0 {
		return nil
	}
	return out
}

// pythonCopied is a file with copies of these tests at the ends of their
// classes, or at its own end.
func pythonCopied(file, text string, ids []string, names *nonceNames, taken func(string) bool) (string, []NonceCopy) {
	root, broken, err := syntax.Nodes(Python, []byte(text))
	if err != nil || broken > 0 || regexp.MustCompile(`\b`+pythonFailed+`(?:_held)?\b`).MatchString(text) {
		return text, nil
	}
	var copies []NonceCopy
	var added []textEdit
	for _, id := range ids {
		def := pythonDefinition(root, []byte(text), strings.Split(id, "::")[1:])
		if def == nil || !pythonCopyable(def, []byte(text)) {
			continue
		}
		name := lastName(names, taken)
		at := len(text)
		if class := pythonClass(def); class != nil {
			at = class.End
		}
		added = append(added, textEdit{at, at, "\n\n" + pythonCopiedTest(def, text, name)})
		place := file + strings.TrimPrefix(id[:strings.LastIndex(id, "::")+2], file)
		copies = append(copies, NonceCopy{Of: id, ID: place + name})
		other := lastName(names, taken)
		if source := pythonOther(def, text, other); source != "" {
			added = append(added, textEdit{at, at, "\n\n" + source})
			copies = append(copies, NonceCopy{Of: id, ID: place + other, Values: true})
		}
	}
	with := edited(text, 0, len(text), added)
	if _, broken, err := syntax.Nodes(Python, []byte(with)); err != nil || broken > 0 {
		return text, nil // such as after a class that ends with a semicolon
	}
	return with, copies
}

// lastName is the last of some names that are not taken.
func lastName(names *nonceNames, taken func(string) bool) string {
	best := ""
	for i := 0; i < 20 || best == ""; i++ {
		if name := names.test(); name > best && !taken(name) {
			best = name
		}
	}
	return best
}

// pythonDefinition is the only function with this path of names; nil where
// there is none, or several.
func pythonDefinition(root *syntax.Node, src []byte, names []string) *syntax.Node {
	var found []*syntax.Node
	root.Walk(func(n *syntax.Node) bool {
		if n.Kind != "function_definition" || n.Get("name").Text(src) != names[len(names)-1] {
			return true
		}
		place := []string{names[len(names)-1]}
		for at := pythonClass(n); at != nil; at = pythonClass(at) {
			place = append([]string{at.Get("name").Text(src)}, place...)
		}
		if slices.Equal(place, names) {
			found = append(found, n)
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// pythonClass is the class in whose body a definition is; nil if it is not in a
// class.
func pythonClass(n *syntax.Node) *syntax.Node {
	up := pythonDecorated(n).Parent
	if up == nil || up.Kind != "block" || up.Parent == nil || up.Parent.Kind != "class_definition" {
		return nil
	}
	return up.Parent
}

// pythonDecorated is a definition with its decorators.
func pythonDecorated(n *syntax.Node) *syntax.Node {
	if n.Parent != nil && n.Parent.Kind == "decorated_definition" {
		return n.Parent
	}
	return n
}

var pythonNoCopy = regexp.MustCompile(`(?i)@\s*[\w.]*(?:xfail|expectedFailure|parameterize|parametrize|expand|skip|ddt|data|given)\b`)

// pythonCopyable reports whether a test can be copied: it is at the top level or
// in a class, neither returns early nor yields, and is not expected to fail.
func pythonCopyable(def *syntax.Node, src []byte) bool {
	whole := pythonDecorated(def)
	body := def.Get("body")
	if pythonClass(def) == nil && whole.Parent != nil && whole.Parent.Kind != "module" || body == nil || len(body.Items()) == 0 {
		return false
	}
	if pythonNoCopy.Match(src[whole.Start:def.Start]) || !strings.Contains(string(src[def.Start:body.Start]), "\n") {
		return false
	}
	ends := false
	body.Walk(func(n *syntax.Node) bool {
		ends = ends || n.Kind == "return_statement" || n.Kind == "yield"
		return n.Kind != "function_definition" && n.Kind != "lambda" && n.Kind != "class_definition"
	})
	return !ends
}

// pythonFailed is what a copy counts with.
const pythonFailed = "_wrong"

// pythonCopiedTest is a test's source under another name, with what must fail
// below its own code.
func pythonCopiedTest(def *syntax.Node, text, name string) string {
	whole, id, body := pythonDecorated(def), def.Get("name"), def.Get("body")
	indent := text[lineStart(text, body.Items()[0].Start):body.Items()[0].Start]
	source := text[lineStart(text, whole.Start):id.Start] + name + text[id.End:whole.End]
	me := regexp.MustCompile(`^\(\s*(\w+)`).FindStringSubmatch(def.Get("parameters").Text([]byte(text)))
	var wrong []string
	if pythonClass(def) != nil && me != nil {
		for _, form := range sortedKeys(pythonWrong()) {
			if strings.Contains(body.Text([]byte(text)), me[1]+"."+form+"(") {
				wrong = append(wrong, "lambda: "+me[1]+"."+form+pythonWrong()[form])
			}
		}
	}
	lines := []string{
		pythonFailed + "_failed = 0",
		"for " + pythonFailed + " in [" + strings.Join(wrong, ", ") + "]:",
		"    try:",
		"        " + pythonFailed + "()",
		"    except Exception:",
		"        " + pythonFailed + "_failed += 1",
		fmt.Sprintf("if %s_failed == %d:", pythonFailed, len(wrong)),
		"    raise AssertionError('[1] != [2]')",
	}
	for _, l := range lines {
		source += "\n" + indent + l
	}
	return source + "\n"
}

// pythonWrong is how assertions of unittest are used wrongly.
func pythonWrong() map[string]string {
	return map[string]string{
		"assertEqual": "([1], [2])", "assertNotEqual": "(1, 1)", "assertTrue": "([])", "assertFalse": "([1])", "assertIs": "(1, None)",
		"assertIsNone": "(1)", "assertIsNotNone": "(None)", "assertIn": "(1, [])", "assertNotIn": "(1, [1])", "assertIsInstance": "(1, str)",
		"assertListEqual": "([1], [2])", "assertRaises": "(KeyError, list)",
	}
}

// put are the files.
func (w *writtenCopies) put() []harness.File {
	if w == nil {
		return nil
	}
	var out []harness.File
	for i, text := range w.texts {
		out = append(out, harness.File{Path: fmt.Sprintf("%s/%d.py", w.dir, i), Data: []byte(text)})
	}
	return out
}

// script puts the files in the places of the tests'.
func (w *writtenCopies) script() string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	for i, p := range w.paths {
		fmt.Fprintf(&b, "cp %s\n", quoteAll([]string{fmt.Sprintf("%s/%d.py", w.dir, i), p}))
	}
	return b.String()
}

// all are the copies.
func (w *writtenCopies) all() []NonceCopy {
	if w == nil {
		return nil
	}
	return w.copies
}
