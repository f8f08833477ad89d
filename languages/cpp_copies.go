package languages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// mostCppCopies bounds how many tests of a file run again.
const mostCppCopies = 3

var (
	gtestHeader = regexp.MustCompile(`^(\s*(?:GTEST_)?TEST(_F)?\s*\(\s*)(\w+)(\s*,\s*)(\w+)(\s*\)\s*\{)`)
	caseHeader  = regexp.MustCompile(`^(\s*(?:CATCH_|DOCTEST_)?TEST_CASE\s*\(\s*)"((?:[^"\\]|\\.)*)"`)
)

// withCopies adds copies of tests to the first file that has any, each with a
// failing assertion at its end. It copies the tests that decide, if they are
// known. Code under test that makes the test which calls it pass makes the copy
// pass, too.
func (o *Own) withCopies(suite Suite) {
	for i, f := range o.files {
		if f.plain {
			continue
		}
		text := suite.Repo.Text(f.file)
		names := newCppNamer(text, suite.Nonce+" copies", i)
		o.files[i].copies, o.files[i].copied = cppCopies(f, text, suite.Decisive, suite.Fresh, names)
		if o.driver == nil {
			o.files[i].values, o.files[i].valued = cppValued(f, text, o.files[i].copied, newCppNamer(text, suite.Nonce+" values", i))
		}
		if len(o.files[i].copied) > 0 {
			return // each file is one more to compile
		}
	}
}

