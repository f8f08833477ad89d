package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// classified lists paths by kind, a language before each block.
const classified = `
python
  test: tests/test_basic.py test/test_aes.py sympy/core/tests/test_basic.py sympy/testing/tests/test_pytest.py
  test: tests/__init__.py tests/data/page.html testing/test_capture.py Tests/images/a.png app/tests.py app/foo_test.py
  test: tests/admin_views/models.py unit-tests/a.py functional_tests/b.py pylint/testdata/x.py test_app.py test.py
  test: pkg/test_data/a.json tests/requirements.txt tests/README.md tests/data/pkg/pyproject.toml e2e/run.py spec/a.py
  source: src/_pytest/python.py src/pytest/__init__.py src/flask/testing.py latest.py contest/solve.py attestation/a.py
  source: sympy/testing/runtests.py numpy/testing/utils.py werkzeug/test.py django/test/client.py django/test/__init__.py
  source: pkg/testify.py pkg/protest.py pkg/greatest_test_ever/x.py openapi/spec/schema.py pkg/contests/a.py
  source: pkg/json/__init__.py pkg/os.py types/foo.py
  runner: conftest.py tests/conftest.py pkg/conftest.py pytest.ini tests/pytest.ini tox.ini .coveragerc noxfile.py
  runner: sitecustomize.py src/usercustomize.py src/sitecustomize/__init__.py evil.pth src/__editable__.pth
  runner: pkg.egg-info/entry_points.txt a.dist-info/METADATA
  source: pluggy/__init__.py json/__init__.py re.py pytest.py coverage/data.py
  runner: pkg/__pycache__/core.cpython-311.pyc tests/pyproject.toml tests/unit/setup.cfg pytest.toml .pytest.ini
  build: pyproject.toml setup.cfg setup.py meson.build Makefile CMakeLists.txt requirements.txt requirements-dev.txt
  build: requirements/tests.txt sub/pyproject.toml
  doc: README.rst docs/index.md docs/conf.py CHANGES LICENSE .github/workflows/ci.yml CHANGELOG.md
java
  test: gson/src/test/java/com/google/gson/GsonTest.java src/test/resources/a.json src/integrationTest/java/A.java
  test: src/it/java/FooIT.java src/testFixtures/java/Help.java test/com/x/Helper.java tests/FooTest.java src/com/x/TestFoo.java
  test: src/com/x/FooTests.java src/test/resources/projects/pom.xml src/androidTest/java/A.java integration-tests/src/main/java/A.java
  source: test-shrinker/src/main/java/com/example/Main.java src/main/java/org/opentest4j/AssertionFailedError.java
  source: src/main/java/org/mockito/internal/DefaultTestFinishedEvent.java src/main/java/org/x/test/Foo.java
  source: spring-test/src/main/java/org/x/FooTest.java src/com/x/Testament.java src/com/x/Latest.java src/com/x/Contest2.java
  source: src/main/java/com/x/target/Goal.java src/jmh/java/Bench.java
  runner: .mvn/jvm.config mvnw mvnw.cmd gradlew gradle/wrapper/gradle-wrapper.properties a/gradle/wrapper/gradle-wrapper.jar
  runner: src/test/resources/junit-platform.properties testng.xml src/test/resources/META-INF/services/org.junit.platform.engine.TestEngine
  runner: src/test/java/org/junit/Assert.java src/main/java/junit/framework/TestCase.java target/surefire-reports/TEST-x.xml
  runner: module/target/classes/A.class src/test/java/org/junit/jupiter/api/Test.java
  build: pom.xml gson/pom.xml build.gradle build.gradle.kts settings.gradle gradle.properties gradle/libs.versions.toml buildSrc/src/main/java/P.java
  doc: README.md docs/a.html LICENSE.txt
cpp
  test: test/format-test.cc tests/src/unit-algorithms.cpp util/arena_test.cc src/foo_unittest.cc test/CMakeLists.txt
  test: googletest/test/gtest_list_tests_unittest.py samples/sample1_unittest.cc src/FooTest.cpp src/test_utils.h src/TestMain.cpp
  test: foo/testing/mock.h unittests/a.cpp .conan/test_package/conanfile.py
  source: src/format.cc include/fmt/test.h include/gtest/gtest-typed-test.h googletest/src/gtest.cc googletest/src/gtest-death-test.cc
  source: src/catch2/catch_test_macros.hpp doctest/doctest.h src/latest.cpp src/attest.cc src/catch2/internal/catch_test_registry.cpp
  source: single_include/catch2/catch.hpp src/contest.cpp
  runner: CTestCustom.cmake build/CTestTestfile.cmake DartConfiguration.tcl CTestConfig.cmake CMakeCache.txt a/CMakeFiles/x.txt
  runner: third_party/googletest/src/gtest.cc extern/catch.hpp tests/thirdparty/doctest/doctest.h Testing/Temporary/x.log
  build: CMakeLists.txt src/CMakeLists.txt cmake/test.cmake meson.build Makefile conanfile.txt BUILD.bazel
  doc: README.md docs/x.md doc/api.dox
`

func TestClassify(t *testing.T) {
	language, seen := "", 0
	for line := range strings.Lines(classified) {
		words := strings.Fields(line)
		if len(words) == 1 {
			language = words[0]
			continue
		}
		for i, p := range words {
			if i == 0 {
				continue
			}
			seen++
			t.Run(language+" "+p, func(t *testing.T) {
				require.Equal(t, strings.TrimSuffix(words[0], ":"), classify(language, p).String())
				require.Equal(t, words[0] == "test:", isTest(language, p))
				require.Equal(t, classify(language, p), classify(language, "./"+p), "not cleaned")
			})
		}
	}
	require.Greater(t, seen, 150)
}

func FuzzClassify(f *testing.F) {
	for line := range strings.Lines(classified) {
		for _, p := range strings.Fields(line) {
			f.Add(p)
		}
	}
	for _, p := range []string{`//..//\x`, `tests\test_a.py`, `src\test\java\a\ATest.java`, "/tests/test_a.py", "tests//test_a.py", "/conftest.py", `tests\a.cpp`} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		slashed := strings.ReplaceAll(p, `\`, "/")
		for _, language := range []string{Python, Java, Cpp} {
			k := classify(language, p)
			require.Contains(t, []string{"source", "test", "runner", "build", "doc"}, k.String())
			require.Equal(t, k == TestPath, isTest(language, p))
			// A path is the same however it is written.
			require.Equal(t, k, classify(language, slashed), "slashes either way")
			require.Equal(t, k, classify(language, "/"+strings.TrimPrefix(slashed, "/")), "from the root")
		}
	})
}
