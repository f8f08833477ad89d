package imports

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/languages"
	"assay/languages/syntax"
	"assay/methods/nearest"
)

func cppLanguage() language {
	l := plainLanguage(languages.Cpp)
	l.correct, l.find, l.unknown = correctCpp, findCpp, unknownCpp
	return l
}

var cppInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]`)

// includesOf are what a source includes, in order, as written with its marks.
func includesOf(src []byte) (paths, written []string) {
	for _, m := range cppInclude.FindAllSubmatch(src, -1) {
		mark := "\""
		if string(m[1]) == "<" {
			mark = ">"
		}
		paths, written = append(paths, string(m[2])), append(written, string(m[1])+string(m[2])+mark)
	}
	return paths, written
}

func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".H", ".h++":
		return true
	}
	return false
}

func isCpp(p string) bool {
	switch path.Ext(p) {
	case ".cc", ".cpp", ".cxx", ".c++", ".C", ".c":
		return true
	}
	return isHeader(p)
}

// header is the file of the repository that an include means, as seen from a
// file; "" for none.
func (f *Finder) header(from, include string) string {
	near := path.Join(path.Dir(from), include)
	best := ""
	for _, p := range f.repo.Paths() {
		if p == near {
			return p
		}
		if isHeader(p) && (p == include || strings.HasSuffix(p, "/"+include)) && (best == "" || len(p) < len(best)) {
			best = p
		}
	}
	return best
}

// correctCpp replaces the include of a header that the repository does not have,
// in quotes or below one of its folders, by the nearest one of that name.
func correctCpp(f *Finder, statement string) []string {
	paths, written := includesOf([]byte(statement))
	if len(paths) != 1 {
		return []string{strings.TrimSpace(statement)}
	}
	keep := []string{"#include " + written[0]}
	if f.header(f.path, paths[0]) != "" || !strings.HasPrefix(written[0], `"`) && !f.spelled(path.Dir(paths[0])) {
		return keep
	}
	var same, ends []string
	whole := map[string]string{}
	for _, p := range f.repo.Paths() {
		if !isHeader(p) {
			continue
		}
		end := lastParts(p, strings.Count(paths[0], "/")+1)
		if whole[end] == "" {
			ends, whole[end] = append(ends, end), p
		}
		if path.Base(p) == path.Base(paths[0]) {
			same = append(same, p)
		}
	}
	if best, ok := nearest.To(paths[0], same); ok {
		return []string{"#include " + f.spelling(best)}
	}
	if best, ok := nearest.Close(paths[0], ends); ok {
		return []string{"#include " + f.spelling(whole[best])}
	}
	return keep
}

// lastParts are the last n parts of a path.
func lastParts(p string, n int) string {
	parts := strings.Split(p, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// spelled reports whether a folder of includes is one of the repository's.
func (f *Finder) spelled(dir string) bool {
	return dir != "." && slices.ContainsFunc(f.repo.Paths(), func(p string) bool {
		return isHeader(p) && (path.Dir(p) == dir || strings.HasSuffix(path.Dir(p), "/"+dir))
	})
}

// spelling is how the repository's files include a header, tests first; else by
// its path below a folder for includes, or from the test file.
func (f *Finder) spelling(header string) string {
	base := path.Base(header)
	var ways []string
	for _, p := range f.mentioning(strings.TrimSuffix(base, path.Ext(base)), isCpp) {
		paths, written := includesOf(f.text(p))
		for i := range paths {
			inside := !strings.Contains(paths[i], "/") && path.Dir(p) != path.Dir(f.path)
			if path.Base(paths[i]) == base && f.header(p, paths[i]) == header && !inside {
				ways = append(ways, written[i])
			}
		}
	}
	if w := most(ways); w != "" {
		return w
	}
	if _, below, ok := strings.Cut("/"+header, "/include/"); ok {
		return `"` + below + `"`
	}
	return `"` + relative(path.Dir(f.path), header) + `"`
}

// relative is the path of a file from a folder.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	if from == "." {
		a = nil
	}
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)) + strings.Join(b, "/")
}

// findCpp looks for the header that declares a name; that of a name of the
// standard library is known by a list.
func findCpp(f *Finder, name string) (string, bool) {
	if std, ok := strings.CutPrefix(name, "std::"); ok {
		header := stdHeader(std)
		return "#include <" + header + ">", header != ""
	}
	var found []string
	for _, p := range f.mentioning(name, isHeader) {
		if f.declares(p, name) {
			found = append(found, p)
		}
	}
	best, ok := nearest.To(f.path, found)
	if !ok {
		return "", false
	}
	return "#include " + f.spelling(best), true
}

