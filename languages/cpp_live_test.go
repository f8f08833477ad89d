package languages

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
)

// cppProject is a small project on this machine, whose scripts run as an
// executor would run them, without isolation.
type cppProject struct {
	t    *testing.T
	root string
	env  bench.Env
	repo cppRepo
}

func newCppProject(t *testing.T, files map[string]string, published ...string) *cppProject {
	t.Helper()
	if testing.Short() {
		t.Skip("builds with CMake: not in short mode")
	}
	for _, tool := range []string{"cmake", "ninja", "c++"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	p := &cppProject{t: t, root: t.TempDir(), repo: cppRepo(files)}
	for name, text := range files {
		p.write(name, text)
	}
	env, _, err := cppLanguage{}.Defaults(bench.Env{}, Facts{Repo: p.repo, Files: []string{"tests/a.cpp"}, Published: published})
	require.NoError(t, err)
	p.env = env
	return p
}

func (p *cppProject) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.root, "testbed", name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(p.t, os.WriteFile(file, []byte(text), 0o644))
}

// shell runs a script with the environment's places in the project's folder.
func (p *cppProject) shell(script string) harness.Result {
	p.t.Helper()
	script = strings.NewReplacer("/build", p.root+"/build", "/assay/", p.root+"/assay/").Replace(script)
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir = filepath.Join(p.root, "testbed")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	res := harness.Result{End: harness.Exited, ExitCode: cmd.ProcessState.ExitCode(), Files: map[string][]byte{}}
	res.Output.Head = out
	require.NoError(p.t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(path, p.root+"/assay/") {
			data, _ := os.ReadFile(path)
			res.Files[strings.TrimPrefix(path, p.root)] = data
		}
		return nil
	}))
	return res
}

func (p *cppProject) suite(nonce string, published ...string) Suite {
	return Suite{Files: []string{"tests/a.cpp"}, Repo: p.repo, Nonce: nonce, Published: published}
}

func (p *cppProject) warm(published ...string) harness.Result {
	return p.shell("mkdir -p /assay/warm\n" + cppLanguage{}.Warm(p.env, p.suite("warm", published...)))
}

func (p *cppProject) run(nonce string, published ...string) (bench.Run, string) {
	s := p.suite(nonce, published...)
	c := cppLanguage{}.Command(p.env, s)
	res := p.shell("mkdir -p " + s.reports() + "\n" + c.Script)
	run := read("run", s, c, res).Run
	return run, string(res.Output.Head)
}

func statuses(run bench.Run) []string {
	var out []string
	for _, t := range run.Tests {
		out = append(out, t.ID+" "+string(t.Status))
	}
	sort.Strings(out)
	return out
}

const ctestProject = `cmake_minimum_required(VERSION 3.14)
project(small CXX)
option(SMALL_BUILD_TESTS "Build the tests" OFF)
if(SMALL_BUILD_TESTS)
  enable_testing()
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-Wall HAVE_FLAG_-Wall)
  add_executable(a tests/a.cpp)
  target_compile_options(a PRIVATE -Wall -Werror)
  add_test(NAME RunA COMMAND a)
  add_executable(b tests/b.cpp)
  add_test(NAME RunB COMMAND b)
endif()
`

