package languages

import (
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// javaRepo is a repository made in a test: paths and what they hold.
type javaRepo map[string]string

func (r javaRepo) Paths() []string {
	var out []string
	for p := range r {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

func (r javaRepo) Text(p string) string { return r[p] }

// pom is a pom.xml with this inside.
func pom(artifact, body string) string {
	return "<project>\n<modelVersion>4.0.0</modelVersion>\n<groupId>g</groupId><artifactId>" + artifact + "</artifactId><version>1-SNAPSHOT</version>\n" + body + "\n</project>\n"
}

const jupiter = "package com.x;\nimport org.junit.jupiter.api.Test;\nclass %s {\n  @Test void a() { }\n}\n"

func jupiterTest(class string) string { return strings.ReplaceAll(jupiter, "%s", class) }

func TestJDK(t *testing.T) {
	compiler := func(body string) string {
		return "<build><plugins><plugin>\n<artifactId>maven-compiler-plugin</artifactId>\n<configuration>" + body + "</configuration></plugin></plugins></build>"
	}
	travis := func(jdks ...string) string {
		return "language: java\njdk:\n  - " + strings.Join(jdks, "\n  - ") + "\nscript: mvn\n"
	}
	for name, c := range map[string]struct {
		repo javaRepo
		want string
		file string
		line int
	}{
		"nothing said": {javaRepo{"pom.xml": pom("a", "")}, "8", "", 0},
		"a property":   {javaRepo{"pom.xml": pom("a", "<properties>\n<maven.compiler.source>11</maven.compiler.source></properties>")}, "11", "pom.xml", 5},
		"the plugin, by a property": {javaRepo{"pom.xml": pom("a", "<properties><v>17</v></properties>"+compiler("<release>${v}</release>"))},
			"17", "pom.xml", 6},
		"a release needs a compiler that knows it": {javaRepo{"pom.xml": pom("a", compiler("<release>8</release>"))}, "11", "pom.xml", 6},
		"level 6 and a module descriptor":          {javaRepo{"pom.xml": pom("a", compiler("<release>9</release><source>6</source>"))}, "11", "pom.xml", 6},
		"level 5":                                  {javaRepo{"pom.xml": pom("a", compiler("<source>1.5</source>")), ".travis.yml": travis("openjdk11")}, "8", "pom.xml", 6},
		"the oldest of CI":                         {javaRepo{"pom.xml": pom("a", compiler("<source>1.8</source>")), ".travis.yml": travis("openjdk17", "openjdk11")}, "11", ".travis.yml", 4},
		"CI names what the sources refuse":         {javaRepo{"pom.xml": pom("a", compiler("<source>17</source>")), ".travis.yml": travis("openjdk8", "openjdk21")}, "21", ".travis.yml", 4},
		"workflows": {javaRepo{"pom.xml": pom("a", ""), ".github/workflows/ci.yml": "jobs:\n  b:\n    strategy:\n      matrix:\n        java_version: ['17', '21']\n    steps:\n      - with:\n          java-version: ${{ matrix.java_version }}\n"},
			"17", ".github/workflows/ci.yml", 5},
		"the enforcer": {javaRepo{"pom.xml": pom("a", "<build><plugins><plugin><configuration><rules><requireJavaVersion>\n<version>[17,)</version></requireJavaVersion></rules></configuration></plugin></plugins></build>")},
			"17", "pom.xml", 5},
		"a library": {javaRepo{"pom.xml": pom("a", "<dependencies><dependency><groupId>org.mockito</groupId><artifactId>mockito-core</artifactId><version>5.2.0</version></dependency></dependencies>")},
			"11", "pom.xml", 4},
		"options of Maven's own JVM": {javaRepo{"pom.xml": pom("a", ""), ".mvn/jvm.config": "-Xmx1g\n--add-exports jdk.compiler/x=ALL-UNNAMED\n"}, "11", ".mvn/jvm.config", 2},
		"options of the tests' JVM":  {javaRepo{"pom.xml": pom("a", "<properties><argLine>--add-opens java.base/java.lang=ALL-UNNAMED</argLine></properties>")}, "11", "pom.xml", 4},
		"options that are gone":      {javaRepo{"pom.xml": pom("a", "<properties><argLine>-XX:MaxPermSize=64m</argLine></properties>"), ".travis.yml": travis("openjdk17", "openjdk11")}, "11", ".travis.yml", 4},
		"a profile is not the build": {javaRepo{"pom.xml": pom("a", "<profiles><profile><properties><java.version>21</java.version></properties></profile></profiles>")}, "8", "", 0},
		"the JDK that a file names":  {javaRepo{"pom.xml": pom("a", ""), ".java-version": "17.0.2\n"}, "17", ".java-version", 1},
		"sdkman":                     {javaRepo{"pom.xml": pom("a", ""), ".sdkmanrc": "# x\njava=17.0.2-tem\n"}, "17", ".sdkmanrc", 2},
		"gradle's level":             {javaRepo{"build.gradle": "java {\n  sourceCompatibility = JavaVersion.VERSION_11\n}\n"}, "11", "build.gradle", 2},
		"gradle files of tests":      {javaRepo{"build.gradle": "x", "src/integration-test/resources/p/build.gradle": "sourceCompatibility = 17"}, "8", "", 0},
		"gradle's toolchain":         {javaRepo{"build.gradle.kts": "java { toolchain { languageVersion.set(JavaLanguageVersion.of(17)) } }\n"}, "17", "build.gradle.kts", 1},
		"gradle's own limit": {javaRepo{"build.gradle": "x", gradleProperties: "distributionUrl=https\\://h/gradle-4.10-bin.zip\n", ".travis.yml": travis("openjdk11")},
			"8", gradleProperties, 1},
		"ant": {javaRepo{"build.xml": "<project>\n<target name=\"c\"><javac source=\"11\"/></target></project>"}, "11", "build.xml", 2},
	} {
		t.Run(name, func(t *testing.T) {
			env, why, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: c.repo})
			require.NoError(t, err)
			require.Equal(t, c.want, env.JDK)
			require.Equal(t, "/opt/jdk-"+c.want, env.Vars["JAVA_HOME"])
			require.Contains(t, env.Dependencies[1], "assay_jdk "+c.want+" ")
			for _, d := range why {
				if d.Field == "jdk" {
					require.Equal(t, c.want, d.Value)
					require.NotEmpty(t, d.Why)
					require.Equal(t, c.file, d.File)
					require.Equal(t, c.line, d.Line)
					return
				}
			}
			require.Fail(t, "no decision on the JDK")
		})
	}
}

func TestRaisedLevels(t *testing.T) {
	repo := javaRepo{"pom.xml": pom("a", "<properties><maven.compiler.source>1.6</maven.compiler.source><maven.compiler.target>1.6</maven.compiler.target></properties>"+
		"<dependencies><dependency><groupId>org.springframework</groupId><artifactId>spring-core</artifactId><version>6.1</version></dependency></dependencies>")}
	env, _, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo})
	require.NoError(t, err)
	require.Equal(t, "17", env.JDK)
	require.Subset(t, env.Args, []string{"-Dmaven.compiler.source=1.7", "-Dmaven.compiler.target=1.7"})
}

