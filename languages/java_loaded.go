package languages

import "strings"

// loadedFile is where a run lists what test frameworks, the compiler and
// mocking libraries load by themselves from the folders of classes.
func loadedFile(suite Suite) string { return suite.dir() + "/settings/loaded" }

// loadedScript is shell that makes the list after a build: service files with
// their sums, wherever the build got them from, and folders of the frameworks'
// own packages. Files below src count only when the build copied them. The
// list is in the order of paths, not of sums, so that it is cut alike on all
// trees with the same files.
func loadedScript(suite Suite) string {
	var names, folders []string
	for _, p := range []string{
		"META-INF/services/javax.annotation.processing.*", "META-INF/services/com.sun.source.*", "META-INF/services/org.junit.*", "META-INF/services/org.testng.*",
		"META-INF/services/org.spockframework.*", "META-INF/services/org.mockito.*", "META-INF/services/org.assertj.*", "META-INF/services/org.apache.maven.*",
		"mockito-extensions/*", "junit-platform.properties",
	} {
		names = append(names, "-path "+quote("*/"+p))
	}
	for _, p := range []string{"org/junit", "junit/framework", "org/testng", "org/apache/maven/surefire", "org/opentest4j", "org/hamcrest", "org/assertj", "org/mockito"} {
		folders = append(folders, "-path "+quote("*/"+p))
	}
	outside := "find . \\( -name .git -o -name .gradle -o -name src \\) -prune -o "
	return "mkdir -p " + quote(suite.dir()+"/settings") + "\n{ " +
		outside + "-type f \\( " + strings.Join(names, " -o ") + " \\) -exec cksum {} +\n" +
		outside + "-type d \\( " + strings.Join(folders, " -o ") + " \\) -print\n} 2>/dev/null | LC_ALL=C sort -k3 | head -n 500 >" + quote(loadedFile(suite)) + "\n"
}

// javaSettings are the build files' settings and what the run listed.
func javaSettings(suite Suite) func(map[string][]byte) Settings {
	return func(files map[string][]byte) Settings {
		s := Settings{}
		if suite.Repo != nil {
			s = javaLanguage{}.TestSettings(suite.Repo)
		}
		s.loaded(string(files[loadedFile(suite)]))
		return s
	}
}

// loaded notes a list of loadedScript: each line is a property of its own, so
// that a tree with fewer of them is like one with more.
func (s Settings) loaded(list string) {
	const subject = "the folders of classes"
	s.Set(subject, "", "")
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if fields := strings.SplitN(line, " ", 3); len(fields) == 3 {
			s.Set(subject, fields[2], fields[0])
		} else if line != "" {
			s.Set(subject, line, "a folder")
		}
	}
}
