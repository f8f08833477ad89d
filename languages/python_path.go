package languages

import (
	"maps"
	"path"
	"regexp"
	"strings"
)

// pythonPathSetting is an assignment of PYTHONPATH in a shell script, a
// Makefile, tox's setenv or a workflow.
var pythonPathSetting = regexp.MustCompile(`(?m)^[ \t-]*(?:export[ \t]+|set[ \t]+|env[ \t]+)?PYTHONPATH[ \t]*[:?]?[=:][ \t]*["']?([^\s"'#]+)`)

// testScripts are where projects describe how their tests start, the most
// specific first.
func testScripts() []string {
	return []string{
		"scripts/test.sh", "scripts/test", "scripts/tests.sh", "script/test", "test.sh", "run_tests.sh", "runtests.sh",
		"tox.ini", "noxfile.py", "Makefile", ".travis.yml",
		".github/workflows/test.yml", ".github/workflows/tests.yml", ".github/workflows/ci.yml",
	}
}

// searchPath puts the folders that the project's test script puts on
// PYTHONPATH into the environment, unless env says its own.
func (r *pythonRules) searchPath() {
	if r.env.Vars["PYTHONPATH"] != "" {
		return
	}
	folders := foldersOf(r.facts.Repo.Paths())
	for _, file := range testScripts() {
		text := r.facts.Repo.Text(file)
		m := pythonPathSetting.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		var dirs []string
		for _, d := range strings.Split(text[m[2]:m[3]], ":") {
			if d = inRepository(d); d != "" && folders[d] {
				dirs = append(dirs, path.Join(r.above(file), d))
			}
		}
		if len(dirs) == 0 {
			continue
		}
		vars := map[string]string{"PYTHONPATH": strings.Join(dirs, ":")}
		maps.Copy(vars, r.env.Vars)
		r.env.Vars = vars
		r.decide("vars", "PYTHONPATH="+vars["PYTHONPATH"], "the project's tests start so",
			finding{file: file, line: lineAt(text, m[2])})
		return
	}
}

// inRepository is a folder as a path below the root, "" where it is elsewhere
// or is made of variables that cannot be known.
func inRepository(dir string) string {
	for _, root := range []string{"{toxinidir}", "${toxinidir}", "$PWD", "${PWD}", "$(pwd)", "`pwd`", "$(CURDIR)", "${{ github.workspace }}"} {
		if rest, ok := strings.CutPrefix(dir, root); ok {
			dir = "." + rest
		}
	}
	if dir == "" || strings.ContainsAny(dir, "${}`") || path.IsAbs(dir) {
		return ""
	}
	if dir = path.Clean(dir); strings.HasPrefix(dir, "..") {
		return ""
	}
	return dir
}

// foldersOf are all folders that hold files, with the root as ".".
func foldersOf(paths []string) map[string]bool {
	out := map[string]bool{".": true}
	for _, p := range paths {
		for d := path.Dir(p); d != "." && !out[d]; d = path.Dir(d) {
			out[d] = true
		}
	}
	return out
}
