package languages

import (
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
	"assay/languages/syntax"
)

// pythonLanguage runs pytest, the repository's own test program, or unittest
// where an instance asks for it, with a reporter of our own inside the runner.
type pythonLanguage struct{}

const venv = "/opt/venv/bin/"

// pythonSetup installs what the repository says it needs with the pip of an
// environment that was made by hand.
func pythonSetup(repo Repository) []string {
	setup := []string{}
	for _, f := range []string{"requirements.txt", "requirements-test.txt", "requirements-dev.txt", "test-requirements.txt"} {
		if repo.Text(f) != "" {
			setup = append(setup, venv+"pip install -q -r "+f)
		}
	}
	if repo.Text("setup.py") != "" || repo.Text("pyproject.toml") != "" {
		setup = append(setup, venv+"pip install -q -e .")
	}
	return setup
}

// pickPython finds the interpreter: the instance's own, the one that our
// recipes make, or the one of SWE-bench's images.
const pickPython = `PY=python3
for p in "$ASSAY_PYTHON" /opt/venv/bin/python /opt/miniconda3/envs/testbed/bin/python; do
  if [ -n "$p" ] && [ -x "$p" ]; then PY=$p; PATH="$(dirname "$p"):$PATH"; export PATH; break; fi
done
`

func (pythonLanguage) Command(env bench.Env, suite Suite) Command {
	c := Command{
		Env: []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8"},
	}
	start, own := programStart(env, suite)
	nonce := pythonNonce(suite, own && start.program == sympyFunctions)
	if own {
		c.Files = runnerFiles(suite)
		run := func(report, selected string, files []string) string {
			return pythonVars(report, selected, "") + start.command(suite, files) + "\n"
		}
		return pythonCommand(c, suite, nonce, run)
	}
	if env.Framework == "unittest" {
		runner := suite.dir() + "/lib/assay_unittest.py"
		c.Files = []harness.File{{Path: runner, Data: []byte(reports.UnittestRunner())}}
		run := func(report, selected string, files []string) string {
			return pythonRun(report, selected, "", quoteAll(append([]string{runner}, files...)))
		}
		return pythonCommand(c, suite, nonce, run)
	}
	// The module's name holds the nonce, so that no file of the tree can
	// stand in for it.
	plugin := "assay_" + suite.Nonce
	c.Files = []harness.File{{Path: suite.dir() + "/lib/" + plugin + ".py", Data: []byte(reports.PytestPlugin())}}
	run := func(report, selected string, files []string) string {
		args := append([]string{"-m", "pytest", "-p", plugin}, pytestCache(env, suite, report)...)
		args = append(append(args, "--maxfail=0", "--continue-on-collection-errors"), env.Args...)
		return pythonRun(report, selected, suite.dir()+"/lib", quoteAll(append(args, files...)))
	}
	return pythonCommand(c, suite, nonce, run)
}

// pytestCache gives every start of pytest a cache of its own, an empty one:
// options (--ff) and fixtures need one. A repository that does without has no
// such setting.
func pytestCache(env bench.Env, suite Suite, report string) []string {
	given := strings.Join(append(addopts(pytestSettings(suite.Repo).value), env.Args...), " ")
	if strings.Contains(given, "no:cacheprovider") {
		return nil
	}
	return []string{"-o", "cache_dir=" + report + ".cache"}
}

// pythonRun is one start of the interpreter, reporting to a file.
func pythonRun(report, selected, lib, args string) string {
	return pythonVars(report, selected, lib) + `"$PY" ` + args + "\n"
}

// pythonVars are the assignments before it that our reporter reads.
func pythonVars(report, selected, lib string) string {
	var vars strings.Builder
	fmt.Fprintf(&vars, "%s=%s %s=%s ", reports.ReportVariable, quote(report), reports.KeyVariable, quote(report+".key"))
	if selected != "" {
		fmt.Fprintf(&vars, "%s=%s ", reports.SelectVariable, quote(selected))
	}
	if lib != "" {
		fmt.Fprintf(&vars, `PYTHONPATH=%s"${PYTHONPATH:+:$PYTHONPATH}" `, quote(lib))
	}
	return vars.String()
}

