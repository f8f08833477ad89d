package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// javaCase is a small project under Maven and submissions to it.
type javaCase struct {
	project project
	// more are files that a submission writes, by what it does, in addition
	// to gold and a change that fixes nothing. They must not resolve the
	// instance.
	more map[string]map[string]string
	// guarded is set if nonce tests run along with gold's.
	guarded bool
}

// TestJavaProjects judges gold, a change that fixes nothing and other wrong
// submissions in projects under Maven whose settings and tests made verdicts
// wrong. All projects are judged in one batch, two at a time.
func TestJavaProjects(t *testing.T) {
	w := newWorld(t)
	pom := w.samplePom(t)
	cases := map[string]javaCase{
		"a profile of CI":          ciProfile(t, pom),
		"a dead fork":              deadFork(t, pom),
		"ignored failures":         ignoredFailures(t, pom),
		"a specification of Spock": spock(),
	}
	projects := map[string]project{}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		projects[name] = c.project
	}
	own, instances := w.ownAll(t, javaVictim, projects)
	var predictions []bench.Prediction
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		submit := func(what, patch string) {
			predictions = append(predictions, bench.Prediction{InstanceID: instances[name].ID, Model: name + ": " + what, Task: "bugfix", Patch: patch})
		}
		submit("gold", instances[name].Patch)
		submit("idle", between(c.project.base, map[string]string{javaLibFile: javaLib("x + 0")}))
		for _, what := range slices.Sorted(maps.Keys(c.more)) {
			submit(what, between(c.project.base, c.more[what]))
		}
	}
	results := own.judge(t, predictions, "-j", "2")
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			gold := results[name+": gold"]
			require.Equal(t, bench.Resolved, gold.Verdict, gold.Reason)
			require.NotNil(t, gold.BugFix)
			require.Empty(t, gold.BugFix.LeftOut)
			if c.guarded {
				require.NotContains(t, flagKinds(gold), "no_nonce")
			}
			for _, what := range append(slices.Sorted(maps.Keys(c.more)), "idle") {
				r := results[name+": "+what]
				require.Equal(t, bench.Unresolved, r.Verdict, "%s: %s", what, r.Reason)
			}
		})
	}
}

// samplePom is the pom of the sample of Maven.
func (w world) samplePom(t *testing.T) string {
	t.Helper()
	_, tree := w.sample(t, javaVictim)
	e, err := tree.Read("pom.xml")
	require.NoError(t, err)
	return string(e.Data)
}

// changedPom is a pom with one text in the place of another, which it holds.
func changedPom(t *testing.T, pom, old, fresh string) string {
	t.Helper()
	require.Contains(t, pom, old)
	return strings.Replace(pom, old, fresh, 1)
}

// withSurefire sets something of Surefire's in the sample's pom.
func withSurefire(t *testing.T, pom, setting string) string {
	t.Helper()
	return changedPom(t, pom, "<version>3.2.5</version>", "<version>3.2.5</version>\n        <configuration>"+setting+"</configuration>")
}

const (
	javaLibFile = "src/main/java/lib/Lib.java"
	javaOldFile = "src/test/java/lib/OldTest.java"
	javaNewFile = "src/test/java/lib/NewTest.java"
	javaNewBody = "  @Test void two() { assertEquals(4, Lib.twice(2)); }\n"
)

// javaLib is the class under test; gold returns 2 * x.
func javaLib(value string) string {
	return "package lib;\n\npublic class Lib {\n  public static int twice(int x) { return " + value + "; }\n}\n"
}

func javaTest(name, body string) string {
	return "package lib;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\nclass " + name + " {\n" + body + "}\n"
}

// javaLibProject has the class under test, an old test and a hidden one.
func javaLibProject(pom string, hidden map[string]string) project {
	all := map[string]string{javaNewFile: javaTest("NewTest", javaNewBody)}
	maps.Copy(all, hidden)
	return project{
		base: map[string]string{"pom.xml": pom, javaLibFile: javaLib("x"), javaOldFile: javaTest("OldTest", "  @Test void zero() { assertEquals(0, Lib.twice(0)); }\n")},
		gold: map[string]string{javaLibFile: javaLib("2 * x")}, hidden: all,
		f2p: []string{"lib.NewTest::two"}, p2p: []string{"lib.OldTest::zero"},
	}
}

