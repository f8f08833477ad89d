package languages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// cppTool is a build tool other than CMake: what shows it, what it needs, and
// the shell that builds and tests with it.
type cppTool struct {
	// name is the value of env.framework.
	name string
	// file is the path that shows that a repository is built so, or "".
	file func(Repository) string
	// tests reports whether the build files add any test.
	tests func(Repository) bool
	// needs are the Debian packages, args the switches that add tests.
	needs func(Facts) ([]string, []bench.Decision, error)
	args  func(Facts) ([]string, []bench.Decision)
	// sources are repositories that the build would fetch; nil for none.
	sources func(Facts) ([]bench.Source, []bench.Decision)
	// shell defines functions: assay_build configures and builds all that
	// tests need, assay_built prints a line where there is something to test,
	// assay_test leaves the tests' reports in $R, assay_ran prints a line
	// where one of these is of a test that ran, assay_driver does as
	// assay_test does, for the tests whose programs a file lists, where it
	// can find them.
	shell string
	// formats are those of the reports, by the endings of their names.
	formats map[string]reports.Format
	// printed says that a report is what the tests printed.
	printed bool
}

// cppTools lists the build tools other than CMake, in the order in which they
// are looked for.
func cppTools() []cppTool { return []cppTool{mesonTool(), automakeTool(), makeTool()} }

// cppToolNamed is the tool of env.framework.
func cppToolNamed(name string) (cppTool, bool) {
	for _, t := range cppTools() {
		if t.name == name {
			return t, true
		}
	}
	return cppTool{}, false
}

// cppToolOf finds the tool of a repository that is not built with CMake, or
// whose CMake files add no test while those of another tool do.
func cppToolOf(repo Repository) (cppTool, bench.Decision, bool) {
	cmake := hasCMake(repo)
	if cmake && cmakeTests(cmakeFiles(repo)) {
		return cppTool{}, bench.Decision{}, false
	}
	for _, t := range cppTools() {
		file := t.file(repo)
		if file == "" || cmake && !t.tests(repo) {
			continue
		}
		why := "the project is built so"
		if cmake {
			why = "the CMake files add no test, and these do"
		}
		return t, bench.Decision{Field: "framework", Value: t.name, Why: why, File: file}, true
	}
	return cppTool{}, bench.Decision{}, false
}

// cmakeTests reports whether CMake files add tests.
func cmakeTests(commands []cmakeCommand) bool {
	return slices.ContainsFunc(commands, func(c cmakeCommand) bool {
		switch c.Name {
		case "enable_testing", "add_test", "gtest_discover_tests", "gtest_add_tests", "catch_discover_tests", "doctest_discover_tests":
			return true
		case "include":
			return c.arg(0) == "CTest"
		case "add_subdirectory":
			return testFolder(c.arg(0))
		}
		return false
	})
}

// defaults fills in the environment of a project that this tool builds.
func (t cppTool) defaults(env bench.Env, f Facts, why []bench.Decision) (bench.Env, []bench.Decision, error) {
	vars, d := cppCompiler(env, f.Repo)
	env.Vars, why = vars, append(why, d...)
	if env.Args == nil {
		env.Args, d = t.args(f)
		why = append(why, d...)
	}
	if env.Sources == nil {
		env.Sources, d = cppSourcesOf(f, nil)
		if t.sources != nil {
			more, m := t.sources(f)
			env.Sources, d = append(env.Sources, more...), append(d, m...)
		}
		why = append(why, d...)
	}
	if env.Packages == nil {
		packages, d, err := t.needs(f)
		if err != nil {
			return env, why, err
		}
		env.Packages, why = packages, append(why, d...)
	}
	return env, why, nil
}

// prepare is the shell that all scripts of a tool begin with. Programs named
// like compilers are before the real ones in the path: they add the flags of
// the wrapper, and those that the set-up learnt.
func (t cppTool) prepare(env bench.Env, suite Suite) string {
	source := path.Dir(t.file(suite.Repo))
	return fmt.Sprintf("B=%s\nA=%s\nASSAY_DIR=%s\nR=%s\nARGS=%s\nS=%s\nmkdir -p \"$ASSAY_DIR\" \"$R\" \"$A/bin\"\n",
		buildDir, cppSetUp, suite.dir(), suite.reports(), quote(strings.Join(env.Args, "\n")), quote(source)) +
		`touch "$A/cmake" "$A/cxx" "$A/c"` + "\n" + cppWrapper + cppShims + cppJobs + t.shell
}

// cppOffline prints the command that keeps what follows it from the network,
// where the sandbox lets a process give its network up.
const cppOffline = `assay_offline() { if unshare -n true 2>/dev/null; then echo "unshare -n"; fi; }
`

