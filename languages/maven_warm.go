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
// to compile and to run a test of every module that needs it. What was made gets
// one time: Maven compiles what is newer than its classes, and no older ones.
func mavenWarm(env bench.Env, suite Suite) string {
	required := env.Modules
	env.Modules = modulesFor(env, suite)
	if len(suite.Hidden) > 0 {
		hidden := suite
		hidden.Files = suite.Hidden
		required = javaModules(env, suite.Repo, hidden.Files)
	}
	args := warmArgs(env, suite)
	var must []string
	for _, m := range required {
		if warmTestIn(suite, m, env) != "" {
			must = append(must, m)
		}
	}
	if len(env.Modules) == 0 && len(warmTests(env, suite)) > 0 {
		must = []string{"."}
	}
	return fmt.Sprintf("%sMAVEN_OPTS=\"${MAVEN_OPTS:-} %s\"\nexport MAVEN_OPTS CI=true\n%sassay_warm %s -- %s || exit\n%s",
		mavenFunction, mavenOptions, mavenInstall(env, suite), quoteAll(must), quoteAll(args), mavenGold(env, suite)+stampFiles+"assay_stamp .\n")
}

// warmArgs are the arguments of a call that compiles what will be run and runs
// one test class of each module, and one of Failsafe's where there are any. A
// class that takes long is ended.
func warmArgs(env bench.Env, suite Suite) []string {
	args := append(mavenArgs(env), "-Dmaven.artifact.threads=8", "-Dsurefire.timeout=180")
	_, integration := mavenSplit(env, suite)
	tests := warmTests(env, suite)
	only := len(tests) == 0 && len(integration) > 0
	if only {
		tests = integration[:1] // Surefire runs nonce tests, and fetches what it needs for that when it has a test
	}
	if len(tests) > 0 {
		args = append(args, "-Dtest="+strings.Join(tests, ","))
	}
	if len(env.Modules) < 2 || only {
		args = append(args, "-Dmaven.test.failure.ignore=true")
	}
	return append(args, mavenGoal(integration[:min(1, len(integration))])...)
}

// mavenInstall packages what a plugin or a dependency reads as a file.
func mavenInstall(env bench.Env, suite Suite) string {
	dirs := packagedFor(readReactor(suite.Repo, jdkOf(env)), env)
	if len(dirs) == 0 {
		return ""
	}
	return "assay_online " + quoteAll(installArgs(env, dirs)) + "\n"
}

// warmTests are one test class of every module.
func warmTests(env bench.Env, suite Suite) []string {
	modules := env.Modules
	if len(modules) == 0 {
		modules = []string{"."}
	}
	var out []string
	for _, m := range modules {
		if c := warmTestIn(suite, m, env); c != "" {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// warmTestIn is the first plain test class in a module, of the suite's files
// or else of any.
func warmTestIn(suite Suite, module string, env bench.Env) string {
	for _, paths := range [][]string{suite.Files, suite.Repo.Paths()} {
		if c := firstTest(suite.Repo, paths, module, env); c != "" {
			return c
		}
	}
	return ""
}

func firstTest(repo Repository, paths []string, module string, env bench.Env) string {
	for _, p := range paths {
		if module != "." && moduleOf(env, p) != module || module == "." && (moduleOf(env, p) != "" || !strings.HasPrefix(p, "src/")) {
			continue
		}
		ext := path.Ext(p)
		if ext != ".java" && ext != ".kt" && ext != ".groovy" || !isTest(Java, p) {
			continue
		}
		c := javaClass(repo, p)
		if c == "" || !plainTest(repo.Text(p)) {
			continue
		}
		if unit, _ := mavenSplit(env, Suite{Repo: repo, Files: []string{p}}); env.Framework != "maven" || len(unit) > 0 {
			return c
		}
	}
	return ""
}

var (
	testMethod = regexp.MustCompile(`@Test\b|\bvoid\s+test\w*\s*\(\s*\)|@ParameterizedTest|extends\s+Specification`)
	abstract   = regexp.MustCompile(`\babstract\s+class\s|@Ignore\b|@Disabled|@Enabled|@Category|@Tag\b|@RunWith|@ExtendWith|\binterface\s+\w+Test\b`)
)

// plainTest recognises a class of tests that runs anywhere, as far as its
// text shows.
func plainTest(text string) bool {
	return testMethod.MatchString(text) && !abstract.MatchString(text)
}
