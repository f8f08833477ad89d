package languages

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

// ownCommand is the command that an instance with an image brings: its
// eval_script, its test_cmds, or the scripts of Multi-SWE-bench in the image.
type ownCommand struct {
	script evalScript
	parser string // of the text that it prints; "" where pytest alone runs
}

// ErrPrinted says that something was asked that only a structured report can
// answer.
var ErrPrinted = errors.New("the instance's own command prints its results, which cannot be narrowed to single tests")

// openOwn makes an ownCommand of the instance's fields. The test command of
// Multi-SWE-bench stands in the image and is read later.
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
	if _, _, _, sealed := own.script.pytest(); !sealed && parser == "" && text != "" {
		return errors.New("the instance's command needs log_parser, the name of a reader of what it prints, since it is not pytest alone")
	}
	t.own = own
	return nil
}

// command is the shell that runs a suite, its report, and a second start with
// the nonce tests where pytest runs.
func (o *ownCommand) command(s Suite) (Command, error) {
	if index, head, rest, ok := o.script.pytest(); ok {
		return o.sealed(s, index, head, rest), nil
	}
	if s.Contributed {
		return Command{}, ErrPrinted
	}
	return o.printed(s), nil
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

// sealed runs the script with our reporter in its pytest, and then the nonce
// tests in the same shell. Contributed tests take the place of the published
// arguments.
func (o *ownCommand) sealed(s Suite, index int, head, rest string) Command {
	plugin := "assay_" + s.Nonce
	// A line that sets the path for itself must not lose our reporter.
	head = strings.Replace(head, "PYTHONPATH=", "PYTHONPATH="+s.dir()+"/lib:", 1)
	run := func(report, selected string, files []string) string {
		args := " -p " + plugin + " --continue-on-collection-errors" + rest
		if files != nil {
			args = " -p " + plugin + " --continue-on-collection-errors " + quoteAll(files)
		}
		return pythonVars(report, selected, s.dir()+"/lib") + head + args + "\n"
	}
	c := Command{
		Files: []harness.File{{Path: s.dir() + "/lib/" + plugin + ".py", Data: []byte(reports.PytestPlugin())}},
		Env:   append(ownEnv(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8"),
	}
	var files []string
	if s.Contributed {
		files = s.Files
	}
	nonce := pythonNonce(s)
	c = pythonCommand(c, s, nonce, func(report, selected string, named []string) string {
		if nonce != nil && len(named) == 1 && named[0] == nonce.path {
			return run(report, selected, named)
		}
		return run(report, selected, files)
	})
	return o.around(c, s, index)
}

// around puts the starts of pytest that a Command has into the script: that
// of the tests in place of the script's own line, that of the nonce tests at
// its end, when their file is put in, too.
func (o *ownCommand) around(c Command, s Suite, index int) Command {
	script := s.dir() + "/eval.sh"
	start := strings.TrimPrefix(c.Script, pickPython)
	var b strings.Builder
	for _, line := range append(append([]string{}, o.script.Setup...), o.script.Tests[:index]...) {
		b.WriteString(line + "\n")
	}
	b.WriteString("assay_failed=0\ntrap 'assay_failed=$?' ERR\n" + start + "trap - ERR\nset +e\n")
	if c.Nonce != nil {
		for i, f := range c.Nonce.Files {
			if strings.HasPrefix(f.Path, s.root()+"/") {
				c.Nonce.Files[i].Path = s.dir() + "/nonce.py"
				fmt.Fprintf(&b, "cp %s %s\n", quote(s.dir()+"/nonce.py"), quote(f.Path))
			}
		}
		b.WriteString("cd " + quote(s.root()) + "\n{ " + strings.TrimSuffix(c.Nonce.Script, "\n") + "; } >/dev/null 2>&1\n")
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

// root is where the repository stands.
func (s Suite) root() string {
	if s.Root == "" {
		return Root
	}
	return path.Clean(s.Root)
}
