package reports

import _ "embed" // the assets are part of the binary

// Names of the environment variables that the plugin and the runner read.
// Both drop them from their environment before any test code runs, though
// the process's first environment stays visible to it (/proc/self/environ).
const (
	// ReportVariable names the file to write, which is made again.
	ReportVariable = "ASSAY_PYTEST_REPORT"
	// SelectVariable names a file that holds a JSON list of node ids without
	// parameters ("tests/test_a.py", "tests/test_a.py::TestC",
	// "tests/test_a.py::TestC::test_m") or with ("tests/test_a.py::test_x[case]").
	// Only tests under one of them run. When unset, all do.
	SelectVariable = "ASSAY_PYTEST_SELECT"
	// KeyVariable names a file that holds a fresh random key in hex, with
	// which the report's lines are sealed (see Unseal). It is read and
	// removed before any conftest or test code runs, so its folder must be
	// writable, and the report must be a regular file. The run fails when the
	// key cannot be read or removed. When unset, lines are not sealed.
	//
	// The seal keeps code that knows the report's path from writing one. It
	// cannot keep code that runs inside the interpreter from calling the
	// plugin's own hooks, or from searching its memory.
	KeyVariable = "ASSAY_PYTEST_KEY"
)

//go:embed assets/assay_pytest.py
var pytestPlugin string

//go:embed assets/assay_unittest.py
var unittestRunner string

//go:embed assets/assay_runner.py
var ownRunner string

//go:embed assets/assay_keeper.py
var pythonKeeper string

//go:embed assets/assay_boot.py
var pythonBoot string

//go:embed assets/assay_copies.py
var pythonCopies string

// PythonCopies is the source of a module with which PytestPlugin compares the
// tests that it collects with their files, and runs copies of tests that must
// fail; its own text describes how.
func PythonCopies() string { return pythonCopies }

// PythonKeeper is the source of a program that starts another one and seals
// what this one reports, so that the key stays out of its memory; its own
// text describes how it is called.
func PythonKeeper() string { return pythonKeeper }

// PythonBoot is the source of the program that the keeper starts: it loads a
// runner and our reporter before the repository is on the path.
func PythonBoot() string { return pythonBoot }

// PytestPlugin is the source of a plugin for pytest 4 to 9 on Python 3.6 and
// later, with or without xdist. Put it where Python finds it, under any name
// that is a module's, and run pytest with -p and that name. Its report is read
// as PytestJSON, after Unseal where KeyVariable was set; every line is written at once, so that the test that killed the
// interpreter is known.
func PytestPlugin() string { return pytestPlugin }

// UnittestRunner is the source of the script assay_unittest, for Python 3.6
// and later: python assay_unittest.py FILE... loads test files by their paths
// from the working directory and writes the same report as PytestPlugin. It
// exits with 0 when all tests ended well, 1 when some did not, 5 when none
// ran.
func UnittestRunner() string { return unittestRunner }

// OwnRunner is the source of the script assay_runner, for Python 3.5 and
// later, which needs UnittestRunner next to it under the name
// assay_unittest.py: python assay_runner.py ROOT SCRIPT ARGUMENT... runs a
// repository's own test runner (Django's runtests.py, manage.py test, SymPy's
// bin/test; with -m MODULE in place of SCRIPT python -m unittest) and writes
// the same report as PytestPlugin, with ids below ROOT. It exits with the
// program's code.
func OwnRunner() string { return ownRunner }
