package languages

import "assay/bench"

// programFiles is how many test files a program of the repository's own runs in
// the check.
const programFiles = 3

// Warm checks that the environment runs tests: of the test files that base
// has, some test must be collected, by pytest or by unittest, or run by the
// repository's own program, which runs everything where no file is given. A
// module that is missing is installed.
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
	if program, own := programStart(env, suite); own {
		if len(files) == 0 {
			return ""
		}
		files = files[:min(programFiles, len(files))]
		for i, f := range files {
			files[i] = program.label(f)
		}
	}
	return "/usr/bin/python3 " + pythonSetupFile + " check " + pythonDir + "/plan.json " + quoteAll(files) + "\n"
}