func TestLiveCTest(t *testing.T) {
	ids := []string{"runa", "runb", "have_flag_-wall"}
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": ctestProject,
		"tests/a.cpp":    "int main() { int unused; return 0; }\n",
		"tests/b.cpp":    "int main() { return 0; }\n",
	}, ids...)
	require.Equal(t, idsCTest, p.env.IDs)
	require.Contains(t, p.env.Args, "-DSMALL_BUILD_TESTS=ON")
	warm := p.warm(ids...)
	require.Zero(t, warm.ExitCode, string(warm.Output.Head))

	run, log := p.run("gold", ids...)
	require.Equal(t, bench.RunDone, run.State, log)
	require.Equal(t, []string{"RunA passed", "RunB passed", "configure: HAVE_FLAG_-Wall passed"}, statuses(run))

	again := p.suite("again", ids...)
	again.Select = []string{"RunA"}
	p.write("tests/b.cpp", "this does not compile\n")
	c := cppLanguage{}.Command(p.env, again)
	res := p.shell("mkdir -p " + again.reports() + "\n" + c.Script)
	run = read("again", again, c, res).Run
	require.Equal(t, []string{"RunA passed", "configure: HAVE_FLAG_-Wall passed"}, statuses(run), string(res.Output.Head))
	require.Zero(t, res.ExitCode, "only the executables of the tests that run again are built")

	run, log = p.run("broken", ids...)
	require.Equal(t, bench.RunDone, run.State, log)
	require.Equal(t, []string{"RunA passed", "RunB error", "configure: HAVE_FLAG_-Wall passed"}, statuses(run), "the executable of an earlier build must not run")

	p.write("tests/a.cpp", "nor does this\n")
	run, log = p.run("all-broken", ids...)
	require.Equal(t, bench.RunUnbuilt, run.State, log)
}

func TestLiveWarmLearns(t *testing.T) {
	p := newCppProject(t, map[string]string{
		"CMakeLists.txt": ctestProject,
		"tests/a.cpp":    "namespace std {}\nint main() { return std::numeric_limits<int>::min() > 0; }\n",
		"tests/b.cpp":    "int main() { return 0; }\n",
	}, "runa")
	warm := p.warm("runa")
	require.Zero(t, warm.ExitCode, string(warm.Output.Head))
	require.Contains(t, string(warm.Output.Head), "assay: adds cxx -include limits")
	run, log := p.run("gold", "runa")
	require.Equal(t, []string{"RunA passed", "RunB passed"}, statuses(run), log)
}

// TestLiveWarmStarts has a framework's executables: one that the loader does
// not start makes no environment, a failing test does.
func TestLiveWarmStarts(t *testing.T) {
	for name, c := range map[string]struct {
		code int
		main string
	}{
		"fails":       {0, "int main() { return 1; }\n"},
		"not started": {1, "#include <unistd.h>\nint main() { _exit(127); }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newCppProject(t, map[string]string{
				"CMakeLists.txt": ctestProject, "tests/a.cpp": "// TEST_CASE(\n#include <catch2/catch.hpp>\n", "tests/b.cpp": "int main() {}\n",
			})
			require.Equal(t, "catch2", p.env.Framework)
			p.write("tests/a.cpp", c.main)
			res := p.warm()
			require.Equal(t, c.code, res.ExitCode, string(res.Output.Head))
		})
	}
}

func TestLiveWarmRefuses(t *testing.T) {
	for name, c := range map[string]struct{ cmake, says string }{
		"no target":        {"cmake_minimum_required(VERSION 3.14)\nproject(none CXX)\n", "built no executable"},
		"no test":          {"cmake_minimum_required(VERSION 3.14)\nproject(none CXX)\nadd_executable(a tests/a.cpp)\n", "adds no test"},
		"no configuration": {"cmake_minimum_required(VERSION 3.14)\nproject(none CXX)\nmessage(FATAL_ERROR \"lacks a thing\")\n", "CMake Error"},
		"a test that cannot be started": {
			"cmake_minimum_required(VERSION 3.14)\nproject(none CXX)\nenable_testing()\nadd_executable(b tests/a.cpp)\nadd_test(NAME a COMMAND /nowhere/a)\n",
			"no test of CTest's can be started at base without network",
		},
		"nothing that builds": {"cmake_minimum_required(VERSION 3.14)\nproject(none CXX)\nenable_testing()\nadd_executable(a CMakeLists.txt tests/bad.cpp)\nadd_test(NAME a COMMAND a)\n", "error: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := newCppProject(t, map[string]string{"CMakeLists.txt": c.cmake, "tests/a.cpp": "int main() {}\n", "tests/bad.cpp": "bad\n"}, "a")
			res := p.warm("a")
			require.Equal(t, 1, res.ExitCode, string(res.Output.Head))
			lines := strings.Split(strings.TrimSpace(string(res.Output.Head)), "\n")
			require.Contains(t, lines[len(lines)-1], c.says)
		})
	}
}