func TestJavaDefaultsKeepEnv(t *testing.T) {
	given := bench.Env{
		JDK: "21", Packages: []string{"p"}, Modules: []string{"m"}, Args: []string{"-X"}, Setup: []string{"s"},
		Vars: map[string]string{"JAVA_HOME": "/j"}, Framework: "maven",
	}
	env, why, err := javaLanguage{}.Defaults(given, Facts{Repo: javaRepo{"pom.xml": pom("a", "")}, Created: time.Unix(1e9, 0)})
	require.NoError(t, err)
	require.Equal(t, given, env)
	for _, d := range why {
		require.Equal(t, "modules", d.Field)
	}
}

func TestJavaDefaultsOfPackages(t *testing.T) {
	env, _, err := javaLanguage{}.Defaults(bench.Env{Packages: []string{"maven", "openjdk-17-jdk-headless"}}, Facts{Repo: javaRepo{"pom.xml": pom("a", "")}})
	require.NoError(t, err)
	require.Equal(t, "17", env.JDK)
	require.Empty(t, env.Vars)
	require.Empty(t, env.Dependencies)
}

func TestJavaDefaultsRefuse(t *testing.T) {
	_, _, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: javaRepo{"BUILD": "x"}})
	require.ErrorContains(t, err, "maven, gradle, ant")
}

