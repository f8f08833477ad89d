package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

func TestCppTools(t *testing.T) {
	const ctest, plain = "project(x)\nenable_testing()\n", "project(x)\nadd_library(x x.cpp)\n"
	for name, c := range map[string]struct {
		repo cppRepo
		tool string
		file string
	}{
		"CMake with tests":               {cppRepo{"CMakeLists.txt": ctest, "meson.build": "test('a', a)"}, "", ""},
		"CMake without, Meson with":      {cppRepo{"CMakeLists.txt": plain, "meson.build": "project('x')\n  test('a', a)"}, "meson", "meson.build"},
		"CMake without, Meson without":   {cppRepo{"CMakeLists.txt": plain, "meson.build": "project('x')"}, "", ""},
		"CMake without, Makefile with":   {cppRepo{"CMakeLists.txt": plain, "Makefile": "all:\ncheck: all\n"}, "make", "Makefile"},
		"Meson alone":                    {cppRepo{"meson.build": "project('x')"}, "meson", "meson.build"},
		"Meson of another project":       {cppRepo{"third_party/y/meson.build": "project('y')", "Makefile": "test:\n"}, "make", "Makefile"},
		"Autotools":                      {cppRepo{"configure.ac": "AC_INIT", "Makefile.am": "", "Makefile": "check:\n"}, "automake", "configure.ac"},
		"Autotools in a folder":          {cppRepo{"src/configure.in": "AC_INIT"}, "automake", "src/configure.in"},
		"Makefile without a test target": {cppRepo{"Makefile": "all: x\ntest := 1\n"}, "", ""},
		"Makefile in the folder of tests": {
			cppRepo{"Makefile": "all: x\n", "test/Makefile": "test : all\n"}, "make", "test/Makefile",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tool, d, ok := cppToolOf(c.repo)
			require.Equal(t, c.tool != "", ok)
			require.Equal(t, c.tool, tool.name)
			require.Equal(t, c.file, d.File)
		})
	}
}

func TestCppToolDefaults(t *testing.T) {
	for name, c := range map[string]struct {
		repo     cppRepo
		given    bench.Env
		args     []string
		packages []string
		sources  []bench.Source
	}{
		"Meson": {
			repo: cppRepo{
				"meson.build": "project('calc')\ndependency('zlib')\ndep = dependency('gtest_main', required: false)\nfind_program('bison')\n",
				"meson_options.txt": "option('calc_tests', type: 'boolean', value: false)\noption('tests', type : 'feature', value : 'auto')\n" +
					"option('unit-tests', type: 'boolean', value: true)\noption('gpu_tests', type: 'boolean', value: false)\noption('tests_dir', type: 'string')\n",
				"subprojects/dep.wrap":  "[wrap-git]\nurl = https://github.com/a/dep.git\nrevision = v1\n",
				"subprojects/head.wrap": "[wrap-git]\nurl = https://github.com/a/head\nrevision = head\ndirectory = other\n",
				"subprojects/zip.wrap":  "[wrap-file]\nsource_url = https://example.com/x.zip\n",
			},
			args:     []string{"-Dcalc_tests=true", "-Dtests=enabled"},
			packages: []string{"meson", "g++", "ninja-build", "pkg-config", "python3", "zlib1g-dev", "libgmock-dev", "libgtest-dev", "bison"},
			sources: []bench.Source{
				{Repo: "https://github.com/a/dep.git", Ref: "v1", Path: "subprojects/dep"},
				{Repo: "https://github.com/a/head", Ref: "HEAD", Path: "subprojects/other"},
			},
		},
		"Autotools": {
			repo: cppRepo{
				"configure.ac": "AC_INIT([calc], [1])\nAC_ARG_ENABLE([tests], [x])\nAC_ARG_ENABLE([calc-unit_tests])\nAC_ARG_WITH(gpu)\nAC_ARG_ENABLE([valgrind-tests])\n" +
					"PKG_CHECK_MODULES([CHECK], [check >= 0.9])\nAC_CHECK_LIB([z], [deflate])\nAC_PROG_YACC\nAX_CXX_COMPILE_STDCXX_11\n",
			},
			args:     []string{"--enable-tests", "--enable-calc-unit-tests"},
			packages: []string{"autoconf", "automake", "libtool", "g++", "make", "pkg-config", "check", "zlib1g-dev", "bison", "autoconf-archive"},
		},
		"make": {
			repo:     cppRepo{"Makefile": "LDLIBS = -lssl -lgtest -lpthread\ntest: x\n"},
			packages: []string{"g++", "make", "pkg-config", "libssl-dev", "libgmock-dev", "libgtest-dev"},
		},
		"what env says stays": {
			repo:     cppRepo{"Makefile": "LDLIBS = -lssl\ntest: x\n"},
			given:    bench.Env{Args: []string{"-x"}, Packages: []string{"clang"}, Sources: []bench.Source{}},
			args:     []string{"-x"},
			packages: []string{"clang"}, sources: []bench.Source{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			env, why, err := cppLanguage{}.Defaults(c.given, Facts{Repo: c.repo})
			require.NoError(t, err)
			require.Equal(t, c.args, env.Args)
			require.Equal(t, c.packages, env.Packages)
			require.Equal(t, c.sources, env.Sources)
			for _, d := range why {
				require.NotEmpty(t, d.Why, d.Value)
				require.NotEmpty(t, d.Field, d.Value)
			}
		})
	}
}

func TestCppToolByHand(t *testing.T) {
	repo := cppRepo{"CMakeLists.txt": "project(x)\nenable_testing()\n", "meson.build": "project('x')"}
	env, _, err := cppLanguage{}.Defaults(bench.Env{Framework: "meson"}, Facts{Repo: repo})
	require.NoError(t, err)
	require.Contains(t, env.Packages, "meson")
	_, _, err = cppLanguage{}.Defaults(bench.Env{Framework: "automake"}, Facts{Repo: repo})
	require.EqualError(t, err, "env.framework: automake, but the repository has no build file of automake")
}

func TestCppCompiler(t *testing.T) {
	given := map[string]string{"ASSAY_OPTIMIZE": "", "OTHER": "1"}
	vars, why := cppCompiler(bench.Env{Vars: given}, cppRepo{"CMakeLists.txt": "find_package(fmt)\n", "third_party/CMakeLists.txt": "find_library(libdw)"})
	require.Equal(t, map[string]string{"ASSAY_OPTIMIZE": "", "OTHER": "1", "ASSAY_COMPILE_FLAGS": "-Wno-error -Wno-error=pedantic -g0"}, vars)
	require.Len(t, why, 1)
	require.Len(t, given, 2)
	vars, why = cppCompiler(bench.Env{}, cppRepo{"src/CMakeLists.txt": "project(x)\nfind_library(LIBDW_LIBRARY)\n"})
	require.Equal(t, "-Wno-error -Wno-error=pedantic", vars["ASSAY_COMPILE_FLAGS"])
	require.Equal(t, "src/CMakeLists.txt", why[0].File)
	require.Equal(t, 2, why[0].Line)
}

func TestFormatsByName(t *testing.T) {
	c := Command{Format: reports.CTest, ByName: map[string]reports.Format{"": reports.GTest, ".xml": reports.Doctest, "log.xml": reports.Meson}}
	require.Equal(t, reports.Meson, c.formatOf("/a/testlog.xml"))
	require.Equal(t, reports.Doctest, c.formatOf("/a/b.xml"))
	require.Equal(t, reports.GTest, c.formatOf("/a/b"))
	require.Equal(t, reports.CTest, Command{Format: reports.CTest}.formatOf("/a/b"))
}
