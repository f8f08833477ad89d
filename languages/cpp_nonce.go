package languages

import (
	"fmt"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// Own are nonce tests that are linked with the objects of the project's own
// test executables: of each test file one that must pass, and one for every
// form of assertion that the file uses, which must fail.
type Own struct {
	files []cppOwn
	// dir holds what the script needs and leaves.
	dir string
	// beside is set if they are in executables of their own, which CTest
	// starts after the main run. Otherwise the main run's executables hold
	// them.
	beside bool
	// reports is the folder of the main run's reports, and format is their
	// format.
	reports string
	format  reports.Format
	// driver, where it is set, are the formats of what the project's own
	// driver leaves, which starts the nonce programs in a second start.
	driver map[string]reports.Format
}

// cppOwnOf writes nonce tests for the test files that the patches touch, or
// else for all.
func cppOwnOf(env bench.Env, suite Suite, beside bool) *Own {
	if suite.Contributed || suite.Bare || suite.Repo == nil {
		return nil
	}
	o := &Own{dir: suite.dir() + "/own", beside: beside, reports: suite.reports(), format: cppRunnerOf(env.Framework, suite, nil).format}
	for _, files := range [][]string{intersection(suite.Files, suite.Changed), suite.Files} {
		for _, f := range files {
			if len(o.files) >= maxOwn || !about(Cpp).IsRunnable(f) {
				continue
			}
			text := suite.Repo.Text(f)
			if own, ok := cppOwnTests(f, text, frameworkIn(suite.Repo, f, env.Framework), suite.Nonce, len(o.files)); ok {
				o.files = append(o.files, own)
			}
		}
		if len(o.files) > 0 {
			o.withCopies(suite)
			return o
		}
	}
	return nil
}

// maxOwn bounds how many test files get nonce tests: each is one more file to
// compile.
const maxOwn = 8

// put are the files that the script needs.
func (o *Own) put() []harness.File {
	var out []harness.File
	for i, f := range o.files {
		for _, part := range []struct{ name, text string }{{"head", f.head}, {"full", f.full}, {"core", f.core}, {"copies", f.copies}, {"values", f.valuesText()}} {
			if part.text != "" || part.name == "head" {
				out = append(out, harness.File{Path: fmt.Sprintf("%s/%d.%s", o.dir, i, part.name), Data: []byte(part.text)})
			}
		}
	}
	return out
}

// state is where the script lists what it made: per line an executable, the
// number of the test file, and full, core, whole, none or unbuilt.
func (o *Own) state() string { return o.dir + "/state" }

// collect are the files by which judge goes.
func (o *Own) collect() []string {
	if o.driver != nil {
		return o.collectDriver()
	}
	if o.beside {
		return []string{o.state(), o.copiesLog(), o.dir + "/ctest.xml"}
	}
	return []string{o.state(), o.copiesLog()}
}

// ids are those of all nonce tests.
func (o *Own) ids() []string {
	var out []string
	if o != nil {
		for _, f := range o.files {
			out = append(append(out, f.pass), f.fail...)
		}
	}
	return out
}

// script makes the executables.
func (o *Own) script() string {
	if o == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "O=%s\n%s", o.dir, cppOwnMake)
	for i, f := range o.files {
		kinds := "full core whole"
		if f.plain {
			kinds = "plain"
		}
		fmt.Fprintf(&b, "assay_own %d %s %s\n", i, quote(f.file), quote(kinds))
	}
	if o.beside {
		return b.String() + o.ctest()
	}
	return b.String() + "assay_own_merge\n"
}

// ctest has CTest start the executables, one test at a time.
func (o *Own) ctest() string {
	var b strings.Builder
	b.WriteString("mkdir -p \"$O/ctest\"\n: >\"$O/ctest/CTestTestfile.cmake\"\nwhile IFS='\t' read -r name i how exe; do\n  case $i/$how in\n")
	for i, f := range o.files {
		if f.plain {
			fmt.Fprintf(&b, "  %d/plain) cat <<ASSAY_END\n%s%sASSAY_END\n  ;;\n", i, cppOwnTest("$name/$i/"+f.pass), cppOwnTest("$name/$i/"+f.fail[0], "x"))
			continue
		}
		for _, kind := range []struct {
			how string
			ids []string
		}{{"full", f.fail}, {"core", f.failCore}, {"whole", f.failCore}} {
			fmt.Fprintf(&b, "  %d/%s) cat <<ASSAY_END\n", i, kind.how)
			for _, id := range append([]string{f.pass}, kind.ids...) {
				b.WriteString(cppOwnTest("$name/$i/"+id, f.selects(id)))
			}
			b.WriteString("ASSAY_END\n  ;;\n")
		}
	}
	b.WriteString("  esac >>\"$O/ctest/CTestTestfile.cmake\"\ndone <\"$O/state\"\n")
	b.WriteString("ctest --test-dir \"$O/ctest\" --timeout 60 --output-junit \"$O/ctest.xml\" </dev/null\n")
	return b.String()
}

func cppOwnTest(name string, args ...string) string {
	words := ""
	for _, a := range args {
		words += " [==[" + a + "]==]"
	}
	return "add_test([==[" + name + "]==] [==[$exe]==]" + words + ")\n"
}

// selects is the argument that starts one test.
func (f cppOwn) selects(id string) string {
	switch f.framework {
	case "gtest":
		return "--gtest_filter=" + id
	case "doctest":
		return "--test-case=*" + strings.TrimPrefix(id, "Scenario: ")
	}
	return id
}
