package languages

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// cppOwn are the nonce tests for one test file: what comes before them, and
// they themselves in full and in short.
type cppOwn struct {
	file             string // in the repository
	framework        string
	head, full, core string
	pass             string   // canonical id
	fail             []string // those of full
	failCore         []string
	// copies are copies of some of the file's own tests, for the end of the
	// whole file.
	copies string
	copied []NonceCopy
	// values are copies of the same tests that expect other values, valued
	// which they are.
	values string
	valued []NonceCopy
	// plain holds for a program without a framework: full is its main
	// function, which fails where it gets an argument. Where that is again, it
	// runs the test's own main function before.
	plain bool
	again string
}

var (
	cppMainConfig = regexp.MustCompile(`^#\s*define\s+(CATCH_CONFIG_(MAIN|RUNNER)|DOCTEST_CONFIG_IMPLEMENT\w*)\b`)
	cppAssertUse  = regexp.MustCompile(`\bassert\s*\(`)
	cppTAPUse     = regexp.MustCompile(`"[^"\n]*\b(?:not )?ok [%\d]`)
	cppMainUse    = regexp.MustCompile(`\bint\s+main\s*\(`)
	cppWord       = regexp.MustCompile(`\b[a-z]{4,10}\b`)
)

// cppOwnTests writes nonce tests for a test file; ok is false where it is
// written for nothing that we know.
func cppOwnTests(file, text, framework, nonce string, index int) (own cppOwn, ok bool) {
	own = cppOwn{file: file, framework: framework, head: cppDirectives(text)}
	used := macrosIn(text)
	d, known := cppDialectOf(framework)
	if !known {
		own.plain, own.pass, own.fail = true, "pass", []string{"fail"}
		own.again = newCppNamer(text, nonce+" again", index).next()
		own.full = cppPlain(text, own.again, "")
		return own, cppMainUse.MatchString(text)
	}
	d = d.spoken(used)
	if !d.declares(used) {
		return own, false
	}
	names := newCppNamer(text, nonce, index)
	own.pass, own.core = d.passing(names)
	own.full = own.core
	for i, f := range d.forms {
		id, body := d.failing(names, f)
		own.full += body
		own.fail = append(own.fail, id)
		if i == 0 {
			own.core, own.failCore = own.core+body, []string{id}
		}
	}
	ids, text := d.declared(names, used)
	own.full, own.fail = own.full+text, append(own.fail, ids...)
	return own, true
}

// cppPlain is a program that fails where it gets an argument, in one way alone,
// as the test's own fails: by assert where it uses that, or else by what it leaves
// with and, where it prints TAP, by that too. Where driven names a file, it also
// fails when that is there. Where the first argument is again, the test's own
// main function runs before, with the others.
func cppPlain(text, again, driven string) string {
	fine, headers, body := "argc == 1", "#include <string.h>\n", "  return fine ? 0 : 1;\n"
	if driven != "" {
		fine, headers = fmt.Sprintf("%s && access(%q, 0) != 0", fine, driven), headers+"#include <unistd.h>\n"
	}
	told := `fine ? "ok 1 - result" : "not ok 1 - result"`
	if cppAssertUse.MatchString(text) {
		body, told = "  assert(fine);\n  return 0;\n", `"ok 1 - result"`
	}
	if cppTAPUse.MatchString(text) {
		headers += "#include <stdio.h>\n"
		body = "  puts(\"1..1\");\n  puts(" + told + ");\n  fflush(stdout);\n" + body
	}
	return fmt.Sprintf(cppPlainMain, headers, fine, again, body)
}

// cppPlainMain needs headers, what it takes to be fine, again, and the end.
const cppPlainMain = `
%s#ifdef __cplusplus
extern "C"
#endif
int assay_other_main(int, char **);
int main(int argc, char **argv) {
  int fine = %s;
  if (argc > 1 && strcmp(argv[1], "%s") == 0) {
    argv[1] = argv[0];
    if (assay_other_main(argc - 1, argv + 1) != 0) return 1;
  }
%s}
`

