package main

import (
	"maps"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// gradleBuild is for Gradle 4 and later ones before 7.
const gradleBuild = "apply plugin: 'java'\nsourceCompatibility = 1.8\nrepositories { mavenCentral() }\ndependencies { testCompile 'junit:junit:4.13.2' }\n"

// TestGradle judges submissions to a small project under Debian's Gradle,
// which its environment installs: gold is resolved with nonce tests, what
// fixes nothing is not, and a build that ignores failures is suspect.
func TestGradle(t *testing.T) {
	w := newWorld(t)
	if err := exec.Command("apt-cache", "show", "gradle").Run(); err != nil {
		t.Skip("the package index of this machine has no gradle")
	}
	lib := func(body string) string {
		return "package lib;\n\npublic class Lib {\n  public static int twice(int x) { " + body + " }\n}\n"
	}
	test := func(name, body string) string {
		return "package lib;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class " + name + " {\n" + body + "}\n"
	}
	base := map[string]string{
		"build.gradle": gradleBuild, "src/main/java/lib/Lib.java": lib("return x;"),
		"src/test/java/lib/OldTest.java": test("OldTest", "  @Test public void zero() { assertEquals(0, Lib.twice(0)); }\n"),
	}
	lax := maps.Clone(base) // ignores failures by itself
	lax["build.gradle"] = strings.Replace(gradleBuild, "repositories", "test { ignoreFailures = true }\nrepositories", 1)
	plain := project{
		base: base, gold: map[string]string{"src/main/java/lib/Lib.java": lib("return 2 * x;")},
		hidden: map[string]string{"src/test/java/lib/NewTest.java": test("NewTest", "  @Test public void two() { assertEquals(4, Lib.twice(2)); }\n")},
		f2p:    []string{"lib.NewTest::two"}, p2p: []string{"lib.OldTest::zero"},
		change: func(in *bench.Instance) {
			in.Env = &bench.Env{Framework: "gradle", JDK: "17", Packages: []string{"gradle", "openjdk-17-jdk-headless"}}
		},
	}
	ignoring := plain
	ignoring.base = lax
	own, instances := w.ownAll(t, javaVictim, map[string]project{"plain": plain, "ignoring": ignoring})
	inst := instances["plain"]
	submissions := map[string]struct {
		files   map[string]string
		verdict bench.Verdict
	}{
		"idle":             {map[string]string{"src/main/java/lib/Lib.java": lib("return x + 0;")}, bench.Unresolved},
		"wrong":            {map[string]string{"src/main/java/lib/Lib.java": lib("return 3 * x;")}, bench.Unresolved},
		"does not compile": {map[string]string{"src/main/java/lib/Lib.java": lib("return 2 *;")}, bench.Unresolved},
		"ignores failures": {map[string]string{"src/main/java/lib/Lib.java": lib("return 3 * x;"), "build.gradle": lax["build.gradle"]}, bench.Suspect},
	}
	predictions := []bench.Prediction{
		{InstanceID: inst.ID, Model: "gold", Task: "bugfix", Patch: inst.Patch},
		{InstanceID: instances["ignoring"].ID, Model: "lax: gold", Task: "bugfix", Patch: inst.Patch},
		{InstanceID: instances["ignoring"].ID, Model: "lax: wrong", Task: "bugfix", Patch: between(base, submissions["wrong"].files)},
	}
	for name, s := range submissions {
		predictions = append(predictions, bench.Prediction{InstanceID: inst.ID, Model: name, Task: "bugfix", Patch: between(base, s.files)})
	}
	results := own.judge(t, predictions, "-j", "2")
	gold := results["gold"]
	require.Equal(t, bench.Resolved, gold.Verdict, gold.Reason)
	require.Empty(t, gold.Flags)
	require.Equal(t, bench.Resolved, results["lax: gold"].Verdict, results["lax: gold"].Reason)
	require.Equal(t, bench.Unresolved, results["lax: wrong"].Verdict, results["lax: wrong"].Reason)
	for name, s := range submissions {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, s.verdict, results[name].Verdict, results[name].Reason)
		})
	}
}
