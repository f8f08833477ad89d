package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

func gradleRepo() javaRepo {
	return javaRepo{
		"settings.gradle": "include 'core'", "build.gradle": "", "core/build.gradle": "x", "gradlew": "#!/bin/sh\n",
		gradleProperties:                         "# x\ndistributionUrl=https\\://host/distributions/gradle-7.4.2-bin.zip\n",
		"core/src/test/java/com/x/CoreTest.java": jupiterTest("CoreTest"),
	}
}

func TestGradleDefaults(t *testing.T) {
	env, why, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: gradleRepo(), Files: []string{"core/src/test/java/com/x/CoreTest.java"}})
	require.NoError(t, err)
	require.Equal(t, "gradle", env.Framework)
	require.Equal(t, []string{"core"}, env.Modules)
	require.Equal(t, []string{"openjdk-17-jdk-headless"}, env.Packages, "the wrapper brings Gradle")
	require.Equal(t, "assay_gradle 'https://host/distributions/gradle-7.4.2-bin.zip' gradle/wrapper/gradle-wrapper.properties:2", env.Setup[1])
	require.Contains(t, why, bench.Decision{Field: "setup", Value: "gradle-7.4.2-bin.zip", Why: "the Gradle that the wrapper names, fetched at set-up", File: gradleProperties, Line: 2})
	own, _, err := javaLanguage{}.Defaults(bench.Env{Vars: map[string]string{"ASSAY_GRADLE": "system"}}, Facts{Repo: gradleRepo()})
	require.NoError(t, err)
	require.Empty(t, own.Setup)
}

func TestGradleCommand(t *testing.T) {
	s := Suite{Files: []string{"core/src/test/java/com/x/CoreTest.java"}, Repo: gradleRepo(), Nonce: "n0123456789"}
	c := javaLanguage{}.Command(bench.Env{Framework: "gradle", JDK: "17"}, s)
	require.Contains(t, c.Script, "'sh' './gradlew' '--offline'")
	require.Contains(t, c.Script, "':core:test'")
	require.Contains(t, string(c.Files[0].Data), "includeTestsMatching 'com.x.CoreTest'\n")
	require.False(t, c.FailuresIgnored)
}

func TestGradleTasks(t *testing.T) {
	published := []string{"core:test", "compileTestJava", "a.b.FooTest", "com.x.FooTest > bar", "extTest:testClasses", "FooTest"}
	require.Equal(t, []string{":compileTestJava", ":core:test", ":extTest:testClasses"}, gradleTasks(published))
	s := Suite{Repo: gradleRepo(), Nonce: "n0123456789", Published: published}
	c := javaLanguage{}.Command(bench.Env{Framework: "gradle", JDK: "17"}, s)
	require.Contains(t, c.Script, "':compileTestJava' ':core:test' ':extTest:testClasses'")
	require.Contains(t, string(c.Files[0].Data), "/assay/n0123456789/reports/tasks.xml")
	require.Contains(t, c.Reports, "/assay/n0123456789/reports/tasks.xml")
	// What the report holds is found by what is published.
	found := MatchIDs(javaLanguage{}, []string{"core:test", "compileTestJava"}, []string{"gradle::core:test", "gradle::compileTestJava", "gradle::other:compileTestJava"})
	require.Equal(t, map[string][]string{"core:test": {"gradle::core:test"}, "compileTestJava": {"gradle::compileTestJava"}}, found)
}

func TestGradleRunsOn(t *testing.T) {
	for v, want := range map[[2]int][2]int{{4, 10}: {8, 8}, {6, 9}: {8, 11}, {7, 2}: {8, 11}, {7, 3}: {8, 17}, {8, 5}: {8, 21}, {9, 0}: {17, 21}} {
		low, high := gradleRunsOn(v[0], v[1])
		require.Equal(t, want, [2]int{low, high}, v)
	}
}

func TestAnt(t *testing.T) {
	repo := javaRepo{"build.xml": `<project><target name="compile"><javac source="1.5"/></target><target name="check"><junit/></target></project>`}
	env, _, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo})
	require.NoError(t, err)
	require.Equal(t, "ant", env.Framework)
	require.Equal(t, []string{"ant", "openjdk-17-jdk-headless", "ant-optional", "junit4"}, env.Packages)
	require.Equal(t, []string{"-lib", "/usr/share/java/junit4.jar", "-lib", "/usr/share/java/hamcrest-core.jar"}, env.Args)
	repo["lib/junit-4.13.jar"] = "x"
	require.Equal(t, []string{"ant-optional"}, antPackages(repo))
	require.Equal(t, []string{"ant-optional", "ivy"}, antPackages(javaRepo{"build.xml": "<project/>", "ivy.xml": "<x/>"}))
	c := javaLanguage{}.Command(env, Suite{Repo: repo, Nonce: "n0123456789"})
	require.Contains(t, c.Script, "'check'\n")
	require.Equal(t, []string{"/testbed/**/TEST-*.xml"}, c.Reports)
	require.Equal(t, "test", antTarget(javaRepo{"build.xml": `<project><target name="junit-all"><junit/></target><target name="test"/></project>`}))
}

// TestNonceThatCannotBeBuilt: the report of tasks says that code does not
// compile, and then no nonce test can run.
func TestNonceThatCannotBeBuilt(t *testing.T) {
	tasks := func(compiled, tested string) reports.Report {
		r, err := reports.Read(reports.Gradle, []byte(`<testsuite name="gradle"><testcase classname="gradle" name="core:compileJava">`+compiled+`</testcase><testcase classname="gradle" name="core:test">`+tested+`</testcase></testsuite>`))
		require.NoError(t, err)
		return r
	}
	cmd := Command{Nonce: gradleNonce(bench.Env{Framework: "gradle", Modules: []string{"core"}}, Suite{Files: []string{"core/src/test/java/com/x/CoreTest.java"}, Repo: gradleRepo(), Nonce: "n0123456789", Published: []string{"core:test"}})}
	require.Empty(t, oddities(cmd, tasks("<failure/>", "<failure/>"), nil, 1, nil))
	inClass := tasks("<failure/>", "<failure/>")
	inClass.Tests = append(inClass.Tests, bench.Test{ID: "com.x.CoreTest::t", Status: bench.Passed})
	for name, report := range map[string]reports.Report{
		"the code compiles":     tasks("", "<failure/>"),
		"the task passed":       tasks("<failure/>", ""),
		"a test passed":         inClass,
		"no task was reported":  {},
		"nothing says anything": {Tests: []bench.Test{{ID: "compileJava", Status: bench.Failed}}},
	} {
		odd := oddities(cmd, report, nil, 1, nil)
		require.Len(t, odd, 1, name)
		require.Equal(t, "the runner does not report two nonce tests", odd[0].detail, name)
	}
}
