package languages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// family is a reactor: a root, core, web that needs core, and tool alone.
func family() javaRepo {
	parent := "<parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>"
	return javaRepo{
		"pom.xml":                                "<project><groupId>g</groupId><artifactId>root</artifactId><version>1</version><packaging>pom</packaging><modules><module>core</module><module>web</module><module>tool</module></modules></project>",
		"core/pom.xml":                           "<project>" + parent + "<artifactId>core</artifactId></project>",
		"web/pom.xml":                            "<project>" + parent + "<artifactId>web</artifactId><dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>core</artifactId></dependency></dependencies></project>",
		"tool/pom.xml":                           "<project>" + parent + "<artifactId>tool</artifactId></project>",
		"apart/pom.xml":                          "<project>" + parent + "<artifactId>apart</artifactId></project>",
		"README.md":                              "x",
		"core/src/test/java/com/x/CoreTest.java": jupiterTest("CoreTest"),
		"core/src/test/java/com/x/package-info.java":   "package com.x;\n",
		"core/src/test/resources/com/x/DataTest.java":  jupiterTest("DataTest"),
		"web/src/test/kotlin/com/x/WebTest.kt":         jupiterTest("WebTest"),
		"web/src/test/java/com/x/AbstractWebTest.java": "package com.x;\nabstract class AbstractWebTest { @Test void a() { } }\n",
		"apart/src/test/java/com/x/ApartTest.java":     jupiterTest("ApartTest"),
		"core/src/main/java/com/x/Core.java":           "package com.x;\nclass Core { }\n",
	}
}

func TestModulesOfTheReactor(t *testing.T) {
	env := bench.Env{Framework: "maven"}
	got := javaModules(env, family(), []string{"core/src/test/java/com/x/CoreTest.java", "web/src/test/kotlin/com/x/WebTest.kt", "apart/src/test/java/com/x/ApartTest.java"})
	require.Equal(t, []string{"core", "web"}, got)
	require.Equal(t, []string{}, javaModules(env, javaRepo{"pom.xml": pom("a", "")}, []string{"src/test/java/ATest.java"}))
}

func TestModulesOfProfiles(t *testing.T) {
	repo := family()
	repo["pom.xml"] = strings.Replace(repo["pom.xml"], "</project>", "<profiles><profile><activation><jdk>[17,)</jdk></activation><modules><module>apart</module></modules></profile></profiles></project>", 1)
	files := []string{"apart/src/test/java/com/x/ApartTest.java"}
	require.Equal(t, []string{"apart"}, javaModules(bench.Env{Framework: "maven", JDK: "17"}, repo, files))
	require.Empty(t, javaModules(bench.Env{Framework: "maven", JDK: "8"}, repo, files))
	env, _, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Files: files})
	require.NoError(t, err)
	require.Equal(t, "17", env.JDK, "the tests' module needs its profile")
	require.Equal(t, []string{"apart"}, env.Modules)
}

func TestStaleModules(t *testing.T) {
	for name, c := range map[string]struct {
		changed []string
		want    []string
	}{
		"nothing":                {nil, nil},
		"a module and its users": {[]string{"core/src/main/java/com/x/Core.java"}, []string{"core", "web"}},
		"no one's need":          {[]string{"tool/src/main/java/A.java"}, []string{"tool"}},
		"documentation":          {[]string{"README.md"}, nil},
		"the root's pom":         {[]string{"pom.xml"}, []string{".", "core", "tool", "web"}},
		"shared configuration":   {[]string{"config/x.properties"}, []string{".", "core", "tool", "web"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, staleModules(bench.Env{Framework: "maven"}, Suite{Repo: family(), Changed: c.changed}))
		})
	}
	require.Equal(t, []string{"."}, staleModules(bench.Env{}, Suite{Repo: javaRepo{"pom.xml": pom("a", "")}, Changed: []string{"src/main/java/A.java"}}))
}