func pythonCommand(c Command, suite Suite, nonce *pythonNonceFile, run func(report, selected string, files []string) string) Command {
	c.Format = reports.PytestJSON
	// Plugins set the exit code by rules of their own (coverage below a
	// limit); the sealed report says what passed.
	c.OtherFailures = true
	// The two reports' names tell nothing of which is which.
	report := suite.reports() + "/" + suite.key("tests")[:16]
	c.Key = suite.key(report)
	c.Files = append(c.Files, harness.File{Path: report + ".key", Data: []byte(c.Key), Mode: 0o600})
	selected := ""
	if len(suite.Select) > 0 {
		selected = suite.dir() + "/select.json"
		c.Files = append(c.Files, harness.File{Path: selected, Data: jsonList(suite.Select)})
	}
	c.Script = pickPython + reinstall(suite) + run(report, selected, suite.Files)
	c.Reports = []string{report}
	if nonce == nil {
		return c
	}
	nonceReport := suite.reports() + "/" + suite.key("nonce")[:16]
	nonceKey := suite.key(nonceReport)
	c.Nonce = &Nonce{
		Script: run(nonceReport, "", []string{nonce.path}),
		Key:    nonceKey,
		Files: []harness.File{
			{Path: path.Join(suite.root(), nonce.path), Data: []byte(nonce.text)},
			{Path: nonceReport + ".key", Data: []byte(nonceKey), Mode: 0o600},
		},
		Reports: []string{nonceReport},
		Format:  reports.PytestJSON,
		Pass:    nonce.pass,
		Fail:    nonce.fail,
	}
	return c
}

type pythonNonceFile struct{ path, text, pass, fail string }

// pythonNonce writes a test module that imports what the suite's first file
// imports, so that a hook which hides in the code under test is in place, and
// then passes once and fails once. A unittest class is collected whatever the
// repository's settings say about names; functions are for runners that collect
// nothing else.
func pythonNonce(suite Suite, functions bool) *pythonNonceFile {
	if len(suite.Files) == 0 {
		return nil
	}
	first := suite.Files[0]
	half := len(suite.Nonce) / 2
	class := "Test" + suite.Nonce
	pass, fail := "test_"+suite.Nonce[:half], "test_"+suite.Nonce[half:]
	file := path.Join(path.Dir(first), "test_"+suite.Nonce+".py")
	var b strings.Builder
	b.WriteString("import unittest\ntry:\n    pass\n")
	for _, line := range importLines(suite.Repo.Text(first)) {
		b.WriteString("    " + line + "\n")
	}
	b.WriteString("except BaseException:\n    pass\n\n\n")
	if functions {
		fmt.Fprintf(&b, "def %s():\n    assert %q == %q\n\n\n", pass, pass, pass)
		fmt.Fprintf(&b, "def %s():\n    assert %q == %q\n", fail, pass, fail)
		return &pythonNonceFile{path: file, text: b.String(), pass: file + "::" + pass, fail: file + "::" + fail}
	}
	fmt.Fprintf(&b, "class %s(unittest.TestCase):\n", class)
	fmt.Fprintf(&b, "    def %s(self):\n        self.assertEqual(%q, %q)\n\n", pass, pass, pass)
	fmt.Fprintf(&b, "    def %s(self):\n        self.assertEqual(%q, %q)\n", fail, pass, fail)
	return &pythonNonceFile{
		path: file, text: b.String(),
		pass: file + "::" + class + "::" + pass,
		fail: file + "::" + class + "::" + fail,
	}
}

// importLines returns the lines of a module's top-level imports.
func importLines(text string) []string {
	file, err := syntax.Parse(Python, []byte(text))
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	var out []string
	for _, r := range file.Imports {
		if r.Start < 1 || r.End > len(lines) || strings.Contains(lines[r.Start-1], "__future__") {
			continue
		}
		for _, l := range lines[r.Start-1 : r.End] {
			out = append(out, strings.TrimRight(l, "\r"))
		}
	}
	return out
}
