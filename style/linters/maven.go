package linters

import (
	"fmt"
	"strings"

	"assay/harness"
)

// artifact is one of Maven's.
type artifact struct{ group, name, version string }

// artifacts go into one directory of a tool's home.
type artifacts struct {
	dir  string
	list []artifact
	// closed lists are complete: what else they ask for is not installed.
	closed bool
}

const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// fromMaven installs artifacts, and what they need, below home.
func fromMaven(name, home string, sets ...artifacts) harness.Recipe {
	r := harness.Recipe{
		Name: name, Network: true, Workdir: home,
		Packages: []string{"maven", "openjdk-17-jdk-headless"},
	}
	for _, set := range sets {
		pom := home + "/" + set.dir + ".xml"
		r.Files = append(r.Files, harness.File{Path: pom, Data: set.pom()})
		r.Script += fmt.Sprintf("mvn -B -q -f %s %s -DincludeScope=runtime -DoutputDirectory=%s/%s\n", pom, copyDependencies, home, set.dir)
		r.Script += fmt.Sprintf("ls %s/%s >>%s/installed\n", home, set.dir, home)
	}
	return r
}

func (s artifacts) pom() []byte {
	var pom strings.Builder
	pom.WriteString(`<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>assay</groupId><artifactId>tool</artifactId><version>1</version>
<dependencies>
`)
	without := ""
	if s.closed {
		without = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
	}
	for _, a := range s.list {
		fmt.Fprintf(&pom, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>%s</dependency>\n", a.group, a.name, a.version, without)
	}
	pom.WriteString("</dependencies>\n</project>\n")
	return []byte(pom.String())
}

// pickJava takes the Java of the recipe, even if the project builds with
// another.
const pickJava = `JAVA=java
for j in /usr/lib/jvm/java-17-openjdk-*/bin/java; do
  if [ -x "$j" ]; then JAVA=$j; fi
done
`

// javaFlags bound a tool in Java; one core's collector makes short runs short.
const javaFlags = " -Xmx1500m -XX:+UseSerialGC "
