package languages

import (
	"slices"
	"strings"

	"assay/bench"
)

// cppNeeds collects the Debian packages for what build files name.
type cppNeeds struct {
	table    packageTable
	packages []string
	why      []bench.Decision
}

func newCppNeeds(always ...string) (*cppNeeds, error) {
	table, err := readPackageTable()
	return &cppNeeds{table: table, packages: always}, err
}

// library adds the packages of a library by its name in pkg-config, in CMake,
// or for the linker. Heavy ones are left out.
func (n *cppNeeds) library(name, file string, line int) {
	name = strings.ToLower(name)
	for _, key := range []string{name, strings.TrimSuffix(name, "_main"), strings.TrimSuffix(name, "-with-main"), strings.TrimPrefix(name, "lib")} {
		if found, ok := n.table.Packages[key]; ok && !slices.Contains(n.table.Heavy, key) {
			n.add(found, "the build looks for "+name, file, line)
			return
		}
	}
}

func (n *cppNeeds) program(name, file string, line int) {
	n.add(n.table.Programs[name], "the build looks for "+name, file, line)
}

func (n *cppNeeds) add(packages []string, why, file string, line int) {
	for _, p := range packages {
		if !slices.Contains(n.packages, p) {
			n.packages = append(n.packages, p)
			n.why = append(n.why, bench.Decision{Field: "packages", Value: p, Why: why, File: file, Line: line})
		}
	}
}
