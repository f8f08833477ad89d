package languages

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// PathKind describes what a file of a repository is for.
type PathKind int

// The kinds of paths.
const (
	SourcePath PathKind = iota
	// TestPath is a test, or data and helpers next to tests.
	TestPath
	// RunnerPath is read only by a test runner, by the interpreter's or the
	// build tool's start, or shadows a part of them: a hook.
	RunnerPath
	// BuildPath describes how to build, and may describe how to test as well.
	BuildPath
	// DocPath is documentation, or what only people and forges read.
	DocPath
)

// String names the kind as reports do.
func (k PathKind) String() string {
	switch k {
	case TestPath:
		return "test"
	case RunnerPath:
		return "runner"
	case BuildPath:
		return "build"
	case DocPath:
		return "doc"
	}
	return "source"
}

// IsTest reports whether a path belongs to the tests.
func IsTest(l Language, p string) bool { return l.Classify(p) == TestPath }

// isTest reports whether a path belongs to the tests of a language that comes
// with assay.
func isTest(language, p string) bool { return classify(language, p) == TestPath }

// classify derives from a path alone what its file is for. It compares whole
// path parts and words of the file's name, never substrings: src/_pytest,
// flask/testing.py, contest/ and latest.py are source. Runner files come
// first, wherever they are; then what is among tests, build files too, since
// there they serve the tests alone.
func classify(language, p string) PathKind {
	p = path.Clean(strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "/"))
	f := location{path: p, parts: strings.Split(p, "/"), name: path.Base(p)}
	f.dirs = f.parts[:len(f.parts)-1]
	f.stem, f.ext = splitName(f.name)
	switch {
	case f.runner(language):
		return RunnerPath
	case f.test(language):
		return TestPath
	case f.build(language):
		return BuildPath
	case f.doc():
		return DocPath
	}
	return SourcePath
}

// location is a path split into parts.
type location struct {
	path  string
	parts []string
	dirs  []string
	name  string
	stem  string
	ext   string // lower case, with its dot
}

func splitName(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), strings.ToLower(ext)
}

// test decides by directories first, then by the file's name.
func (f location) test(language string) bool {
	dirs := f.dirs
	if language == Java {
		if set, before, ok := f.sourceSet(); ok {
			if set != "main" {
				return isTestSet(set)
			}
			dirs = before // what follows are packages
		}
	}
	if f.path == "django/test" || strings.HasPrefix(f.path, "django/test/") {
		return false // Django's public package of test helpers
	}
	for i, d := range dirs {
		if testDir(language, strings.ToLower(d), i == 0) || language == Cpp && f.cppTestDir(i) {
			return true
		}
	}
	switch language {
	case Python:
		return f.ext == ".py" && (strings.HasPrefix(f.stem, "test_") || strings.HasSuffix(f.stem, "_test") ||
			strings.HasSuffix(f.stem, "_tests") || f.stem == "tests" || f.stem == "test" && len(dirs) == 0)
	case Java:
		return (f.ext == ".java" || f.ext == ".kt" || f.ext == ".groovy") && len(dirs) == len(f.dirs) && javaTestName(f.stem)
	case Cpp:
		return f.cppTestName()
	}
	return genericTestDir(f.dirs) || genericTestName(f.stem)
}

// sourceSet finds Maven's and Gradle's src/SET/LANGUAGE; before are the
// directories above it.
func (f location) sourceSet() (set string, before []string, ok bool) {
	for i := 0; i+2 < len(f.parts); i++ {
		if f.parts[i] != "src" {
			continue
		}
		switch f.parts[i+2] {
		case "java", "kotlin", "groovy", "resources", "scala", "proto", "javadoc", "webapp", "moditect":
			return f.parts[i+1], f.parts[:i], true
		}
		if f.parts[i+1] == "main" || f.parts[i+1] == "test" {
			return f.parts[i+1], f.parts[:i], true
		}
	}
	return "", nil, false
}

// isTestSet recognises src/test, src/it, src/testFixtures and
// src/integrationTest.
func isTestSet(set string) bool {
	words := nameWords(set)
	for _, w := range words {
		if w == "test" || w == "tests" || w == "it" || w == "e2e" {
			return true
		}
	}
	return false
}

