package languages

import (
	"slices"
	"strings"
)

// runner recognises what only a runner reads. What is meant for another
// language's runner does no harm, and is left where it is.
func (f location) runner(language string) bool {
	switch language {
	case Python:
		return f.pythonRunner()
	case Java:
		return f.javaRunner()
	case Cpp:
		return f.cppRunner()
	}
	return false
}

// pythonRunner knows pytest's and unittest's configuration, what Python
// itself runs at start, plugins that announce themselves by entry points, and
// compiled modules that stand in for their source. Modules by the name of one
// that the runner imports are found when it starts: some repositories have
// their own.
func (f location) pythonRunner() bool {
	switch f.name {
	case "conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "tox.toml", "noxfile.py",
		".coveragerc", "coverage.ini", ".noserc", "nose.cfg", "unittest.cfg", "nose2.cfg", ".stestr.conf", ".testr.conf",
		"sitecustomize.py", "usercustomize.py", "pyvenv.cfg", ".pdbrc", ".python-version":
		return true
	}
	if f.ext == ".pth" && !f.within("data", "fixtures", "resources", "models", "weights") || f.ext == ".pyc" || f.ext == ".pyo" {
		return true
	}
	for _, d := range f.dirs {
		switch {
		case strings.HasSuffix(d, ".egg-info"), strings.HasSuffix(d, ".dist-info"), d == "__pycache__",
			d == ".pytest_cache", d == ".tox", d == ".nox", d == ".venv":
			return true
		}
	}
	if (f.name == "pyproject.toml" || f.name == "setup.cfg") && f.test(Python) {
		// Nearer to the tests than the repository's own, it would rule them.
		return !f.within("data", "fixtures", "resources", "testdata", "assets", "files", "examples", "projects")
	}
	return slices.Contains(f.dirs, "sitecustomize") || slices.Contains(f.dirs, "usercustomize")
}

// javaRunner knows wrappers, JUnit's and TestNG's configuration and services,
// reports and compiled classes, and sources that shadow the runner's own.
func (f location) javaRunner() bool {
	switch f.name {
	case "mvnw", "mvnw.cmd", "gradlew", "gradlew.bat", "junit-platform.properties", "testng.xml", "testng.yaml", ".mavenrc",
		"maven-wrapper.properties", "gradle-wrapper.properties", "gradle-wrapper.jar", "init.gradle", "init.gradle.kts",
		".java-version", ".sdkmanrc":
		return true
	}
	for i, d := range f.dirs {
		switch d {
		case ".mvn", ".gradle", ".m2", "surefire-reports", "failsafe-reports", "test-results":
			return true
		case "wrapper":
			if i > 0 && f.dirs[i-1] == "gradle" {
				return true
			}
		case "src":
			return f.shadowsJUnit(i)
		case "target":
			return true
		}
	}
	return f.ext == ".class"
}

// shadowsJUnit looks below src for packages of the runners, and for the
// service files by which listeners and engines announce themselves.
func (f location) shadowsJUnit(src int) bool {
	below := "/" + strings.Join(f.parts[src:], "/")
	for _, p := range []string{
		"/org/junit/", "/junit/framework/", "/junit/runner/", "/junit/textui/", "/org/testng/",
		"/org/apache/maven/surefire/", "/META-INF/services/org.junit.", "/META-INF/services/org.testng.",
		"/META-INF/services/org.apache.maven.",
	} {
		if strings.Contains(below, p) {
			return true
		}
	}
	return f.ext == ".class"
}

// cppRunner knows CTest's files, build trees, and vendored test frameworks.
func (f location) cppRunner() bool {
	switch f.name {
	case "CTestCustom.cmake", "CTestCustom.ctest", "CTestConfig.cmake", "CTestTestfile.cmake", "DartConfiguration.tcl",
		"DartConfig.cmake", "CMakeCache.txt", ".gdbinit", ".lldbinit", "asan_options", ".lsan-suppressions":
		return true
	}
	vendored := false
	for _, d := range f.dirs {
		switch strings.ToLower(d) {
		case "cmakefiles", ".cmake":
			return true
		case "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "extern", "external", "externals", "vendor", "vendored", "deps", "submodules":
			vendored = true
		case "googletest", "gtest", "gmock", "catch", "catch2", "doctest", "boost-ext":
			if vendored {
				return true
			}
		}
	}
	return f.parts[0] == "Testing" && len(f.dirs) > 0 ||
		vendored && (f.name == "catch.hpp" || f.name == "catch_amalgamated.hpp" || f.name == "catch_amalgamated.cpp" || f.name == "doctest.h" || f.name == "gtest.h")
}

// within reports whether one of the directories has one of the names.
func (f location) within(names ...string) bool {
	for _, d := range f.dirs {
		for _, n := range names {
			if strings.EqualFold(d, n) {
				return true
			}
		}
	}
	return false
}
