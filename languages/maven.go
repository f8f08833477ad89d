package languages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// mavenOptions keep Maven's own process small and quick to start: it lives for
// seconds, and does not see how much memory a job has.
const mavenOptions = "-Xmx1500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"

// noAttach keeps the tests' own JVM from loading an agent into Maven's.
const noAttach = "-XX:+DisableAttachMechanism"

func mavenDefaults(env bench.Env, f Facts, facts javaFacts, why []bench.Decision) (bench.Env, []bench.Decision, error) {
	r := readReactor(f.Repo, jdkOf(env))
	env, newer := withMaven(env, r, f.Repo)
	why = append(why, newer...)
	if env.Setup == nil {
		modules := r.upstream(append([]string{"."}, env.Modules...))
		if len(env.Modules) == 0 {
			modules = r.modules
		}
		var chosen []bench.Decision
		env.Setup, chosen = snapshotSetup(append(outsideSnapshots(r, modules), goldSnapshots(env, f)...))
		why = append(why, chosen...)
		toolchains, chosen := toolchainSetup(env, r, modules)
		env.Setup, why = append(env.Setup, toolchains...), append(why, chosen...)
	}
	if env.Args == nil {
		env.Args = gates()
		why = append(why, bench.Decision{Field: "args", Value: strings.Join(env.Args, " "), Why: "gates of style, licence and packaging say nothing of behavior"})
		if raised := facts.raised(jdkOf(env)); len(raised) > 0 {
			env.Args = append(env.Args, raised...)
			why = append(why, bench.Decision{Field: "args", Value: strings.Join(raised, " "), Why: "no JDK at hand compiles the level that the poms name"})
		}
	}
	if len(env.Modules) > 0 {
		why = append(why, bench.Decision{Field: "modules", Value: strings.Join(env.Modules, ","), Why: "they hold the hidden and the published tests"})
	}
	return env, why, nil
}

// mavenCommand runs the suite offline.
func mavenCommand(env bench.Env, suite Suite) Command {
	c := Command{
		Env:           []string{"MAVEN_OPTS=" + mavenOptions + " " + noAttach},
		Reports:       []string{Root + "/**/target/surefire-reports/TEST-*.xml", Root + "/**/target/failsafe-reports/TEST-*.xml"},
		Format:        reports.Surefire,
		OtherFailures: true,
		// A module whose tests fail would keep Maven from those that depend
		// on it, so Maven is made to ignore failures there.
		FailuresIgnored: len(env.Modules) > 1 || ignoresFailures(suite),
	}
	args := mavenArgs(env)
	unit, integration := mavenSplit(env, suite)
	own, among := mavenOwnOf(env, suite), ""
	var copies *javaCopies
	if own != nil {
		if mavenHoldsOwn(suite, integration) {
			own.beside()
			among, unit = own.among, slices.Sorted(slices.Values(append(unit, own.class)))
			copies = javaCopiesOf(suite, func(file string) string { return moduleOf(env, file) })
		}
		c.Nonce = own.nonce
		c.Nonce.Copies, c.Nonce.retried = copies.all(), copies != nil
	}
	c.doubted = doubtedByMaven(suite, c.Nonce)
	tests := mavenTests(unit)
	if suite.Measured && len(suite.Select) > 0 && tests != "" {
		tests = mavenMethods(suite, unit)
	}
	if len(integration) > 0 {
		// Failsafe exits with code 0 where its goal "verify" is not bound.
		c.FailuresIgnored = true
		if tests == "" {
			tests = noUnitTest
		}
	}
	var settings string
	if len(tests) > longList {
		settings = suite.dir() + "/settings.xml"
		c.Files = append(c.Files, harness.File{Path: settings, Data: []byte(testSettings(tests))})
		args = append(args, "-s", settings)
	} else if tests != "" {
		args = append(args, "-Dtest="+tests)
	}
	c.Files = append(c.Files, copies.put()...)
	c.Script = shadowCheck(suite) + "echo build >" + quote(suite.dir()+"/phase") + "\n" + removeStale(env, suite) + installAgain(env, suite) + among +
		copies.around("mvn -o "+quoteAll(append(args, mavenGoal(integration)...))+"\n") + compiledCheck(env, suite)
	c.Collect, c.Settings = []string{loadedFile(suite)}, javaSettings(suite)
	return c
}

// longList is the length from which a list of tests does not continue the
// command line: one argument holds 128 KiB.
const longList = 60 << 10

