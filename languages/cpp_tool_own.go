package languages

import (
	_ "embed"
	"fmt"
	"strings"

	"assay/bench"
)

// cppToolOwnMake is shell that makes and starts the nonce tests.
//
//go:embed cpp_tool_own.sh
var cppToolOwnMake string

// ownOf writes nonce tests for a project that this tool builds. They are
// started one by one, and the programs that hold them are in the places of
// the project's own while its driver runs again: it has to report failures.
func (t cppTool) ownOf(env bench.Env, suite Suite) *Own {
	env.Framework = "ctest"
	o := cppOwnOf(env, suite, true)
	if o == nil {
		return nil
	}
	o.driver = t.formats
	for i, f := range o.files {
		if f.plain {
			o.files[i].full = cppPlain(suite.Repo.Text(f.file), f.again, o.dir+"/driven")
		}
	}
	return o
}

// driven is the script of the second start.
func (o *Own) driven() string {
	var b strings.Builder
	fmt.Fprintf(&b, "O=%s\nC=$ASSAY_DIR/commands\n%s", o.dir, cppToolOwnMake)
	for i, f := range o.files {
		kinds := "full core whole"
		if f.plain {
			kinds = "plain"
		}
		fmt.Fprintf(&b, "assay_own %d %s %s\n", i, quote(f.file), quote(kinds))
	}
	b.WriteString("while IFS='\t' read -r name i how exe; do\n  case $i/$how in\n")
	for i, f := range o.files {
		for _, how := range f.kinds() {
			fmt.Fprintf(&b, "  %d/%s)\n", i, how.name)
			for _, id := range append([]string{f.pass}, how.fail...) {
				fmt.Fprintf(&b, "    assay_direct \"$name/$i/\"%s \"$exe\"%s\n", quote(id), f.argument(id))
			}
			if f.plain {
				fmt.Fprintf(&b, "    assay_direct %s \"$exe\" %s\n", quote(f.again), f.again)
			}
			b.WriteString("  ;;\n")
		}
	}
	b.WriteString("  esac\ndone <\"$O/state\"\n")
	for i, f := range o.files {
		if len(f.copied) > 0 {
			fmt.Fprintf(&b, "if assay_copied %d %s; then\n", i, quote(f.file))
			for _, c := range f.copied {
				fmt.Fprintf(&b, "  assay_direct %s \"$O/copies.exe\" %s\n", quote(c.ID), quote(f.selects(c.ID)))
			}
			b.WriteString("fi\n")
		}
	}
	return b.String() + "assay_drive\n"
}

// cppKind is how much of the nonce tests an executable holds.
type cppKind struct {
	name string
	fail []string
}

func (f cppOwn) kinds() []cppKind {
	if f.plain {
		return []cppKind{{"plain", f.fail}}
	}
	return []cppKind{{"full", f.fail}, {"core", f.failCore}, {"whole", f.failCore}}
}

// argument is the word of shell that starts one test, with a blank before it.
func (f cppOwn) argument(id string) string {
	switch {
	case !f.plain:
		return " " + quote(f.selects(id))
	case id == f.pass:
		return ""
	}
	return " x"
}

// driverStatuses are what the project's driver reported in the second start.
func (o *Own) driverStatuses(files map[string][]byte) map[string]bench.Status {
	c := Command{ByName: o.driver}
	return statusesBelow(c, o.dir+"/driver/", files)
}

// statusesBelow reads the reports of a folder.
func statusesBelow(c Command, dir string, files map[string][]byte) map[string]bench.Status {
	found := map[string]bench.Status{}
	for _, p := range sortedKeys(files) {
		if strings.HasPrefix(p, dir) {
			for id, s := range statusesIn(c.formatOf(p), files[p]) {
				if was, ok := found[id]; !ok || was.OK() {
					found[id] = s
				}
			}
		}
	}
	return found
}

// drove describes what is wrong with the driver's answer to programs that
// fail.
func (o *Own) drove(files map[string][]byte) string {
	for _, s := range o.driverStatuses(files) {
		if s.Failing() {
			return ""
		}
	}
	return "failing nonce programs replaced tests, and the project's own driver reports no failure"
}

// passesAnyway is the property of a test that says nothing of its program.
const passesAnyway = "passes where its program fails"

// driverSettings are, for every test that the driver reports, whether it
// passes although the program in its place fails. Tests whose program was not
// replaced show nothing; where a program was not built, what passed in the
// run itself does.
func (o *Own) driverSettings(files map[string][]byte) Settings {
	s := Settings{}
	if o == nil {
		return s
	}
	driver := o.driverStatuses(files)
	run := statusesBelow(Command{ByName: o.driver}, o.reports+"/", files)
	unbuilt := strings.Contains(string(files[o.state()]), "\tunbuilt\t")
	for id, status := range run {
		if _, ok := driver[id]; !ok && (!unbuilt || status.OK()) {
			driver[id] = bench.Passed
		}
	}
	for id, status := range driver {
		s.Set("test "+id, "reported", "")
		if status.OK() {
			s.Set("test "+id, passesAnyway, "yes")
		}
	}
	return s
}

// directLog is where the outcomes of single starts are.
func (o *Own) directLog() string { return o.dir + "/direct.log" }

// collectDriver are the reports of the second start.
func (o *Own) collectDriver() []string {
	return []string{o.state(), o.directLog(), o.dir + "/driver/*"}
}
