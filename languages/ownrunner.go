package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

// A testProgram is a runner in a repository, or unittest's own, into which
// our reporter can be put (reports.OwnRunner).
type testProgram int

const (
	unittestMain   testProgram = iota // python -m unittest
	djangoProgram                     // runtests.py, manage.py test: labels are modules
	sympyFunctions                    // bin/test: labels are paths, tests are functions
)

// runnerStart is one start of such a program.
type runnerStart struct {
	program testProgram
	vars    string   // assignments before the command
	python  string   // the interpreter with its options; empty where the program is started directly
	words   []string // the program, and the word of it that says that tests run
	args    []string // published arguments
	dir     string   // where it is started, relative to the repository
}

// runnerCommand is a start of a known program with nothing around it.
var runnerCommand = regexp.MustCompile(`^\s*((?:` + assignment + `\s+)*)((?:\S*/)?python[0-9.]*(?:\s+-(?:[WX]\s*\S+|[BEIsSu]+))*\s+)?` +
	`(-m\s+unittest|-m\s+django\s+test|(?:\S*/)?runtests\.py|(?:\S*/)?manage\.py\s+test|(?:\S*/)?bin/test)(\s.*)?$`)

// assignment is a variable that is set for one command alone.
const assignment = `[A-Za-z_][A-Za-z0-9_]*=(?:'[^']*'|"[^"]*"|[^\s'"])*`

// runner finds the script's only line that does anything but prepare the
// shell, where that line starts a program that prints what the parser reads.
// root is where the repository is.
func (s evalScript) runner(parser, root string) (index int, start runnerStart, ok bool) {
	index = -1
	for i, line := range s.Tests {
		if preparesShell(line) {
			continue
		}
		m := runnerCommand.FindStringSubmatch(line)
		if index >= 0 || m == nil || strings.ContainsAny(m[4], "|&;<>`$\n(){}'\"") {
			return 0, start, false
		}
		index = i
		start = runnerStart{vars: m[1], python: strings.TrimSpace(m[2]), words: strings.Fields(m[3]), args: strings.Fields(m[4])}
	}
	if index < 0 {
		return 0, start, false
	}
	start.program = programOf(start.words)
	start.dir, ok = s.folder(index, root)
	if start.words[0] == "-m" && start.python == "" || !start.program.prints(parser) {
		return 0, start, false
	}
	return index, start, ok && !slices.Contains(start.args, "discover")
}

func programOf(words []string) testProgram {
	switch {
	case path.Base(words[0]) == "test":
		return sympyFunctions
	case len(words) == 2 && words[1] == "unittest":
		return unittestMain
	}
	return djangoProgram
}

// prints reports whether a log parser is the one for what the program prints.
// A runtests.py may be anything, a start of pytest too.
func (p testProgram) prints(parser string) bool {
	switch parser = strings.TrimPrefix(parser, "parse_log_"); p {
	case sympyFunctions:
		return parser == "sympy"
	case djangoProgram:
		return parser == "django" || parser == string(reports.Unittest)
	}
	return parser == "" || parser == "django" || parser == string(reports.Unittest)
}

// folder is where the line with this index is run, relative to the
// repository; its root where the place of the repository is not known yet.
func (s evalScript) folder(index int, root string) (string, bool) {
	dir := root
	for _, line := range append(slices.Clone(s.Setup), s.Tests[:index]...) {
		for part := range strings.SplitSeq(line, "&&") {
			words := strings.Fields(part)
			switch {
			case len(words) != 2 || words[0] != "cd":
			case path.IsAbs(words[1]):
				dir = path.Clean(words[1])
			default:
				dir = path.Join(dir, words[1])
			}
		}
	}
	if dir == root || root == "" {
		return ".", true
	}
	return strings.CutPrefix(dir, root+"/")
}

// command is the shell of one start; files take the place of the published
// arguments that name tests.
func (r runnerStart) command(s Suite, files []string) string {
	python := r.python
	if python == "" {
		python = `"$(command -v python || command -v python3)"`
	}
	words := []string{runnerFile(s), s.root()}
	words = append(words, r.words...)
	args := r.args
	if files != nil {
		args = r.options()
		for _, f := range files {
			args = append(args, r.label(f))
		}
	}
	return r.vars + python + " " + quoteAll(append(words, args...))
}

// runnerFiles are what a start needs in addition to the repository.
func runnerFiles(s Suite) []harness.File {
	return []harness.File{
		{Path: runnerFile(s), Data: []byte(reports.OwnRunner())},
		{Path: path.Dir(runnerFile(s)) + "/assay_unittest.py", Data: []byte(reports.UnittestRunner())},
	}
}

func runnerFile(s Suite) string { return s.dir() + "/lib/assay_runner.py" }

// options are the arguments that name no tests.
func (r runnerStart) options() []string {
	var out []string
	for i := 0; i < len(r.args); i++ {
		if !strings.HasPrefix(r.args[i], "-") {
			continue
		}
		out = append(out, r.args[i])
		if r.program.takesValue(r.args[i]) && i+1 < len(r.args) && (r.args[i] != "--parallel" || number(r.args[i+1])) {
			i++
			out = append(out, r.args[i])
		}
	}
	return out
}

func number(word string) bool { return word == "auto" || strings.Trim(word, "0123456789") == "" }

// takesValue reports whether the next word belongs to an option.
func (p testProgram) takesValue(option string) bool {
	values := map[testProgram]string{
		unittestMain: "-k",
		djangoProgram: "-v --verbosity --settings --pythonpath --parallel -k --tag --exclude-tag -t -p " +
			"--top-level-directory --pattern --testrunner --start-at --start-after",
		sympyFunctions: "--tb --seed -t --types --timeout --split --rerun",
	}
	return slices.Contains(strings.Fields(values[p]), option)
}

// label names a test file, given by its path in the repository, as the program
// wants it.
func (r runnerStart) label(file string) string {
	below := func(dir string) string {
		if dir = path.Clean(dir); dir == "." {
			return file
		}
		if rest, ok := strings.CutPrefix(file, dir+"/"); ok {
			return rest
		}
		return file
	}
	switch r.program {
	case djangoProgram:
		dir := r.dir
		if r.words[0] != "-m" {
			dir = path.Join(r.dir, path.Dir(r.words[0]))
		}
		return strings.ReplaceAll(strings.TrimSuffix(below(dir), ".py"), "/", ".")
	default:
		return below(r.dir)
	}
}
