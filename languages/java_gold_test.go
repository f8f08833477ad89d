package languages

import (
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestGoldBuild(t *testing.T) {
	add := func(file, body string) func(javaRepo) {
		return func(r javaRepo) { r[file] = strings.Replace(r[file], "</project>", body+"</project>", 1) }
	}
	for name, c := range map[string]struct {
		change func(javaRepo)
		want   bool
	}{
		"nothing":                    {func(javaRepo) {}, false},
		"code":                       {func(r javaRepo) { r["core/src/main/java/com/x/Core.java"] = "package com.x;\nclass Core { int i; }\n" }, false},
		"a dependency":               {add("web/pom.xml", "<dependencies><dependency><groupId>o</groupId><artifactId>lib</artifactId><version>1</version></dependency></dependencies>"), true},
		"a dependency on a project":  {add("tool/pom.xml", "<dependencies><dependency><groupId>g</groupId><artifactId>core</artifactId></dependency></dependencies>"), false},
		"a version that others read": {add("pom.xml", "<properties><version.junit>5.10.0</version.junit></properties>"), true},
		"words":                      {add("pom.xml", "<description>x</description>"), false},
		"fewer":                      {func(r javaRepo) { delete(r, "tool/pom.xml") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			gold := maps.Clone(family())
			c.change(gold)
			require.Equal(t, c.want, goldBuild(bench.Env{Framework: "maven"}, Suite{Repo: family(), Gold: &Solution{Repo: gold}}))
		})
	}
	require.False(t, goldBuild(bench.Env{Framework: "maven"}, Suite{Repo: family()}))
	gradle := maps.Clone(gradleRepo())
	gradle["gradle/libs.versions.toml"] = "x"
	require.True(t, goldBuild(bench.Env{Framework: "gradle"}, Suite{Repo: gradleRepo(), Gold: &Solution{Repo: gradle}}))
	require.False(t, goldBuild(bench.Env{Framework: "gradle"}, Suite{Repo: gradleRepo(), Gold: &Solution{Repo: gradleRepo()}}))
}

func TestGoldIsBuiltAside(t *testing.T) {
	gold := family()
	gold["core/pom.xml"] = strings.Replace(gold["core/pom.xml"], "</project>", "<dependencies><dependency><groupId>o</groupId><artifactId>lib</artifactId><version>1</version></dependency></dependencies></project>", 1)
	s := Suite{Files: []string{"core/src/test/java/com/x/CoreTest.java"}, Hidden: []string{"core/src/test/java/com/x/CoreTest.java"}, Repo: family(), Nonce: "warm"}
	s.Gold = &Solution{Repo: gold, Files: s.Files, Removed: []string{"core/a b"}}
	env := bench.Env{Framework: "maven", JDK: "17", Modules: []string{"core"}}
	script := javaLanguage{}.Warm(env, s)
	require.Contains(t, script, "|| exit\n(\ncp -a . /assay/copy && cd /assay/copy || exit\nrm -f './core/a b'\ncp -a /assay/gold/. .\nassay_online ")
	s.Gold.Repo = family()
	require.NotContains(t, javaLanguage{}.Warm(env, s), "/assay/gold")
}

func TestGoldAsksForItsJDK(t *testing.T) {
	base := javaRepo{"pom.xml": pom("a", "<properties><maven.compiler.source>8</maven.compiler.source></properties>")}
	gold := javaRepo{"pom.xml": pom("a", "<properties><maven.compiler.source>17</maven.compiler.source></properties>")}
	env, _, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: base, Gold: gold})
	require.NoError(t, err)
	require.Equal(t, "17", env.JDK)
}

// What runs tests is fetched when there is one to run.
func TestGoldIsBuiltWhereBaseHasNoTest(t *testing.T) {
	const test = "package com.x;\npublic class NewTest {\n  @Test public void t() { }\n}\n"
	failsafe := strings.Replace(pom("one", ""), "</project>", "<build><plugins><plugin><artifactId>maven-failsafe-plugin</artifactId><executions><execution><goals><goal>integration-test</goal></goals></execution></executions></plugin></plugins></build></project>", 1)
	for name, c := range map[string]struct {
		base   javaRepo
		hidden string
		want   bool
	}{
		"no test":                   {javaRepo{"pom.xml": pom("one", "")}, "src/test/java/com/x/NewTest.java", true},
		"a test":                    {javaRepo{"pom.xml": pom("one", ""), "src/test/java/com/x/OldTest.java": strings.ReplaceAll(test, "NewTest", "OldTest")}, "src/test/java/com/x/NewTest.java", false},
		"a module without tests":    {family(), "tool/src/test/java/com/x/NewTest.java", true},
		"a module with tests":       {family(), "core/src/test/java/com/x/NewTest.java", false},
		"the first one of Failsafe": {javaRepo{"pom.xml": failsafe, "src/test/java/com/x/OldTest.java": strings.ReplaceAll(test, "NewTest", "OldTest")}, "src/test/java/com/x/NewIT.java", true},
	} {
		t.Run(name, func(t *testing.T) {
			gold := maps.Clone(c.base)
			gold[c.hidden] = strings.ReplaceAll(test, "NewTest", strings.TrimSuffix(path.Base(c.hidden), ".java"))
			s := Suite{Repo: c.base, Hidden: []string{c.hidden}, Gold: &Solution{Repo: gold, Files: []string{c.hidden}}}
			require.Equal(t, c.want, goldBuild(bench.Env{Framework: "maven"}, s))
		})
	}
}

func TestGradleIsWarmedByGold(t *testing.T) {
	const test = "package com.x;\npublic class NewTest {\n  @Test public void t() { }\n}\n"
	tool := maps.Clone(gradleRepo())
	tool["tool/build.gradle"] = "x"
	for name, c := range map[string]struct {
		base   javaRepo
		hidden string
		want   bool
	}{
		"no test":                {javaRepo{"build.gradle": "x"}, "src/test/java/com/x/NewTest.java", true},
		"a test":                 {javaRepo{"build.gradle": "x", "src/test/java/com/x/OldTest.java": strings.ReplaceAll(test, "NewTest", "OldTest")}, "src/test/java/com/x/NewTest.java", false},
		"a module without tests": {tool, "tool/src/test/java/com/x/NewTest.java", true},
		"a module with tests":    {tool, "core/src/test/java/com/x/NewTest.java", false},
	} {
		t.Run(name, func(t *testing.T) {
			gold := maps.Clone(c.base)
			gold[c.hidden] = test
			s := Suite{Repo: c.base, Hidden: []string{c.hidden}, Gold: &Solution{Repo: gold, Files: []string{c.hidden}}}
			require.Equal(t, c.want, goldBuild(bench.Env{Framework: "gradle"}, s))
		})
	}
}

func TestAntIsWarmedByGold(t *testing.T) {
	base := javaRepo{"build.xml": "<project><target name=\"test\"><junit/></target></project>"}
	gold := maps.Clone(base)
	gold["test/ATest.java"] = "class ATest { @Test public void t() { } }"
	s := Suite{Repo: base, Gold: &Solution{Repo: gold, Files: []string{"test/ATest.java"}}, Nonce: "warm"}
	env := bench.Env{Framework: "ant"}
	require.Regexp(t, "(?s)ant 'test'\n\\(\ncp -a .*ant 'test'\nfind .*exit 1; }\n\\)\n$", javaLanguage{}.Warm(env, s))
	s.Repo = gold
	require.NotContains(t, javaLanguage{}.Warm(env, s), "/assay/gold")
	s.Gold = nil
	require.Contains(t, javaLanguage{}.Warm(env, s), "exit 1")
}
