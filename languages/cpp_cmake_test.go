package languages

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// cppRepo is a repository made of texts.
type cppRepo map[string]string

func (r cppRepo) Paths() []string {
	var out []string
	for p := range r {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

func (r cppRepo) Text(p string) string { return r[p] }

func TestCMakeCommands(t *testing.T) {
	commands := cmakeCommands("CMakeLists.txt", `# option(NOT_THIS "x" OFF)
#[[ option(NOR_THIS "x" OFF)
]] option(A_BUILD_TESTS "say \"hi\"" OFF)
set(X
  [=[one ]] two]=] "three;four" five;six) # end
if(A AND (B OR NOT C))
`)
	var got []string
	for _, c := range commands {
		got = append(got, fmt.Sprintf("%d %s %s", c.Line, c.Name, strings.Join(c.Args, "|")))
	}
	require.Equal(t, []string{
		`3 option A_BUILD_TESTS|say "hi"|OFF`,
		`4 set X|one ]] two|three;four|five|six`,
		`6 if A|AND|B|OR|NOT|C`,
	}, got)
}

func FuzzCMakeCommands(f *testing.F) {
	for _, seed := range []string{"", "option(", "set(A \"", "#[[", "[=[", "a(b(c)d)", "if(A AND \\", "x(-DA=\"b c\")"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, c := range cmakeCommands("f", text) {
			require.NotEmpty(t, c.Name)
			require.LessOrEqual(t, c.Line, lines)
		}
	})
}

func TestCppSwitches(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"an option that is off":          {`option(FOO_BUILD_TESTS "Build tests" OFF)`, []string{"-DFOO_BUILD_TESTS=ON"}},
		"an option that is on":           {`option(FOO_BUILD_TESTS "Build tests" ON)`, nil},
		"an option by a variable":        {`option(FOO_TEST "Tests" ${MASTER})`, []string{"-DFOO_TEST=ON"}},
		"camel case":                     {`option(JSON_BuildTests "Build tests" OFF)`, []string{"-DJSON_BuildTests=ON"}},
		"developer mode":                 {`option(FOO_DEVELOPER_MODE "For developers" OFF)`, []string{"-DFOO_DEVELOPER_MODE=ON"}},
		"development build":              {`option(FOO_DEVELOPMENT_BUILD "For developers" OFF)`, []string{"-DFOO_DEVELOPMENT_BUILD=ON"}},
		"a name of several words":        {"project(foo_bar)\noption(FOO_BAR_ENABLE_TESTING \"x\" OFF)", []string{"-DFOO_BAR_ENABLE_TESTING=ON"}},
		"tests of another kind":          {`option(FOO_CUDA_TEST "x" OFF)`, nil},
		"tests on another machine":       {`option(JSON_32bitTest "x" OFF)`, nil},
		"tests left out":                 {`option(JSON_FastTests "Skip expensive/slow tests." OFF)`, nil},
		"expensive by its description":   {`option(FOO_TESTS "x. VERY EXPENSIVE" OFF)`, nil},
		"a cached boolean":               {`set(FOO_TESTS OFF CACHE BOOL "x")`, []string{"-DFOO_TESTS=ON"}},
		"a dependent option":             {`cmake_dependent_option(FOO_BUILD_TESTING "x" ON "FOO_DEV" OFF)`, nil},
		"a guard that nothing declares":  {"if(FOO_WITH_TESTS)\n  add_subdirectory(tests)\nendif()", []string{"-DFOO_WITH_TESTS=ON"}},
		"a guard of CMake's own":         {"if(CMAKE_PROJECT_NAME STREQUAL PROJECT_NAME)\n  add_subdirectory(tests)\nendif()", nil},
		"warnings as errors":             {`option(FOO_ENABLE_WERROR "x" ON)`, []string{"-DFOO_ENABLE_WERROR=OFF"}},
		"benchmarks that are downloaded": {`option(FOO_GOOGLE_BENCHMARKS "x" ON)`, []string{"-DFOO_GOOGLE_BENCHMARKS=OFF"}},
		"benchmarks that are off":        {`option(FOO_GOOGLE_BENCHMARKS "x" OFF)`, nil},
		"coverage stays as it is":        {`option(FOO_ENABLE_COVERAGE "x" OFF)`, nil},
		"debug output of a helper":       {`option(PARSE_CATCH_TESTS_VERBOSE "Print messages" OFF)`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			commands := cmakeCommands("CMakeLists.txt", c.text)
			got, why := cppSwitches(cppOptions(commands), ownWords(commands), nil)
			require.Equal(t, c.want, got)
			for i, d := range why {
				require.Equal(t, bench.Decision{Field: "args", Value: c.want[i], Why: d.Why, File: "CMakeLists.txt", Line: strings.Count(c.text[:strings.LastIndex(c.text, "FOO")+1], "\n") + 1}.Value, d.Value)
				require.Equal(t, "CMakeLists.txt", d.File)
				require.Positive(t, d.Line)
			}
		})
	}
	got, _ := cppSwitches([]cppOption{{name: "A_TESTS"}}, nil, []string{"-DA_TESTS:BOOL=OFF"})
	require.Empty(t, got, "what env says stays")
}

func TestCppPresets(t *testing.T) {
	repo := cppRepo{"CMakePresets.json": `{"configurePresets": [
  {"name": "dev", "cacheVariables": {
    "FOO_DEVELOPER_MODE": "ON",
    "FOO_BUILD_FUZZERS": "ON", "FOO_TESTS": {"type": "BOOL", "value": "ON"}}}]}`}
	got := presetOptions(repo, nil)
	require.Equal(t, []cppOption{{name: "FOO_DEVELOPER_MODE", file: "CMakePresets.json", line: 3}}, got)
	require.Empty(t, presetOptions(cppRepo{"CMakePresets.json": "{"}, nil))
}

func TestCMakePackages(t *testing.T) {
	commands := append(cmakeCommands("CMakeLists.txt", `project(FMT CXX)
find_package(OpenSSL)
find_package(Boost)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)`), append(
		cmakeCommands("test/CMakeLists.txt", "find_package(GTest)\nfind_package(Boost)"),
		cmakeCommands("cmake/Coverage.cmake", "find_program(LCOV_PATH lcov)\nif(NOT LCOV_PATH)\nmessage(FATAL_ERROR \"lcov not found\")\nendif()")...)...)
	got, why, err := cmakePackages(commands)
	require.NoError(t, err)
	require.Equal(t, []string{"libssl-dev", "zlib1g-dev", "libgmock-dev", "libgtest-dev", "libboost-all-dev", "lcov"}, got)
	require.Equal(t, bench.Decision{Field: "packages", Value: "libssl-dev", Why: "the build looks for OpenSSL", File: "CMakeLists.txt", Line: 2}, why[0])
}

func TestCppTables(t *testing.T) {
	rows, err := cppKnown()
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	for _, r := range rows {
		require.NotEmpty(t, r.Pattern)
		require.NotEmpty(t, r.Why)
		require.NotEmpty(t, r.CMake+r.CXX+r.C, r.Pattern)
	}
	_, err = readPackageTable()
	require.NoError(t, err)
}
