package languages

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// mavenFunction is shell that builds with network and then offline.
//
//go:embed maven_warm.sh
var mavenFunction string

// mavenWarm compiles every module whose tests will run and runs one test class
// in each, with network: that fetches the plugins, among them the provider that
// Surefire resolves only when it runs. Then it does the same offline, which has
// to compile and to run a test of every module that needs it.
func mavenWarm(env bench.Env, suite Suite) string {
	required := env.Modules
	env.Modules = modulesFor(env, suite)
	if len(suite.Hidden) > 0 {
		hidden := suite
		hidden.Files = suite.Hidden
		required = javaModules(env, suite.Repo, hidden.Files)
	}
	args := append(mavenArgs(env), "-Dmaven.artifact.threads=8")
	tests := warmTests(env, suite)
	if len(tests) > 0 {
		args = append(args, "-Dtest="+strings.Join(tests, ","))
	}
	if len(env.Modules) < 2 {
		args = append(args, "-Dmaven.test.failure.ignore=true")
	}
	var must []string
	for _, m := range required {
		if len(warmTestsIn(suite, []string{m}, env.Modules)) > 0 {
			must = append(must, m)
		}
	}
	if len(env.Modules) == 0 && len(tests) > 0 {
		must = []string{"."}
	}
	return fmt.Sprintf("%sMAVEN_OPTS=\"${MAVEN_OPTS:-} %s\"\nexport MAVEN_OPTS CI=true\nassay_warm %s -- %s\n",
		mavenFunction, mavenOptions, quoteAll(must), quoteAll(append(args, "test")))
}

// warmTests are one test class of every module.
func warmTests(env bench.Env, suite Suite) []string {
	modules := env.Modules
	if len(modules) == 0 {
		modules = []string{"."}
	}
	var out []string
	for _, m := range modules {
		out = append(out, warmTestsIn(suite, []string{m}, modules)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// warmTestsIn is the first plain test class in a module, of the suite's files
// or else of any.
func warmTestsIn(suite Suite, modules, all []string) []string {
	var out []string
	for _, m := range modules {
		for _, paths := range [][]string{suite.Files, suite.Repo.Paths()} {
			if c := firstTest(suite.Repo, paths, m, all); c != "" {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func firstTest(repo Repository, paths []string, module string, all []string) string {
	env := bench.Env{Modules: all}
	for _, p := range paths {
		if module != "." && moduleOf(env, p) != module || module == "." && (moduleOf(env, p) != "" || !strings.HasPrefix(p, "src/")) {
			continue
		}
		ext := path.Ext(p)
		if ext != ".java" && ext != ".kt" && ext != ".groovy" || !IsTest(Java, p) {
			continue
		}
		if c := javaClass(repo, p); c != "" && plainTest(repo.Text(p), path.Base(c)) {
			return c
		}
	}
	return ""
}

var (
	testMethod = regexp.MustCompile(`@Test\b|\bvoid\s+test\w*\s*\(\s*\)|@ParameterizedTest|extends\s+Specification`)
	abstract   = regexp.MustCompile(`\babstract\s+class\s|@Ignore\b|@Disabled|@Enabled|@Category|@Tag\b|@RunWith|@ExtendWith|\binterface\s+\w+Test\b`)
)

// plainTest tells a class of tests that runs anywhere, as far as its text says.
func plainTest(text, _ string) bool {
	return testMethod.MatchString(text) && !abstract.MatchString(text)
}
