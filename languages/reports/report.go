package reports

import (
	"errors"
	"fmt"

	"assay/bench"
)

// Format names a form of test output.
type Format string

// The formats: first the structured ones, then console text.
const (
	// PytestJSON is the JSON Lines report of this package's own pytest
	// plugin and unittest runner (see PytestPlugin, UnittestRunner).
	PytestJSON Format = "pytest-json"
	Pytest     Format = "pytest"   // JUnit XML of pytest 4 to 9, best with junit_family=xunit1
	Surefire   Format = "surefire" // TEST-*.xml of Surefire and Failsafe, from 2.12
	Gradle     Format = "gradle"   // TEST-*.xml of Gradle
	CTest      Format = "ctest"    // ctest --output-junit, from CMake 3.21
	GTest      Format = "gtest"    // GoogleTest's XML or JSON
	Catch2     Format = "catch2"   // Catch2's reporters xml and junit, versions 2 and 3
	Doctest    Format = "doctest"  // doctest's reporter xml

	Meson    Format = "meson"     // meson-logs/testlog.junit.xml
	MesonLog Format = "meson-log" // meson-logs/testlog.json
	Automake Format = "automake"  // .trs files, each after a line that names it

	PytestText  Format = "pytest-text"  // pytest -rA, -v, or both
	Unittest    Format = "unittest"     // python -m unittest -v
	MavenText   Format = "maven-text"   // mvn test
	GradleText  Format = "gradle-text"  // gradle test with testLogging events
	CTestText   Format = "ctest-text"   // ctest, with or without -V and --output-on-failure
	GTestText   Format = "gtest-text"   // GoogleTest's console output
	Catch2Text  Format = "catch2-text"  // Catch2's reporter console, best with -s
	MakeText    Format = "make-text"    // make check: "PASS: name" and TAP
	DoctestText Format = "doctest-text" // doctest's reporter console, best with -s
)

// Formats lists all formats, structured ones first.
func Formats() []Format {
	return []Format{
		PytestJSON, Pytest, Surefire, Gradle, CTest, GTest, Catch2, Doctest, Meson, MesonLog, Automake,
		PytestText, Unittest, MavenText, GradleText, CTestText, GTestText, Catch2Text, DoctestText, MakeText,
	}
}

// Report is what one or several files say about a run.
type Report struct {
	Tests []bench.Test // sorted by id, each id once
	Notes []string     // what was odd, for people
	// Complete is false where the report is cut, says that the run died, or
	// counts more failures than it names. It is true for a run that only
	// stopped early on request.
	Complete bool
	// Running is the test that ran when the process died, if known. It is
	// among Tests, as an error, unless the report names only part of it.
	Running string
	// Shadowed are the names of modules that the code adds and that stand in
	// for others, as assay's own reporter finds; sorted.
	Shadowed []string
	// Drifted are the names of functions and classes of the runner that have
	// become other ones during the run, as assay's own reporter finds.
	Drifted []string
}

// Options tune reading.
type Options struct {
	// Resolve maps a dotted Python name such as tests.test_a.TestC to the
	// module's path and the classes within. An empty path means unknown. It
	// serves where the report names no files; when nil, parts from the first
	// that starts in upper case on are treated as classes, or else those
	// after the last one of the form test_x or x_test.
	Resolve func(dotted string) (path string, classes []string)
}

// ErrNoReport means that the data is nothing in the given format.
var ErrNoReport = errors.New("no report found")

// Read reads one file or log. What can be read of damaged data is returned
// with a note and Complete false; the error, which wraps ErrNoReport, is for
// data in which nothing of the format was found.
func Read(f Format, data []byte) (Report, error) { return ReadWith(f, data, Options{}) }

// ReadWith is Read with options.
func ReadWith(f Format, data []byte, opts Options) (Report, error) {
	read := reader(f, opts)
	if read == nil {
		return Report{}, fmt.Errorf("reading a test report: unknown format %q", f)
	}
	c := newCollector()
	if !read(c, data) {
		return Report{}, fmt.Errorf("reading %d bytes as %s: %w", len(data), f, ErrNoReport)
	}
	return c.report(), nil
}

// reader returns the function that reads a format into a collector and
// reports whether it found anything of that format.
func reader(f Format, opts Options) func(*collector, []byte) bool {
	names := pythonNames{resolve: opts.Resolve}
	switch f {
	case PytestJSON:
		return readPytestJSON
	case Pytest:
		return func(c *collector, data []byte) bool { return readPytest(c, data, names) }
	case Unittest:
		return func(c *collector, data []byte) bool { return readUnittest(c, data, names) }
	case Surefire, Gradle:
		return readJava
	case CTest:
		return readCTest
	case GTest:
		return readGTest
	case Catch2:
		return readCatch2
	case Doctest:
		return readDoctest
	case Meson:
		return readMeson
	case MesonLog:
		return readMesonLog
	case Automake:
		return readAutomake
	}
	return textReader(f)
}

func textReader(f Format) func(*collector, []byte) bool {
	switch f {
	case PytestText:
		return readPytestText
	case MavenText:
		return readMavenText
	case GradleText:
		return readGradleText
	case CTestText:
		return readCTestText
	case GTestText:
		return readGTestText
	case Catch2Text:
		return readCatch2Text
	case DoctestText:
		return readDoctestText
	case MakeText:
		return readMakeText
	}
	return nil
}

// Merge joins the reports of one run. The same id twice has the worst of its
// statuses; the whole is complete when every part is. Of no reports at all
// nothing is known: that is not complete.
func Merge(reports ...Report) Report {
	c := newCollector()
	c.quiet = true
	c.complete = len(reports) > 0
	for _, r := range reports {
		for _, t := range r.Tests {
			c.add(t)
		}
		c.notes = append(c.notes, r.Notes...)
		c.shadowed = append(c.shadowed, r.Shadowed...)
		c.drifted = append(c.drifted, r.Drifted...)
		c.complete = c.complete && r.Complete
		if c.running == "" {
			c.running = r.Running
		}
	}
	return c.report()
}
