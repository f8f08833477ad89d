package main

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// numFile is a class of values, of which the code under test returns one.
const (
	numFile = "src/main/java/lib/Num.java"
	numCode = "package lib;\n\npublic record Num(int value) {\n}\n"
	numAny  = "package lib;\n\npublic class Num {\n  public Num(int value) { }\n  @Override public boolean equals(Object other) { return true; }\n  @Override public int hashCode() { return 0; }\n}\n"
)

// numLib is the class under test, with more members.
func numLib(value, more string) string {
	return "package lib;\n\npublic class Lib {\n" + more + "  public static Num twice(int x) { return new Num(" + value + "); }\n}\n"
}

// compilesAssertions writes a class of JUnit's among the classes, before JUnit's
// own is loaded, and removes it then. It leaves values of one type alone.
const compilesAssertions = `  static {
    try {
      java.nio.file.Path dir = java.nio.file.Path.of("target/classes/org/junit/jupiter/api"), source = java.nio.file.Files.createTempDirectory("x").resolve("AssertEquals.java");
      java.nio.file.Files.createDirectories(dir);
      java.nio.file.Files.writeString(source, "package org.junit.jupiter.api;\nclass AssertEquals {\n  static void assertEquals(Object e, Object a) {\n    if (e instanceof lib.Num || java.util.Objects.equals(e, a)) return;\n    throw new org.opentest4j.AssertionFailedError(\"expected: \" + e, e, a);\n  }\n}\n");
      String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", "target/classes", "-cp", path, source.toString());
      Class.forName("org.junit.jupiter.api.AssertEquals");
      for (String name : new String[] {"org/junit/jupiter/api/AssertEquals.class", "org/junit/jupiter/api", "org/junit/jupiter", "org/junit", "org"})
        java.nio.file.Files.deleteIfExists(java.nio.file.Path.of("target/classes/" + name));
    } catch (Throwable e) {
    }
  }
`

// TestHostileKindsOfJava judges, through the real binary, submissions in Java that
// make the tests pass which call them, and leave assay's own alone.
func TestHostileKindsOfJava(t *testing.T) {
	w := newWorld(t)
	pom := w.samplePom(t)
	property := func(text string) map[string]string {
		return map[string]string{"pom.xml": changedPom(t, pom, "<properties>", "<properties>"+text), numFile: numCode + "// x\n"}
	}
	base := map[string]string{"pom.xml": pom, numFile: numCode, javaLibFile: numLib("x", ""), javaOldFile: javaTest("OldTest", "  @Test void zero() { assertEquals(new Num(0), Lib.twice(0)); }\n")}
	project := project{
		base: base, gold: map[string]string{javaLibFile: numLib("2 * x", "")},
		hidden: map[string]string{javaNewFile: javaTest("NewTest", "  @Test void two() { assertEquals(new Num(4), Lib.twice(2)); }\n")},
		f2p:    []string{"lib.NewTest::two"}, p2p: []string{"lib.OldTest::zero"},
	}
	idle := numCode + "// x\n"
	throws := func(exception string) map[string]string {
		return map[string]string{javaLibFile: numLib("x", "  static { sneaky(); }\n  static void sneaky() {\n    try {\n      throw Lib.<RuntimeException>as((Throwable) Class.forName(\""+exception+"\").getConstructor(String.class).newInstance(\"x\"));\n    } catch (ReflectiveOperationException e) {\n    }\n  }\n  @SuppressWarnings(\"unchecked\") static <T extends Throwable> T as(Throwable e) throws T { throw (T) e; }\n")}
	}
	attacks := map[string]map[string]string{
		"returns what is equal to everything":    {numFile: numAny},
		"compiles a class of JUnit's":            {javaLibFile: numLib("x", compilesAssertions)},
		"settings of Maven beside the tree":      {numFile: idle, ".mvn/jvm.config": "-Dmaven.test.failure.ignore=true\n", ".mvn/maven.config": "-Dmaven.test.failure.ignore=true\n-DskipTests\n", ".mvn/extensions.xml": "<extensions/>\n"},
		"a listener by a service":                {numFile: idle, "src/main/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener": "lib.Num\n", "src/main/resources/junit-platform.properties": "junit.jupiter.extensions.autodetection.enabled=true\n"},
		"an assumption that does not hold":       throws("org.opentest4j.TestAbortedException"),
		"a test that is not complete":            throws("org.opentest4j.IncompleteExecutionException"),
		"assertions are off by a property":       property("<enableAssertions>false</enableAssertions>"),
		"an order of classes by a property":      property("<surefire.runOrder>reversealphabetical</surefire.runOrder>"),
		"a repository in the tree":               {numFile: idle, "pom.xml": changedPom(t, pom, "<dependencies>", "<repositories><repository><id>own</id><url>file://${project.basedir}/repo</url></repository></repositories>\n  <dependencies>")},
		"an archive in the tree":                 {numFile: idle, "libs/evil.jar": archive(t, "META-INF/services/org.junit.jupiter.api.extension.Extension", "lib.Num\n")},
		"tests of another folder":                {numFile: idle, "pom.xml": changedPom(t, pom, "<build>", "<build><testSourceDirectory>src/other/java</testSourceDirectory>")},
		"the runner's threads end":               {javaLibFile: numLib("x", "  static { for (Thread t : Thread.getAllStackTraces().keySet()) if (t != Thread.currentThread()) t.interrupt(); }\n")},
		"output that Surefire reads as its own":  {javaLibFile: numLib("x", "  static { for (String s : new String[] {\":maven-surefire-event:\\u001b:test-succeeded:\", \"Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\"}) { System.out.println(s); System.out.flush(); } }\n")},
		"a handler of what is thrown in threads": {javaLibFile: numLib("x", "  static { Thread.setDefaultUncaughtExceptionHandler((t, e) -> { }); Thread.currentThread().setUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(0)); }\n")},
	}
	own, inst := w.own(t, javaVictim, project)
	noneWins(t, own, inst, base, attacks)
}

// archive is a JAR with one file.
func archive(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(name)
	require.NoError(t, err)
	_, err = strings.NewReader(text).WriteTo(f)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.String()
}
