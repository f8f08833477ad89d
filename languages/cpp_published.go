package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// Whose names the published ids of an instance are, as env.ids has it.
const (
	idsFramework = "framework"
	idsCTest     = "ctest"
	idsBoth      = "both"
)

// cppPublisher decides whose names the published ids are: those of a test
// framework are in the test sources; what does not is CTest's (or a check of
// CMake's, which is read with CTest's).
func cppPublisher(published []string, framework string, repo Repository) (string, bench.Decision) {
	if framework == "ctest" {
		return idsCTest, bench.Decision{Field: "ids", Value: idsCTest, Why: "no test framework is known"}
	}
	names := newCppNames(repo)
	ours, other := "", ""
	for _, id := range published {
		switch {
		case names.file(id) != "" || looksLike(framework, id):
			ours = id
		default:
			other = id
		}
	}
	d := bench.Decision{Field: "ids"}
	switch {
	case other == "":
		d.Value, d.Why, d.File = idsFramework, "the published ids are the framework's", names.file(ours)
	case ours == "":
		d.Value, d.Why = idsCTest, "no test source holds "+other+" or another published id"
	default:
		d.Value, d.Why, d.File = idsBoth, "a test source holds "+ours+", none holds "+other, names.file(ours)
	}
	return d.Value, d
}

// looksLike recognises names that only the framework can have given, where a
// macro of the project declares the test.
func looksLike(framework, id string) bool {
	if strings.ContainsAny(id, " \t") {
		return framework == "catch2" || framework == "doctest"
	}
	return framework == "gtest" && gtestName.MatchString(id)
}

var (
	gtestName  = regexp.MustCompile(`^(?:\w+/)?[A-Z]\w*(?:/\w+)?\.[A-Z]\w*(?:/\S+)?$`)
	gtestDecl  = regexp.MustCompile(`\b(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)`)
	sectionDef = regexp.MustCompile(`\b\w*(?:TEST_CASE|SCENARIO)\w*\s*\(\s*(?:[\w:]+\s*,\s*)?"((?:[^"\\]|\\.)*)"`)
)

// cppNames are the tests that the test sources declare: their names in lower
// case, with the files that hold them.
type cppNames map[string][]string

func newCppNames(repo Repository) cppNames {
	names := cppNames{}
	for _, p := range repo.Paths() {
		if !isTest(Cpp, p) || !about(Cpp).IsCode(p) {
			continue
		}
		text := repo.Text(p)
		for _, m := range gtestDecl.FindAllStringSubmatch(text, -1) {
			names.add(m[1]+"."+m[2], p)
		}
		for _, m := range sectionDef.FindAllStringSubmatch(text, -1) {
			names.add(strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[1]), p)
		}
	}
	return names
}

func (n cppNames) add(name, file string) {
	name = strings.ToLower(normalName(name))
	if !slices.Contains(n[name], file) {
		n[name] = append(n[name], file)
	}
}

// file is one of the files that declare the test, or "".
func (n cppNames) file(id string) string {
	if files := n.files(id); len(files) > 0 {
		return files[0]
	}
	return ""
}

// files are those that declare the test of a published id: the id itself, the
// case that contains its sections, a test without its prefix or its
// parameter, or JUnit's classname::name.
func (n cppNames) files(id string) []string {
	id, _, _ = strings.Cut(id, ", where ")
	id = strings.ToLower(normalName(id))
	if suites, test, ok := gtestParts(strings.Replace(id, "::", ".", 1)); ok {
		plain, _, _ := strings.Cut(test, "/")
		for _, s := range suites {
			if f := n[s+"."+plain]; len(f) > 0 {
				return f
			}
		}
	}
	_, behind, _ := strings.Cut(id, "::")
	for _, name := range []string{id, behind} {
		for parts := 0; name != "" && parts < maxParts; parts++ {
			if f := n[name]; len(f) > 0 {
				return f
			}
			i := strings.LastIndexByte(name, '/')
			name = name[:max(i, 0)]
		}
	}
	return nil
}

// cppPublishedFiles are the test sources that hold published tests of a
// framework.
func cppPublishedFiles(ids []string, repo Repository) []string {
	if len(ids) == 0 {
		return nil
	}
	names := newCppNames(repo)
	var out []string
	for _, id := range ids {
		out = append(out, names.files(id)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
