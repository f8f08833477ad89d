package languages

import (
	"regexp"
	"strings"
)

var (
	pytestNames = regexp.MustCompile(`(?m)^python_(classes|functions) = `)
	noseCommand = regexp.MustCompile(`(?m)^[^#\n]*\bnosetests\b`)
)

// noseNames are the options by which pytest finds tests by the names that
// nose treats as tests, in addition to its own: classes that end in Test and
// functions that end in _test. Settings of pytest's own come first.
func noseNames(repo Repository) ([]string, finding) {
	at, ok := usesNose(repo)
	if !ok || pytestNames.MatchString(pytestSettings(repo).value) {
		return nil, finding{}
	}
	return []string{"-o", "python_classes=Test *Test *Tests", "-o", "python_functions=test *_test"}, at
}

// usesNose reports where the project says that nose runs its tests.
func usesNose(repo Repository) (finding, bool) {
	cfg := parseINI("setup.cfg", repo.Text("setup.cfg"))
	if section, ok := cfg.sections["nosetests"]; ok && len(section) > 0 {
		return finding{file: "setup.cfg", line: wordLine(repo.Text("setup.cfg"), "[nosetests]")}, true
	}
	if strings.Contains(repo.Text("setup.py"), "nose.collector") {
		return finding{file: "setup.py", line: wordLine(repo.Text("setup.py"), "nose.collector")}, true
	}
	for _, file := range testScripts() {
		text := repo.Text(file)
		if at := noseCommand.FindStringIndex(text); at != nil {
			return finding{file: file, line: lineAt(text, at[1])}, true
		}
	}
	return finding{}, false
}
