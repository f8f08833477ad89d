package languages

import (
	"fmt"
	"path"
	"slices"
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

// antPackages are what Ant needs in addition to itself: its optional tasks,
// Ivy where the project resolves by it, and JUnit where the tree contains
// none.
func antPackages(repo Repository) []string {
	packages := []string{"ant-optional"}
	switch {
	case antIvy(repo):
		return append(packages, "ivy")
	case antJUnit(repo):
		return packages
	}
	return append(packages, "junit4")
}

func antIvy(repo Repository) bool {
	return repo.Text("ivy.xml") != "" || strings.Contains(repo.Text("build.xml"), "antlib:org.apache.ivy.ant")
}

// antJUnit reports whether the tree holds a JUnit or TestNG of its own.
func antJUnit(repo Repository) bool {
	return slices.ContainsFunc(repo.Paths(), func(p string) bool {
		name := strings.ToLower(path.Base(p))
		return strings.HasSuffix(name, ".jar") && (strings.HasPrefix(name, "junit") || strings.HasPrefix(name, "testng"))
	})
}

// antDefaults puts the packages' jars on Ant's own class path.
func antDefaults(env bench.Env, why []bench.Decision) (bench.Env, []bench.Decision, error) {
	if env.Args != nil {
		return env, why, nil
	}
	env.Args = []string{}
	for _, p := range env.Packages {
		jars := map[string][]string{"ivy": {"ivy"}, "junit4": {"junit4", "hamcrest-core"}}[p]
		for _, j := range jars {
			env.Args = append(env.Args, "-lib", "/usr/share/java/"+j+".jar")
		}
		if len(jars) > 0 {
			why = append(why, bench.Decision{Field: "packages", Value: p, Why: "the build file needs it, and it is not in the repository", File: "build.xml"})
		}
	}
	return env, why, nil
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
// Where base has no test, those that come with the solution have to.
func antWarm(env bench.Env, suite Suite) string {
	run := "ant " + quoteAll(append(append([]string{}, env.Args...), antTarget(suite.Repo))) + "\n"
	check := "find . -name 'TEST-*.xml' | grep -q . || { echo 'assay: the target left no report of junit (TEST-*.xml)'; exit 1; }\n"
	script := "export CI=true\n" + run
	if !goldBuild(env, suite) {
		return script + check
	}
	if antTests(suite.Repo) {
		return script + check + goldCopy(suite.Gold) + run + ")\nexit 0\n"
	}
	return script + goldCopy(suite.Gold) + run + check + ")\n"
}

// antTests reports whether a tree holds a class of tests.
func antTests(repo Repository) bool {
	return slices.ContainsFunc(repo.Paths(), func(p string) bool {
		return strings.HasSuffix(p, ".java") && isTest(Java, p) && plainTest(repo.Text(p))
	})
}

// antCommand runs the target of the tests and reads the reports of the junit
// task; which classes run is the build file's affair.
func antCommand(env bench.Env, suite Suite) Command {
	var b strings.Builder
	b.WriteString("find . -name 'TEST-*.xml' -delete\n")
	b.WriteString("ant " + quoteAll(append(append([]string{}, env.Args...), antTarget(suite.Repo))) + "\n")
	nonce := antNonce(suite)
	return Command{
		Script: b.String(), Reports: []string{Root + "/**/TEST-*.xml"}, Format: reports.Surefire, FailuresIgnored: true,
		Nonce: nonce, doubted: doubtedByMaven(suite, nonce),
	}
}
