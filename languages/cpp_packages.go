package languages

import (
	_ "embed" // for the tables
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/bench"
)

// debianPackages is a table from what CMake looks for to Debian's packages.
//
//go:embed cpp_packages.yaml
var debianPackages []byte

type packageTable struct {
	Heavy    []string            `yaml:"heavy"`
	Packages map[string][]string `yaml:"packages"`
	Programs map[string][]string `yaml:"programs"`
}

func readPackageTable() (packageTable, error) {
	var t packageTable
	if err := yaml.Unmarshal(debianPackages, &t); err != nil {
		return t, fmt.Errorf("cpp_packages.yaml: %w", err)
	}
	return t, nil
}

// cmakePackages are the Debian packages for what the CMake files look for:
// small ones always, since tests may need what the library can do without;
// heavy ones where they are required or a test folder asks for them; programs
// where the configuration ends without them.
func cmakePackages(commands []cmakeCommand) (out []string, why []bench.Decision, err error) {
	table, err := readPackageTable()
	if err != nil {
		return nil, nil, err
	}
	fatal := map[string]bool{}
	for _, c := range commands {
		if c.Name == "message" && c.arg(0) == "FATAL_ERROR" {
			fatal[c.File] = true
		}
	}
	own, seen := ownNames(commands), map[string]bool{}
	add := func(c cmakeCommand, names []string, reason string) {
		for _, p := range names {
			if !seen[p] {
				seen[p] = true
				out = append(out, p)
				why = append(why, bench.Decision{Field: "packages", Value: p, Why: reason, File: c.File, Line: c.Line})
			}
		}
	}
	for _, c := range commands {
		switch {
		case own[strings.ToLower(c.arg(0))]:
			// Debian's release of the project itself would hide it.
		case c.Name == "find_package" && (c.has("REQUIRED") || testFolder(path.Dir(c.File)) || !slices.Contains(table.Heavy, strings.ToLower(c.arg(0)))):
			add(c, table.Packages[strings.ToLower(c.arg(0))], "the build looks for "+c.arg(0))
		case c.Name == "find_program" && fatal[c.File]:
			for _, name := range c.Args[min(1, len(c.Args)):] {
				add(c, table.Programs[name], "the configuration looks for "+name)
			}
		}
	}
	return out, why, nil
}

// ownNames are the project's own names, in lower case.
func ownNames(commands []cmakeCommand) map[string]bool {
	own := map[string]bool{}
	for _, c := range commands {
		if c.Name == "project" && !testFolder(path.Dir(c.File)) {
			own[strings.ToLower(c.arg(0))] = true
		}
	}
	return own
}

// ownWords are the words that the project's own names are made of.
func ownWords(commands []cmakeCommand) map[string]bool {
	own := map[string]bool{}
	for name := range ownNames(commands) {
		own[name] = true
		for _, w := range words(name) {
			own[w] = true
		}
	}
	return own
}
