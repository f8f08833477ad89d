package languages

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// TestWhereNonceTestsRun: which commands run nonce tests along with the
// hidden ones. Runs of the others are flagged in the result
// (tasks.FlagUnguarded).
func TestWhereNonceTestsRun(t *testing.T) {
	const testNG = "package com.x;\nimport org.testng.annotations.Test;\npublic class ATest {\n  @Test public void a() { }\n}\n"
	const kotlin = "package com.x\nimport org.junit.Test\nclass BTest {\n  @Test fun b() { }\n}\n"
	repo := javaRepo{
		"pom.xml": pom("a", ""), "src/test/java/com/x/ATest.java": testNG, "src/test/kotlin/com/x/BTest.kt": kotlin,
		"src/test/groovy/com/x/DSpec.groovy": "package com.x\nimport spock.lang.Specification\nclass DSpec extends Specification { def 'a b'() { expect: true } }\n",
		"src/test/java/com/x/CTest.java":     jupiterTest("CTest"), "tests/test_a.py": "def test_a(): pass\n",
		"tests/b.cpp": "int main() { return 0; }\n",
	}
	bed := func(language string, env bench.Env) *Testbed {
		lang, err := Default().Lookup(language)
		require.NoError(t, err)
		return &Testbed{instance: &bench.Instance{Language: language}, language: lang, env: env}
	}
	for name, c := range map[string]struct {
		bed  *Testbed
		file string
		want bool
	}{
		"pytest":      {bed(Python, bench.Env{Framework: "pytest"}), "tests/test_a.py", true},
		"unittest":    {bed(Python, bench.Env{Framework: "unittest"}), "tests/test_a.py", true},
		"JUnit":       {bed(Java, bench.Env{Framework: "maven", JDK: "17"}), "src/test/java/com/x/CTest.java", true},
		"TestNG":      {bed(Java, bench.Env{Framework: "maven", JDK: "17"}), "src/test/java/com/x/ATest.java", true},
		"Kotlin":      {bed(Java, bench.Env{Framework: "maven", JDK: "17"}), "src/test/kotlin/com/x/BTest.kt", true},
		"Spock":       {bed(Java, bench.Env{Framework: "maven", JDK: "17"}), "src/test/groovy/com/x/DSpec.groovy", false},
		"env.test":    {bed(Python, bench.Env{Framework: "pytest", Test: "make check"}), "tests/test_a.py", false},
		"GoogleTest":  {bed(Cpp, bench.Env{Framework: "gtest"}), "tests/a.cpp", true},
		"Catch2":      {bed(Cpp, bench.Env{Framework: "catch2"}), "tests/a.cpp", true},
		"doctest":     {bed(Cpp, bench.Env{Framework: "doctest"}), "tests/a.cpp", true},
		"Meson":       {bed(Cpp, bench.Env{Framework: "meson"}), "tests/b.cpp", true},
		"Automake":    {bed(Cpp, bench.Env{Framework: "automake"}), "tests/b.cpp", true},
		"make":        {bed(Cpp, bench.Env{Framework: "make"}), "tests/b.cpp", true},
		"no program":  {bed(Cpp, bench.Env{Framework: "make"}), "tests/a.cpp", false},
		"Ant":         {bed(Java, bench.Env{Framework: "ant"}), "src/test/java/com/x/CTest.java", true},
		"Ant's Spock": {bed(Java, bench.Env{Framework: "ant"}), "src/test/groovy/com/x/DSpec.groovy", false},
		"CTest alone": {bed(Cpp, bench.Env{Framework: "ctest"}), "tests/a.cpp", false},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, err := c.bed.command(Suite{Files: []string{c.file}, Changed: []string{c.file}, Repo: repo, Nonce: "n0123456789", Key: "00"})
			require.NoError(t, err)
			require.Equal(t, c.want, cmd.Nonce != nil)
			script := c.bed.job("e", Variant{Name: "v"}, &patch.Changes{}, Suite{Nonce: "n0123456789"}, cmd).Script
			require.True(t, strings.Contains(script, "kill -KILL -1"), "what was left running sees neither a nonce test nor the reports taken")
		})
	}
}

// TestEnvTest: the instance's own command gets the test files and reports
// where its reports will be; reports that are in the tree before it are
// deleted.
func TestEnvTest(t *testing.T) {
	s := Suite{Files: []string{"a_test", "b_test"}, Nonce: "n1"}
	for name, c := range map[string]struct {
		env     bench.Env
		reports []string
		script  string
	}{
		"where none is told":   {bench.Env{Test: "run"}, []string{"/assay/n1/reports/**"}, "run\n"},
		"in the run's folder":  {bench.Env{Test: "run", Reports: []string{"$ASSAY_REPORTS/*.xml", "${ASSAY_REPORTS}/b"}}, []string{"/assay/n1/reports/*.xml", "/assay/n1/reports/b"}, "run\n"},
		"at an absolute place": {bench.Env{Test: "run", Reports: []string{"/tmp/x.xml"}}, []string{"/tmp/x.xml"}, "run\n"},
		"in the tree": {
			bench.Env{Test: "run", Reports: []string{"out/**/it's.xml"}}, []string{"/testbed/out/**/it's.xml"},
			`find '/testbed' -path '/testbed/out/*/it'\''s.xml' -type f -delete` + "\nrun\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			bed := &Testbed{instance: &bench.Instance{Language: Python}, language: pythonLanguage{}, env: c.env}
			cmd, err := bed.command(s)
			require.NoError(t, err)
			require.Equal(t, c.reports, cmd.Reports)
			require.Equal(t, c.script, cmd.Script)
			require.Equal(t, []string{"ASSAY_REPORTS=/assay/n1/reports", "ASSAY_TESTS=a_test\nb_test"}, cmd.Env)
			require.Empty(t, cmd.Format, "told by the content")
			require.Nil(t, cmd.Nonce)
		})
	}
}

// TestGivenPackagesReplaceDefaults: packages that an instance names replace
// all others, as the schema says, in every language.
func TestGivenPackagesReplaceDefaults(t *testing.T) {
	schema, err := os.ReadFile("../bench/schema/instance.json")
	require.NoError(t, err)
	require.Contains(t, string(schema), "They replace those that the language installs by default")
	for language, repo := range map[string]Repository{
		Python: smallRepo{"setup.py": "from setuptools import setup\nsetup(name='a')\n"},
		Java:   javaRepo{"pom.xml": pom("a", "")},
		Cpp:    cppRepo{"CMakeLists.txt": "project(a)\nfind_package(ZLIB)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"},
	} {
		lang, err := Default().Lookup(language)
		require.NoError(t, err)
		facts := Facts{Repo: repo, Gold: repo}
		given, _, err := lang.Defaults(bench.Env{Packages: []string{"openjdk-17-jdk-headless", "only-this"}}, facts)
		require.NoError(t, err, language)
		require.Equal(t, []string{"openjdk-17-jdk-headless", "only-this"}, given.Packages, language)
		own, _, err := lang.Defaults(bench.Env{}, facts)
		require.NoError(t, err, language)
		require.NotContains(t, own.Packages, "only-this", language)
		require.NotEmpty(t, own.Packages, language)
	}
}
