//go:build javatools

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// javaProject is a small project of Java with a bug: sum subtracts.
type javaProject struct {
	packages []string // of Debian, in addition to what every test machine has
	build    map[string]string
	test     string // the file
	text     string // what it holds
	module   string // folder of the sources; "" for the root
	gold     map[string]string
	f2p, p2p []string
}

const (
	calcText  = "package com.x;\n\npublic class Calc {\n  public int sum(int a, int b) {\n    return a - b;\n  }\n\n  public int twice(int a) {\n    return 2 * a;\n  }\n}\n"
	mavenHead = "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>calc</artifactId><version>1-SNAPSHOT</version>" +
		"<properties><maven.compiler.source>1.8</maven.compiler.source><maven.compiler.target>1.8</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>\n"
)

// dependencyOn is a test dependency in a pom.
func dependencyOn(group, artifact, version string) string {
	return "<dependencies><dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId><version>" + version + "</version><scope>test</scope></dependency></dependencies>\n"
}

func testText(imports, sum, twice string) string {
	return "package com.x;\n\n" + imports + "\npublic class CalcTest {\n  @Test public void sums() { " + sum + " }\n  @Test public void twice() { " + twice + " }\n}\n"
}

func javaProjects() map[string]javaProject {
	junit4 := testText("import org.junit.Test;\nimport static org.junit.Assert.assertEquals;\n", "assertEquals(5, new Calc().sum(2, 3));", "assertEquals(4, new Calc().twice(2));")
	integration := strings.ReplaceAll(junit4, "CalcTest", "CalcIT")
	failsafe := "<build><plugins><plugin><artifactId>maven-failsafe-plugin</artifactId><version>3.2.5</version><executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions>" +
		"<configuration><systemPropertyVariables><jar>${project.build.directory}/${project.build.finalName}.jar</jar></systemPropertyVariables></configuration></plugin></plugins></build>"
	return map[string]javaProject{
		"TestNG": {
			build: map[string]string{"pom.xml": mavenHead + dependencyOn("org.testng", "testng", "6.14.3") + "</project>\n"},
			test:  "src/test/java/com/x/CalcTest.java",
			text: testText("import org.testng.annotations.Test;\nimport static org.testng.Assert.assertEquals;\n",
				"assertEquals(new Calc().sum(2, 3), 5);", "assertEquals(new Calc().twice(2), 4);"),
			f2p: []string{"com.x.CalcTest::sums"}, p2p: []string{"com.x.CalcTest::twice"},
		},
		// The tests want the jar, which only a later phase makes.
		"Failsafe": {
			build: map[string]string{"pom.xml": mavenHead + dependencyOn("junit", "junit", "4.13.2") + failsafe + "</project>\n"},
			test:  "src/test/java/com/x/CalcIT.java",
			text:  strings.Replace(integration, "@Test public void twice() {", "@Test public void twice() { if (!new java.io.File(System.getProperty(\"jar\")).exists()) throw new IllegalStateException();", 1),
			f2p:   []string{"com.x.CalcIT::sums"}, p2p: []string{"com.x.CalcIT::twice"},
		},
		// Only the solution's pom has what its tests need.
		"gold's dependency": {
			build: map[string]string{"pom.xml": mavenHead + dependencyOn("junit", "junit", "4.13.2") + "</project>\n", "src/test/java/com/x/OldTest.java": "package com.x;\nimport org.junit.Test;\npublic class OldTest {\n  @Test public void old() { }\n}\n"},
			gold: map[string]string{"pom.xml": mavenHead + strings.Replace(dependencyOn("junit", "junit", "4.13.2"), "</dependencies>",
				"<dependency><groupId>org.assertj</groupId><artifactId>assertj-core</artifactId><version>3.24.2</version><scope>test</scope></dependency></dependencies>", 1) + "</project>\n"},
			test: "src/test/java/com/x/CalcTest.java",
			text: testText("import org.junit.Test;\nimport static org.assertj.core.api.Assertions.assertThat;\n", "assertThat(new Calc().sum(2, 3)).isEqualTo(5);", "assertThat(new Calc().twice(2)).isEqualTo(4);"),
			f2p:  []string{"com.x.CalcTest::sums", "com.x.CalcTest::twice"},
		},
		// The plugin reads another module of the project as a jar.
		"a module as a jar": {
			build: map[string]string{
				"pom.xml":                           strings.Replace(mavenHead, "<artifactId>calc</artifactId>", "<artifactId>root</artifactId><packaging>pom</packaging>", 1) + "<modules><module>marks</module><module>calc</module></modules></project>\n",
				"marks/pom.xml":                     "<project><modelVersion>4.0.0</modelVersion><parent><groupId>x</groupId><artifactId>root</artifactId><version>1-SNAPSHOT</version></parent><artifactId>marks</artifactId></project>\n",
				"marks/src/main/resources/mark.txt": "mark\n",
				"calc/pom.xml": "<project><modelVersion>4.0.0</modelVersion><parent><groupId>x</groupId><artifactId>root</artifactId><version>1-SNAPSHOT</version></parent><artifactId>calc</artifactId>" + dependencyOn("junit", "junit", "4.13.2") +
					"<build><plugins><plugin><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version><executions><execution><phase>generate-resources</phase><goals><goal>unpack</goal></goals><configuration><artifactItems><artifactItem><groupId>x</groupId><artifactId>marks</artifactId><version>${project.version}</version></artifactItem></artifactItems></configuration></execution></executions></plugin></plugins></build></project>\n",
			},
			module: "calc/", test: "calc/src/test/java/com/x/CalcTest.java", text: junit4,
			f2p: []string{"com.x.CalcTest::sums"}, p2p: []string{"com.x.CalcTest::twice"},
		},
		"Gradle": {
			packages: []string{"gradle"},
			build:    map[string]string{"build.gradle": "apply plugin: 'java'\nsourceCompatibility = 1.8\nrepositories { mavenCentral() }\ndependencies { testCompile 'junit:junit:4.13.2' }\n"},
			test:     "src/test/java/com/x/CalcTest.java", text: junit4,
			f2p: []string{"com.x.CalcTest::sums"}, p2p: []string{"com.x.CalcTest::twice"},
		},
		"Gradle's tasks": {
			packages: []string{"gradle"},
			build:    map[string]string{"build.gradle": "apply plugin: 'java'\nsourceCompatibility = 1.8\nrepositories { mavenCentral() }\ndependencies { testCompile 'junit:junit:4.13.2' }\n"},
			test:     "src/test/java/com/x/CalcTest.java", text: junit4,
			f2p: []string{"test"}, p2p: []string{"compileJava", "compileTestJava"},
		},
		"Ant": {
			packages: []string{"ant", "junit4"},
			build: map[string]string{"build.xml": `<project name="calc" default="test">
  <target name="compile"><mkdir dir="out"/><javac srcdir="src" destdir="out" source="1.8" target="1.8" includeantruntime="true"/></target>
  <target name="test" depends="compile"><mkdir dir="reports"/>
    <junit fork="yes" failureproperty="failed"><classpath><pathelement path="out"/></classpath><formatter type="xml"/>
      <batchtest todir="reports"><fileset dir="src/test/java" includes="**/*Test.java"/></batchtest></junit>
    <fail if="failed"/></target>
</project>
`},
			test: "src/test/java/com/x/CalcTest.java", text: junit4,
			f2p: []string{"com.x.CalcTest::sums"}, p2p: []string{"com.x.CalcTest::twice"},
		},
	}
}

