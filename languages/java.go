package languages

import (
	"fmt"
	"path"
	"regexp"
	"sort"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// javaLanguage runs Maven (Surefire) or Gradle.
type javaLanguage struct{}

func (javaLanguage) Defaults(env bench.Env, f Facts) (bench.Env, []bench.Decision, error) {
	if env.Framework == "" {
		env.Framework = javaFramework(f.Repo)
	}
	switch env.Framework {
	case "maven":
		if env.Packages == nil {
			env.Packages = []string{"maven", "openjdk-17-jdk-headless"}
		}
	case "gradle":
		if env.Packages == nil {
			env.Packages = []string{"gradle", "openjdk-17-jdk-headless"}
		}
	default:
		if env.Test == "" {
			return env, nil, fmt.Errorf("framework %q is not one of Java's (maven, gradle), and the repository has neither pom.xml nor build.gradle", env.Framework)
		}
	}
	if env.Modules == nil {
		env.Modules = javaModules(env.Framework, f.Repo, f.Files)
	}
	return env, nil, nil
}

func javaFramework(repo Repository) string {
	switch {
	case repo.Text("pom.xml") != "":
		return "maven"
	case repo.Text("build.gradle") != "" || repo.Text("build.gradle.kts") != "":
		return "gradle"
	}
	return ""
}

// javaModules are the nearest folders above the test files that hold a build
// file; the root itself is no module.
func javaModules(framework string, repo Repository, testFiles []string) []string {
	builds := []string{"pom.xml"}
	if framework == "gradle" {
		builds = []string{"build.gradle", "build.gradle.kts"}
	}
	seen := map[string]bool{}
	for _, f := range testFiles {
		for dir := path.Dir(f); dir != "."; dir = path.Dir(dir) {
			if anyExists(repo, dir, builds) {
				seen[dir] = true
				break
			}
		}
	}
	out := make([]string, 0, len(seen))
	for m := range seen {
		out = append(out, m)
	}
	sort.Strings(out)
	return out
}

func anyExists(repo Repository, dir string, names []string) bool {
	for _, n := range names {
		if repo.Text(path.Join(dir, n)) != "" {
			return true
		}
	}
	return false
}

// Warm runs the suite's tests once with network: that fetches the plugins,
// among them the test provider that Surefire resolves only when it runs.
func (javaLanguage) Warm(env bench.Env, suite Suite) string {
	suite.Files = warmFiles(suite)
	env.Modules = modulesFor(env, suite)
	if env.Framework == "gradle" {
		filter := suite.dir() + "/filter.gradle"
		return "cat >" + quote(filter) + " <<'ASSAY'\n" + gradleFilter(suite) + "ASSAY\n" + gradleScript(env, suite, "") + "true\n"
	}
	return mavenScript(env, suite, "") + "true\n"
}

// warmFiles are the suite's files that exist at base, or else any test class.
func warmFiles(suite Suite) []string {
	var out []string
	for _, f := range suite.Files {
		if suite.Repo.Text(f) != "" {
			out = append(out, f)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range suite.Repo.Paths() {
		if IsTest(Java, p) && strings.HasSuffix(p, "Test.java") {
			return []string{p}
		}
	}
	return nil
}

func (javaLanguage) Command(env bench.Env, suite Suite) Command {
	if env.Framework == "gradle" {
		env.Modules = modulesFor(env, suite)
		return Command{
			Script:  gradleScript(env, suite, "--offline"),
			Files:   []harness.File{{Path: suite.dir() + "/filter.gradle", Data: []byte(gradleFilter(suite))}},
			Reports: []string{Root + "/**/build/test-results/**/*.xml"},
			Format:  reports.Gradle,
		}
	}
	env.Modules = modulesFor(env, suite)
	c := Command{
		Env:     []string{mavenOptions},
		Script:  mavenScript(env, suite, "-o") + compiledCheck(env, suite),
		Reports: []string{Root + "/**/target/surefire-reports/TEST-*.xml"},
		Format:  reports.Surefire,
		// A module whose tests fail would keep Maven from those that
		// depend on it, so failures are told to be ignored there.
		FailuresIgnored: len(env.Modules) > 1,
	}
	c.Nonce = mavenNonce(env, suite)
	return c
}

// mavenOptions keep Maven's own process small and quick to start: it lives for
// seconds, and does not see how much memory a job has.
const mavenOptions = "MAVEN_OPTS=-Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"

// mavenScript compiles anew: Maven's own check for changes keeps classes whose
// source is gone and, in older versions, users of what changed.
func mavenScript(env bench.Env, suite Suite, offline string) string {
	args := []string{"-B", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false", "-DtrimStackTrace=true"}
	if offline != "" {
		args = append(args, offline)
	}
	if len(env.Modules) > 0 {
		args = append(args, "-pl", strings.Join(env.Modules, ","), "-am")
	}
	if t := mavenTests(suite); t != "" {
		args = append(args, "-Dtest="+t)
	}
	if len(env.Modules) > 1 {
		args = append(args, "-Dmaven.test.failure.ignore=true")
	}
	args = append(args, env.Args...)
	return "echo build >" + quote(suite.dir()+"/phase") + "\n" +
		"find . -type d -path '*/target/*' -not -path '*/src/*' \\( -name surefire-reports -o -name classes -o -name test-classes -o -name maven-status \\) -prune -exec rm -rf {} +\n" +
		"mvn " + quoteAll(args) + " test\n"
}

// compiledCheck tells, after Maven, whether the suite's classes were compiled:
// then what went wrong is the tests', else the build's.
func compiledCheck(env bench.Env, suite Suite) string {
	var b strings.Builder
	b.WriteString("rc=$?\nif true")
	for _, f := range suite.Files {
		module, rest, ok := strings.Cut(f, "src/test/")
		if _, class, inLanguage := strings.Cut(rest, "/"); ok && inLanguage {
			class = strings.TrimSuffix(class, path.Ext(class)) + ".class"
			fmt.Fprintf(&b, " && [ -e %s ]", quote("./"+path.Join(module, "target/test-classes", class)))
		}
	}
	fmt.Fprintf(&b, "; then echo run >%s; fi\nexit $rc\n", quote(suite.dir()+"/phase"))
	return b.String()
}

// modulesFor adds the modules of the suite's files to the environment's: a
// test may stand in another module than the instance's own.
func modulesFor(env bench.Env, suite Suite) []string {
	set := map[string]bool{}
	for _, m := range append(javaModules(env.Framework, suite.Repo, suite.Files), env.Modules...) {
		set[m] = true
	}
	out := make([]string, 0, len(set))
	for m := range set {
		out = append(out, m)
	}
	sort.Strings(out)
	return out
}

// mavenTests is the value of -Dtest: class names, with their nested classes,
// and with methods where only some tests are asked for.
func mavenTests(suite Suite) string {
	var names []string
	for _, f := range suite.Files {
		if strings.HasSuffix(f, ".java") {
			names = append(names, strings.TrimSuffix(path.Base(f), ".java"))
		}
	}
	var out []string
	for _, n := range names {
		out = append(out, n, n+"$*")
	}
	return strings.Join(out, ",")
}

// gradleScript runs the tests of the suite's classes.
func gradleScript(env bench.Env, suite Suite, offline string) string {
	tool := "gradle"
	if suite.Repo.Text("gradlew") != "" && env.Vars["ASSAY_GRADLE"] != "system" {
		tool = "./gradlew"
	}
	args := []string{"--no-daemon", "--continue", "--console=plain"}
	if offline != "" {
		args = append(args, offline)
	}
	args = append(args, env.Args...)
	if len(env.Modules) == 0 {
		args = append(args, "test")
	}
	for _, m := range env.Modules {
		args = append(args, ":"+strings.ReplaceAll(m, "/", ":")+":test")
	}
	args = append(args, "-I", suite.dir()+"/filter.gradle")
	return "find . -type d -path '*/build/test-results' -not -path '*/src/*' -prune -exec rm -rf {} +\n" + tool + " " + quoteAll(args) + "\n"
}

// mavenFlavour tells which JUnit the first test file is written for.
func mavenFlavour(suite Suite) string {
	if len(suite.Files) == 0 {
		return ""
	}
	text := suite.Repo.Text(suite.Files[0])
	switch {
	case strings.Contains(text, "org.junit.jupiter"):
		return "org.junit.jupiter.api.Test"
	case strings.Contains(text, "org.junit.Test"), strings.Contains(text, "org.junit.*"):
		return "org.junit.Test"
	case strings.Contains(text, "junit.framework"), strings.Contains(text, "extends TestCase"), strings.Contains(text, "BaseTest"):
		return "junit.framework.TestCase"
	}
	return ""
}

// gradleFilter is an init script that narrows every module's tests to the
// suite's classes; --tests would bind to one task only, and fail a module that
// has none of them.
func gradleFilter(suite Suite) string {
	var b strings.Builder
	b.WriteString("allprojects { tasks.withType(Test) { filter { failOnNoMatchingTests = false\n")
	for _, f := range suite.Files {
		name := strings.TrimSuffix(path.Base(f), path.Ext(f))
		fmt.Fprintf(&b, "includeTestsMatching '*%s'\nincludeTestsMatching '*%s$*'\n", name, name)
	}
	b.WriteString("} } }\n")
	return b.String()
}

func mavenNonce(env bench.Env, suite Suite) *Nonce {
	flavour := mavenFlavour(suite)
	if flavour == "" || !strings.HasSuffix(suite.Files[0], ".java") {
		return nil
	}
	first := suite.Files[0]
	half := len(suite.Nonce) / 2
	class := "N" + suite.Nonce + "Test"
	pass, fail := "test"+suite.Nonce[:half], "test"+suite.Nonce[half:]
	text, pkg := javaNonceText(suite.Repo.Text(first), flavour, class, pass, fail)
	report := path.Join(Root, moduleOf(env, first), "target/surefire-reports/TEST-"+pkg+class+".xml")
	return &Nonce{
		Script:  mavenSurefire(env, first, class, "-o"),
		Files:   []harness.File{{Path: path.Join(Root, path.Dir(first), class+".java"), Data: []byte(text)}},
		Reports: []string{report},
		Format:  reports.Surefire,
		Pass:    pkg + class + "::" + pass,
		Fail:    pkg + class + "::" + fail,
	}
}

var javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)

// javaNonceText writes the class; pkg is its package with a dot behind it.
func javaNonceText(first, flavour, class, pass, fail string) (text, pkg string) {
	var b strings.Builder
	if m := javaPackage.FindStringSubmatch(first); m != nil {
		fmt.Fprintf(&b, "package %s;\n", m[1])
		pkg = m[1] + "."
	}
	extends, note := "", "@"+flavour+" "
	if flavour == "junit.framework.TestCase" {
		extends, note = " extends "+flavour, ""
	}
	fmt.Fprintf(&b, "public class %s%s {\n", class, extends)
	fmt.Fprintf(&b, "  %spublic void %s() { }\n", note, pass)
	fmt.Fprintf(&b, "  %spublic void %s() { throw new IllegalStateException(); }\n}\n", note, fail)
	return b.String(), pkg
}

// mavenSurefire runs one class, with all modules that its own needs: Surefire
// alone could not find them.
func mavenSurefire(env bench.Env, file, class, offline string) string {
	args := []string{"-B", "-q", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"}
	if offline != "" {
		args = append(args, offline)
	}
	if m := moduleOf(env, file); m != "" {
		args = append(args, "-pl", m, "-am")
	}
	args = append(args, "-Dtest="+class)
	return "mvn " + quoteAll(append(args, env.Args...)) + " test\n"
}

func moduleOf(env bench.Env, file string) string {
	best := ""
	for _, m := range env.Modules {
		if strings.HasPrefix(file, m+"/") && len(m) > len(best) {
			best = m
		}
	}
	return best
}