// cppCopies are copies of some of a file's tests, and what they are copies of.
func cppCopies(f cppOwn, text string, decisive, fresh []string, names *cppNamer) (string, []NonceCopy) {
	d, known, whole := cppSources(f, text)
	var b strings.Builder
	var out []NonceCopy
	deciding := decidingCpp(known, decisive)
	for _, id := range drawn(deciding, fresh, len(deciding)) {
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

// cppValued are copies of the same tests that compare with other constants.
func cppValued(f cppOwn, text string, copied []NonceCopy, names *cppNamer) (string, []NonceCopy) {
	d, _, whole := cppSources(f, text)
	var b strings.Builder
	var out []NonceCopy
	for _, c := range copied {
		if name, other := d.others(whole[c.Of], names); other != "" {
			b.WriteString(other)
			out = append(out, NonceCopy{Of: c.Of, ID: name, Values: true})
		}
	}
	return b.String(), out
}

// valuesText is what comes below the test file where these copies are compiled,
// too; "" where there are none.
func (f cppOwn) valuesText() string {
	if len(f.valued) == 0 {
		return ""
	}
	return f.copies + f.values
}

// cppSources are the tests of a file that can be copied: their ids in order, and
// the source of each.
func cppSources(f cppOwn, text string) (d cppDialect, known []string, whole map[string]string) {
	d, ok := cppDialectOf(f.framework)
	tests, err := syntaxTests(Cpp, f.file, []byte(text))
	if !ok || err != nil {
		return d, nil, nil
	}
	lines := strings.Split(text, "\n")
	whole = map[string]string{}
	for _, t := range tests {
		if t.Start >= 1 && t.End <= len(lines) && !strings.Contains(t.ID, "/") && !t.Parametrized {
			known, whole[t.ID] = append(known, t.ID), strings.Join(lines[t.Start-1:t.End], "\n")
		}
	}
	return d.spoken(macrosIn(text)), known, whole
}

// decidingCpp are those of the known tests that published ids name, or all if they
// name none of them.
func decidingCpp(known, published []string) []string {
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
// starts it once for each, and once for what each is a copy of. A plain program
// is its own copy.
func (o *Own) copiesScript() string {
	if o == nil || o.driver != nil {
		return ""
	}
	var b strings.Builder
	for i, f := range o.files {
		if f.plain {
			fmt.Fprintf(&b, "assay_programs %d %s\n", i, f.again)
		}
		if len(f.copied) == 0 {
			continue
		}
		fmt.Fprintf(&b, "if assay_copied %d %s; then\n", i, quote(f.file))
		for _, c := range f.copied {
			fmt.Fprintf(&b, "  assay_start %s %s\n", quote(c.ID), quote(f.selects(c.ID)))
			fmt.Fprintf(&b, "  assay_start %[1]s %[2]s || assay_start %[1]s %[2]s\n", quote(cppAlone+c.Of), quote(f.selects(c.Of)))
		}
		if len(f.valued) > 0 {
			b.WriteString("  if [ $copied = values ]; then\n  :\n")
			for _, c := range f.valued {
				fmt.Fprintf(&b, "  assay_start %s %s\n", quote(c.ID), quote(f.selects(c.ID)))
			}
			b.WriteString("  fi\n")
		}
		b.WriteString("fi\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("(\nO=%s\n%s%s%s)\n", o.dir, strings.TrimPrefix(cppOwnMake, cppOwnState), cppCopyMake, b.String())
}

// cppAlone marks the outcome of a test that was started alone.
const cppAlone = "alone "

// cppCopyMake compiles a test file with the copies below it in place of its own
// object, for the first executable that has it, and starts programs where CTest
// would.
const cppCopyMake = `assay_copied() { # index, file
  while IFS='	' read -r name artifact folder; do
    case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
    assay_commands "$artifact"
    compile=$(assay_compile "$2")
    if [ -z "$compile" ] || [ ! -f "$exe" ]; then continue; fi
    object=$(printf '%s\n' "$compile" | sed 's/.* -o \([^ ]*\) -c .*/\1/')
    assay_link >"$O/link"
    copied=values
    if [ ! -f "$O/$1.values" ] || ! assay_one "$1" "$2" values >"$O/values.$1.log" 2>&1 </dev/null; then
      copied=copies
      assay_one "$1" "$2" copies >"$O/copies.$1.log" 2>&1 </dev/null || return 1
    fi
    mv "$O/new" "$O/copies.exe"
    cp -p "$2" "$O/kept"; cat "$O/$1.$copied" >>"$2"; touch -r "$O/kept" "$2" # who reads the file finds the copies among its tests
    return 0
  done <"$ASSAY_DIR/targets"
  return 1
}
assay_start() { # id, argument: starts one test where it runs otherwise
  label=$1 given=$2
  (mkdir -p "$B/$folder" && cd "$B/$folder" || exit 1
   set --
   how=$ASSAY_DIR/tests/$(printf '%s' "$exe" | tr / +)
   if [ -f "$how" ]; then . "$how"; fi
   case $given in
     --*) ;;
     *) set -- ;;
   esac
   GTEST_OUTPUT= timeout 60 "$O/copies.exe" "$@" "$given") </dev/null >/dev/null 2>&1
  assay_note $? "$label"
}
assay_programs() { # index, argument: starts the programs that hold a test's own main function
  while IFS='	' read -r name i how made; do
    if [ "$i/$how" != "$1/plain" ]; then continue; fi
    (how=$ASSAY_DIR/tests/$(tr / + <"$O/$name.exe")
     given=$2
     set --
     if [ -f "$how" ]; then . "$how"; fi
     timeout 60 "$made" "$given" "$@") </dev/null >/dev/null 2>&1
    assay_note $? "$2"
  done <"$O/state"
}
assay_note() { # exit code, id
  case $1 in
    0) echo "PASS: $2" ;;
    124) echo "LATE: $2" ;;
    *) echo "FAIL: $2" ;;
  esac >>"$O/copies.log"
  [ $1 -eq 0 ] || [ $1 -eq 124 ]
}
`

// swallowed are the tests whose copies passed, and those that the report calls
// passed though they fail when they run alone. Code under test may write a report,
// and may change the exit code, but cannot do both and let tests that must fail
// still fail.
func (o *Own) swallowed(files map[string][]byte, tests []bench.Test) []oddity {
	log := string(files[o.copiesLog()])
	if o.driver != nil {
		log = string(files[o.directLog()])
	}
	noted := map[string]string{}
	for line := range strings.Lines(log) {
		if outcome, id, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			noted[id] = outcome
		}
	}
	statuses := statusByID(tests)
	var out []oddity
	for _, f := range o.files {
		for _, c := range f.valued {
			if noted[c.ID] == "PASS" && statuses[c.Of].OK() {
				out = append(out, oddity{"values " + c.Of, fmt.Sprintf("%s holds for other values than those it expects, too", c.Of)})
			}
		}
		if f.plain && noted[f.again] == "PASS" {
			out = append(out, oddity{"copy " + f.file, fmt.Sprintf("%s passes with a failing assertion below its own code", f.file)})
		}
		for _, c := range f.copied {
			if noted[c.ID] == "PASS" {
				out = append(out, oddity{"copy " + c.Of, fmt.Sprintf("a copy of %s that must fail does not", c.Of)})
			}
			if noted[cppAlone+c.Of] == "FAIL" && statuses[c.Of].OK() {
				out = append(out, oddity{cppAlone + c.Of, fmt.Sprintf("%s is reported as passed, and fails when it runs alone", c.Of)})
			}
		}
	}
	return out
}