// TestJavaTools judges gold, an idle patch and one that does not compile with
// every tool of Java, without any env.
func TestJavaTools(t *testing.T) {
	w := newWorld(t)
	for name, p := range javaProjects() {
		t.Run(name, func(t *testing.T) {
			needPackages(t, p.packages)
			other := w
			predictions := other.javaInstance(t, p)
			results := other.judge(t, predictions)
			require.Equal(t, bench.Resolved, results["gold"].Verdict, results["gold"].Reason)
			require.Equal(t, bench.Unresolved, results["idle"].Verdict, results["idle"].Reason)
			require.Equal(t, bench.Unresolved, results["broken"].Verdict, results["broken"].Reason)
			require.NotContains(t, flagKinds(results["gold"]), "no_nonce")
		})
	}
}

// needPackages skips where the machine's package index lacks a tool.
func needPackages(t *testing.T, packages []string) {
	t.Helper()
	for _, p := range packages {
		if exec.Command("apt-cache", "show", p).Run() != nil && exec.Command("apt-get", "-qq", "update").Run() != nil {
			t.Skipf("the package index of this machine has no %s", p)
		}
	}
}

// javaInstance writes a project as a mirror and a dataset of one instance,
// and returns the predictions on it.
func (w *world) javaInstance(t *testing.T, p javaProject) []bench.Prediction {
	t.Helper()
	dir := t.TempDir()
	w.paths.Repos, w.paths.Dataset = filepath.Join(dir, "repos"), filepath.Join(dir, "one.jsonl")
	tree := filepath.Join(w.paths.Repos, "x__calc")
	source := p.module + "src/main/java/com/x/Calc.java"
	write := func(name, text string) {
		file := filepath.Join(tree, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	for name, text := range p.build {
		write(name, text)
	}
	write(source, calcText)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "base"}} {
		out, err := exec.Command("git", append([]string{"-C", tree}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	head, err := exec.Command("git", "-C", tree, "rev-parse", "HEAD").Output()
	require.NoError(t, err)
	change := func(text string) string { return string(patch.Between(source, []byte(calcText), []byte(text))) }
	gold := change(strings.Replace(calcText, "a - b", "a + b", 1))
	for name, text := range p.gold {
		gold += string(patch.Between(name, []byte(p.build[name]), []byte(text)))
	}
	inst := bench.Instance{
		ID: "x__calc-1", Repo: "x/calc", BaseCommit: strings.TrimSpace(string(head)), Language: "java", ProblemStatement: "sum subtracts",
		Patch: gold, TestPatch: string(patch.Between(p.test, nil, []byte(p.text))), FailToPass: p.f2p, PassToPass: p.p2p,
	}
	writeLines(t, w.paths.Dataset, []bench.Instance{inst})
	var out []bench.Prediction
	for model, text := range map[string]string{"gold": gold, "idle": change("// nothing\n" + calcText), "broken": change(strings.Replace(calcText, "a - b", "a + ", 1))} {
		out = append(out, bench.Prediction{InstanceID: inst.ID, Model: model, Task: "bugfix", Patch: text})
	}
	return out
}
