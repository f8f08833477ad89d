package languages

import (
	"fmt"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// antFacts reads the levels of javac tasks and the properties for them.
func antFacts(repo Repository) javaFacts {
	var f javaFacts
	root, _ := parseXML(repo.Text("build.xml"))
	root.each(func(n *xmlNode) bool {
		for _, name := range []string{"source", "target", "release"} {
			if level := javaLevel(n.attrs[name]); n.name == "javac" && level > 0 {
				f.note(javaFact{jdk: level, what: fmt.Sprintf("level %d", level), file: "build.xml", line: n.line})
			}
		}
		if level := javaLevel(n.attrs["value"]); n.name == "property" && levelProperty.MatchString(n.attrs["name"]) && level > 0 {
			f.note(javaFact{jdk: level, what: fmt.Sprintf("level %d", level), file: "build.xml", line: n.line, prop: n.attrs["name"]})
		}
		return true
	})
	return f
}

func (f *javaFacts) note(x javaFact) {
	f.atLeast, f.levels = append(f.atLeast, x), append(f.levels, x)
}

// antTarget is the build file's target that runs the tests: the first by a
// usual name, or else one that holds a junit task.
func antTarget(repo Repository) string {
	root, _ := parseXML(repo.Text("build.xml"))
	named, holding := map[string]bool{}, ""
	root.each(func(n *xmlNode) bool {
		if n.name != "target" {
			return true
		}
		named[n.attrs["name"]] = true
		n.each(func(c *xmlNode) bool {
			if (c.name == "junit" || c.name == "junitlauncher" || c.name == "testng") && holding == "" {
				holding = n.attrs["name"]
			}
			return true
		})
		return false
	})
	for _, t := range []string{"test", "tests", "junit", "run-tests", "unit-test", "unit-tests", "runtests"} {
		if named[t] {
			return t
		}
	}
	return holding
}

// antWarm runs the tests with network; they leave reports or the set-up fails.
func antWarm(env bench.Env, suite Suite) string {
	return "export CI=true\nant " + quoteAll(append(append([]string{}, env.Args...), antTarget(suite.Repo))) + "\n" +
		"find . -name 'TEST-*.xml' | grep -q . || { echo 'assay: the target left no report of junit (TEST-*.xml)'; exit 1; }\n"
}

// antCommand runs the target of the tests and reads the reports of the junit
// task; which classes run is the build file's affair.
func antCommand(env bench.Env, suite Suite) Command {
	var b strings.Builder
	b.WriteString("find . -name 'TEST-*.xml' -delete\n")
	b.WriteString("ant " + quoteAll(append(append([]string{}, env.Args...), antTarget(suite.Repo))) + "\n")
	return Command{Script: b.String(), Reports: []string{Root + "/**/TEST-*.xml"}, Format: reports.Surefire, FailuresIgnored: true}
}
