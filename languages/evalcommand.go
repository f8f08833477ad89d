package languages

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

// ownCommand is the test command of an instance with an image: its
// eval_script, its test_cmds, or the scripts of Multi-SWE-bench in the image.
type ownCommand struct {
	script evalScript
	parser string   // of the text that it prints; "" where pytest alone runs
	hidden []string // files of the image that no run may see
}

// ErrPrinted says that something was asked that only a structured report can
// answer.
var ErrPrinted = errors.New("the instance's own command prints its results, which cannot be narrowed to single tests")

// openOwn makes an ownCommand of the instance's fields. The test command of
// Multi-SWE-bench is in the image and is read later.
func (t *Testbed) openOwn() error {
	if !t.instance.HasCommand() || t.env.Test != "" {
		return nil
	}
	parser := t.instance.LogParser
	if strings.Contains(parser, "\n") {
		return errors.New("log_parser holds code, which is not run: give the name of a reader instead (docs/judging.md)")
	}
	if parser != "" {
		if err := reports.CheckLogParser(parser); err != nil {
			return err
		}
	}
	text := t.instance.EvalScript
	if text == "" {
		text = strings.Join(t.instance.TestCmds, "\n")
	}
	return t.setOwn(text, parser)
}

func (t *Testbed) setOwn(text, parser string) error {
	own := &ownCommand{script: parseEvalScript(text), parser: parser}
	if _, sealed := own.sealable(""); !sealed && parser == "" && text != "" {
		return errors.New("the instance's command needs log_parser, the name of a reader of what it prints, since it is not pytest or unittest alone")
	}
	t.own = own
	return nil
}

// command is the shell that runs a suite, its report, and a second start with
// the nonce tests where our reporter is in the runner.
func (o *ownCommand) command(s Suite) (Command, error) {
	if start, ok := o.sealable(s.root()); ok {
		return o.hiding(o.sealed(s, start)), nil
	}
	if s.Contributed {
		return Command{}, ErrPrinted
	}
	return o.hiding(o.printed(s)), nil
}

func (o *ownCommand) hiding(c Command) Command {
	c.Remove = o.hidden
	return c
}

// sealedStart is the line of the script that starts a runner which can carry
// our reporter.
type sealedStart struct {
	index     int
	functions bool // its tests are functions, and no others are found
	fromRoot  bool // it takes paths from the repository's root, wherever the script has gone
	files     func(s Suite) []harness.File
	// line is the shell of one start under the reporter's variables. Files
	// take the place of the published arguments; nil keeps these.
	line func(s Suite, report, selected string, files []string) string
}

// sealable finds such a line, where the script starts nothing else.
func (o *ownCommand) sealable(root string) (sealedStart, bool) {
	if index, head, rest, ok := o.script.pytest(); ok {
		return pytestStart(index, head, rest), true
	}
	index, runner, ok := o.script.runner(o.parser, root)
	return sealedStart{
		index: index, functions: runner.program == sympyFunctions, files: runnerFiles,
		line: func(s Suite, report, selected string, files []string) string {
			return pythonVars(report, selected, "") + runner.command(s, files) + "\n"
		},
	}, ok
}

func pytestStart(index int, head, rest string) sealedStart {
	return sealedStart{
		index: index, fromRoot: true,
		files: func(s Suite) []harness.File {
			return []harness.File{{Path: s.dir() + "/lib/assay_" + s.Nonce + ".py", Data: []byte(reports.PytestPlugin())}}
		},
		line: func(s Suite, report, selected string, files []string) string {
			// A line that sets the path for itself must not lose our reporter.
			start := strings.Replace(head, "PYTHONPATH=", "PYTHONPATH="+s.dir()+"/lib:", 1)
			args := rest
			if files != nil {
				args = " " + quoteAll(files)
			}
			return pythonVars(report, selected, s.dir()+"/lib") + start + " -p assay_" + s.Nonce + " --continue-on-collection-errors" + args + "\n"
		},
	}
}

