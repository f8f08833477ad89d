package reports

import "strings"

const logParserPrefix = "parse_log_"

// logParsers is the table of all names. Many are the same form under the name
// of the project that it was first read for.
func logParsers() []logParser {
	var all []logParser
	add := func(read func(*collector, []byte) bool, alias func(string) string, names string) {
		for name := range strings.FieldsSeq(names) {
			all = append(all, logParser{logParserPrefix + name, read, alias})
		}
	}
	add(readPytestText, nil, "pytest pytest_v2 seaborn astroid flask marshmallow pvlib pyvista sqlfluff xarray astropy scikit sphinx")
	add(readPytestText, lastOfPaths, "pytest_options pydicom requests pylint")
	add(readPytestText, mouseButtons, "matplotlib")
	add(readDjangoText, nil, "django")
	add(readSympyText, nil, "sympy")

	add(readJestTests(title), nil, "jest")
	add(readJestTests(joined(" - ")), nil, "calypso")
	add(readJestFiles, nil, "carbon grommet react_pdf")
	add(readJestLines, nil, "jest_json")
	add(anyOf(readJestLines, readJestTests(title)), nil, "immutable_js")
	add(readMochaText(lastHeading), nil, "highlightjs")
	add(readKarmaTree(joined(" > ")), nil, "karma")
	add(anyOf(readKarmaTree(joined(" - ")), readMochaText(suiteAndTitle)), nil, "next")
	add(anyOf(readMochaJSON, readMochaText(joined(" - ")), readJestFiles), nil, "lighthouse")
	add(readMochaJSON, nil, "prismjs")
	add(readMochaFailures(endingInColon), nil, "eslint")
	add(readMochaFailures(joined(":")), nil, "p5js")
	add(readKarmaFailures, nil, "bpmn_js chart_js")
	add(anyOf(readKarmaFailures, readMochaFailures(endingInColon)), nil, "openlayers")
	add(readJasmineFailures, nil, "marked")
	add(readVitestText, nil, "vitest")
	add(readTAP, nil, "tap")
	add(readDenoText, nil, "quarto_cli")

	add(readTclText, nil, "redis")
	add(readAutomakeText, nil, "jq")
	add(readMicroPythonText, nil, "micropython_test")
	add(readDoctestInText, nil, "doctest")
	add(readGTestText, nil, "googletest")

	add(readGoTest, nil, "gotest")
	add(readCargo, nil, "cargo")
	add(readMavenRuns, nil, "maven")
	add(readAntText, nil, "ant")
	add(readGradleText, nil, "gradle_custom")
	add(readTestdox, nil, "phpunit")
	add(readMinitest, nil, "minitest")
	add(readTestUnit, nil, "ruby_unit")
	add(readCucumber, nil, "cucumber")
	add(readRspecLines, nil, "rspec_transformed_json")
	add(anyOf(readMinitest, readCucumber), nil, "jekyll")

	all = append(all, logParser{string(Unittest), readDjangoText, nil})
	for _, f := range Formats() {
		if read := textReader(f); read != nil {
			all = append(all, logParser{string(f), read, nil})
		}
	}
	return all
}

// anyOf is a reader for projects that changed their runner: the first reader
// that finds its form in the text counts.
func anyOf(readers ...func(*collector, []byte) bool) func(*collector, []byte) bool {
	return func(c *collector, data []byte) bool {
		for _, read := range readers {
			try := newCollector()
			if read(try, data) {
				*c = *try
				return true
			}
		}
		return false
	}
}

// lastOfPaths shortens a parameter that is an absolute path to its last part:
// where the repository is is not part of a test's name.
func lastOfPaths(id string) string {
	head, param, ok := strings.Cut(id, "[")
	if !ok || !strings.HasPrefix(param, "/") || strings.HasPrefix(param, "//") || strings.Contains(param, "*") {
		return id
	}
	return head + "[" + param[strings.LastIndexByte(param, '/'):]
}

// mouseButtons gives matplotlib's enumeration its values: how it prints
// depends on the version of Python.
func mouseButtons(id string) string {
	return strings.NewReplacer("MouseButton.LEFT", "1", "MouseButton.RIGHT", "3").Replace(id)
}
