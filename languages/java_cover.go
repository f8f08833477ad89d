package languages

import (
	encxml "encoding/xml"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/harness"
)

// javaCover is where the layer for coverage keeps JaCoCo.
const javaCover = "/opt/assay-cover"

// jacocoVersion reads classes up to those of Java 24.
const jacocoVersion = "0.8.13"

func (javaLanguage) measures(p string) bool { return strings.HasSuffix(p, ".java") }

func (javaLanguage) tellsTestsApart() bool { return false }

// coverageLayer implements measurer: JaCoCo's agent, and its program that reads
// what the agent writes.
func (javaLanguage) coverageLayer() harness.Recipe {
	get := func(artifact, class, file string) string {
		return fmt.Sprintf("mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact=org.jacoco:%s:%s:jar:%s -DoutputDirectory=%s -Dmdep.stripVersion=true\nmv %s/%s-%s.jar %s/%s\n",
			artifact, jacocoVersion, class, javaCover, javaCover, artifact, class, javaCover, file)
	}
	return harness.Recipe{
		Name: "java coverage", Workdir: "/", Network: true,
		Script: "command -v mvn >/dev/null || { echo 'assay: coverage of Java is measured with Maven only'; exit 1; }\n" +
			get("org.jacoco.agent", "runtime", "agent.jar") + get("org.jacoco.cli", "nodeps", "cli.jar"),
	}
}

// measure implements measurer. The agent is in every JVM of the run, and looks at
// the packages in question only; which tests run is narrowed to the contributed
// methods (see mavenMethods).
func (javaLanguage) measure(s Suite, lines map[string][]int) measurement {
	exec, report := coverFolder(s)+"/jacoco.exec", coverFolder(s)+"/jacoco.xml"
	var includes []string
	copies := ""
	for _, p := range sortedKeys(lines) {
		pkg, folder := "", ""
		if m := javaPackage.FindStringSubmatch(s.Repo.Text(p)); m != nil {
			pkg, folder = m[1]+".", strings.ReplaceAll(m[1], ".", "/")+"/"
		}
		includes = append(includes, pkg+"*")
		copies += fmt.Sprintf("assay_classes %s %s\n", quote(folder), quote(strings.TrimSuffix(path.Base(p), ".java")))
	}
	slices.Sort(includes)
	options := "-javaagent:" + javaCover + "/agent.jar=destfile=" + exec + ",includes=" + strings.Join(slices.Compact(includes), ":") +
		" -Djacoco.skip=true" // two agents in one JVM see classes that the other one changed
	return measurement{
		script: "mkdir -p " + quote(coverFolder(s)+"/classes") + "\n", env: []string{"JAVA_TOOL_OPTIONS=" + options},
		after: `unset JAVA_TOOL_OPTIONS
# Of several builds of a class the newest is the one that ran.
assay_classes() {
  newest=$(find . \( -path "*/target/classes/$1$2.class" -o -path "*/classes/java/main/$1$2.class" \) -exec ls -t {} + | head -n 1)
  [ -n "$newest" ] || return 0
  mkdir -p ` + quote(coverFolder(s)+"/classes") + `/"$1"
  cp "${newest%/*}"/*.class ` + quote(coverFolder(s)+"/classes") + `/"$1"
}
` + copies + `java -jar ` + javaCover + `/cli.jar report ` + quote(exec) + ` --classfiles ` + quote(coverFolder(s)+"/classes") + ` --xml ` + quote(report) + "\n",
		collect: report, read: func(files map[string][]byte) Coverage { return readJacoco(files[report], lines) },
	}
}

// jacocoReport is what is needed of JaCoCo's XML.
type jacocoReport struct {
	Packages []jacocoPackage `xml:"package"`
	Groups   []struct {
		Packages []jacocoPackage `xml:"package"`
	} `xml:"group"`
}

type jacocoPackage struct {
	Name    string `xml:"name,attr"`
	Sources []struct {
		Name  string `xml:"name,attr"`
		Lines []struct {
			Number  int `xml:"nr,attr"`
			Covered int `xml:"ci,attr"`
		} `xml:"line"`
	} `xml:"sourcefile"`
}

// readJacoco takes the lines in question from a report; nil where there is none.
// A file's class that was never compiled has no executable line.
func readJacoco(data []byte, lines map[string][]int) Coverage {
	var r jacocoReport
	if len(data) == 0 || encxml.Unmarshal(data, &r) != nil {
		return nil
	}
	packages := r.Packages
	for _, g := range r.Groups {
		packages = append(packages, g.Packages...)
	}
	out := Coverage{}
	for p, wanted := range lines {
		f := FileCoverage{Executable: []int{}, Covered: map[string][]int{}, Whole: true}
		for _, pkg := range packages {
			for _, source := range pkg.Sources {
				if !strings.HasSuffix("/"+p, "/"+path.Join(pkg.Name, source.Name)) {
					continue
				}
				for _, l := range source.Lines {
					f.note(l.Number, l.Covered > 0, wanted)
				}
			}
		}
		out[p] = f
	}
	return out
}

// note adds a line that the tool calls executable, where it is in question.
func (f *FileCoverage) note(line int, covered bool, wanted []int) {
	f.Loaded = f.Loaded || covered
	if !slices.Contains(wanted, line) {
		return
	}
	f.Executable = append(f.Executable, line)
	if covered {
		f.Covered[""] = append(f.Covered[""], line)
	} else {
		f.Missing = append(f.Missing, line)
	}
}

// mavenMethods is the value of -Dtest for the selected tests of a measured run
// alone. A class without a selected test runs whole. The pattern of a method
// matches all names that begin with its own, as those of its cases do, unless
// another method's name does so, too.
func mavenMethods(suite Suite, classes []string) string {
	methods := map[string][]string{}
	for _, id := range suite.Select {
		if class, method, ok := strings.Cut(id, "::"); ok {
			methods[class] = append(methods[class], method)
		}
	}
	declared := map[string][]string{}
	for _, f := range suite.Files {
		tests, err := javaLanguage{}.Tests(f, []byte(suite.Repo.Text(f)))
		if err != nil {
			continue
		}
		for _, t := range tests {
			if class, method, ok := strings.Cut(t.ID, "::"); ok {
				declared[class] = append(declared[class], method)
			}
		}
	}
	var out []string
	for _, class := range sortedKeys(methods) {
		var patterns []string
		for _, m := range methods[class] {
			if !slices.ContainsFunc(declared[class], func(o string) bool { return o != m && strings.HasPrefix(o, m) }) {
				m += "*"
			}
			patterns = append(patterns, m)
		}
		slices.Sort(patterns)
		out = append(out, class+"#"+strings.Join(slices.Compact(patterns), "+"))
	}
	for _, c := range classes {
		within := func(class string) bool { return class == c || strings.HasPrefix(class, c+"$") }
		if !slices.ContainsFunc(sortedKeys(methods), within) && !slices.ContainsFunc(sortedKeys(declared), within) {
			out = append(out, c) // the nonce tests' class
		}
	}
	return strings.Join(out, ",")
}
