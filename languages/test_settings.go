package languages

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// testSettingsOf are the parts of a tree's build files that rule how tests
// run and the outcome of their results: a submission that changes them is
// suspect, unless gold has the same.
func testSettingsOf(l Language, repo Repository) Settings {
	if r, ok := l.(settingsReader); ok {
		return r.TestSettings(repo)
	}
	return Settings{}
}

// settingsReader is a language whose build files can change test results.
type settingsReader interface {
	TestSettings(repo Repository) Settings
}

// toolService is a file by which the compiler or a test framework finds classes
// that it loads into itself.
var toolService = regexp.MustCompile(`(?:^|/)(?:META-INF/services/(?:javax\.annotation\.processing|com\.sun\.source|org\.(?:junit|testng|spockframework|mockito|assertj))\.[\w.$]+|mockito-extensions/[\w.$]+)$`)

// javaServices notes such files, and the archives of the tree, which may hold some
// and classes of the test frameworks.
func javaServices(s Settings, repo Repository) {
	s.Set("services", "", "")
	s.Set("archives", "", "")
	for _, p := range repo.Paths() {
		if path.Ext(p) == ".jar" && classify(Java, p) != RunnerPath {
			s.Set("archives", p, fmt.Sprintf("%x", sha256.Sum256([]byte(repo.Text(p)))))
		}
		if toolService.MatchString(p) {
			s.Set("services", p, strings.Join(strings.Fields(repo.Text(p)), " "))
		}
	}
}

// harmlessSettings of pytest describe what tests are called, not how they are
// judged.
var harmlessSettings = regexp.MustCompile(`^(markers|minversion|testpaths|log_\w+|junit_\w+|required_plugins)$`)

var pytestEntryPoints = regexp.MustCompile(`(?m)^[^\n]*pytest11[^\n]*\n(?:[ \t]+[^\n]*\n|[\w.-]+\s*=[^\n]*\n)*`)

func pytestSubject(s Settings, repo Repository) {
	at := pytestSettings(repo)
	s.Set("pytest", "file", at.file)
	names := []string{}
	for line := range strings.Lines(at.value) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		if harmlessSettings.MatchString(key) {
			continue
		}
		names = append(names, key)
		s.Set("pytest", key, value)
	}
	s.Set("pytest", "all settings", strings.Join(names, " "))
	for _, file := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		s.Set("pytest", "plugins of "+file, strings.Join(pytestEntryPoints.FindAllString(repo.Text(file), -1), ""))
	}
}

// testProperty is the name of a property that Surefire or its like reads.
var testProperty = regexp.MustCompile(`(?i)test|surefire|failsafe|argline|groups|skip|jvm|fork|agent|assert|classpath|runorder`)

// pomSubject notes a pom's parent, plugins, extensions, places and properties.
func pomSubject(s Settings, file, text string) {
	project, _ := parseXML(text) // what is there of a file that is cut
	if project == nil {
		return
	}
	s.Set(file, "parent", flatXML(project.find("parent")))
	s.Set(file, "extensions", flatXML(project.find("build", "extensions")))
	s.Set(file, "repositories", flatXML(project.find("repositories"))+flatXML(project.find("pluginRepositories")))
	plugins, properties := map[string]string{}, map[string]string{}
	project.each(func(n *xmlNode) bool {
		switch {
		case n.name == "plugin":
			plugins[n.value("artifactId")] += flatXML(n)
			return false
		case n.parent != nil && n.parent.name == "properties" && testProperty.MatchString(n.name):
			properties[n.name] += n.text
		case n.parent != nil && n.parent.name == "build" && len(n.children) == 0:
			properties["build."+n.name] += n.text
		case n.name == "testResources" || n.name == "systemPath":
			properties[n.name] += flatXML(n)
		}
		return true
	})
	for name, value := range plugins {
		s.Set(file, "plugin "+name, value)
	}
	for name, value := range properties {
		s.Set(file, "property "+name, value)
	}
	s.Set(file, "plugins", strings.Join(slices.Sorted(maps.Keys(plugins)), " "))
	s.Set(file, "properties", strings.Join(slices.Sorted(maps.Keys(properties)), " "))
}

// flatXML is an element's content on one line, without the versions of plugins.
func flatXML(n *xmlNode) string {
	if n == nil {
		return ""
	}
	if n.name == "version" && n.parent != nil && n.parent.name == "plugin" {
		return ""
	}
	var b strings.Builder
	b.WriteString("<" + n.name + ">" + n.text)
	for _, c := range n.children {
		b.WriteString(flatXML(c))
	}
	b.WriteString("</" + n.name + ">")
	return b.String()
}
