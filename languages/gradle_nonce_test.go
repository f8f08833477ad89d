package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

func TestGradleNonce(t *testing.T) {
	file := "core/src/test/java/com/x/CoreTest.java"
	repo := javaRepo{"settings.gradle": "x", "core/build.gradle": "x", file: "package com.x;\nimport org.junit.Test;\npublic class CoreTest {}\n"}
	s := Suite{Files: []string{file}, Repo: repo, Nonce: "n0123456789"}
	c := javaLanguage{}.Command(bench.Env{Framework: "gradle"}, s)
	require.NotNil(t, c.Nonce)
	require.Equal(t, "com.x.Nn0123456789Test::testn0123", c.Nonce.Pass)
	require.Contains(t, c.Nonce.Script, "cp '/assay/n0123456789/nonce/Nn0123456789Test.java' '/testbed/core/src/test/java/com/x/Nn0123456789Test.java'")
	require.Contains(t, c.Nonce.Script, "':core:test' '-I' '/assay/n0123456789/nonce/filter.gradle'")
	require.Contains(t, string(c.Nonce.Files[1].Data), "includeTestsMatching 'com.x.Nn0123456789Test'")

	kotlin := javaRepo{"build.gradle": "x", "src/test/kotlin/ATest.kt": "import org.junit.jupiter.api.Test\nclass ATest"}
	c = javaLanguage{}.Command(bench.Env{Framework: "gradle"}, Suite{Files: []string{"src/test/kotlin/ATest.kt"}, Repo: kotlin, Nonce: "n0123456789"})
	require.Contains(t, c.Nonce.Script, "'/testbed/src/test/java/Nn0123456789Test.java'", "Kotlin's folder takes no Java")
	require.Nil(t, javaLanguage{}.Command(bench.Env{Framework: "gradle"}, Suite{Repo: kotlin, Nonce: "n0"}).Nonce)
}

// TestLacksModule: where the module of the nonce tests does not compile and its
// fail-to-pass tests are missing, tests of other modules may pass.
func TestLacksModule(t *testing.T) {
	const file = "core/src/test/java/com/x/CoreTest.java"
	repo := javaRepo{file: "package com.x;\npublic class CoreTest {}\n"}
	test := func(id string, s bench.Status) bench.Test { return bench.Test{ID: id, Status: s} }
	broken, other := test("gradle::core:compileJava", bench.Failed), test("com.y.OtherTest::a", bench.Passed)
	for name, c := range map[string]struct {
		decisive []string
		tests    []bench.Test
		want     bool
	}{
		"it does not compile":                {[]string{"com.x.CoreTest::a"}, []bench.Test{broken, other}, true},
		"a whole class decides":              {[]string{"com.x.CoreTest"}, []bench.Test{broken, other}, true},
		"it compiles":                        {[]string{"com.x.CoreTest::a"}, []bench.Test{test("gradle::core:compileJava", bench.Passed), other}, false},
		"another module does not compile":    {[]string{"com.x.CoreTest::a"}, []bench.Test{test("gradle::ui:compileJava", bench.Failed), other}, false},
		"one of its tests ran":               {[]string{"com.x.CoreTest::a"}, []bench.Test{broken, test("com.x.CoreTest::b", bench.Passed)}, false},
		"no test of it decides":              {[]string{"com.y.OtherTest::a"}, []bench.Test{broken, other}, false},
		"a class with a longer name decides": {[]string{"com.x.CoreTestOther::a"}, []bench.Test{broken, other}, false},
	} {
		got := lacksModule(Suite{Repo: repo, Decisive: c.decisive}, file, reports.Report{Tests: c.tests}, "core:")
		require.Equal(t, c.want, got, name)
	}
}

// TestGradleNonceKeepsReports runs the shell with a stand-in for Gradle, which
// clears the reports of the main run and writes its own.
func TestGradleNonceKeepsReports(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	main := filepath.Join(root, "core/build/test-results/test/TEST-com.x.CoreTest.xml")
	require.NoError(t, os.MkdirAll(filepath.Dir(main), 0o755))
	require.NoError(t, os.WriteFile(main, []byte("main"), 0o644))
	cmd := exec.Command("/bin/sh", "-c", gradleBeside(dir, "TEST-N.xml", "rm -rf core/build/test-results\nmkdir -p core/build/test-results/test new/build/test-results\necho second >core/build/test-results/test/TEST-N.xml\n"))
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	kept, err := os.ReadFile(main)
	require.NoError(t, err)
	require.Equal(t, "main", string(kept))
	second, err := os.ReadFile(filepath.Join(dir, "reports/TEST-N.xml"))
	require.NoError(t, err)
	require.Equal(t, "second\n", string(second))
	require.NoFileExists(t, filepath.Join(filepath.Dir(main), "TEST-N.xml"))
	require.NoDirExists(t, filepath.Join(root, "new/build/test-results"))
}

func TestGradleSettings(t *testing.T) {
	s := Suite{Nonce: "n0"}
	got := gradleSettings(s)(map[string][]byte{"/assay/n0/settings/gradle": []byte(":core:test\tignoreFailures\ttrue\n:core:test\tjvmArgs\t[-javaagent:x]\nbroken\n")})
	require.Equal(t, Settings{"task :core:test": {"ignoreFailures": "true", "jvmArgs": "[-javaagent:x]"}, "the folders of classes": {"": ""}}, got)
	require.Contains(t, gradleTold(s), "new File('/assay/n0/settings/gradle')")
	gold := Settings{"task :core:test": {"ignoreFailures": "false", "jvmArgs": "[]"}}
	require.Equal(t, `task :core:test: ignoreFailures is "true", and "false" with the gold patch`, got.Unlike(gold))
}
