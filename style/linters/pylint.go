package linters

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// Pylint lints Python, with the project's own interpreter, so that what the
// project imports can be found.
type Pylint struct{}

const (
	pylintVersion = "4.1.4"
	pylintHome    = tools + "pylint"
)

// About implements style.Linter.
func (Pylint) About() style.About {
	return style.About{Name: "pylint", Language: "python", Version: pylintVersion}
}

// Rules implements style.RuleLister.
func (Pylint) Rules() (style.RuleFile, error) { return Rules("pylint") }

// Silence is the comment that silences the linter on a line.
func (Pylint) Silence() string { return "  # pylint: disable=all" }

// pylintPins are everything that pylint and the fixer are made of, on any
// interpreter from 3.10 on.
const pylintPins = `astroid==4.3.4
dill==0.4.1
isort==9.0.2
mccabe==0.7.0
mypy_extensions==1.2.0
platformdirs==4.14.5
pylint==4.1.4
tomli==2.5.0
tomlkit==0.15.2
typing_extensions==4.16.0
ruff==` + ruffVersion + `
`

// Install implements style.Linter.
func (Pylint) Install() harness.Recipe {
	return harness.Recipe{
		Name: "pylint " + pylintVersion, Network: true, Workdir: "/",
		Packages: []string{"python3", "python3-venv"},
		Files:    []harness.File{{Path: pylintHome + ".txt", Data: []byte(pylintPins)}},
		Script: "python3 -m venv " + pylintHome + "\n" +
			pylintHome + "/bin/pip install -q --no-deps -r " + pylintHome + ".txt\n",
	}
}

// pickInterpreter finds the project's interpreter as the test runs do. Where
// pylint does not run on it, being too old, pylint's own looks through the
// project's packages. PYTHONPATH may lead into the repository, so it comes last.
const pickInterpreter = `PY=python3
for p in "$ASSAY_PYTHON" /opt/venv/bin/python /opt/miniconda3/envs/testbed/bin/python; do
  if [ -n "$p" ] && [ -x "$p" ]; then PY=$p; break; fi
done
ASSAY_PATH=${PYTHONPATH:-}
unset PYTHONPATH
export ASSAY_PATH
if ! "$PY" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  ASSAY_PATH=$ASSAY_PATH:$("$PY" -c 'import sys, sysconfig
std = sysconfig.get_path("stdlib")
print(":".join(p for p in sys.path[1:] if "-packages" in p or not p.startswith((std, std.replace(".", "") + ".zip"))))')
  PY=` + pylintHome + `/bin/python
fi
`

//go:embed pylint/run.py
var pylintRunner []byte // never written

// Lint implements style.Linter.
func (Pylint) Lint(req style.Request) (style.Command, error) {
	config := req.Rules.Config
	if len(config) == 0 {
		config = pylintConfig(req.Rules)
	}
	out := req.Dir + "/report.json"
	// Exit codes are a bit mask: 1 fatal, 32 usage; the rest are findings.
	script := pickInterpreter + `code=0
"$PY" ` + req.Dir + "/run.py " + pylintHome + " --rcfile=" + req.Dir + "/pylintrc --enable=assay-seen," + strings.Join(pylintBroken(), ",") +
		" --jobs=1 --persistent=no --output-format=json2:" + out + " -- " + quoteAll(req.Files) + ` || code=$?
exit $((code & 32))
`
	return style.Command{
		Script: script,
		Files: []harness.File{
			{Path: req.Dir + "/run.py", Data: pylintRunner},
			{Path: req.Dir + "/pylintrc", Data: config},
		},
		Env:     []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYLINTHOME=" + req.Dir + "/home", "HOME=" + req.Dir},
		Collect: []string{out},
	}, nil
}

// pylintBroken are what pylint says about a file that it cannot read.
func pylintBroken() []string {
	return []string{"syntax-error", "astroid-error", "parse-error", "fatal"}
}

// pylintConfig enables the rules that count, and nothing else. Options are
// written as pylint's command line names them.
func pylintConfig(r style.Rules) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "[MAIN]\ndisable=all\nenable=%s\n", strings.Join(r.Names, ","))
	for _, rule := range slices.Sorted(maps.Keys(r.Options)) {
		for _, option := range slices.Sorted(maps.Keys(r.Options[rule])) {
			fmt.Fprintf(&b, "%s=%s\n", option, strings.ReplaceAll(r.Options[rule][option], "\n", " "))
		}
	}
	return []byte(b.String())
}

// pylintReport is pylint's json2 form.
type pylintReport struct {
	Messages []struct {
		Type, Symbol, Message, Obj, Path string
		Line, Column, EndLine, EndColumn int
	}
	Statistics *struct{ ModulesLinted int } // it ends the report; its count is not that of the files
}

// Read implements style.Linter.
func (Pylint) Read(req style.Request, res harness.Result) ([]bench.Finding, error) {
	data, err := report("pylint", res, req.Dir+"/report.json")
	if err != nil {
		return nil, err
	}
	var r pylintReport
	if err := json.Unmarshal(data, &r); err != nil || r.Statistics == nil {
		return nil, &style.ToolError{Linter: "pylint", Reason: "its report cannot be read"}
	}
	c := newCollector(req)
	for _, m := range r.Messages {
		if m.Symbol == "assay-seen" {
			c.saw(m.Path)
			continue
		}
		if m.Type == "fatal" || slices.Contains(pylintBroken(), m.Symbol) {
			// It looks at the whole of a package where its __init__.py is asked for.
			if c.asked(m.Path) {
				c.broke(m.Path, firstLine(m.Message))
			}
			continue
		}
		c.add(bench.Finding{
			Tool: "pylint", Rule: m.Symbol, Path: m.Path, Message: firstLine(m.Message), Symbol: m.Obj,
			Severity: pylintSeverity(m.Type),
			Range:    bench.Range{Line: m.Line, Column: m.Column + 1, EndLine: m.EndLine, EndColumn: endColumn(m.EndLine, m.EndColumn)},
		})
	}
	return c.counted("pylint")
}

// endColumn is from 1 and inclusive; pylint's is from 0 and exclusive, and
// absent where it knows no end.
func endColumn(line, column int) int {
	if line == 0 {
		return 0
	}
	return max(column, 1)
}

func pylintSeverity(kind string) bench.Severity {
	switch kind {
	case "error", "fatal":
		return bench.SeverityError
	case "warning":
		return bench.SeverityWarning
	}
	return bench.SeverityNote
}