// testSettings hands Surefire a list of tests as a property.
func testSettings(tests string) string {
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(tests)
	return "<settings><profiles><profile><id>assay</id><properties><test>" + escaped +
		"</test></properties></profile></profiles><activeProfiles><activeProfile>assay</activeProfile></activeProfiles></settings>\n"
}

// mavenArgs are the arguments of every call, without goals and tests.
func mavenArgs(env bench.Env) []string {
	args := append([]string{"-B", "-nsu", "-fae", "-DtrimStackTrace=true"}, testFlags()...)
	if len(env.Modules) > 0 {
		args = append(args, "-pl", strings.Join(env.Modules, ","), "-am")
	}
	if len(env.Modules) > 1 {
		args = append(args, "-Dmaven.test.failure.ignore=true")
	}
	return append(args, env.Args...)
}

// testFlags have tests run although the poms switch them off, and let modules
// without any of those chosen pass.
func testFlags() []string {
	return []string{"-DskipTests=false", "-Dmaven.test.skip=false", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"}
}

// mavenTests is the value of -Dtest: qualified class names, with their nested
// classes.
func mavenTests(classes []string) string {
	var out []string
	for _, c := range classes {
		out = append(out, c, c+"$*")
	}
	return strings.Join(out, ",")
}

// removeStale deletes reports, and the classes of every module in which the
// tree differs from base and of those that need one: Maven's own check keeps
// classes whose source is gone and, in older versions, users of what changed.
func removeStale(env bench.Env, suite Suite) string {
	var b strings.Builder
	b.WriteString("find . -type d \\( -name surefire-reports -o -name failsafe-reports \\) -path '*/target/*' -not -path '*/src/*' -prune -exec rm -rf {} +\n")
	for _, dir := range staleModules(env, suite) {
		t := path.Join(dir, "target")
		fmt.Fprintf(&b, "rm -rf %s\n", quoteAll([]string{t + "/classes", t + "/test-classes", t + "/maven-status"}))
	}
	return b.String()
}

// installAgain packages again what a patch changes and a plugin reads as a
// file.
func installAgain(env bench.Env, suite Suite) string {
	dirs := packageAgain(readReactor(suite.Repo, jdkOf(env)), env, suite)
	if len(dirs) == 0 {
		return ""
	}
	return "mvn -o -q " + quoteAll(installArgs(env, dirs)) + " || exit\n"
}

func staleModules(env bench.Env, suite Suite) []string {
	r := readReactor(suite.Repo, jdkOf(env))
	from := map[*mavenModule]bool{}
	for _, p := range suite.Changed {
		m := r.holding(p)
		if m == nil || m.dir == "." && len(r.modules) > 1 && !strings.HasPrefix(p, "src/") && classify(Java, p) == DocPath {
			continue
		}
		from[m] = true
		if m.dir == "." && !strings.HasPrefix(p, "src/") {
			// A file next to the modules may configure all of them.
			for _, other := range r.modules {
				from[other] = true
			}
		}
	}
	var out []string
	for _, m := range r.downstream(from) {
		out = append(out, m.dir)
	}
	return out
}

// ignoresFailures reports whether the project's own poms, as they are at
// base, make Surefire continue after failures.
func ignoresFailures(suite Suite) bool {
	for _, p := range suite.Repo.Paths() {
		if path.Base(p) != "pom.xml" && p != ".mvn/maven.config" || slices.Contains(suite.Changed, p) {
			continue
		}
		text := suite.Repo.Text(p)
		if strings.Contains(text, "<testFailureIgnore>true") || strings.Contains(text, "<maven.test.failure.ignore>true") ||
			strings.Contains(text, "-Dmaven.test.failure.ignore") {
			return true
		}
	}
	return false
}

// compiledCheck reports, after Maven, whether the suite's own classes were
// compiled: then what went wrong is the tests', else the build's. Classes
// that the patches add count, where there are any.
func compiledCheck(env bench.Env, suite Suite) string {
	files := suite.Files
	if own := intersection(suite.Files, suite.Changed); len(own) > 0 {
		files = own
	}
	var b strings.Builder
	b.WriteString("rc=$?\nif true")
	for _, f := range files {
		if class := javaClass(suite.Repo, f); class != "" {
			module := moduleOf(env, f)
			at := path.Join(module, "target/test-classes", strings.ReplaceAll(class, ".", "/")+".class")
			fmt.Fprintf(&b, " && [ -e %s ]", quote("./"+at))
		}
	}
	fmt.Fprintf(&b, "; then echo run >%s; fi\n%sexit $rc\n", quote(suite.dir()+"/phase"), loadedScript(suite))
	return b.String()
}

func intersection(a, b []string) []string {
	var out []string
	for _, x := range a {
		if slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}
