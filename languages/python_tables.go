package languages

import (
	_ "embed" // the tables are part of the binary
	"strings"
)

//go:embed assets/python_setup.py
var pythonSetupProgram string

//go:embed assets/python_uv.py
var pythonUvProgram string

//go:embed assets/python_pip.py
var pythonPipProgram string

//go:embed assets/python_index.py
var pythonIndexProgram string

//go:embed assets/python_tools.py
var pythonToolsProgram string

//go:embed assets/python_collect.py
var pythonCollectProgram string

//go:embed data/python_needs.tsv
var pythonNeeds string

//go:embed data/python_later.tsv
var pythonLater string

//go:embed data/python_wheels.txt
var pythonWheels string

//go:embed data/python_modules.tsv
var pythonModules string

//go:embed data/python_plugins.tsv
var pythonPlugins string

//go:embed data/python_tools.txt
var pythonTools string

// tableRows splits a table into rows of cells; comments begin with "#".
func tableRows(text string) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// tablePairs are the rows of a table of two columns.
func tablePairs(text string) [][2]string {
	out := [][2]string{}
	for _, row := range tableRows(text) {
		if len(row) > 1 {
			out = append(out, [2]string{row[0], row[1]})
		}
	}
	return out
}

// tableMap is a table of two columns by its first.
func tableMap(text string) map[string]string {
	out := map[string]string{}
	for _, row := range tablePairs(text) {
		out[row[0]] = row[1]
	}
	return out
}

// tableColumn is the first column of a table.
func tableColumn(text string) []string {
	var out []string
	for _, row := range tableRows(text) {
		out = append(out, row[0])
	}
	return out
}
