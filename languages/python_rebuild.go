package languages

import (
	"path"
	"slices"
	"strings"
)

// reinstall is the shell that builds extension modules again and installs the
// package again, offline, where the tree differs from base in what these are
// made of; "" elsewhere. An environment made by hand has no script for that.
func reinstall(suite Suite) string {
	if !slices.ContainsFunc(suite.Changed, installed) {
		return ""
	}
	fails := "exit 1"
	if !slices.ContainsFunc(suite.Changed, compiled) {
		fails = "echo 'assay: the package cannot be installed again; the environment keeps that of base'"
	}
	phase := quote(suite.dir() + "/phase")
	return "if [ -f " + pythonDir + "/rebuild.sh ]; then\n" +
		"  echo build > " + phase + "\n" +
		"  (. " + pythonDir + "/rebuild.sh) || " + fails + "\n" +
		"  echo test > " + phase + "\nfi\n"
}

// installed reports whether a path is one from which the installed package is
// made: a source of an extension module, or the package's metadata.
func installed(p string) bool {
	switch path.Base(p) {
	case "setup.py", "setup.cfg", "pyproject.toml":
		return path.Dir(p) == "." || !isTest(Python, p)
	}
	return compiled(p)
}

// compiled reports whether a path is a source of an extension module.
func compiled(p string) bool {
	return slices.Contains([]string{".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".f", ".f90", ".tp"}, path.Ext(p)) ||
		strings.HasSuffix(p, ".pyx.in") || path.Base(p) == "meson.build"
}