const cppShims = `for c in cc gcc clang c++ g++ clang++; do
  real=$(PATH=$(echo "$PATH" | sed "s|$A/bin:||g") command -v "$c") || continue
  case $c in *++) learnt=$A/cxx ;; *) learnt=$A/c ;; esac
  printf '#!/bin/sh\nset -- "%s" "%s" "$@" $(cat "%s")\n' "$A/compile" "$real" "$learnt" >"$A/bin/$c"
  cat >>"$A/bin/$c" <<'ASSAY_END'
if [ -z "$ASSAY_RECORD" ]; then exec "$@"; fi
{ pwd; printf '%s\n' "$@"; } >"$ASSAY_RECORD/$$"
"$@" || { code=$?; : >"$ASSAY_RECORD.failed"; exit $code; }
ASSAY_END
  chmod 755 "$A/bin/$c"
done
PATH=$A/bin:$PATH
export PATH GTEST_OUTPUT="xml:$R/gtest/"
`

// command builds and tests.
func (t cppTool) command(env bench.Env, suite Suite) Command {
	c := Command{
		Reports: []string{suite.reports() + "/*", suite.reports() + "/gtest/*.xml"},
		Env:     []string{"GTEST_COLOR=no"},
		ByName:  t.formats,
		Printed: t.printed,
	}
	own := t.ownOf(env, suite)
	if own != nil {
		c.Own, c.Nonce = own, &Nonce{Script: t.prepare(env, suite) + own.driven()}
	}
	system := suite.dir() + "/settings/system"
	c.Collect = []string{system}
	c.Settings = func(files map[string][]byte) Settings {
		s := own.driverSettings(files)
		s.Set(subjectMachine, "files changed by the build", string(files[system]))
		return s
	}
	c.Script = cppBegin + t.prepare(env, suite) + cppSelected(suite) + `ASSAY_RECORD=$ASSAY_DIR/commands
mkdir -p "$ASSAY_RECORD"
export ASSAY_RECORD
echo build >"$ASSAY_DIR/phase"
assay_build || { if [ -z "$(assay_built)" ]; then exit 1; fi; }
echo run >"$ASSAY_DIR/phase"
assay_test
rc=$?
(S=$ASSAY_DIR/settings
mkdir -p "$S"
` + cppSystemCheck + `)
if [ $rc -ne 0 ] && [ -z "$(ls "$R" "$R/gtest" 2>/dev/null | grep -v -e '^gtest$' -e ':$' -e '^$')" ]; then echo build >"$ASSAY_DIR/phase"; fi
exit $rc
`
	return c
}

// cppSelected narrows GoogleTest's executables to contributed tests.
func cppSelected(suite Suite) string {
	if filter := strings.TrimSpace(gtestFilter(suite.Select, nil)); filter != "" {
		return "export " + filter + "\n"
	}
	return ""
}

// warm builds at base, learns flags from known errors, and runs a test without
// network.
func (t cppTool) warm(env bench.Env, suite Suite) string {
	return t.prepare(env, suite) + cppLearn() + cppOffline + `ASSAY_WARM=1
tries=0
until assay_build >"$A/log" 2>&1; do
  cat "$A/log"
  tries=$((tries + 1))
  if [ $tries -gt 8 ] || ! assay_learn "$A/log"; then break; fi
done
cat "$A/log"
if [ -s "$A/decisions" ]; then cat "$A/decisions"; fi
if [ -z "$(assay_built)" ]; then
  why=$(tr -d '\r' <"$A/log" | grep -m 1 -E 'ERROR: |error: |\*\*\* |not found|No such file')
  echo "assay: the set-up built nothing, so that no test can run: $why"
  exit 1
fi
cat >"$A/first.sh" <<'ASSAY_FIRST_END'
` + t.prepare(env, suite) + `assay_test
ASSAY_FIRST_END
timeout 900 $(assay_offline) sh "$A/first.sh" </dev/null 2>&1
if [ -z "$(assay_ran)" ]; then
  echo "assay: no test of the project runs at base without network"
  exit 1
fi
exit 0
`
}

// uppermost is the path of the file with one of these names that is nearest
// to the root, outside of other people's projects; "" where there is none.
func uppermost(repo Repository, names ...string) string {
	best := ""
	for _, p := range repo.Paths() {
		if !slices.Contains(names, path.Base(p)) || foreign(p) {
			continue
		}
		if best == "" || strings.Count(p, "/") < strings.Count(best, "/") {
			best = p
		}
	}
	return best
}
