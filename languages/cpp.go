package languages

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
)

// cppLanguage builds with CMake. Where the published tests are a framework's,
// the executables run directly, since their reports are more detailed than
// CTest's; where they are CTest's, everything is built and CTest runs.
type cppLanguage struct{}

// buildDir is outside the repository, so that nothing in it can be submitted.
const buildDir = "/build"

func (cppLanguage) Defaults(env bench.Env, f Facts) (bench.Env, []bench.Decision, error) {
	var why []bench.Decision
	given := env.Framework != ""
	if tool, d, ok := cppToolOf(f.Repo); ok && !given && env.Test == "" {
		env.Framework = tool.name
		return tool.defaults(env, f, append(why, d))
	}
	if tool, ok := cppToolNamed(env.Framework); ok && env.Test == "" {
		if tool.file(f.Repo) == "" {
			return env, nil, fmt.Errorf("env.framework: %s, but the repository has no build file of %s", tool.name, tool.name)
		}
		return tool.defaults(env, f, why)
	}
	if !given {
		var d bench.Decision
		env.Framework, d = cppFramework(f.Repo, f.Files)
		why = append(why, d)
	}
	switch env.Framework {
	case "gtest", "catch2", "doctest", "ctest":
	default:
		if env.Test == "" {
			return env, nil, fmt.Errorf("framework %q is not one of C++'s (gtest, catch2, doctest, ctest, meson, automake, make)", env.Framework)
		}
	}
	switch env.IDs {
	case "", idsFramework, idsCTest, idsBoth:
	default:
		return env, nil, fmt.Errorf("env.ids: %q is not one of framework, ctest, both", env.IDs)
	}
	if env.IDs == "" && !given && len(f.Published) > 0 {
		var d bench.Decision
		env.IDs, d = cppPublisher(f.Published, env.Framework, f.Repo)
		why = append(why, d)
	}
	if env.TimeoutSeconds == 0 && len(f.Published) > 30 && (env.IDs == idsCTest || env.IDs == idsBoth) {
		env.TimeoutSeconds = 5400
		why = append(why, bench.Decision{Field: "timeout_seconds", Value: "5400", Why: "a change of a header rebuilds many tests"})
	}
	if env.Test != "" {
		return cppWithPackages(env, f, nil, why)
	}
	if !hasCMake(f.Repo) {
		return env, nil, errors.New("the repository has no CMakeLists.txt, meson.build, configure.ac or Makefile with a target that tests; projects that are built otherwise need env.test (with env.packages, env.setup and env.build)")
	}
	commands := cmakeFiles(f.Repo)
	vars, d := cppCompiler(env, f.Repo)
	env.Vars, why = vars, append(why, d...)
	if env.Args == nil {
		own := ownWords(commands)
		args, d := cppSwitches(append(presetOptions(f.Repo, own), cppOptions(commands)...), own, nil)
		env.Args, why = append(args, noMemoryChecker), append(append(why, d...), bench.Decision{
			Field: "args", Value: noMemoryChecker, Why: "what the machine has must not add tests or change how they run",
		})
	}
	if env.Sources == nil {
		var d []bench.Decision
		env.Sources, d = cppSourcesOf(f, commands)
		why = append(why, d...)
	}
	return cppWithPackages(env, f, commands, why)
}

// noMemoryChecker keeps CTest and the project's own files from a checker.
const noMemoryChecker = "-DMEMORYCHECK_COMMAND=OFF"

func hasCMake(repo Repository) bool {
	return slices.ContainsFunc(repo.Paths(), func(p string) bool { return path.Base(p) == "CMakeLists.txt" })
}

// cppWithPackages adds the Debian packages.
func cppWithPackages(env bench.Env, f Facts, commands []cmakeCommand, why []bench.Decision) (bench.Env, []bench.Decision, error) {
	if env.Packages != nil {
		return env, why, nil
	}
	needed, d, err := cmakePackages(commands)
	if err != nil {
		return env, why, err
	}
	env.Packages = []string{"cmake", "g++", "ninja-build"}
	if !ownNames(commands)[env.Framework] && !ownNames(commands)["googletest-distribution"] {
		env.Packages = append(env.Packages, cppPackages(env.Framework, f.Repo)...)
	}
	for _, s := range env.Sources {
		if s.Path == "" {
			needed = append(needed, "git")
		}
		if strings.Contains(s.Repo, "/googletest") {
			needed = append(needed, "googletest")
		}
	}
	for _, p := range needed {
		if !slices.Contains(env.Packages, p) {
			env.Packages = append(env.Packages, p)
		}
	}
	return env, append(why, d...), nil
}

// cppPackages are the frameworks that Debian has, for repositories without
// their own.
func cppPackages(framework string, repo Repository) []string {
	for _, p := range repo.Paths() {
		if strings.HasSuffix(p, "/gtest.h") || strings.HasSuffix(p, "/catch.hpp") || strings.HasSuffix(p, "/doctest.h") {
			return nil
		}
	}
	switch framework {
	case "gtest":
		return []string{"libgmock-dev", "libgtest-dev"}
	case "catch2":
		return []string{"catch2"}
	case "doctest":
		return []string{"doctest-dev"}
	}
	return nil
}

// published reports whether the run judges published ids of CTest's, of the
// framework, or both.
func (cppLanguage) published(env bench.Env, suite Suite) (direct, ctest bool) {
	if len(suite.Published) == 0 || env.IDs == "" {
		return env.Framework != "ctest", env.Framework == "ctest"
	}
	return env.IDs != idsCTest && env.Framework != "ctest", env.IDs != idsFramework || env.Framework == "ctest"
}
