package otter

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/harness"
	"assay/languages"
	"assay/languages/syntax"
	"assay/methods"
)

func pythonTestFile() testFile {
	return testFile{language: languages.Python, dir: "tests", name: "test_issue%s.py"}
}

const (
	pyflakesVersion = "4.1.0"
	pyflakesHome    = "/opt/assay/pyflakes"
)

// pyflakes is the linter below Flake8 that reports names (the paper's F821).
func pyflakes() linter {
	return linter{language: languages.Python, tool: pyflakesOn, read: readPyflakes}
}

func pyflakesOn(p string, src []byte) methods.Tool {
	file := "/lint/" + path.Base(p)
	return methods.Tool{
		Name: "pyflakes " + pyflakesVersion,
		Install: harness.Recipe{
			Name: "pyflakes " + pyflakesVersion, Network: true, Workdir: "/", Packages: []string{"python3", "python3-venv"},
			Script: "python3 -m venv " + pyflakesHome + "\n" + pyflakesHome + "/bin/pip install -q --no-deps pyflakes==" + pyflakesVersion + "\n",
		},
		Files: []harness.File{{Path: file, Data: src, Mode: 0o644}},
		// Its other reports may be long, and only the beginning of an output is kept.
		Script: pyflakesHome + "/bin/python -m pyflakes " + quote(file) + " | grep \"undefined name '\"\n",
	}
}

// quote makes one word of POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

var undefined = regexp.MustCompile(`(?m)^[^\n]*?:(\d+):\d+:? undefined name '([^'\n]+)'`)

// readPyflakes are the undefined names on these lines, sorted.
func readPyflakes(run methods.ToolRun, lines []syntax.Range) []string {
	var out []string
	for _, m := range undefined.FindAllStringSubmatch(run.Output, -1) {
		line, _ := strconv.Atoi(m[1])
		in := slices.ContainsFunc(lines, func(r syntax.Range) bool { return line >= r.Start && line <= r.End })
		if in && !slices.Contains(out, m[2]) {
			out = append(out, m[2])
		}
	}
	slices.Sort(out)
	return out
}
