package languages

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// gradleFunction is shell that installs the Gradle which the wrapper names.
//
//go:embed gradle_get.sh
var gradleFunction string

const gradleProperties = "gradle/wrapper/gradle-wrapper.properties"

func gradleDefaults(env bench.Env, f Facts, why []bench.Decision) (bench.Env, []bench.Decision, error) {
	url, line := gradleDistribution(f.Repo)
	if url != "" && env.Vars["ASSAY_GRADLE"] != "system" && env.Setup == nil {
		env.Setup = []string{gradleFunction, fmt.Sprintf("assay_gradle %s %s:%d", quote(url), gradleProperties, line)}
		why = append(why, bench.Decision{Field: "setup", Value: path.Base(url), Why: "the Gradle that the wrapper names, fetched at set-up", File: gradleProperties, Line: line})
	}
	if env.Args == nil {
		env.Args = gradleGates()
		why = append(why, bench.Decision{Field: "args", Value: strings.Join(env.Args, " "), Why: "daemons and caches outlive a run"})
	}
	return env, why, nil
}

func gradleGates() []string { return []string{"--no-build-cache"} }

var gradleURL = regexp.MustCompile(`^\s*distributionUrl\s*[=:]\s*(\S+)`)

// gradleDistribution is where the wrapper has its Gradle from.
func gradleDistribution(repo Repository) (url string, line int) {
	for i, l := range strings.Split(repo.Text(gradleProperties), "\n") {
		if m := gradleURL.FindStringSubmatch(l); m != nil {
			return strings.ReplaceAll(m[1], `\`, ""), i + 1
		}
	}
	return "", 0
}

var (
	gradleLevel   = regexp.MustCompile(`(?:sourceCompatibility|targetCompatibility|options\.release(?:\.set)?|languageVersion(?:\.set)?|JavaLanguageVersion\.of|jvmTarget|jvmToolchain)\s*[=(]?\s*(?:JavaLanguageVersion\.of\()?\(?\s*["']?(?:JavaVersion\.VERSION_)?([\d._]+)`)
	gradleVersion = regexp.MustCompile(`gradle-(\d+)\.(\d+)`)
)

// gradleFacts reads levels from build scripts, and from the wrapper's version
// which JDKs Gradle itself runs on.
func gradleFacts(repo Repository) javaFacts {
	var f javaFacts
	for _, p := range repo.Paths() {
		if !strings.HasSuffix(p, ".gradle") && !strings.HasSuffix(p, ".gradle.kts") || classify(Java, p) == TestPath || strings.Contains(p, "/src/") {
			continue // those of tests' own projects say nothing of this one
		}
		for i, line := range strings.Split(repo.Text(p), "\n") {
			for _, m := range gradleLevel.FindAllStringSubmatch(line, -1) {
				if level := javaLevel(strings.ReplaceAll(m[1], "_", ".")); level > 0 {
					x := javaFact{jdk: level, what: fmt.Sprintf("level %d", level), file: p, line: i + 1}
					f.atLeast, f.levels = append(f.atLeast, x), append(f.levels, x)
				}
			}
		}
	}
	url, line := gradleDistribution(repo)
	if m := gradleVersion.FindStringSubmatch(url); m != nil {
		low, high := gradleRunsOn(javaNumber(m[1]), javaNumber(m[2]))
		f.atMost = append(f.atMost, javaFact{jdk: high, what: "Gradle " + m[1] + "." + m[2] + " runs on no newer one", file: gradleProperties, line: line})
		f.atLeast = append(f.atLeast, javaFact{jdk: low, what: "Gradle " + m[1] + "." + m[2], file: gradleProperties, line: line})
	}
	return f
}

func javaNumber(text string) int {
	n := 0
	for _, c := range text {
		if n = 10*n + int(c-'0'); n > 10_000 {
			return n
		}
	}
	return n
}

// gradleRunsOn is the table of Gradle's manual: the oldest and the newest JDK
// that a version runs on.
func gradleRunsOn(major, minor int) (low, high int) {
	low = 8
	if major >= 9 {
		low = 17
	}
	switch {
	case major < 5:
		high = 8
	case major < 7 || major == 7 && minor < 3:
		high = 11
	case major < 8 || major == 8 && minor < 5:
		high = 17
	case major < 9 || major == 9 && minor < 1:
		high = 21
	default:
		high = 25
	}
	return low, high
}

// gradleModule is the nearest folder above a file with a build script.
func gradleModule(repo Repository, file string) string {
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		for _, name := range []string{"build.gradle", "build.gradle.kts", path.Base(dir) + ".gradle", path.Base(dir) + ".gradle.kts"} {
			if repo.Text(path.Join(dir, name)) != "" {
				return dir
			}
		}
	}
	return ""
}

// gradleWarm runs the suite once with network and once without; the second
// call has to end as one that could build.
func gradleWarm(env bench.Env, suite Suite) string {
	env.Modules = modulesFor(env, suite)
	filter := suite.dir() + "/filter.gradle"
	script := "export CI=true\ncat >" + quote(filter) + " <<'ASSAY'\n" + gradleFilter(suite) + "ASSAY\n" + gradleFunction +
		"assay_gradle_warm " + gradleCall(env, suite)
	if goldBuild(env, suite) {
		env.Modules = modulesFor(env, hiddenSuite(suite))
		script += "[ $? -eq 0 ] || exit 1\n" + goldCopy(suite.Gold) + "assay_gradle_online " + gradleCall(env, suite) + ")\n"
	}
	return script
}

func gradleCall(env bench.Env, suite Suite) string {
	return quoteAll(gradleTool(env, suite)) + " -- " + quoteAll(gradleArgs(env, suite)) + "\n"
}

func gradleCommand(env bench.Env, suite Suite) Command {
	nonce, copies := gradleNonce(env, suite), gradleCopies(env, suite)
	if nonce != nil {
		nonce.Copies, nonce.retried = copies.all(), copies != nil
	}
	return Command{
		Script:          gradleScript(env, suite, copies),
		Files:           append(copies.put(), harness.File{Path: suite.dir() + "/filter.gradle", Data: []byte(gradleFilter(suite))}),
		Reports:         []string{Root + "/**/build/test-results/**/*.xml", suite.reports() + "/tasks.xml"},
		Format:          reports.Gradle,
		OtherFailures:   true,
		FailuresIgnored: gradleIgnoresFailures(suite),
		Nonce:           nonce,
		Collect:         []string{gradleSettingsFile(suite), loadedFile(suite)},
		Settings:        gradleSettings(suite),
	}
}

func gradleIgnoresFailures(suite Suite) bool {
	for _, p := range suite.Repo.Paths() {
		if (strings.HasSuffix(p, ".gradle") || strings.HasSuffix(p, ".gradle.kts")) && !slices.Contains(suite.Changed, p) &&
			strings.Contains(strings.ReplaceAll(suite.Repo.Text(p), " ", ""), "ignoreFailures=true") {
			return true
		}
	}
	return false
}

func gradleTool(env bench.Env, suite Suite) []string {
	if suite.Repo.Text("gradlew") != "" && env.Vars["ASSAY_GRADLE"] != "system" {
		return []string{"sh", "./gradlew"}
	}
	return []string{"gradle"}
}

// gradleScript runs the tests of the suite's classes, or the tasks that the
// published ids name.
func gradleScript(env bench.Env, suite Suite, copies *javaCopies) string {
	return "find . -type d -path '*/build/test-results' -not -path '*/src/*' -prune -exec rm -rf {} +\n" +
		copies.around(quoteAll(slices.Concat(gradleTool(env, suite), []string{"--offline"}, gradleArgs(env, suite)))+"\n") + "rc=$?\n" + loadedScript(suite) + "exit $rc\n"
}

func gradleArgs(env bench.Env, suite Suite) []string {
	args := append([]string{"--no-daemon", "--continue", "--console=plain"}, env.Args...)
	if tasks := gradleTasks(suite.Published); len(tasks) > 0 {
		args = append(args, tasks...)
	} else if len(env.Modules) == 0 {
		args = append(args, "test")
	} else {
		for _, m := range env.Modules {
			args = append(args, ":"+strings.ReplaceAll(m, "/", ":")+":test")
		}
	}
	return append(args, "-I", suite.dir()+"/filter.gradle")
}

var gradleTask = regexp.MustCompile(`^:?([A-Za-z][\w-]*:)*[a-z][A-Za-z0-9]*$`)

// gradleTasks are published ids that name tasks (core:test, compileTestJava):
// Multi-SWE-bench reads them from what Gradle prints. Class names have dots.
func gradleTasks(published []string) []string {
	var out []string
	for _, id := range published {
		if gradleTask.MatchString(id) {
			out = append(out, ":"+strings.TrimPrefix(id, ":"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gradleFilter is an init script that narrows every module's tests to the
// suite's classes; --tests would bind to one task only, and fail a module that
// has none of them. Where tasks are the published tests they run whole, and
// the script reports their outcomes.
func gradleFilter(suite Suite) string {
	if len(gradleTasks(suite.Published)) > 0 {
		return gradleReport(suite.reports()+"/tasks.xml") + gradleTold(suite)
	}
	return gradleOnly(javaTestNames(suite)) + gradleTold(suite)
}

// gradleReport writes every task's outcome as a test case: "a:test" of module a.
func gradleReport(file string) string {
	return `def assayDone = new TreeMap()
gradle.taskGraph.afterTask { task, state -> assayDone[task.path.substring(1)] = state.failure ? "<failure/>" : "" }
gradle.buildFinished {
  def out = new File('` + file + `')
  out.parentFile.mkdirs()
  out.text = '<testsuite name="gradle">' + assayDone.collect { k, v -> '<testcase classname="gradle" name="' + k + '">' + v + '</testcase>' }.join('') + '</testsuite>'
}
`
}
