package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pathNames lists every name that the rules of paths know, by language and kind,
// and names that come close. A name that a rule loses is missed here.
const pathNames = `
any build: pom.xml settings.gradle settings.gradle.kts gradle.properties build.xml ivy.xml lombok.config CMakeLists.txt
any build: CMakePresets.json CMakeUserPresets.json Makefile makefile GNUmakefile Makefile.am configure.ac configure meson.build
any build: meson_options.txt meson.options SConstruct SConscript BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc
any build: conanfile.txt conanfile.py vcpkg.json xmake.lua premake5.lua pyproject.toml setup.cfg setup.py MANIFEST.in Pipfile
any build: Pipfile.lock poetry.lock uv.lock pdm.lock environment.yml environment.yaml pixi.toml Dockerfile .gitmodules
any build: x.gradle x.cmake x.mk x.bzl x.bazel build.gradle.kts config.cmake.in requirements.txt requirements-dev.txt dev-requirements.txt
any build: constraints.txt requirements/dev.txt a/requirements/dev.txt sub/Makefile
any source: a/x.in requirements/dev.in notes.txt my/requirements.md.py x.json a/b.yaml
cpp build: a.pri a.pro
java source: a.pri a.pro
java build: buildSrc/a.kt buildSrc/src/main/java/A.java gradle/libs.toml
python source: buildSrc/a.kt gradle/libs.toml
java source: gradle/libs.txt2 other/libs.toml
any doc: a.md a.rst a.adoc a.markdown doc/a.x docs/a.x documentation/a.x .github/a.x .gitlab/a.x .circleci/a.x .changes/a.x
any doc: changelog/a.x changelog.d/a.x newsfragments/a.x LICENSE LICENCE COPYING NOTICE AUTHORS CONTRIBUTORS CHANGELOG CHANGES
any doc: HISTORY NEWS README CITATION CODEOWNERS MAINTAINERS RELEASE_NOTES THANKS TODO LICENSE.txt CITATION.cff NEWS.html readme
any doc: .gitignore .gitattributes .mailmap .editorconfig .travis.yml appveyor.yml .appveyor.yml azure-pipelines.yml
any doc: .pre-commit-config.yaml .readthedocs.yml .readthedocs.yaml codecov.yml .codecov.yml
any source: docs a/docs/a.x LICENSE.py NEWS.py licenses TODO.x src/a.x
any test: test/a.x tests/a.x b/unittest/a.x unittests/a.x e2e/a.x testdata/a.x testcase/a.x testcases/a.x testsuite/a.x testsuites/a.x
any test: a/test/b.x a/TESTS/b.x testing/a.x spec/a.x specs/a.x unit_tests/a.x my-unittests/a.x a.tests/b.x foo-unittest/a.x
any test: test-data/a.x test_files/a.x tests-cases/a.x test-suite/a.x test_suites/a.x test_fixtures/a.x test_resources/a.x
any test: test_assets/a.x test-inputs/a.x test_output/a.x test_outputs/a.x test_examples/a.x test_apps/a.x test_programs/a.x test_package/a.x
any test: unit-test/a.x integration_test/a.x functional-test/a.x system_test/a.x acceptance_test/a.x regression-test/a.x smoke_test/a.x
any test: e2e-test/a.x performance_test/a.x compile_test/a.x
any source: a/spec/b.x a/specs/b.x testify/a.x contest/a.x unit/a.x latest/a.x unit_data/a.x
python source: test_foo/a.x foo_test/a.x test-shrinker/a.x
java source: test_foo/a.x foo_test/a.x test-shrinker/a.x
cpp test: test_foo/a.x foo_test/a.x a/test_lib_foo/main.cpp tests_cpp/a.h toml-test/a.h TestFoo/a.c
cpp source: test_framework/a.cc test-runner/a.cc test_engine/a.cc test-harness/a.h test-driver/a.c test_library/a.h
cpp source: include/test_foo/a.h a/include/foo_test/a.h tester_foo/a.h
python source: a/testing/b.py a/test.py testing.py my_testing.py contest.py test-a.py tests.txt
python test: test_a.py a/test_b.py a_test.py a_tests.py tests.py a/tests.py test.py
cpp test: a/testing/b.cc
java source: a/testing/b.java django/testing.x
python source: django/test/client.py django/test
java test: src/test/java/A.java src/it/java/A.java src/e2e/java/A.java src/tests/java/A.java src/integrationTest/kotlin/A.kt
java test: src/testFixtures/groovy/A.groovy m/src/test/resources/a.x src/test/scala/A.scala src/test/proto/a.proto src/test/other/a.x
java test: src/functionalTest/javadoc/a.x src/test/webapp/a.x src/it/moditect/a.x
java source: src/main/java/ATest.java src/main/java/test/A.java src/jmh/java/ATest.java src/main/other/ATest.java src/gen/java/tests/A.java
java test: tests/src/main/java/A.java a/ATest.java ATests.java ATestCase.java AIT.java AITCase.java TestA.java ATest.kt ATest.groovy
java source: Testa.java Test.java2 Contest.py Attest.java TestAa.x Edit.java
cpp test: a_test.cc test_a.cpp FooTest.cxx a-tests.c++ unittest_a.c a_unittests.h test.hh tests.hpp x_test.hxx x_test.cu x_test.mm x_test.ipp
cpp test: x_test.inl x_test.cppm src/my_test.cc
cpp test: xmltest.cpp src/jsontest.cc a-coretests.c runTests.cpp
cpp source: xmltest.h utest.h include/xmltest.cpp xmltest.py latest.cpp my_latest.cpp attests.c contest.cpp gtest.cc doctest.cpp pytest.cpp
cpp source: include/a_test.h single_include/a_test.h x_test.py contest.cc a_testing.cc googletest/src/gtest-death-test.cc src/gmock_test.cc
cpp test: gmock/gmock_test.cc gtest_x_test.cc
python runner: conftest.py a/conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini tox.toml noxfile.py .coveragerc
python runner: coverage.ini .noserc nose.cfg unittest.cfg nose2.cfg .stestr.conf .testr.conf sitecustomize.py usercustomize.py pyvenv.cfg
python runner: .pdbrc .python-version a.pth a.pyc a.pyo a.egg-info/x a.dist-info/x __pycache__/x .pytest_cache/x .tox/x .nox/x .venv/x
python runner: tests/pyproject.toml tests/setup.cfg src/sitecustomize/__init__.py usercustomize/a.py
python source: pytest.py _pytest.py pluggy.py coverage.py importlib_metadata.py json.py os.py pytest/a.py json/a.txt
python source: data/a.pth models/a.pth weights/a.pth lib/json.py json.txt src/pytest.py pytester.py
python test: tests/data/a.pth tests/fixtures/pyproject.toml tests/resources/setup.cfg tests/testdata/setup.cfg tests/assets/setup.cfg
python test: tests/files/setup.cfg tests/examples/setup.cfg tests/projects/pyproject.toml
java source: conftest.py pytest.ini os.py
java runner: mvnw mvnw.cmd gradlew gradlew.bat junit-platform.properties testng.xml testng.yaml .mavenrc maven-wrapper.properties
java runner: gradle-wrapper.properties gradle-wrapper.jar init.gradle init.gradle.kts .java-version .sdkmanrc .mvn/x .gradle/x .m2/x
java runner: a/surefire-reports/x failsafe-reports/x test-results/x gradle/wrapper/x a/gradle/wrapper/x target/x a/target/x A.class src/a/B.class
java runner: src/main/java/org/junit/A.java src/main/java/junit/framework/A.java src/main/java/junit/runner/A.java src/main/java/junit/textui/A.java
java runner: src/main/java/org/testng/A.java src/main/java/org/apache/maven/surefire/A.java src/test/resources/META-INF/services/org.junit.x
java runner: src/test/resources/META-INF/services/org.testng.x src/main/resources/META-INF/services/org.apache.maven.x
java source: wrapper/x a/wrapper/x src/main/java/org/junitpioneer/A.java src/main/java/target/A.java src/main/java/junit/A.java
cpp source: mvnw conftest.py a.class
cpp runner: CTestCustom.cmake CTestCustom.ctest CTestConfig.cmake CTestTestfile.cmake DartConfiguration.tcl DartConfig.cmake CMakeCache.txt
cpp runner: .gdbinit .lldbinit asan_options .lsan-suppressions CMakeFiles/x .cmake/x Testing/x third_party/googletest/x third-party/gtest/x
cpp runner: thirdparty/gmock/x 3rdparty/catch/x 3rd_party/catch2/x extern/doctest/x external/boost-ext/x externals/gtest/x vendor/gtest/x
cpp runner: vendored/gtest/x deps/gtest/x submodules/gtest/x Vendor/GTest/x vendor/catch.hpp vendor/catch_amalgamated.hpp
cpp runner: vendor/catch_amalgamated.cpp vendor/doctest.h vendor/gtest.h
cpp source: googletest/x catch.hpp vendor/x.h gtest/vendor/x a/Testing.cc
`

// TestNames checks each rule of paths with every name that it lists.
func TestNames(t *testing.T) {
	seen := 0
	for line := range strings.Lines(strings.TrimSpace(pathNames)) {
		head, list, ok := strings.Cut(line, ": ")
		language, kind, both := strings.Cut(head, " ")
		require.True(t, ok && both, line)
		languages := []string{language}
		if language == "any" {
			languages = Default().Names()
		}
		for _, p := range strings.Fields(list) {
			for _, l := range languages {
				seen++
				require.Equal(t, kind, classify(l, p).String(), "%s in %s", p, l)
			}
		}
	}
	require.Greater(t, seen, 700)
	require.Equal(t, SourcePath, classify("cobol", "conftest.py"))
	require.Equal(t, TestPath, classify(Python, `/tests\a.py`), "slashes either way")
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"integrationTest": "integration test", "FOOBar": "foobar", "a1B": "a1 b", "unit-test_x": "unit test x", "": "", "é_Test": "é test",
	} {
		require.Equal(t, want, strings.Join(nameWords(name), " "), name)
	}
}
