package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// integrationName is what Failsafe treats as a test by default.
var integrationName = regexp.MustCompile(`(?:^|[.$])IT[A-Z0-9]\w*$|(?:IT|ITCase)$`)

// mavenSplit separates the suite's classes of Surefire from those of
// Failsafe: the ones with its names, in modules whose poms run it.
func mavenSplit(env bench.Env, suite Suite) (unit, integration []string) {
	var r *reactor
	for _, f := range suite.Files {
		class := javaClass(suite.Repo, f)
		if r == nil && integrationName.MatchString(class) {
			r = readReactor(suite.Repo, jdkOf(env))
		}
		switch {
		case class == "":
		case integrationName.MatchString(class) && r.runsFailsafe(r.holding(f), jdkOf(env)):
			integration = append(integration, class)
		default:
			unit = append(unit, class)
		}
	}
	return unit, integration
}

// runsFailsafe reports whether a module's own build, or one that it inherits,
// has Failsafe run tests, and Surefire does not take them by a pattern.
func (r *reactor) runsFailsafe(m *mavenModule, jdk int) bool {
	runs, surefire := false, false
	for _, p := range r.lineage(m) {
		for _, n := range builds(p.pom, jdk) {
			n.each(func(n *xmlNode) bool {
				if n.name != "plugin" {
					return true
				}
				switch n.value("artifactId") {
				case "maven-failsafe-plugin":
					runs = runs || !n.within("pluginManagement") && holds(n, "goal", "integration-test")
					// A plugin without goals of its own has those of the management.
					runs = runs || n.within("pluginManagement") && holds(n, "goal", "integration-test") && r.names(m, jdk, "maven-failsafe-plugin")
				case "maven-surefire-plugin":
					surefire = surefire || holds(n, "include", "IT.") || holds(n, "include", "ITCase.")
				}
				return false
			})
		}
	}
	return runs && !surefire
}

// builds are the build elements of a pom and of its active profiles.
func builds(pom *xmlNode, jdk int) []*xmlNode {
	var out []*xmlNode
	for _, n := range append([]*xmlNode{pom}, activeProfiles(pom, jdk)...) {
		if b := n.find("build"); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// names reports whether a module or one that it inherits names a plugin outside
// of management.
func (r *reactor) names(m *mavenModule, jdk int, artifact string) bool {
	for _, p := range r.lineage(m) {
		for _, b := range builds(p.pom, jdk) {
			if slices.ContainsFunc(b.list("plugins"), func(n *xmlNode) bool { return n.value("artifactId") == artifact }) {
				return true
			}
		}
	}
	return false
}

// holds reports whether an element of that name with this in its text is below.
func holds(n *xmlNode, name, text string) bool {
	found := false
	n.each(func(c *xmlNode) bool {
		found = found || c.name == name && strings.Contains(c.text, text)
		return !found
	})
	return found
}

// mavenGoal is the phase that runs the tests, with the option that selects
// Failsafe's tests: it runs them after the package is made, and never without
// chosen tests.
func mavenGoal(integration []string) []string {
	if len(integration) == 0 {
		return []string{"test"}
	}
	return []string{"-Dit.test=" + mavenTests(integration), "-Dit.failIfNoSpecifiedTests=false", "-Dfailsafe.failIfNoSpecifiedTests=false", "verify"}
}

// noUnitTest is a name that no class has: without a selected test Surefire
// runs all.
const noUnitTest = "assay.NoUnitTest"