// testDir recognises directories that hold tests. top is the repository's own
// level: further down, "testing" is a package of helpers for others' tests.
func testDir(language, d string, top bool) bool {
	switch d {
	case "test", "tests", "unittest", "unittests", "e2e", "testdata", "testcase", "testcases", "testsuite", "testsuites":
		return true
	case "testing":
		return top || language == Cpp
	case "spec", "specs":
		return top
	}
	words := strings.FieldsFunc(d, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	if len(words) < 2 {
		return false
	}
	first, last := words[0], words[len(words)-1]
	if last == "tests" || last == "unittest" || last == "unittests" {
		return true
	}
	switch first {
	case "test", "tests":
		switch last {
		case "data", "files", "cases", "suite", "suites", "fixtures", "resources", "assets", "inputs", "output", "outputs",
			"examples", "apps", "programs", "package":
			return true
		}
	case "unit", "integration", "functional", "system", "acceptance", "regression", "smoke", "e2e", "performance", "compile":
		return last == "test"
	}
	return false
}

// cppTestDir recognises directories of a C++ project that are named after what
// they test, such as test_lib_json and toml-test. What is under include is an
// interface, and a test-runner is what the project offers to others.
func (f location) cppTestDir(i int) bool {
	words := nameWords(f.dirs[i])
	if len(words) < 2 || f.interfaces() {
		return false
	}
	last := words[len(words)-1]
	switch last {
	case "framework", "runner", "engine", "harness", "driver", "library":
		return false
	}
	return words[0] == "test" || words[0] == "tests" || last == "test"
}

// interfaces reports whether a file is among those that others include.
func (f location) interfaces() bool {
	return slices.Contains(f.dirs, "include") || slices.Contains(f.dirs, "single_include")
}

// javaTestName follows Surefire's and Failsafe's default patterns.
func javaTestName(stem string) bool {
	for _, suffix := range []string{"Test", "Tests", "TestCase", "IT", "ITCase"} {
		if strings.HasSuffix(stem, suffix) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(stem, "Test")
	return ok && rest != "" && unicode.IsUpper(rune(rest[0]))
}

// cppTestName looks for a test word at either end of a C++ file's name, which
// may be written as one with what it tests: xmltest.cpp. What is under include
// is an interface of a library, of a test library at most.
func (f location) cppTestName() bool {
	if !about(Cpp).IsRelated(f.path) || f.interfaces() {
		return false
	}
	words := nameWords(f.stem)
	if len(words) > 0 && (words[0] == "gtest" || words[0] == "gmock") && f.within("src") {
		return false // GoogleTest's own source: gtest-death-test.cc
	}
	if len(words) == 0 {
		return false
	}
	first, last := words[0], words[len(words)-1]
	return testWord(first) || testWord(last) || about(Cpp).IsRunnable(f.path) && endsInTest(last)
}

func testWord(w string) bool {
	switch w {
	case "test", "tests", "unittest", "unittests":
		return true
	}
	return false
}

// endsInTest recognises xmltest and coretests, but not English words that end so
// or names of test tools. It is not used for headers: those with such names are
// mostly test tools.
func endsInTest(w string) bool {
	w = strings.TrimSuffix(w, "s")
	switch w {
	case "attest", "contest", "detest", "protest", "latest", "brightest", "cutest", "fastest", "fattest", "fittest", "flattest",
		"greatest", "hottest", "lightest", "neatest", "quietest", "shortest", "slightest", "smartest", "softest", "straightest",
		"strictest", "sweetest", "swiftest", "tightest", "wettest", "whitest",
		"gtest", "ctest", "doctest", "pytest", "boosttest", "utest", "acutest":
		return false
	}
	return strings.HasSuffix(w, "test")
}

// nameWords splits a name at punctuation and where a capital follows a small
// letter, in lower case.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// build recognises build files of all languages: repositories mix them.
func (f location) build(language string) bool {
	switch f.name {
	case "pom.xml", "settings.gradle", "settings.gradle.kts", "gradle.properties", "build.xml", "ivy.xml", "lombok.config",
		"CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "Makefile", "makefile", "GNUmakefile", "Makefile.am",
		"configure.ac", "configure", "meson.build", "meson_options.txt", "meson.options", "SConstruct", "SConscript",
		"BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", ".bazelrc", "conanfile.txt", "conanfile.py",
		"vcpkg.json", "xmake.lua", "premake5.lua", "pyproject.toml", "setup.cfg", "setup.py", "MANIFEST.in", "Pipfile",
		"Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "environment.yml", "environment.yaml", "pixi.toml", "Dockerfile",
		".gitmodules":
		return true
	}
	switch f.ext {
	case ".gradle", ".cmake", ".mk", ".bzl", ".bazel":
		return true
	case ".pri", ".pro":
		return language == Cpp
	}
	if strings.HasSuffix(f.name, ".gradle.kts") || strings.HasSuffix(f.name, ".cmake.in") {
		return true
	}
	if language == Java && (f.parts[0] == "buildSrc" || f.parts[0] == "gradle" && f.ext == ".toml") {
		return true
	}
	requirements := strings.HasPrefix(f.name, "requirements") || strings.HasSuffix(f.stem, "requirements") || strings.HasPrefix(f.name, "constraints")
	return f.ext == ".txt" && requirements || f.ext == ".txt" && len(f.dirs) > 0 && f.dirs[len(f.dirs)-1] == "requirements"
}

func (f location) doc() bool {
	switch f.ext {
	case ".md", ".rst", ".adoc", ".markdown":
		return true
	}
	if len(f.dirs) > 0 {
		switch f.parts[0] {
		case "doc", "docs", "documentation", ".github", ".gitlab", ".circleci", ".changes", "changelog", "changelog.d", "newsfragments":
			return true
		}
	}
	switch strings.ToUpper(f.stem) {
	case "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "README",
		"CITATION", "CODEOWNERS", "MAINTAINERS", "RELEASE_NOTES", "THANKS", "TODO":
		return f.ext == "" || f.ext == ".txt" || f.ext == ".cff" || f.ext == ".html"
	}
	switch f.name {
	case ".gitignore", ".gitattributes", ".mailmap", ".editorconfig", ".travis.yml", "appveyor.yml", ".appveyor.yml",
		"azure-pipelines.yml", ".pre-commit-config.yaml", ".readthedocs.yml", ".readthedocs.yaml", "codecov.yml", ".codecov.yml":
		return true
	}
	return false
}
