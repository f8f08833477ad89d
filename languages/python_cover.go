package languages

import (
	_ "embed" // for the program
	"strings"

	"assay/harness"
)

//go:embed assets/python_cover.py
var pythonCoverProgram string

// pythonCover is where the layer for coverage keeps coverage.py and the program
// that starts it.
const pythonCover = "/opt/assay-cover"

// pythonCoverVersions are the last coverage.py for each version of Python.
const pythonCoverVersions = `7.10.7 if v >= (3, 9) else 7.6.1 if v >= (3, 8) else 7.2.7 if v >= (3, 7) else 6.2 if v >= (3, 6) else 5.5`

func (pythonLanguage) measures(p string) bool { return strings.HasSuffix(p, ".py") }

func (pythonLanguage) tellsTestsApart() bool { return true }

// coverageLayer implements measurer: coverage.py in a folder of its own, which
// the environment's packages do not see, and a .pth file that starts it where
// $ASSAY_COVER is set.
func (pythonLanguage) coverageLayer() harness.Recipe {
	versions := strings.NewReplacer("7.10.7", "'7.10.7'", "7.6.1", "'7.6.1'", "7.2.7", "'7.2.7'", "6.2", "'6.2'", "5.5", "'5.5'").Replace(pythonCoverVersions)
	script := pickPython + `VERSION=$("$PY" -c "import sys; v = sys.version_info[:2]; print(` + versions + `)")
if [ -x /opt/uv/bin/uv ] && /opt/uv/bin/uv pip install -q --no-deps --python "$PY" --target ` + pythonCover + `/lib "coverage==$VERSION"; then :
else "$PY" -m pip install -q --no-deps --target ` + pythonCover + `/lib "coverage==$VERSION"; fi
SITE=$("$PY" -c "import sysconfig; print(sysconfig.get_paths()['purelib'])")
echo 'import os; os.environ.get("ASSAY_COVER") and exec(compile(open("` + pythonCover + `/cover.py").read(), "` + pythonCover + `/cover.py", "exec"), {"__name__": "assay_cover"})' > "$SITE/assay_cover.pth"
`
	return harness.Recipe{
		Name: "python coverage", Script: script, Workdir: "/", Network: true,
		Files: []harness.File{{Path: pythonCover + "/cover.py", Data: []byte(pythonCoverProgram)}},
	}
}

// measure implements measurer.
func (pythonLanguage) measure(s Suite, lines map[string][]int) measurement {
	settings := s.dir() + "/cover.json"
	return measurement{
		script: "mkdir -p " + quote(coverFolder(s)) + "\n", env: []string{"ASSAY_COVER=" + settings}, collect: coverFolder(s) + "/*.json",
		read: func(files map[string][]byte) Coverage { return readCoverage(coverFolder(s)+"/*.json", files) },
		files: []harness.File{{Path: settings, Data: jsonText(map[string]any{
			"lib": pythonCover + "/lib", "root": s.root(), "lines": lines, "out": coverFolder(s),
		})}},
	}
}
