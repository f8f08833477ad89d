package languages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mostCppCopies bounds how many tests of a file run once more.
const mostCppCopies = 3

var (
	gtestHeader = regexp.MustCompile(`^(\s*(?:GTEST_)?TEST(_F)?\s*\(\s*)(\w+)(\s*,\s*)(\w+)(\s*\)\s*\{)`)
	caseHeader  = regexp.MustCompile(`^(\s*(?:CATCH_|DOCTEST_)?TEST_CASE\s*\(\s*)"((?:[^"\\]|\\.)*)"`)
)

// withCopies adds to the first files copies of their tests, of those that
// decide where any can be told, each with a failing assertion at its end. Code
// under test that has the test which calls it pass has the copy pass, too.
func (o *Own) withCopies(suite Suite) {
	for i, f := range o.files {
		if f.plain {
			continue
		}
		text := suite.Repo.Text(f.file)
		names := newCppNamer(text, suite.Nonce+" copies", i)
		o.files[i].copies, o.files[i].copied = cppCopies(f, text, suite.Decisive, names)
		if len(o.files[i].copied) > 0 {
			return // each file is one more to compile
		}
	}
}

// cppCopies are copies of some of a file's tests, and what they are copies of.
func cppCopies(f cppOwn, text string, decisive []string, names *cppNamer) (string, []NonceCopy) {
	d, ok := cppDialectOf(f.framework)
	tests, err := syntaxTests(Cpp, f.file, []byte(text))
	if !ok || err != nil {
		return "", nil
	}
	d = d.spoken(macrosIn(text))
	lines := strings.Split(text, "\n")
	var known []string
	whole := map[string]string{}
	for _, t := range tests {
		if t.Start >= 1 && t.End <= len(lines) && !strings.Contains(t.ID, "/") && !t.Parametrized {
			known, whole[t.ID] = append(known, t.ID), strings.Join(lines[t.Start-1:t.End], "\n")
		}
	}
	var b strings.Builder
	var out []NonceCopy
	for _, id := range deciding(known, decisive) {
		if len(out) == mostCppCopies {
			break
		}
		if name, copied := d.copied(whole[id], names); copied != "" {
			b.WriteString(copied)
			out = append(out, NonceCopy{Of: id, ID: name})
		}
	}
	return b.String(), out
}

// deciding are those of the known tests for which published ids stand, or all
// where they stand for none.
func deciding(known, published []string) []string {
	set := map[string]bool{}
	find := newCppIDs(known).find
	for _, p := range published {
		for _, id := range find(p) {
			set[id] = true
		}
	}
	if len(set) == 0 {
		return slices.Compact(slices.Clone(known))
	}
	return sortedKeys(set)
}

// copied is a test's source under another name; "" where it is not written as
// is known.
func (d cppDialect) copied(source string, names *cppNamer) (id, text string) {
	source = strings.TrimRight(source, " \t\r\n")
	end := "  {\n" + cppValues + "  " + d.basic.text + "\n  }\n}\n"
	if !strings.HasSuffix(source, "}") {
		return "", ""
	}
	source = strings.TrimSuffix(source, "}")
	name := names.next()
	if d.name != "gtest" {
		m := caseHeader.FindStringSubmatchIndex(source)
		if m == nil {
			return "", ""
		}
		return name, fmt.Sprintf("\n%s\"%s\"%s\n%s", source[m[2]:m[3]], name, source[m[1]:], end)
	}
	m := gtestHeader.FindStringSubmatch(source)
	if m == nil {
		return "", ""
	}
	group, before := names.next(), ""
	if m[2] != "" {
		before = fmt.Sprintf("class %s : public %s {};\n", group, m[3])
	}
	return group + "." + name, "\n" + before + m[1] + group + m[4] + name + m[6] + source[len(m[0]):] + "\n" + end
}

// copiesLog is where the copies' outcomes are.
func (o *Own) copiesLog() string { return o.dir + "/copies.log" }

// copiesScript makes an executable with the copies after the main run, and
// starts it once for each.
func (o *Own) copiesScript() string {
	if o == nil || o.driver != nil {
		return ""
	}
	var b strings.Builder
	for i, f := range o.files {
		if len(f.copied) == 0 {
			continue
		}
		fmt.Fprintf(&b, "if assay_copied %d %s; then\n", i, quote(f.file))
		for _, c := range f.copied {
			fmt.Fprintf(&b, "  assay_copy %s %s\n", quote(c.ID), quote(f.selects(c.ID)))
		}
		b.WriteString("fi\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("(\nO=%s\n%s%s%s)\n", o.dir, strings.TrimPrefix(cppOwnMake, cppOwnState), cppCopyMake, b.String())
}

// cppCopyMake compiles a test file with the copies below it in place of its own
// object, for the first executable that has it.
const cppCopyMake = `assay_copied() { # index, file
  while IFS='	' read -r name artifact folder; do
    case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
    assay_commands "$artifact"
    compile=$(assay_compile "$2")
    if [ -z "$compile" ] || [ ! -f "$exe" ]; then continue; fi
    object=$(printf '%s\n' "$compile" | sed 's/.* -o \([^ ]*\) -c .*/\1/')
    assay_link >"$O/link"
    assay_one "$1" "$2" copies >"$O/copies.$1.log" 2>&1 </dev/null || return 1
    mv "$O/new" "$O/copies.exe"
    return 0
  done <"$ASSAY_DIR/targets"
  return 1
}
assay_copy() { # id, argument
  if GTEST_OUTPUT= timeout 60 "$O/copies.exe" "$2" </dev/null >/dev/null 2>&1; then echo "PASS: $1"; else echo "FAIL: $1"; fi >>"$O/copies.log"
}
`

// swallowed are the tests whose copies passed.
func (o *Own) swallowed(files map[string][]byte) []oddity {
	passed := map[string]bool{}
	for line := range strings.Lines(string(files[o.copiesLog()])) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "PASS: "); ok {
			passed[id] = true
		}
	}
	var out []oddity
	for _, f := range o.files {
		for _, c := range f.copied {
			if passed[c.ID] {
				out = append(out, oddity{"copy " + c.Of, fmt.Sprintf("a copy of %s that must fail does not", c.Of)})
			}
		}
	}
	return out
}