func TestJDKRanges(t *testing.T) {
	for text, want := range map[string][3]int{
		"[11,)": {11, 1000, 1}, "[1.8,1.9)": {8, 8, 1}, "[17]": {17, 17, 1}, "(,11]": {0, 11, 1}, "[1.8.0-40,)": {8, 1000, 1},
		"11": {0, 0, 0}, "": {0, 0, 0}, "[,": {0, 0, 0}, "(8,)": {9, 1000, 1},
	} {
		low, high, ok := jdkRange(text)
		require.Equal(t, want[2] == 1, ok, text)
		if ok {
			require.Equal(t, [2]int{want[0], want[1]}, [2]int{low, high}, text)
		}
	}
	for text, want := range map[string]int{"1.8": 8, "8": 8, "11.0.2": 11, "17": 17, "1.5": 5, "x": 0, "": 0, "2019": 0, "0": 0, "99": 0, "21-ea": 21} {
		require.Equal(t, want, javaLevel(text), text)
	}
	require.True(t, matchesJDK("!1.8", 11))
	require.False(t, matchesJDK("[1.9,)", 8))
}

func TestSnapshots(t *testing.T) {
	repo := javaRepo{
		"pom.xml": "<project>\n<parent>\n<groupId>p</groupId><artifactId>base</artifactId><version>2.17.0-SNAPSHOT</version></parent>\n<groupId>g</groupId><artifactId>a</artifactId><version>1-SNAPSHOT</version>\n<properties><dep>3.1-rc2-SNAPSHOT</dep></properties>\n<modules><module>b</module></modules></project>",
		"b/pom.xml": "<project><parent><groupId>g</groupId><artifactId>a</artifactId><version>1-SNAPSHOT</version></parent><artifactId>b</artifactId>\n<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${project.version}</version></dependency>\n" +
			"<dependency><groupId>q</groupId><artifactId>lib</artifactId><version>${dep}</version></dependency>\n<dependency><groupId>q</groupId><artifactId>done</artifactId><version>1.0</version></dependency></dependencies>\n" +
			"<dependencyManagement><dependencies><dependency><groupId>q</groupId><artifactId>unused</artifactId><version>4-SNAPSHOT</version></dependency></dependencies></dependencyManagement></project>",
	}
	env, why, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Files: []string{"b/src/test/java/ATest.java"}})
	require.NoError(t, err)
	require.Len(t, env.Setup, 3)
	require.Equal(t, []string{"assay_release 'p' 'base' '2.17.0-SNAPSHOT' 'pom' '2.17'", "assay_release 'q' 'lib' '3.1-rc2-SNAPSHOT' 'jar' '3.1'"}, env.Setup[1:])
	var of []bench.Decision
	for _, d := range why {
		if d.Field == "setup" {
			of = append(of, d)
		}
	}
	require.Len(t, of, 2)
	require.Equal(t, [2]any{"pom.xml", 2}, [2]any{of[0].File, of[0].Line})
	require.Equal(t, [2]any{"b/pom.xml", 3}, [2]any{of[1].File, of[1].Line})
}

func FuzzBuildFiles(f *testing.F) {
	f.Add(pom("a", "<modules><module>b</module></modules>"), "jdk: [8, 11]\n", "sourceCompatibility = 1.8")
	f.Add("<project><parent><version>${project.version}</version></parent><modules><module>../..</module></modules>", "java-version:\n- 8\n", "x")
	f.Add("<a><b>", "jdk: [", "languageVersion = JavaLanguageVersion.of(")
	f.Add("<project><properties><a>${b}</a><b>${a}</b></properties><version>${a}</version>", "", "")
	f.Fuzz(func(t *testing.T, pom, yaml, gradle string) {
		for _, repo := range []javaRepo{
			{"pom.xml": pom, "b/pom.xml": pom, ".travis.yml": yaml, ".java-version": yaml},
			{"build.gradle": gradle, gradleProperties: gradle, ".travis.yml": yaml},
			{"build.xml": pom},
		} {
			env, why, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Files: []string{"b/src/test/java/ATest.java"}})
			again, whyAgain, _ := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Files: []string{"b/src/test/java/ATest.java"}})
			require.Equal(t, env, again)
			require.Equal(t, why, whyAgain)
			if err == nil {
				require.Contains(t, []string{"8", "11", "17", "21"}, env.JDK)
				s := Suite{Repo: repo, Nonce: "abcdef", Changed: []string{"pom.xml"}}
				require.NotEmpty(t, javaLanguage{}.Command(env, s).Script)
				require.NotEmpty(t, javaLanguage{}.Warm(env, s))
			}
		}
	})
}
