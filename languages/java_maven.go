package languages

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
)

// mavenGet is shell that installs a Maven of another version.
//
//go:embed java_maven.sh
var mavenGet string

// systemMaven is the newest version that Debian's releases with long support
// have everywhere: projects that need no newer one are built with it.
const systemMaven = "3.8"

const mavenWrapper = ".mvn/wrapper/maven-wrapper.properties"

var (
	mavenDistribution = regexp.MustCompile(`distributionUrl\s*=.*apache-maven-(\d+(?:\.\d+)+(?:-[\w-]+)?)-bin`)
	mavenRelease      = regexp.MustCompile(`^\s*[\[(]?\s*(\d+(?:\.\d+)*(?:-[\w-]+)?)`)
)

// withMaven adds the Maven that the repository demands, where the system's is
// too old for it: by a rule of the enforcer, by prerequisites of the model,
// by the model's own version, or by a wrapper of a major version after 3.
func withMaven(env bench.Env, r *reactor, repo Repository) (bench.Env, []bench.Decision) {
	version, at := mavenWanted(r, repo)
	if version == "" || env.Packages != nil && !slices.Contains(env.Packages, "maven") {
		return env, nil
	}
	env.Dependencies = append(env.Dependencies, mavenGet, "assay_maven "+quote(version))
	return env, []bench.Decision{{Field: "dependencies", Value: "Maven " + version, Why: at.what, File: at.file, Line: at.line}}
}

// mavenWanted is the version to install; "" where the system's will do.
func mavenWanted(r *reactor, repo Repository) (string, javaFact) {
	least, at := "", javaFact{}
	for _, m := range r.modules {
		m.pom.each(func(n *xmlNode) bool {
			demand, what := mavenDemand(r, m, n)
			if demand != "" && newerMaven(demand, systemMaven+".7") && newerMaven(demand, least) {
				least, at = demand, javaFact{what: what, file: m.file, line: n.line}
			}
			return n.name != "profile"
		})
	}
	wrapped, line := "", 0
	for i, l := range strings.Split(repo.Text(mavenWrapper), "\n") {
		if m := mavenDistribution.FindStringSubmatch(l); m != nil {
			wrapped, line = m[1], i+1
		}
	}
	switch {
	case least == "" && newerMaven(wrapped, "3.99"):
		return wrapped, javaFact{what: "the wrapper names it", file: mavenWrapper, line: line}
	case least == "":
		return "", at
	case newerMaven(wrapped, least) || wrapped == least:
		return wrapped, at
	}
	return wholeMaven(least), at
}

// mavenDemand reads an element that requires a version of Maven.
func mavenDemand(r *reactor, m *mavenModule, n *xmlNode) (version, what string) {
	text := ""
	switch {
	case n.parent == nil:
		return "", ""
	case n.name == "version" && n.parent.name == "requireMavenVersion":
		text, what = r.value(m, n.text), "the enforcer's rule"
	case n.name == "maven" && n.parent.name == "prerequisites":
		text, what = r.value(m, n.text), "a prerequisite"
	case n.name == "modelVersion" && n.text == "4.1.0":
		text, what = "4.0.0-rc-4", "a model of Maven 4"
	}
	if found := mavenRelease.FindStringSubmatch(text); found != nil {
		return found[1], fmt.Sprintf("%s asks for %s", what, text)
	}
	return "", ""
}

// newerMaven compares versions by their numbers.
func newerMaven(a, b string) bool {
	if a == "" {
		return false
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		if x, y := mavenPart(as, i), mavenPart(bs, i); x != y {
			return x > y
		}
	}
	return false
}

func mavenPart(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	text, _, _ := strings.Cut(parts[i], "-")
	n, _ := strconv.Atoi(text)
	return n
}

// wholeMaven is a release for a version that a rule cuts short.
func wholeMaven(version string) string {
	if strings.Count(version, ".") >= 2 {
		return version
	}
	if version == "3.9" {
		return "3.9.9"
	}
	return version + strings.Repeat(".0", 2-strings.Count(version, "."))
}
