package main

import (
	"cmp"
	"slices"

	"assay/harness/local"
	"assay/languages"
)

// pythons are the interpreters that the executor offers: those of the machine,
// or those of Debian's releases.
func pythons(executor string) []languages.Interpreter {
	if executor != "local" {
		return []languages.Interpreter{
			{Version: "2.7", Path: "/usr/bin/python2.7", Base: "debian:bullseye", Packages: []string{"python2.7", "python2.7-dev"}},
			{Version: "3.9", Base: "debian:bullseye"},
			{Version: "3.11", Base: "debian:bookworm"},
			{Version: "3.13", Base: "debian:trixie"},
		}
	}
	var out []languages.Interpreter
	for version, path := range local.Pythons() {
		out = append(out, languages.Interpreter{Version: version, Path: path})
	}
	slices.SortFunc(out, func(a, b languages.Interpreter) int { return cmp.Compare(a.Version, b.Version) })
	return out
}
