package languages

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// uvVersion is the uv that environments are made with.
const uvVersion = "0.13.9"

// virtualenvVersion is the last virtualenv that makes environments for 2.7.
const virtualenvVersion = "20.21.1"

// pythonDir holds what the set-up keeps outside of the environment.
const (
	pythonDir       = "/opt/assay-python"
	pythonSetupFile = pythonDir + "/python_setup.py"
	// pythonChoices are the decisions that only the set-up could make, as JSON
	// Lines; absent where there are none.
	pythonChoices = pythonDir + "/choices.jsonl"
)

// pythonPlan is what the set-up of one instance does, as the set-up's program
// reads it.
type pythonPlan struct {
	Date      string            `json:"date"`    // as of which packages are taken; "" for today
	Dates     []string          `json:"dates"`   // later ones, for build back ends
	Project   string            `json:"project"` // setup.py or pyproject.toml; "" where there is nothing to install
	Root      string            `json:"root"`    // folder of the project
	Extras    []string          `json:"extras"`
	Sets      [][]string        `json:"sets"`      // requirements that tests want
	Always    []string          `json:"always"`    // pytest and what its settings need
	Overrides []string          `json:"overrides"` // the gold patch's, in place of base's
	Build     []string          `json:"build"`     // requirements of the build back end
	Pip       bool              `json:"pip"`       // pip installs: uv does not know the interpreter
	Legacy    bool              `json:"legacy"`    // the back end of that time knows no PEP 660
	Shared    bool              `json:"shared"`    // the back end builds again when the package is imported
	Imports   []string          `json:"imports"`   // modules that tests import
	Own       []string          `json:"own"`       // modules of the repository
	Later     map[string]string `json:"later"`
	Wheels    []string          `json:"wheels"`
	Needs     [][2]string       `json:"needs"`
	Modules   map[string]string `json:"modules"`
	Plugins   [][2]string       `json:"plugins"`
	Check     []string          `json:"check"`
}

// fill adds the date and the tables.
func (p *pythonPlan) fill(created time.Time) {
	p.Dates = []string{""}
	p.Later = map[string]string{}
	if !created.IsZero() {
		day := created.Truncate(24*time.Hour).AddDate(0, 0, 1)
		p.Date = day.Format(time.DateOnly)
		p.Dates = []string{daysAfter(day, 183), daysAfter(day, 3*365), ""}
		for name, at := range tableMap(pythonLater) {
			if at > p.Date {
				p.Later[name] = at
			}
		}
	}
	p.Wheels, p.Needs = tableColumn(pythonWheels), tablePairs(pythonNeeds)
	p.Modules, p.Plugins = tableMap(pythonModules), tablePairs(pythonPlugins)
}

// toolLayer is the shell that makes uv and an empty environment with an
// interpreter. Instances with the same interpreter share it.
func toolLayer(version string, found Interpreter) []string {
	lines := []string{"/usr/bin/python3 -m venv /opt/uv", "/opt/uv/bin/pip install -q uv==" + uvVersion}
	if oldPython(version) && found.Version == version {
		return append(lines,
			"/opt/uv/bin/pip install -q virtualenv=="+virtualenvVersion, settleTools,
			"/opt/uv/bin/virtualenv -q --no-download --python "+quote(found.Path)+" /opt/venv")
	}
	with := "--python " + quote(version)
	stand := ""
	switch {
	case found.Path != "" && found.Version == version:
		with = "--python " + quote(found.Path)
	case found.Base != "" && found.Version == version:
		with = "--python /usr/bin/python3"
	case found.Path != "":
		stand = found.Path
	default:
		stand = "/usr/bin/python3"
	}
	make := "/opt/uv/bin/uv venv -q " + with + " /opt/venv"
	if stand != "" {
		make = fmt.Sprintf("UV_PYTHON_INSTALL_DIR=/opt/pythons %s || { echo 'assay: Python %s cannot be had here'; /opt/uv/bin/uv venv -q --clear --python %s /opt/venv; }", make, version, quote(stand))
	}
	return append(lines, settleTools, make)
}

// settleTools gives uv's files the time that sources have, so that the layers
// of several interpreters can share them, and drops bytecode, which holds the
// time from before.
const settleTools = "find /opt/uv -name __pycache__ -prune -exec rm -rf {} + -o -type f -exec touch -d @978307200 {} +"

// oldPython reports versions for which uv makes no environment.
func oldPython(version string) bool { return pythonOrder(version) < 300 }

// script is the set-up's shell: the program, the plan, and the call.
func (p pythonPlan) script() ([]string, error) {
	programs := [][2]string{
		{"python_tools.py", pythonToolsProgram}, {"python_index.py", pythonIndexProgram}, {"python_pip.py", pythonPipProgram},
		{"python_uv.py", pythonUvProgram}, {"python_collect.py", pythonCollectProgram}, {"python_setup.py", pythonSetupProgram},
	}
	plan, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return nil, fmt.Errorf("writing the plan of the set-up: %w", err)
	}
	out := []string{"mkdir -p " + pythonDir + "/build"}
	for _, program := range programs {
		out = append(out, heredoc(pythonDir+"/"+program[0], strings.TrimSuffix(program[1], "\n")))
	}
	return append(out,
		heredoc(pythonDir+"/plan.json", string(plan)),
		"/usr/bin/python3 "+pythonSetupFile+" install "+pythonDir+"/plan.json",
	), nil
}

// pythonPrograms are the names of the programs of the set-up.
func pythonPrograms() []string {
	return []string{"python_tools.py", "python_index.py", "python_pip.py", "python_uv.py", "python_collect.py", "python_setup.py"}
}

// heredoc writes a text to a file.
func heredoc(file, text string) string {
	return "cat > " + file + " <<'ASSAY_TEXT'\n" + text + "\nASSAY_TEXT"
}
