package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// nonce makes a recipe that was never prepared.
func nonce() string { return fmt.Sprintf("# %d\n", time.Now().UnixNano()) }

func prepared(t *testing.T, d *Driver, r harness.Recipe) string {
	t.Helper()
	began := time.Now()
	env, err := d.Prepare(context.Background(), r)
	require.NoError(t, err)
	images, err := d.Images(context.Background())
	require.NoError(t, err)
	for _, i := range images {
		if i.Name == env {
			t.Logf("%s: %.1f s, %d MB of its own", r.Name, time.Since(began).Seconds(), i.Own>>20)
		}
	}
	return env
}

func run(t *testing.T, d *Driver, job harness.Job) harness.Result {
	t.Helper()
	res, err := d.Run(context.Background(), job)
	require.NoError(t, err)
	require.Equal(t, harness.Exited, res.End, "%s", res.Output.Head)
	return res
}

// TestSettingsDoNotStay gives a set-up step all of the host's settings, and
// then looks for them in the layer.
func TestSettingsDoNotStay(t *testing.T) {
	d := newDriver(t)
	t.Setenv("HTTPS_PROXY", "http://user:hunter2@proxy.invalid:3128")
	t.Setenv("PIP_INDEX_URL", "https://user:hunter2@index.invalid/simple")
	home := t.TempDir()
	require.NoError(t, os.Mkdir(home+"/.m2", 0o755))
	require.NoError(t, os.WriteFile(home+"/.m2/settings.xml", []byte("<settings><!-- hunter2 --></settings>"), 0o644))
	t.Setenv("HOME", home)
	recipe := base()
	env := prepared(t, d, harness.Recipe{
		Name: "settings", Parent: &recipe, Network: true,
		Script: nonce() + `env | grep -c hunter2 >/seen
grep -c hunter2 ~/.m2/settings.xml >>/seen
head -c 27 /etc/ssl/certs/ca-certificates.crt >>/seen
test -s "$SSL_CERT_FILE"
`,
	})
	defer func() { require.NoError(t, d.Remove(context.Background(), env)) }()
	res := run(t, d, harness.Job{Environment: env, Script: `cat /seen
env
ls -a / /root /root/.m2 /etc/ssl
ls -la /etc/ssl/certs
grep -rs hunter2 / --include='*' --exclude-dir=proc --exclude-dir=sys
`})
	out := string(res.Output.Head)
	seen, rest, _ := strings.Cut(out, "-----BEGIN CERTIFICATE-----")
	require.Equal(t, "2\n1\n", seen, out)
	for _, trace := range []string{"hunter2", "PROXY", "PIP_", "SSL_CERT_FILE", "JAVA_TOOL_OPTIONS", ".assay", "ca-certificates.crt ->", ".m2\n", "settings.xml"} {
		require.NotContains(t, rest, trace)
	}
	image, err := d.engine.ImageInspect(context.Background(), env)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(image.Config.Env, "\n"), "hunter2")
	require.Empty(t, image.Config.Entrypoint)
}

// TestUnreachablePackages: a package that does not exist is the recipe's
// fault.
func TestUnknownPackage(t *testing.T) {
	d := newDriver(t)
	_, err := d.Prepare(context.Background(), harness.Recipe{Name: "unknown", Packages: []string{"no-such-package-anywhere"}})
	var build *harness.BuildError
	require.True(t, errors.As(err, &build), "%v", err)
	require.False(t, harness.Retryable(err))
	require.Contains(t, err.Error(), "no-such-package-anywhere")
}

func TestUnknownBase(t *testing.T) {
	d := newDriver(t)
	_, err := d.Prepare(context.Background(), harness.Recipe{Base: "no-such-image.invalid/x:1"})
	var infra *harness.InfraError
	require.True(t, errors.As(err, &infra), "%v", err)
	require.Contains(t, err.Error(), "docker load")
}

// TestBaseOnly: a recipe with a base only names the content.
func TestBaseOnly(t *testing.T) {
	d := newDriver(t)
	env, err := d.Prepare(context.Background(), harness.Recipe{})
	require.NoError(t, err)
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, env)
	res := run(t, d, harness.Job{Environment: env, Script: ". /etc/os-release; echo $VERSION_CODENAME"})
	require.Equal(t, "bookworm\n", string(res.Output.Head))
}

// TestToolchains makes the environments of the three languages, with what
// their own package managers download, and runs each without.
func TestToolchains(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads several hundred megabytes")
	}
	d := newDriver(t)
	t.Run("python", func(t *testing.T) {
		env := prepared(t, d, harness.Recipe{
			Name: "python", Packages: []string{"python3-venv"}, Network: true,
			Script: "python3 -m venv /opt/venv\n/opt/venv/bin/pip install -q pytest\n",
		})
		res := run(t, d, harness.Job{
			Environment: env, Workdir: "/w", Collect: []string{"/w/out.xml"},
			Files:  []harness.File{{Path: "/w/test_x.py", Data: []byte("def test_x():\n    assert 1 + 1 == 2\n")}},
			Script: "/opt/venv/bin/pytest --junit-xml out.xml\n",
		})
		require.Zero(t, res.ExitCode, "%s", res.Output.Head)
		require.Contains(t, string(res.Files["/w/out.xml"]), `tests="1"`)
	})
	t.Run("java", func(t *testing.T) {
		project := []harness.File{
			{Path: "/w/pom.xml", Data: []byte(pom)},
			{Path: "/w/src/test/java/XTest.java", Data: []byte("import org.junit.Test;\npublic class XTest { @Test public void x() { org.junit.Assert.assertEquals(2, 1 + 1); } }\n")},
		}
		tools := harness.Recipe{Name: "java tools", Packages: []string{"openjdk-17-jdk-headless", "maven"}}
		prepared(t, d, tools)
		env := prepared(t, d, harness.Recipe{
			Name: "java", Parent: &tools, Network: true,
			Files: project, Workdir: "/w", Script: "mvn -q -B test\nrm -rf target\n",
		})
		res := run(t, d, harness.Job{
			Environment: env, Workdir: "/w", Script: "mvn -o -q -B test\n", Collect: []string{"/w/target/surefire-reports/*.xml"},
		})
		require.Zero(t, res.ExitCode, "%s", res.Output.Head)
		require.Contains(t, string(res.Files["/w/target/surefire-reports/TEST-XTest.xml"]), `tests="1"`)
	})
	t.Run("cpp", func(t *testing.T) {
		env := prepared(t, d, harness.Recipe{Name: "cpp", Packages: []string{"g++", "cmake", "ninja-build"}})
		res := run(t, d, harness.Job{
			Environment: env, Workdir: "/w", Script: "cmake -G Ninja -B b . && cmake --build b && ctest --test-dir b --output-junit /w/out.xml\n",
			Files: []harness.File{
				{Path: "/w/CMakeLists.txt", Data: []byte("cmake_minimum_required(VERSION 3.13)\nproject(x CXX)\nenable_testing()\nadd_executable(x x.cc)\nadd_test(NAME x COMMAND x)\n")},
				{Path: "/w/x.cc", Data: []byte("#include <vector>\nint main() { return std::vector<int>{1}.size() == 1 ? 0 : 1; }\n")},
			},
			Collect: []string{"/w/out.xml"},
		})
		require.Zero(t, res.ExitCode, "%s", res.Output.Head)
		require.Contains(t, string(res.Files["/w/out.xml"]), `tests="1"`)
	})
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>x</groupId><artifactId>x</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope>
  </dependency></dependencies>
</project>
`
