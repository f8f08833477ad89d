package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shell runs a script with the test's own programs first on the path, in a
// fresh home and folder.
func shell(t *testing.T, programs map[string]string, script string) (out, home string, err error) {
	home = t.TempDir()
	bin := filepath.Join(home, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(home, "work"), 0o755))
	require.NoError(t, os.MkdirAll(bin, 0o755))
	for name, text := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o755))
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-e", "-c", script)
	cmd.Dir = filepath.Join(home, "work")
	cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH")}
	all, err := cmd.CombinedOutput()
	return string(all), home, err
}

// fakeCentral stands in for Maven: it "fetches" the versions 2.16.3, 2.17.0,
// 2.17.4 and 2.18.0-rc1 of p:base, and knows no others.
const fakeCentral = `
while [ $# -gt 1 ]; do [ "$1" = -f ] && pom=$2; shift; done
v=$(sed -n 's:.*<artifactId>base</artifactId><version>\([^<]*\)</version>.*:\1:p' "$pom")
here=$HOME/.m2/repository/p/base
mkdir -p "$here"
{ echo '<versions>'; for k in 2.16.3 2.17.0 2.17.4 2.18.0-rc1; do echo "<version>$k</version>"; done; } >"$here/maven-metadata-central.xml"
case $v in 2.16.3 | 2.17.0 | 2.17.4 | 2.18.0-rc1) ;; *) exit 1 ;; esac
mkdir -p "$here/$v"
cat >"$here/$v/base-$v.pom" <<P
<project>
  <parent>
    <version>$v</version>
  </parent>
  <artifactId>base</artifactId>
  <version>$v</version>
  <dependencies>
    <version>$v</version>
  </dependencies>
</project>
P
echo jar >"$here/$v/base-$v.jar"
echo x >"$here/$v/base-$v.pom.sha1"
`

func TestReleaseForSnapshot(t *testing.T) {
	for name, c := range map[string]struct{ snapshot, line, want string }{
		"the release itself":       {"2.17.0-SNAPSHOT", "2.17", "2.17.0"},
		"the newest of the line":   {"2.17.9-SNAPSHOT", "2.17", "2.17.4"},
		"only a candidate":         {"2.18.3-SNAPSHOT", "2.18", "2.18.0-rc1"},
		"the newest before":        {"2.99.0-SNAPSHOT", "2.99", "2.17.4"},
		"nothing that is as old":   {"1.0-SNAPSHOT", "1.0", ""},
		"a part of another number": {"2.1.0-SNAPSHOT", "2.1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, home, err := shell(t, map[string]string{"mvn": fakeCentral}, snapshotFunction+"\nassay_release p base "+c.snapshot+" pom "+c.line)
			require.NoError(t, err, out)
			pom, err := os.ReadFile(filepath.Join(home, ".m2/repository/p/base", c.snapshot, "base-"+c.snapshot+".pom"))
			if c.want == "" {
				require.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			require.NoError(t, err, out)
			require.Contains(t, out, "is "+c.want+" here")
			want := strings.ReplaceAll("<project>\n  <parent>\n    <version>V</version>\n  </parent>\n  <artifactId>base</artifactId>\n  <version>S</version>\n  <dependencies>\n    <version>V</version>\n  </dependencies>\n</project>\n", "V", c.want)
			require.Equal(t, strings.ReplaceAll(want, "<version>S", "<version>"+c.snapshot), strings.ReplaceAll(string(pom), "\r", ""))
			require.FileExists(t, filepath.Join(home, ".m2/repository/p/base", c.snapshot, "base-"+c.snapshot+".jar"))
		})
	}
}

// fakeMaven compiles nothing and leaves a report where $REPORT says, unless
// it is offline and $BROKEN is set.
const fakeMaven = `
echo "mvn $*" >>"$HOME/calls"
case "$*" in *-o*) [ -n "$BROKEN" ] && { echo "[ERROR] Cannot access central in offline mode"; exit 1; } ;; esac
mkdir -p core/target/surefire-reports
echo '<testsuite/>' >core/target/surefire-reports/TEST-x.xml
exit ${CODE:-0}
`

func TestWarmShell(t *testing.T) {
	run := strings.ReplaceAll(mavenFunction, "/assay/warm/log", "$HOME/log")
	out, home, err := shell(t, map[string]string{"mvn": fakeMaven}, run+"\nassay_warm core -- -B test")
	require.NoError(t, err, out)
	calls, err := os.ReadFile(filepath.Join(home, "calls"))
	require.NoError(t, err)
	require.Equal(t, "mvn -B test\nmvn -o -B test\n", string(calls))
	require.NoDirExists(t, filepath.Join(home, "work/core/target/surefire-reports"), "no report of the set-up stays")

	out, _, err = shell(t, map[string]string{"mvn": fakeMaven}, "BROKEN=1\nexport BROKEN\nset +e\n"+run+"\nassay_warm core -- -B test")
	require.Error(t, err)
	require.Contains(t, out, "Cannot access central in offline mode\nassay: no test of module core can be run offline at base\n")

	out, _, err = shell(t, map[string]string{"mvn": fakeMaven}, "CODE=1\nexport CODE\nset +e\n"+run+"\nassay_warm core -- -B test")
	require.NoError(t, err, "a module of published tests alone may not build at base: %s", out)
	require.Contains(t, out, "not every module can be built at base")
}

func TestJDKShell(t *testing.T) {
	out, _, err := shell(t, nil, strings.ReplaceAll(jdkFunction, "/etc/apt", "$HOME/none")+"\nassay_jdk 99 sid")
	require.Error(t, err)
	require.Contains(t, out, "JDK 99 cannot be had; install one below /usr/lib/jvm")
}

func TestGradleShell(t *testing.T) {
	script := "mkdir -p gradle/wrapper\necho 'distributionUrl=https\\://gone/gradle-8.5-bin.zip' >gradle/wrapper/gradle-wrapper.properties\n" +
		"echo 'echo UnknownHostException: gone; exit 1' >gradlew\n" + strings.ReplaceAll(gradleFunction, "/tmp/assay", "$HOME/assay") + "\nassay_gradle https://gone/gradle-8.5-bin.zip FILE:1"
	out, _, err := shell(t, nil, script)
	require.Error(t, err)
	require.Contains(t, out, "the repository wants gradle-8.5-bin.zip (FILE:1), and it cannot be fetched here")

	mirrored := strings.Replace(script, "echo 'echo UnknownHostException: gone; exit 1'", "echo 'grep http gradle/wrapper/gradle-wrapper.properties >used'", 1)
	_, home, err := shell(t, nil, "ASSAY_GRADLE_DISTRIBUTIONS=http://127.0.0.1:1/d/\n"+mirrored)
	require.NoError(t, err)
	used, err := os.ReadFile(filepath.Join(home, "work/used"))
	require.NoError(t, err)
	require.Equal(t, "distributionUrl=http://127.0.0.1:1/d/gradle-8.5-bin.zip\n", string(used))
}
