package languages

import "assay/bench"

// Warm checks that the environment runs tests: of the test files that base has,
// some test must be collected, by pytest or by unittest. A module that is missing
// is installed.
func (pythonLanguage) Warm(env bench.Env, suite Suite) string {
	if !inferredPython(env) {
		return "" // a set-up by hand, whose tools are not known
	}
	var files []string
	for _, f := range suite.Files {
		if suite.Repo.Text(f) != "" {
			files = append(files, f)
		}
	}
	return "/usr/bin/python3 " + pythonSetupFile + " check " + pythonDir + "/plan.json " + quoteAll(files) + "\n"
}
