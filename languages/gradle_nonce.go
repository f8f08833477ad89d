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

// gradleNonce writes the nonce class into the tree when the main run is over,
// and has Gradle run it alone. Gradle clears the folders of its reports:
// those of the main run are kept meanwhile.
func gradleNonce(env bench.Env, suite Suite) *Nonce {
	first, flavour := nonceFile(suite)
	if first == "" || flavour == testNG || suite.Bare {
		return nil
	}
	half := len(suite.Nonce) / 2
	class := "N" + suite.Nonce + "Test"
	pass, fail := "test"+suite.Nonce[:half], "test"+suite.Nonce[half:]
	text, pkg := javaNonceText(suite.Repo.Text(first), flavour, class, pass, fail)
	module := moduleOf(env, first)
	dir := suite.dir() + "/nonce"
	place := path.Join(Root, module, "src/test/java", strings.ReplaceAll(pkg, ".", "/"), class+".java")
	if path.Ext(first) == ".java" {
		place = path.Join(Root, path.Dir(first), class+".java")
	}
	task := "test"
	if module != "" {
		task = ":" + strings.ReplaceAll(module, "/", ":") + ":test"
	}
	run := quoteAll(append(append(gradleTool(env, suite), "--offline", "--no-daemon", "--continue", "--console=plain"), append(env.Args, task, "-I", dir+"/filter.gradle")...))
	return &Nonce{
		Script: gradleBeside(dir, "TEST-"+pkg+class+".xml", fmt.Sprintf("mkdir -p %s\ncp %s\n%s\n", quote(path.Dir(place)), quoteAll([]string{dir + "/" + class + ".java", place}), run)),
		Files: []harness.File{
			{Path: dir + "/" + class + ".java", Data: []byte(text)},
			{Path: dir + "/filter.gradle", Data: []byte(gradleOnly([]string{pkg + class}))},
		},
		Reports: []string{dir + "/reports/TEST-*.xml"},
		Format:  reports.Gradle,
		Pass:    pkg + class + "::" + pass,
		Fail:    pkg + class + "::" + fail,
		unbuilt: func(r reports.Report) bool {
			return uncompiled(r, strings.TrimPrefix(task, ":")) || lacksModule(suite, first, r, strings.TrimSuffix(strings.TrimPrefix(task, ":"), "test"))
		},
	}
}

// gradleCopies are the suite's tests that run again; nil if a failing test would
// keep others from running, or would change a published outcome.
func gradleCopies(env bench.Env, suite Suite) *javaCopies {
	if _, flavour := nonceFile(suite); flavour == "" || flavour == testNG || len(gradleTasks(suite.Published)) > 0 {
		return nil
	}
	for _, p := range suite.Repo.Paths() {
		if (strings.HasSuffix(p, ".gradle") || strings.HasSuffix(p, ".gradle.kts")) && strings.Contains(suite.Repo.Text(p), "failFast") {
			return nil
		}
	}
	return javaCopiesOf(suite, func(file string) string { return moduleOf(env, file) })
}

// uncompiled reports whether a report of tasks (gradleReport) shows that code
// does not compile and that the task which would run the nonce tests did not
// pass. No test of a class may have passed, either.
func uncompiled(report reports.Report, testTask string) bool {
	failed := false
	for _, t := range report.Tests {
		task, ok := strings.CutPrefix(t.ID, "gradle::")
		if t.Status.OK() && (!ok || task == testTask) {
			return false
		}
		failed = failed || ok && t.Status.Failing() && strings.HasPrefix(task[strings.LastIndex(task, ":")+1:], "compile")
	}
	return failed
}

// lacksModule reports whether a report of tasks shows that a module's code does
// not compile, and fail-to-pass tests of a class in it are missing: such a run
// resolves nothing, regardless of the tests of other modules.
func lacksModule(suite Suite, file string, report reports.Report, module string) bool {
	class := javaClass(suite.Repo, file)
	inClass := func(id string) bool {
		rest, ok := strings.CutPrefix(id, class)
		return ok && class != "" && (rest == "" || strings.ContainsAny(rest[:1], ":.$#["))
	}
	if !slices.ContainsFunc(suite.Decisive, inClass) {
		return false
	}
	failed := false
	for _, t := range report.Tests {
		task, ok := strings.CutPrefix(t.ID, "gradle::")
		if !ok && inClass(t.ID) {
			return false
		}
		failed = failed || ok && t.Status.Failing() && strings.HasPrefix(task, module+"compile")
	}
	return failed
}

// gradleBeside runs something that clears the reports of Gradle's tests, takes
// the report of that name to dir/reports, and puts the earlier ones back.
func gradleBeside(dir, report, run string) string {
	return fmt.Sprintf(`N=%s
mkdir -p "$N/reports" "$N/main"
find . -type d -path '*/build/test-results' -not -path '*/src/*' -prune >"$N/folders"
while IFS= read -r d; do mkdir -p "$N/main/$d" && cp -a "$d/." "$N/main/$d"; done <"$N/folders"
%sfind . -path '*/build/test-results/*' -name %s -exec cp {} "$N/reports" \;
find . -type d -path '*/build/test-results' -not -path '*/src/*' -prune -exec rm -rf {} +
while IFS= read -r d; do mkdir -p "$d" && cp -a "$N/main/$d/." "$d"; done <"$N/folders"
`, dir, run, quote(report))
}

// gradleOnly is an init script that narrows every module's tests to classes.
func gradleOnly(classes []string) string {
	var b strings.Builder
	b.WriteString("allprojects { tasks.withType(Test) { filter { failOnNoMatchingTests = false\n")
	for _, c := range classes {
		fmt.Fprintf(&b, "includeTestsMatching '%s'\nincludeTestsMatching '%s$*'\n", c, c)
	}
	b.WriteString("} } }\n")
	return b.String()
}

// gradleTold is an init script that writes down those settings of each
// module's test task that decide how much its results prove.
func gradleTold(suite Suite) string {
	return `def assayTold = new File('` + gradleSettingsFile(suite) + `')
assayTold.parentFile.mkdirs()
allprojects { tasks.withType(Test) { t -> t.doFirst { synchronized (assayTold) {
  [ignoreFailures: t.ignoreFailures, jvmArgs: t.jvmArgs, excludes: t.excludes, bootstrap: t.bootstrapClasspath.files].each { k, v -> assayTold << t.path + '\t' + k + '\t' + v.toString().replace('\n', ' ') + '\n' }
} } } }
`
}

func gradleSettingsFile(suite Suite) string { return suite.dir() + "/settings/gradle" }

// gradleSettings reads what the init script wrote.
func gradleSettings(suite Suite) func(map[string][]byte) Settings {
	return func(files map[string][]byte) Settings {
		s := javaSettings(suite)(files)
		for line := range strings.Lines(string(files[gradleSettingsFile(suite)])) {
			if fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3); len(fields) == 3 {
				s.Set("task "+fields[0], fields[1], fields[2])
			}
		}
		return s
	}
}
