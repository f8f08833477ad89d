package languages

import (
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
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

// Command implements Language. The nonce tests run along with the suite's:
// code under test that can distinguish two starts of the runner gains
// nothing.
func (pythonLanguage) Command(env bench.Env, suite Suite) Command {
	c := Command{
		Env:    []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8"},
		Format: reports.PytestJSON,
	}
	program, own := programStart(env, suite)
	if own {
		c.Files = runnerFiles(suite)
		run := func(report, selected string, files []string) string {
			return pythonVars(report, selected, "") + program.command(suite, files) + "\n"
		}
		return pythonCommand(c, suite, pythonNonce(suite, program.program == sympyFunctions), pythonWritten(suite), run)
	}
	// Plugins set the exit code by rules of their own (coverage below a
	// limit); the sealed report describes what passed.
	c.OtherFailures = true
	report := suite.reports() + "/" + suite.key("tests")[:16]
	c.Key, c.Reports = suite.key(report), []string{report}
	files, chosen := slices.Clone(suite.Files), slices.Clone(suite.Select)
	var copies []pythonCopy
	var written *writtenCopies
	if n := pythonNonce(suite, false); n != nil {
		files = append(files, n.path)
		if len(chosen) > 0 {
			chosen = append(chosen, n.path)
		}
		c.Files = append(c.Files, harness.File{Path: path.Join(suite.root(), n.path), Data: []byte(n.text)})
		c.Nonce = &Nonce{Beside: true, Format: c.Format, Pass: n.pass, Fail: n.fail, More: n.more}
		if env.Framework != "unittest" {
			copies = pythonCopies(suite)
			c.Nonce.Copies = copiesOf(copies)
		} else {
			written = pythonWritten(suite)
			c.Nonce.Copies = written.all()
		}
	}
	slices.Sort(files)
	start := pythonStart{own: []string{"unittest"}, reporter: reports.UnittestRunner(), args: files, added: addedModules(suite, env)}
	if env.Framework != "unittest" {
		args := append([]string{"-p", "assay_" + suite.Nonce}, pytestCache(env, suite)...)
		args = append(append(args, "--maxfail=0", "--continue-on-collection-errors"), env.Args...)
		start.own, start.reporter = []string{"pytest", "_pytest"}, reports.PytestPlugin()
		start.runner, start.args = "pytest", append(args, files...)
		start.files, start.copies = files, copies
	}
	if len(chosen) > 0 {
		start.selected = suite.dir() + "/select.json"
		c.Files = append(c.Files, harness.File{Path: start.selected, Data: jsonList(chosen)})
	}
	start.prepare = reinstall(suite)
	script, more := start.command(suite, report, c.Key)
	c.Files = append(c.Files, more...)
	c.Files = append(c.Files, written.put()...)
	c.Script = pickPython + written.script() + script
	return c
}

// pytestCache gives the start of pytest a cache of its own, an empty one:
// options (--ff) and fixtures need one. A repository that does without has no
// such setting.
func pytestCache(env bench.Env, suite Suite) []string {
	given := strings.Join(append(addopts(pytestSettings(suite.Repo).value), env.Args...), " ")
	if strings.Contains(given, "no:cacheprovider") {
		return nil
	}
	return []string{"-o", "cache_dir=" + suite.dir() + "/cache"}
}