func TestMavenCommand(t *testing.T) {
	files := []string{"core/src/test/java/com/x/CoreTest.java", "core/src/test/java/com/x/package-info.java", "core/src/test/resources/com/x/DataTest.java", "web/src/test/kotlin/com/x/WebTest.kt"}
	s := Suite{Files: files, Repo: family(), Nonce: "n0123456789", Changed: files[:3]}
	c := javaLanguage{}.Command(bench.Env{Framework: "maven", JDK: "17", Args: []string{"-Dx"}}, s)
	require.Contains(t, c.Script, "mvn -o '-B' '-nsu' '-fae'")
	require.Contains(t, c.Script, "'-pl' 'core,web' '-am'")
	require.Contains(t, c.Script, "'-Dx'")
	ours, _, _ := strings.Cut(c.Nonce.Pass, "::")
	_, class := cutLast(ours)
	require.Regexp(t, `^com\.x\.[A-Z]\w+Test$`, ours)
	chosen := strings.ReplaceAll(strings.ReplaceAll(c.Script, ours+","+ours+"$*,", ""), ","+ours+","+ours+"$*'", "'")
	require.Contains(t, chosen, "'-Dtest=com.x.CoreTest,com.x.CoreTest$*,com.x.WebTest,com.x.WebTest$*'", "no simple names, no resources")
	require.Contains(t, c.Script, ours+"$*", "a class of ours is among them")
	require.Contains(t, c.Script, "if true && [ -e './core/target/test-classes/com/x/CoreTest.class' ]; then", "only what the patches bring, and what is compiled")
	require.True(t, c.FailuresIgnored)
	require.True(t, c.OtherFailures)
	require.True(t, c.Nonce.Beside)
	source := "/assay/n0123456789/nonce/" + class + ".java"
	require.Equal(t, source, c.Nonce.Files[0].Path, "outside of the tree in the main run")
	require.NotContains(t, string(c.Nonce.Files[0].Data), "n0123", "nothing tells that it is ours")
	compiled := strings.Index(c.Script, "-d '/testbed/core/target/test-classes' -cp \"$jars\" '"+source+"'")
	require.Greater(t, compiled, strings.Index(c.Script, "rm -rf 'core/target/classes'"), "after the classes of the build before are gone")
	require.Less(t, compiled, strings.Index(c.Script, "mvn -o '-B'"))
	require.Contains(t, c.Nonce.Script, "cp '"+source+"' '/testbed/core/src/test/java/com/x/"+class+".java'")
	require.Contains(t, c.Nonce.Script, "grep -qsF 'classname=\""+ours+"\"'", "a second start only where the first had no nonce tests")
}

// TestMavenNonceAlone: where a failing nonce test would change the outcome of
// the suite's, they have a start of their own.
func TestMavenNonceAlone(t *testing.T) {
	file := "src/test/java/com/x/ATest.java"
	for name, c := range map[string]struct {
		pom, config string
		beside      bool
	}{
		"plain":                     {"", "", true},
		"stops after failures":      {"<build><plugins><plugin><configuration><skipAfterFailureCount>1</skipAfterFailureCount></configuration></plugin></plugins></build>", "", false},
		"by a property":             {"<properties><surefire.skipAfterFailureCount>1</surefire.skipAfterFailureCount></properties>", "", false},
		"by the project's settings": {"", "-Dsurefire.skipAfterFailureCount=1\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			repo := javaRepo{"pom.xml": pom("a", c.pom), file: jupiterTest("ATest"), ".mvn/maven.config": c.config}
			cmd := javaLanguage{}.Command(bench.Env{Framework: "maven", JDK: "17"}, Suite{Repo: repo, Files: []string{file}, Nonce: "n0123456789"})
			require.Equal(t, c.beside, cmd.Nonce.Beside)
			ours, _, _ := strings.Cut(cmd.Nonce.Pass, "::")
			require.Equal(t, c.beside, strings.Contains(cmd.Script, ours))
			require.Contains(t, cmd.Nonce.Script, "'-Dtest="+ours+"'")
		})
	}
}

