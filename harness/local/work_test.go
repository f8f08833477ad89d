//go:build linux

package local

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// needNetwork skips tests that download from package indexes, unless they
// are asked for.
func needNetwork(t *testing.T) {
	t.Helper()
	if os.Getenv("ASSAY_TEST_NETWORK") == "" {
		t.Skip("set ASSAY_TEST_NETWORK=1 to let tests download packages")
	}
}

// build prepares a recipe and runs a job on it that must succeed.
func build(t *testing.T, d *Driver, r harness.Recipe, job harness.Job) string {
	t.Helper()
	began := time.Now()
	name, err := d.Prepare(t.Context(), r)
	require.NoError(t, err)
	t.Logf("prepared in %v", time.Since(began).Round(time.Millisecond))
	job.Environment = name
	res, err := d.Run(t.Context(), job)
	require.NoError(t, err)
	require.Equal(t, harness.Exited, res.End)
	require.Zero(t, res.ExitCode, "%s%s", res.Output.Head, res.Output.Tail)
	t.Logf("timings: %+v", res.Timings)
	return string(res.Output.Head)
}

func TestWorkPython(t *testing.T) {
	notInShortMode(t)
	needNetwork(t)
	out := build(t, newDriver(t), harness.Recipe{
		Name: "pytest", Network: true,
		Script: "python3 -m venv /opt/venv && /opt/venv/bin/pip install -q pytest",
		Env:    []string{"PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin"},
	}, harness.Job{
		Files:   []harness.File{{Path: "/testbed/test_a.py", Data: []byte("def test_one():\n    assert 1 + 1 == 2\n")}},
		Workdir: "/testbed", Script: "pytest -q",
	})
	require.Contains(t, out, "1 passed")
}

func TestWorkMaven(t *testing.T) {
	notInShortMode(t)
	needNetwork(t)
	pom, err := os.ReadFile("testdata/maven/pom.xml")
	require.NoError(t, err)
	test, err := os.ReadFile("testdata/maven/SumTest.java")
	require.NoError(t, err)
	files := []harness.File{{Path: "/testbed/pom.xml", Data: pom}, {Path: "/testbed/src/test/java/SumTest.java", Data: test}}
	out := build(t, newDriver(t), harness.Recipe{
		Name: "maven", Network: true, Files: files, Workdir: "/testbed", Script: "mvn -B -q test",
		Limits: harness.Limits{Time: 10 * time.Minute},
	}, harness.Job{
		Workdir: "/testbed", Script: "touch src/test/java/SumTest.java; mvn -B -q -o test; code=$?; ls target/surefire-reports /root/.m2; exit $code",
	})
	require.Contains(t, out, "TEST-SumTest.xml")
	require.NotContains(t, out, "settings.xml")
}

func TestWorkCMake(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	out := build(t, d, harness.Recipe{
		Name: "cmake",
		Files: []harness.File{
			{Path: "/testbed/CMakeLists.txt", Data: []byte("cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nenable_testing()\nadd_executable(t t.cpp)\nadd_test(NAME t COMMAND t)\n")},
			{Path: "/testbed/t.cpp", Data: []byte("#include <vector>\nint main() { return std::vector<int>(3).size() == 3 ? 0 : 1; }\n")},
		},
		Workdir: "/testbed", Script: "command -v cmake ninja g++ || exit 0\ncmake -S . -B build -G Ninja && cmake --build build",
	}, harness.Job{
		Workdir: "/testbed", Script: "test -d build || { echo no tool chain; exit 0; }\ntouch t.cpp && cmake --build build && ctest --test-dir build",
	})
	if out == "no tool chain\n" {
		t.Skip("cmake, ninja or g++ are not installed")
	}
	require.Contains(t, out, "100% tests passed")
}

func TestWorkPackage(t *testing.T) {
	notInShortMode(t)
	needNetwork(t)
	d := newDriver(t)
	if d.user {
		t.Skip("ordinary users cannot install packages")
	}
	const name = "hello"
	host, err := installedPackages(nil)
	require.NoError(t, err)
	if host[name] {
		t.Skip(name + " is installed on the host")
	}
	out := build(t, d, harness.Recipe{Name: name, Packages: []string{name, "coreutils"}}, harness.Job{
		Script: "dpkg-query -W -f '${Status}\n' " + name + "; hello; ls -R /var/lib/apt/lists /etc/apt /usr/sbin/policy-rc.d 2>/dev/null; true",
	})
	require.Contains(t, out, "install ok installed\nHello, world!\n")
	require.NotContains(t, out, "policy-rc.d")
	require.NotContains(t, out, "sources.list")
	require.NotContains(t, out, "Packages")
	host, err = installedPackages(nil)
	require.NoError(t, err)
	require.False(t, host[name], "the package was installed on the host")
}