// printed runs the script as it is. What its tests print goes to a file, so
// that nothing printed before them is read.
func (o *ownCommand) printed(s Suite) Command {
	script, output := s.dir()+"/eval.sh", s.reports()+"/printed"
	var b strings.Builder
	b.WriteString(strings.Join(o.script.Setup, "\n"))
	fmt.Fprintf(&b, "\nexec >%s 2>&1\nassay_failed=0\ntrap 'assay_failed=$?' ERR\n", quote(output))
	b.WriteString(strings.Join(o.script.Tests, "\n"))
	b.WriteString("\nexit $assay_failed\n")
	return Command{
		Script:  fmt.Sprintf("bash %s\ncode=$?\ncat %s\n(exit $code)\n", quote(script), quote(output)),
		Files:   []harness.File{{Path: script, Data: []byte(b.String()), Mode: 0o755}},
		Env:     ownEnv(),
		Reports: []string{output},
		Parser:  o.parser, Printed: true, FailuresIgnored: o.script.masked(),
	}
}

// sealed runs the script with our reporter in its runner, and then the nonce
// tests in the same shell. Contributed tests take the place of the published
// arguments.
func (o *ownCommand) sealed(s Suite, start sealedStart) Command {
	c := Command{
		Files: start.files(s),
		Env:   append(ownEnv(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8"),
	}
	var files []string
	if s.Contributed {
		files = s.Files
	}
	nonce := pythonNonce(s, start.functions)
	var written *writtenCopies
	if !failsFast.MatchString(o.script.Tests[start.index]) {
		written = pythonWritten(s)
	}
	c = pythonCommand(c, s, nonce, written, func(report, selected string, named []string) string {
		if nonce != nil && len(named) == 1 && named[0] == nonce.path {
			return start.line(s, report, selected, named)
		}
		return start.line(s, report, selected, files)
	})
	return o.around(c, s, start)
}

// failsFast are options by which a runner stops at the first failures, alone or
// among other short ones (-xvs).
var failsFast = regexp.MustCompile(`\s-[vqsl]*[xf][vqsl]*\b|--exitfirst|--maxfail|--failfast|--stepwise|--sw\b`)

// around puts the starts of the runner that a Command has into the script: that
// of the tests in place of the script's own line, that of the nonce tests at
// its end, when their file is put in, too.
func (o *ownCommand) around(c Command, s Suite, start sealedStart) Command {
	script := s.dir() + "/eval.sh"
	line := strings.TrimPrefix(c.Script, pickPython)
	var b strings.Builder
	for _, line := range append(append([]string{}, o.script.Setup...), o.script.Tests[:start.index]...) {
		b.WriteString(line + "\n")
	}
	b.WriteString("assay_failed=0\ntrap 'assay_failed=$?' ERR\n" + line + "trap - ERR\nset +e\n")
	if c.Nonce != nil {
		for i, f := range c.Nonce.Files {
			if strings.HasPrefix(f.Path, s.root()+"/") {
				c.Nonce.Files[i].Path = s.dir() + "/nonce.py"
				fmt.Fprintf(&b, "cp %s %s\n", quote(s.dir()+"/nonce.py"), quote(f.Path))
			}
		}
		if start.fromRoot {
			b.WriteString("cd " + quote(s.root()) + "\n")
		}
		b.WriteString("{ " + strings.TrimSuffix(c.Nonce.Script, "\n") + "; } >/dev/null 2>&1\n")
		c.Nonce.Script = "true\n"
	}
	b.WriteString("exit $assay_failed\n")
	c.Files = append(c.Files, harness.File{Path: script, Data: []byte(b.String()), Mode: 0o755})
	c.Script = "bash " + quote(script) + "\n"
	c.Parser = o.parser
	return c
}

// ownEnv keeps a script from waiting for a network that is not there.
func ownEnv() []string { return []string{"PIP_RETRIES=0", "PIP_DISABLE_PIP_VERSION_CHECK=1"} }

// root is where the repository is.
func (s Suite) root() string {
	if s.Root == "" {
		return Root
	}
	return path.Clean(s.Root)
}