// declares reports whether a header declares a class, function, alias or macro.
func (f *Finder) declares(p, name string) bool {
	if regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+` + regexp.QuoteMeta(name) + `\b|\busing[ \t]+` + regexp.QuoteMeta(name) + `[ \t]*=|\benum(?:[ \t]+(?:class|struct))?[ \t]+` + regexp.QuoteMeta(name) + `\b`).Match(f.text(p)) {
		return true
	}
	root, _, err := syntax.Nodes(languages.Cpp, f.text(p))
	if err != nil {
		return false
	}
	found := false
	root.Walk(func(n *syntax.Node) bool {
		switch n.Kind {
		case "class_specifier", "struct_specifier", "union_specifier":
			found = found || n.Get("body") != nil && n.Get("name").Text(f.text(p)) == name
			return false // members are reached through their class
		case "function_declarator":
			found = found || n.Get("declarator").Text(f.text(p)) == name
			return false
		}
		return !found
	})
	return found
}

// unknownCpp are names that these lines use, that neither the rest of the file
// nor a header of the repository that it includes mentions, and that a header
// declares; and the parts of the standard library whose header is not included.
func unknownCpp(f *Finder, src []byte, lines []syntax.Range) []string {
	root, _, err := syntax.Nodes(languages.Cpp, src)
	if err != nil {
		return nil
	}
	var used, out []string
	root.Walk(func(n *syntax.Node) bool {
		if name := cppUse(n, src); name != "" && on(lines, n.Line) && !slices.Contains(used, name) {
			used = append(used, name)
		}
		return true
	})
	seen := f.reached(src)
	rest := without(src, lines)
	for _, name := range used {
		std, isStd := strings.CutPrefix(name, "std::")
		if hasWord(rest, orElse(only(isStd, std), name)) || slices.ContainsFunc(seen, func(text []byte) bool { return hasWord(text, orElse(only(isStd, std), name)) }) {
			continue
		}
		statement, ok := f.For(name)
		if paths, _ := includesOf([]byte(statement)); ok && !slices.ContainsFunc(seen, func(text []byte) bool { return includes(text, paths[0]) }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func includes(src []byte, header string) bool {
	paths, _ := includesOf(src)
	return slices.Contains(paths, header)
}

// cppUse is the name that a node uses: a type, a function that is called, or a
// member of std.
func cppUse(n *syntax.Node, src []byte) string {
	switch {
	case n.Kind == "qualified_identifier":
		if text := n.Text(src); strings.HasPrefix(text, "std::") && n.Get("scope") != nil {
			name, _, _ := strings.Cut(strings.TrimPrefix(text, "std::"), "<")
			name, _, _ = strings.Cut(name, "::")
			return "std::" + name
		}
	case n.Kind == "type_identifier" && !inStd(n, src):
		return n.Text(src)
	case n.Kind == "identifier" && !inStd(n, src) && (n.Field == "function" || n.Field == "name" && n.Parent.Field == "function"):
		return n.Text(src)
	}
	return ""
}

// inStd reports whether a name is qualified by std.
func inStd(n *syntax.Node, src []byte) bool {
	for p := n.Parent; p != nil && (p.Kind == "qualified_identifier" || p.Kind == "template_type" || p.Kind == "template_function"); p = p.Parent {
		if strings.HasPrefix(p.Text(src), "std::") {
			return true
		}
	}
	return false
}

// reached are what a source includes, and the headers of the repository that it includes, or
// that these include.
func (f *Finder) reached(src []byte) [][]byte {
	// Of the source itself, only what it includes: see unknownCpp.
	own := strings.Join(cppInclude.FindAllString(string(src), -1), "\n")
	out, seen := [][]byte{[]byte(own)}, map[string]bool{}
	queue := []string{f.path}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		text := src
		if from != f.path {
			text = f.text(from)
			out = append(out, text)
		}
		paths, _ := includesOf(text)
		for _, include := range paths {
			if p := f.header(from, include); p != "" && !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return out
}

// without is a source without some lines.
func without(src []byte, lines []syntax.Range) []byte {
	var out []string
	for i, line := range strings.Split(string(src), "\n") {
		if !on(lines, i+1) {
			out = append(out, line)
		}
	}
	return []byte(strings.Join(out, "\n"))
}

// stdHeader is the header of a name of the standard library; "" for one that is
// not in the list.
func stdHeader(name string) string {
	for header, names := range map[string]string{
		"algorithm": "sort stable_sort find find_if count count_if equal reverse max_element min_element all_of any_of none_of copy transform for_each fill remove_if unique rotate shuffle",
		"array":     "array", "atomic": "atomic", "bitset": "bitset", "chrono": "chrono", "complex": "complex", "deque": "deque",
		"exception": "exception_ptr current_exception rethrow_exception", "filesystem": "filesystem", "fstream": "ifstream ofstream fstream",
		"functional": "function bind hash greater less ref", "future": "async future promise", "initializer_list": "initializer_list",
		"iostream": "cout cerr cin clog", "iterator": "back_inserter istreambuf_iterator distance next prev advance", "limits": "numeric_limits",
		"list": "list", "map": "map multimap", "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared", "mutex": "mutex lock_guard unique_lock",
		"numeric": "accumulate iota", "optional": "optional nullopt make_optional", "queue": "queue priority_queue", "random": "mt19937 random_device uniform_int_distribution",
		"regex": "regex smatch regex_match regex_search", "set": "set multiset", "sstream": "stringstream ostringstream istringstream",
		"stack": "stack", "stdexcept": "runtime_error logic_error invalid_argument out_of_range domain_error length_error overflow_error range_error underflow_error",
		"string": "string wstring u16string u32string to_string stoi stol stoul stod getline", "string_view": "string_view", "thread": "thread this_thread",
		"tuple": "tuple make_tuple tie get", "type_traits": "is_same is_same_v decay_t enable_if_t", "typeinfo": "type_info",
		"unordered_map": "unordered_map unordered_multimap", "unordered_set": "unordered_set unordered_multiset",
		"utility": "pair make_pair move forward swap exchange", "variant": "variant visit holds_alternative", "vector": "vector",
		"cstdint": "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t", "cstring": "memcpy memcmp memset strlen strcmp", "cmath": "isnan isinf abs sqrt pow floor ceil",
	} {
		if slices.Contains(strings.Fields(names), name) {
			return header
		}
	}
	return ""
}
