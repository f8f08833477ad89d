package languages

import (
	"strconv"
	"strings"
)

// javaNeed is a library whose classes need a newer JDK.
type javaNeed struct {
	group, artifact string // artifact "" stands for all of the group
	major, minor    int
	jdk             int
}

// javaNeeds lists libraries that are often used, with the first version that is
// compiled for a JDK after 8, or after the one of the line before; from the
// release notes of each.
func javaNeeds() []javaNeed {
	return []javaNeed{
		{"ch.qos.logback", "", 1, 4, 11},
		{"com.github.ben-manes.caffeine", "", 3, 0, 11},
		{"com.github.tomakehurst", "", 3, 0, 11},
		{"com.h2database", "h2", 2, 3, 11},
		{"io.dropwizard", "", 4, 0, 11},
		{"io.dropwizard", "", 5, 0, 17},
		{"io.micronaut", "", 4, 0, 17},
		{"io.micronaut.platform", "", 4, 0, 17},
		{"io.quarkus", "", 3, 0, 17},
		{"org.apache.lucene", "", 9, 0, 11},
		{"org.apache.lucene", "", 10, 0, 21},
		{"org.apache.tomcat.embed", "", 10, 1, 11},
		{"org.apache.tomcat.embed", "", 11, 0, 17},
		{"org.eclipse.jetty", "", 10, 0, 11},
		{"org.eclipse.jetty", "", 12, 0, 17},
		{"org.flywaydb", "", 10, 0, 17},
		{"org.hibernate.orm", "", 6, 0, 11},
		{"org.hibernate.orm", "", 7, 0, 17},
		{"org.hibernate.validator", "", 8, 0, 11},
		{"org.jenkins-ci.plugins", "plugin", 4, 52, 11},
		{"org.jenkins-ci.plugins", "plugin", 5, 0, 17},
		{"org.jooq", "", 3, 15, 11},
		{"org.jooq", "", 3, 17, 17},
		{"org.junit", "junit-bom", 6, 0, 17},
		{"org.junit.jupiter", "", 6, 0, 17},
		{"org.mockito", "", 5, 0, 11},
		{"org.springframework", "", 6, 0, 17},
		{"org.springframework.boot", "", 3, 0, 17},
		{"org.testng", "testng", 7, 6, 11},
		{"org.wiremock", "", 3, 0, 11},
	}
}

// covers reports whether a version is the need's first one or a later one.
func (n javaNeed) covers(group, artifact, version string) bool {
	if group != n.group || n.artifact != "" && artifact != n.artifact {
		return false
	}
	parts := strings.SplitN(version, ".", 3)
	major, err := strconv.Atoi(parts[0])
	if err != nil || major > 99 {
		return false // a date
	}
	minor := 0
	if len(parts) > 1 {
		digits := strings.IndexFunc(parts[1]+" ", func(c rune) bool { return c < '0' || c > '9' })
		minor = javaNumber(parts[1][:digits])
	}
	return major > n.major || major == n.major && minor >= n.minor
}

// libraries notes dependencies that need a newer JDK.
func (f *javaFacts) libraries(r *reactor, modules []*mavenModule) {
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if n.name == "profile" {
				return false
			}
			if n.name != "dependency" && n.name != "parent" {
				return true
			}
			group, artifact, version := r.value(m, n.value("groupId")), n.value("artifactId"), r.value(m, n.value("version"))
			for _, need := range javaNeeds() {
				if need.covers(group, artifact, version) {
					f.atLeast = append(f.atLeast, javaFact{jdk: need.jdk, what: artifact + " " + version, file: m.file, line: n.line})
				}
			}
			return true
		})
	}
}