// ciProfile has a profile that CI alone activates and whose plugin a warm build
// must fetch, a check that refuses test classes which the project does not
// know, a class with a skipped test, package-info.java, a resource that looks
// like a source, and a list of test classes that fits no command line.
func ciProfile(t *testing.T, pom string) javaCase {
	// The nonce class has a name of N and hexadecimal digits; no other class
	// does.
	check := `<fail message="a test class that the project does not know"><condition><resourcecount when="greater" count="0"><fileset dir="src/test/java" includes="**/Nn*Test.java"/></resourcecount></condition></fail>`
	plugin := "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-antrun-plugin</artifactId><version>3.1.0</version><executions><execution>" +
		"<phase>process-test-classes</phase><goals><goal>run</goal></goals><configuration><target>" + check + "</target></configuration></execution></executions></plugin>"
	profile := "<profiles><profile><id>ci</id><activation><property><name>env.CI</name></property></activation><build><plugins>" + plugin + "</plugins></build></profile></profiles>"
	hidden := map[string]string{
		javaNewFile:                                  javaTest("NewTest", javaNewBody+"  @Test @Disabled void later() { }\n"),
		"src/test/java/lib/package-info.java":        "/** Tests. */\npackage lib;\n",
		"src/test/resources/lib/templates/Data.java": "package lib;\n\nclass Data { not Java }\n",
	}
	long := strings.Repeat("AVeryLongNameOfATestClass", 8)
	for i := range 330 {
		name := fmt.Sprintf("%s%03dTest", long, i)
		hidden["src/test/java/lib/"+name+".java"] = javaTest(name, "  @Test void zero() { assertEquals(0, Lib.twice(0)); }\n")
	}
	p := javaLibProject(changedPom(t, pom, "</project>", profile+"</project>"), hidden)
	p.f2p = []string{"lib.NewTest"} // the class as a whole, one test of which is skipped
	p.p2p = append(p.p2p, "lib."+long+"329Test::zero")
	p.change = func(in *bench.Instance) {
		env := *in.Env
		env.Args = []string{"-Dassay.test=1"} // in place of those that switch checks off
		in.Env = &env
	}
	return javaCase{project: p, guarded: true}
}

// deadFork has a hidden test class that ends its JVM, for any code: Maven
// fails then, and no report holds a failure. A submission that ends the JVM
// of the other tests fixes nothing.
func deadFork(t *testing.T, pom string) javaCase {
	p := javaLibProject(withSurefire(t, pom, "<reuseForks>false</reuseForks>"), map[string]string{
		"src/test/java/lib/LeavesTest.java": javaTest("LeavesTest", "  @Test void leaves() { System.exit(3); }\n"),
	})
	exits := func(code string) map[string]string {
		return map[string]string{javaLibFile: strings.Replace(javaLib("2 * x"), "{ return", "{ System.exit("+code+"); return", 1)}
	}
	return javaCase{project: p, guarded: true, more: map[string]map[string]string{"exits with 0": exits("0"), "exits with 1": exits("1")}}
}

// ignoredFailures has the build succeed even if tests fail, by its own pom.
func ignoredFailures(t *testing.T, pom string) javaCase {
	p := javaLibProject(withSurefire(t, pom, "<testFailureIgnore>true</testFailureIgnore>"), nil)
	wrong := map[string]string{javaLibFile: javaLib("3 * x")}
	return javaCase{project: p, guarded: true, more: map[string]map[string]string{"wrong": wrong}}
}

// spock has its tests in Groovy.
func spock() javaCase {
	plugin := func(group, name, version, more string) string {
		return "<plugin><groupId>" + group + "</groupId><artifactId>" + name + "</artifactId><version>" + version + "</version>" + more + "</plugin>\n"
	}
	maven := "org.apache.maven.plugins"
	pom := "<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId><artifactId>lib</artifactId><version>1</version>\n" +
		"<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>\n" +
		"<dependencies><dependency><groupId>org.spockframework</groupId><artifactId>spock-core</artifactId><version>2.3-groovy-3.0</version><scope>test</scope></dependency></dependencies>\n" +
		"<build><plugins>\n" + plugin(maven, "maven-resources-plugin", "3.3.1", "") + plugin(maven, "maven-compiler-plugin", "3.11.0", "") + plugin(maven, "maven-surefire-plugin", "3.2.5", "") +
		plugin("org.codehaus.gmavenplus", "gmavenplus-plugin", "3.0.2", "<executions><execution><goals><goal>compileTests</goal></goals></execution></executions>") +
		"</plugins></build></project>\n"
	spec := func(name, case1, given, wanted string) string {
		return "package lib\n\nimport spock.lang.Specification\n\nclass " + name + " extends Specification {\n  def \"" + case1 + "\"() {\n    expect:\n    Lib.twice(" + given + ") == " + wanted + "\n  }\n}\n"
	}
	return javaCase{project: project{
		base:   map[string]string{"pom.xml": pom, javaLibFile: javaLib("x"), "src/test/groovy/lib/OldSpec.groovy": spec("OldSpec", "zero stays", "0", "0")},
		gold:   map[string]string{javaLibFile: javaLib("2 * x")},
		hidden: map[string]string{"src/test/groovy/lib/NewSpec.groovy": spec("NewSpec", "two doubles", "2", "4")},
		f2p:    []string{"lib.NewSpec::two doubles"}, p2p: []string{"lib.OldSpec::zero stays"},
	}}
}