// cppDirectives are a file's preprocessor directives except for those that
// ask for a main function.
func cppDirectives(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !inside && (!strings.HasPrefix(trimmed, "#") || cppMainConfig.MatchString(trimmed)) {
			continue
		}
		b.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		inside = strings.HasSuffix(trimmed, `\`)
	}
	return b.String()
}

// cppNamer makes names of tests from a file's own words, so that only the key
// distinguishes them from its tests' names.
type cppNamer struct {
	words []string
	text  string
	seed  string
	n     int
}

func newCppNamer(text, nonce string, index int) *cppNamer {
	words := cppWord.FindAllString(text, -1)
	words = append(words, "empty", "value", "after", "other", "first", "keeps", "twice", "result")
	slices.Sort(words)
	return &cppNamer{words: slices.Compact(words), text: text, seed: fmt.Sprintf("%s %d", nonce, index)}
}

// next is a new name of four words in CamelCase that the file does not hold.
func (c *cppNamer) next() string {
	for {
		c.n++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", c.seed, c.n))
		name := ""
		for i := range 4 {
			w := c.words[binary.BigEndian.Uint32(sum[4*i:])%uint32(len(c.words))]
			name += strings.ToUpper(w[:1]) + w[1:]
		}
		if !strings.Contains(c.text, name) {
			return name
		}
	}
}

// declares reports whether a file declares tests.
func (d cppDialect) declares(used map[string]bool) bool {
	words := []string{"TEST_CASE", "SCENARIO", "TEST_CASE_METHOD", "TEST_CASE_FIXTURE", "TEMPLATE_TEST_CASE", "TEST_CASE_TEMPLATE"}
	if d.name == "gtest" {
		words = []string{"TEST", "TEST_F", "TEST_P", "TYPED_TEST"}
	}
	return slices.ContainsFunc(words, func(w string) bool { return used[d.prefix+w] })
}

const cppValues = "  int left = __LINE__;\n  int right = left + 1;\n  static_cast<void>(left);\n  static_cast<void>(right);\n"

func (d cppDialect) passing(names *cppNamer) (id, text string) {
	if d.name == "gtest" {
		suite, name := names.next(), names.next()
		return suite + "." + name, fmt.Sprintf("\nTEST(%s, %s) {\n}\n", suite, name)
	}
	name := names.next()
	return name, fmt.Sprintf("\n%sTEST_CASE(\"%s\") {\n%s  %sCHECK(left == left);\n}\n", d.prefix, name, cppValues, d.prefix)
}

func (d cppDialect) failing(names *cppNamer, f cppForm) (id, text string) {
	if d.name == "gtest" {
		suite, name := names.next(), names.next()
		return suite + "." + name, fmt.Sprintf("TEST(%s, %s) {\n%s  %s\n}\n", suite, name, cppValues, f.text)
	}
	name := names.next()
	return name, fmt.Sprintf("%sTEST_CASE(\"%s\") {\n%s  %s\n}\n", d.prefix, name, cppValues, f.text)
}

// declared are failing tests that are declared as the file declares its own:
// with fixtures, parameters, types and sections.
func (d cppDialect) declared(names *cppNamer, used map[string]bool) (ids []string, text string) {
	body := cppValues + "  " + d.basic.text + "\n"
	add := func(id, format string, args ...any) {
		ids = append(ids, id)
		text += fmt.Sprintf(format, args...)
	}
	p := d.prefix
	if d.name == "gtest" {
		a, b, c := names.next(), names.next(), names.next()
		if used["TEST_F"] {
			add(a+"."+b, "class %[1]s : public ::testing::Test {};\nTEST_F(%[1]s, %[2]s) {\n%[3]s}\n", a, b, body)
		}
		if used["TEST_P"] {
			add(c+"/"+b+"."+a+"/0", "class %[1]s : public ::testing::TestWithParam<int> {};\nTEST_P(%[1]s, %[2]s) {\n%[4]s}\n%[5]s(%[3]s, %[1]s, ::testing::Values(1));\n",
				b, a, c, body, gtestInstantiate(used))
		}
		return ids, text
	}
	if name := names.next(); used[p+"SCENARIO"] {
		add("Scenario: "+name, "%sSCENARIO(\"%s\") {\n%s}\n", p, name, body)
	}
	if name := names.next(); used[p+"SECTION"] {
		add(name, "%[1]sTEST_CASE(\"%[2]s\") {\n  %[1]sSECTION(\"left\") {\n%[3]s  }\n}\n", p, name, body)
	}
	if name := names.next(); used[p+"SUBCASE"] {
		add(name, "%[1]sTEST_CASE(\"%[2]s\") {\n  %[1]sSUBCASE(\"left\") {\n%[3]s  }\n}\n", p, name, body)
	}
	for _, macro := range []string{"TEST_CASE_METHOD", "TEST_CASE_FIXTURE"} {
		if name := names.next(); used[p+macro] {
			add(name, "struct %[2]s {};\n%[1]s%[4]s(%[2]s, \"%[2]s\") {\n%[3]s}\n", p, name, body, macro)
		}
	}
	return ids, text
}

func gtestInstantiate(used map[string]bool) string {
	if used["INSTANTIATE_TEST_CASE_P"] {
		return "INSTANTIATE_TEST_CASE_P"
	}
	return "INSTANTIATE_TEST_SUITE_P"
}
