package languages

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
)

// javaLanguage runs Maven (Surefire), Gradle or Ant.
type javaLanguage struct{}

// Defaults implements Language: the build tool by its file, the JDK by what
// poms, Gradle files and CI say, releases for SNAPSHOTs that are gone, modules
// by the tests' files, and flags that switch off gates of style.
func (javaLanguage) Defaults(env bench.Env, f Facts) (bench.Env, []bench.Decision, error) {
	var why []bench.Decision
	if env.Framework == "" {
		var file string
		env.Framework, file = javaFramework(f.Repo)
		if env.Framework != "" {
			why = append(why, bench.Decision{Field: "framework", Value: env.Framework, Why: "its build file is at the root", File: file})
		}
	}
	if !slices.Contains([]string{"maven", "gradle", "ant"}, env.Framework) {
		if env.Test == "" {
			return env, nil, fmt.Errorf("framework %q is not one of Java's (maven, gradle, ant), and the repository has neither pom.xml nor build.gradle nor build.xml", env.Framework)
		}
		return env, why, nil
	}
	facts := javaFactsOf(env, f)
	facts.tested = ciJDKs(f.Repo)
	jdk, chosen := facts.choose()
	if own := packagedJDK(env.Packages); own != "" && env.JDK == "" {
		env.JDK = own
	} else {
		if env.JDK == "" {
			env.JDK, why = strconv.Itoa(jdk), append(why, chosen)
		}
		env = withJDK(env, javaPackages(env, f.Repo))
	}
	if env.Modules == nil {
		env.Modules = javaModules(env, f.Repo, f.Files)
	}
	switch env.Framework {
	case "maven":
		return mavenDefaults(env, f, facts, why)
	case "gradle":
		return gradleDefaults(env, f, why)
	}
	return antDefaults(env, why)
}

// jdkOf is the number of the environment's JDK; 0 where it is unknown.
func jdkOf(env bench.Env) int {
	jdk, _ := strconv.Atoi(env.JDK)
	return jdk
}

var jdkPackage = regexp.MustCompile(`^openjdk-(\d+)-jdk`)

// packagedJDK is the JDK in env's own packages; it is the system's, and
// nothing need be added for it.
func packagedJDK(packages []string) string {
	for _, p := range packages {
		if m := jdkPackage.FindStringSubmatch(p); m != nil {
			return m[1]
		}
	}
	return ""
}

// javaPackages are the tool's. A wrapped Gradle downloads itself, and Ant's
// tasks for tests are a package of their own.
func javaPackages(env bench.Env, repo Repository) []string {
	packages := []string{env.Framework, "openjdk-17-jdk-headless"}
	switch {
	case env.Framework == "gradle" && repo.Text("gradlew") != "" && env.Vars["ASSAY_GRADLE"] != "system":
		return packages[1:]
	case env.Framework == "ant":
		return append(packages, antPackages(repo)...)
	}
	return packages
}

// withJDK adds the tool's packages and the JDK, where env leaves them open.
func withJDK(env bench.Env, packages []string) bench.Env {
	if env.Packages == nil {
		env.Packages = packages
	}
	if env.Vars["JAVA_HOME"] != "" {
		return env
	}
	env.Vars = maps.Clone(env.Vars)
	if env.Vars == nil {
		env.Vars = map[string]string{}
	}
	env.Vars["JAVA_HOME"] = jdkHome(env.JDK)
	env.Dependencies = append(jdkInstall(env.JDK), env.Dependencies...)
	return env
}

// javaFactsOf reads what the build files of the needed modules ask for.
func javaFactsOf(env bench.Env, f Facts) javaFacts {
	switch env.Framework {
	case "maven":
		r := readReactor(f.Repo, 0)
		facts := mavenFacts(r, r.upstream(append(javaModules(env, f.Repo, f.Files), ".")))
		facts.surroundings(r, f.Repo, f.Files)
		facts.gold(env, f)
		return facts
	case "gradle":
		return gradleFacts(f.Repo)
	}
	return antFacts(f.Repo)
}

func javaFramework(repo Repository) (framework, file string) {
	for _, c := range [][2]string{{"maven", "pom.xml"}, {"gradle", "build.gradle"}, {"gradle", "build.gradle.kts"}, {"gradle", "settings.gradle"}, {"gradle", "settings.gradle.kts"}, {"ant", "build.xml"}} {
		if repo.Text(c[1]) != "" {
			return c[0], c[1]
		}
	}
	return "", ""
}

// javaModules are the modules that hold the files: for Maven the reactor's,
// for Gradle the nearest folders with a build file. The root is one only in
// addition to others.
func javaModules(env bench.Env, repo Repository, files []string) []string {
	set := map[string]bool{}
	holding := func(f string) string { return gradleModule(repo, f) }
	if env.Framework == "maven" {
		r := readReactor(repo, jdkOf(env))
		if len(r.modules) < 2 {
			return []string{}
		}
		holding = func(f string) string {
			if m := r.owner(repo, f); m != nil {
				return m.dir
			}
			return ""
		}
	}
	for _, f := range files {
		if m := holding(f); m != "" {
			set[m] = true
		}
	}
	return sortedKeys(set)
}

// owner is the module that a test file belongs to, or nil where that one is
// not built from the root.
func (r *reactor) owner(repo Repository, file string) *mavenModule {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if repo.Text(path.Join(dir, "pom.xml")) != "" || dir == "." || dir == "/" {
			return r.byDir[dir]
		}
	}
}

// modulesFor adds the modules of the suite's files to the environment's: a
// test may be in another module than the instance's own. A module that the
// tree does not build is left out.
func modulesFor(env bench.Env, suite Suite) []string {
	set := map[string]bool{}
	known := func(string) bool { return true }
	if env.Framework == "maven" {
		if r := readReactor(suite.Repo, jdkOf(env)); len(r.modules) > 0 {
			known = func(m string) bool { return r.byDir[m] != nil }
		}
	}
	for _, m := range append(javaModules(env, suite.Repo, suite.Files), env.Modules...) {
		if known(m) {
			set[m] = true
		}
	}
	return sortedKeys(set)
}

// Warm implements Language.
func (javaLanguage) Warm(env bench.Env, suite Suite) string {
	switch env.Framework {
	case "gradle":
		return gradleWarm(env, suite)
	case "ant":
		return antWarm(env, suite)
	}
	return mavenWarm(env, suite)
}

// Command implements Language.
func (javaLanguage) Command(env bench.Env, suite Suite) Command {
	env.Modules = modulesFor(env, suite)
	switch env.Framework {
	case "gradle":
		return gradleCommand(env, suite)
	case "ant":
		return antCommand(env, suite)
	}
	return mavenCommand(env, suite)
}

// moduleOf is the innermost of the environment's modules that holds a file.
func moduleOf(env bench.Env, file string) string {
	best := ""
	for _, m := range env.Modules {
		if strings.HasPrefix(file, m+"/") && len(m) > len(best) {
			best = m
		}
	}
	return best
}