func TestJavaNames(t *testing.T) {
	const file = "src/test/java/com/x/ATest.java"
	repo := javaRepo{file: "class ATest {\n  void splitsTheRemainder() { }\n  @Test public void testOdd_amounts() { }\n}\n"}
	s := Suite{Repo: repo, Nonce: "n0123456789"}
	names := newJavaNames(s, file)
	class := names.class(s, file)
	require.Equal(t, class, newJavaNames(s, file).class(s, file), "the same input gives the same names")
	repo["src/test/java/com/x/"+class+".java"] = ""
	require.NotEqual(t, class, newJavaNames(s, file).class(s, file))
	require.Regexp(t, `Test$`, class)
	require.Regexp(t, `^Test[A-Z]\w+[a-z]$`, names.class(s, "a/TestLoops.java"))
	require.Regexp(t, `Tests$`, names.class(s, "a/LoopTests.java"))
	require.Subset(t, names.words, []string{"splits", "remainder", "odd", "amounts"})
	seen := map[string]bool{}
	for range 200 {
		name := names.test()
		require.False(t, seen[name], name)
		require.Regexp(t, `^test([A-Z][a-z]+)+$`, name)
		seen[name] = true
	}
}

func TestMavenLongLists(t *testing.T) {
	repo := javaRepo{"pom.xml": pom("a", "")}
	s := Suite{Repo: repo, Nonce: "n0123456789"}
	for i := range 3000 {
		f := fmt.Sprintf("src/test/java/com/x/ATest%d.java", i)
		repo[f] = jupiterTest(fmt.Sprintf("ATest%d", i))
		s.Files = append(s.Files, f)
	}
	c := javaLanguage{}.Command(bench.Env{Framework: "maven"}, s)
	require.Contains(t, c.Script, "'-s' '/assay/n0123456789/settings.xml'")
	require.NotContains(t, c.Script, "-Dtest=")
	root, err := parseXML(string(c.Files[0].Data))
	require.NoError(t, err)
	require.Contains(t, root.value("profiles", "profile", "properties", "test"), "com.x.ATest2999,com.x.ATest2999$*")
}

func TestIgnoredFailures(t *testing.T) {
	set := pom("a", "<properties><maven.test.failure.ignore>true</maven.test.failure.ignore></properties>")
	base := Suite{Repo: javaRepo{"pom.xml": set}, Nonce: "n0123456789"}
	require.True(t, javaLanguage{}.Command(bench.Env{Framework: "maven"}, base).FailuresIgnored)
	base.Changed = []string{"pom.xml"}
	require.False(t, javaLanguage{}.Command(bench.Env{Framework: "maven"}, base).FailuresIgnored, "a patch may have set it")
}

func TestMavenWarm(t *testing.T) {
	s := Suite{Files: []string{"core/src/test/java/com/x/CoreTest.java", "web/src/test/java/com/x/AbstractWebTest.java"}, Hidden: []string{"core/src/test/java/com/x/NewTest.java"}, Repo: family(), Nonce: "warm"}
	script := javaLanguage{}.Warm(bench.Env{Framework: "maven", JDK: "17", Modules: []string{"core"}}, s)
	require.Contains(t, script, "assay_warm 'core' -- ")
	require.Contains(t, script, "'-pl' 'core,web' '-am'")
	require.Contains(t, script, "'-Dtest=com.x.CoreTest,com.x.WebTest'", "one class of every module, none that is abstract")
	require.NotRegexp(t, `(?m)^true$`, script)
}

func TestJavaClass(t *testing.T) {
	repo := javaRepo{"src/test/java/p/ATest.java": "package a.b;\npublic final class ATest<T> { }", "src/test/java/B.java": "class ATest { String B = \"class\"; }", "C.kt": "package k\n\nobject C"}
	require.Equal(t, "a.b.ATest", javaClass(repo, "src/test/java/p/ATest.java"))
	require.Equal(t, "", javaClass(repo, "src/test/java/B.java"))
	require.Equal(t, "k.C", javaClass(repo, "C.kt"))
}
