package languages

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// javaProbe is the part of a test class that writes down how its JVM was started:
// a JVM of our own needs no Maven.
//
//go:embed assets/java_probe.java
var javaProbe string

// The programs that run test classes in such a JVM: what they share, and one for
// each of JUnit's interfaces.
var (
	//go:embed assets/AssayReport.java
	javaReport string
	//go:embed assets/AssayJUnit.java
	javaJUnit string
	//go:embed assets/AssayPlatform.java
	javaPlatform string
)

// repeat implements repeater, for Maven's unit tests with JUnit: Maven builds and
// runs one test of assay's own, which records how Surefire starts a JVM. Each
// round is a JVM that is started so.
func (javaLanguage) repeat(env bench.Env, suite Suite) (build Command, round string, ok bool) {
	if env.Framework != "maven" {
		return Command{}, "", false
	}
	unit, integration := mavenSplit(env, suite)
	first, flavour := nonceFile(suite)
	if len(unit) == 0 || len(integration) > 0 || first == "" || flavour == testNG {
		return Command{}, "", false
	}
	dir, module := suite.dir()+"/again", moduleOf(env, first)
	names := newJavaNames(suite, first)
	class, method := names.class(suite, first), names.test()
	text, pkg := javaProbeText(suite.Repo.Text(first), flavour, class, method, dir)
	kept := dir + "/" + class + ".java"
	c := Command{
		Env:     []string{"MAVEN_OPTS=" + mavenOptions + " " + noAttach},
		Reports: []string{suite.reports() + "/TEST-*.xml"}, Format: reports.Surefire, OtherFailures: true,
		Files: []harness.File{
			{Path: kept, Data: []byte(text)}, {Path: dir + "/classes", Data: []byte(strings.Join(slices.Sorted(slices.Values(unit)), "\n") + "\n")},
			{Path: dir + "/AssayReport.java", Data: []byte(javaReport)}, {Path: dir + "/AssayJUnit.java", Data: []byte(javaJUnit)}, {Path: dir + "/AssayPlatform.java", Data: []byte(javaPlatform)},
		},
	}
	args := append(mavenArgs(env), "-Dtest="+pkg+class)
	c.Script = "echo build >" + quote(suite.dir()+"/phase") + "\n" + removeStale(env, suite) + installAgain(env, suite) +
		javaBesideTests(module, kept) + "mvn -o " + quoteAll(append(args, mavenGoal(nil)...)) + " || exit 1\n" +
		fmt.Sprintf(javaRunner, quote(dir))
	return c, fmt.Sprintf(". %[1]s/launch\nexec \"$J\" -XX:TieredStopAtLevel=1 \"$@\" -cp %[1]s:\"$P\" \"$(cat %[1]s/runner)\" %[1]s/properties %[1]s/classes %[2]s\n", quote(dir), quote(suite.reports())), true
}

// javaRunner compiles the program that the class path allows.
const javaRunner = `(
. %[1]s/launch
cd %[1]s
case $P in *junit-platform-launcher*) runners="AssayPlatform AssayJUnit" ;; *) runners=AssayJUnit ;; esac
for runner in $runners; do
  if "${JAVA_HOME:-/usr}/bin/javac" -nowarn -proc:none -d . -cp "$P" AssayReport.java $runner.java; then echo $runner >runner; exit 0; fi
done
exit 1
) || exit 1
`

// javaBesideTests is shell that compiles a class of assay's own into the compiled
// tests of a module. Style checkers would find its source in the tree.
func javaBesideTests(module, source string) string {
	return fmt.Sprintf("mkdir -p %[1]s\n%[2]s\"${JAVA_HOME:-/usr}/bin/javac\" -nowarn -proc:none -source 8 -target 8 -d %[1]s -cp \"$jars\" %[3]s >/dev/null 2>&1 ||\n  \"${JAVA_HOME:-/usr}/bin/javac\" -nowarn -proc:none -d %[1]s -cp \"$jars\" %[3]s >/dev/null 2>&1\n",
		quote(path.Join(Root, module, "target/test-classes")), testJars, quote(source))
}

// javaProbeText writes the probe as a test class; pkg is its package followed by
// a dot.
func javaProbeText(first, flavour, class, method, dir string) (text, pkg string) {
	head, note, pkg := javaClassHead(first, flavour, class)
	return head + fmt.Sprintf("  %spublic void %s() throws Exception { launch(%q); }\n", note, method, dir) + javaProbe + "}\n", pkg
}
