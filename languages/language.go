package languages

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
	"assay/languages/syntax"
)

// Language is what assay knows of a programming language: the names of its
// files, where its tests are and what they are called, and how its code is set
// up, built and tested. Its methods are pure and safe for concurrent use.
//
// A language may offer more by further methods. The packages that use them
// declare their interfaces.
type Language interface {
	// About describes the language.
	About() bench.Language
	// Classify derives from a path alone what its file is for. Slashes may go
	// either way, and there may be one in front.
	Classify(path string) PathKind
	// Tests are the tests that a source declares, in order of their lines. It
	// reads damaged source as far as it can.
	Tests(path string, src []byte) ([]syntax.Test, error)
	// Finder makes a function that returns the tests of a run that an id of a
	// dataset names; nil if it is unknown. An exact match comes before any
	// other reading.
	Finder(known []string) func(published string) []string
	// PublishedFiles are the test files that hold these tests, as far as the
	// ids of a dataset show. Sorted.
	PublishedFiles(published []string, repo Repository) []string
	// Defaults fills in what env leaves open, by rules, from the files of the
	// repository and the instance's date. What env says already is kept as it
	// is. Every choice is returned with its evidence.
	Defaults(env bench.Env, facts Facts) (bench.Env, []bench.Decision, error)
	// Warm is the shell of the warm build at base, with network, so that
	// later runs need none and build little; "" when there is nothing to do.
	Warm(env bench.Env, suite Suite) string
	// Command describes how the suite is run in an environment made by env.
	Command(env bench.Env, suite Suite) Command
}

// Repository is the tree at base, as far as detection needs it.
type Repository interface {
	Paths() []string
	Text(path string) string // "" when absent
}

// Facts are what an environment is inferred from.
type Facts struct {
	// Repo is base with the hidden tests on it.
	Repo Repository
	// Files are the test files that will run: those that the hidden test
	// patch touches and those that hold published tests, as far as ids show.
	// Sorted.
	Files []string
	// Published are FAIL_TO_PASS and PASS_TO_PASS as the dataset has them.
	Published []string
	// Links are the commits of submodules at base, by path.
	Links map[string]string
	// Touched are the paths that the gold patch names, sorted.
	Touched []string
	// Created is the instance's date: the dataset's, or the base commit's
	// where that is later; zero where neither is known.
	Created time.Time
	// Gold is the tree with the gold patch and the hidden tests on it; equal
	// to Repo where the gold patch does not apply.
	Gold Repository
	// Pythons are the interpreters that the executor offers.
	Pythons []Interpreter
	// Version is the project's version as the dataset has it; often "".
	Version string
}

// Interpreter is a version of Python that an executor offers: a program on the
// machine, or the one of an image of Debian.
type Interpreter struct {
	Version string // 3.9
	Path    string // of the program; "" for the image's own
	Base    string // image; "" for the one that the environment starts from
	// Packages are the Debian packages of it, where python3 does not.
	Packages []string
}

// Suite is what one run executes: test files as a whole, and nothing else of
// the repository.
type Suite struct {
	// Files are paths of test files, sorted.
	Files []string
	// Hidden are the paths that the hidden test patch names; set for the warm
	// build only, where some of Files are there for published tests alone.
	Hidden []string
	// Gold is the solution; set for the warm build only, and there where its
	// build files ask for more than those of base.
	Gold *Solution
	// Select, when not empty, narrows the run to these tests (canonical
	// ids without parameters) where the runner can do so inside itself;
	// where it cannot, the whole files run and only these tests count.
	Select []string
	// Contributed says that only the tests that the patch adds count.
	Contributed bool
	// Measured says that the run's coverage is measured: where Select is set,
	// nothing else may run, as far as the runner has an option for that.
	Measured bool
	// Bare is the variant's.
	Bare bool
	// Repo is the tree with all patches on it.
	Repo Repository
	// Root is where the repository is; empty means the constant.
	Root string
	// Published are the instance's FAIL_TO_PASS and PASS_TO_PASS, as the
	// dataset has them; empty in a run of contributed tests.
	Published []string
	// Decisive are the instance's FAIL_TO_PASS alone; empty in a run of
	// contributed tests.
	Decisive []string
	// Fresh are the tests that the test patch adds or changes, as canonical ids
	// without parameters, sorted; empty where Decisive is.
	Fresh []string
	// Changed are the paths in which the tree differs from base, sorted. Empty
	// for the warm build.
	Changed []string
	// Added are those of them that the code adds and base does not have.
	Added []string
	// Nonce makes names that a submission cannot guess; letters and digits.
	Nonce string
	// Key is what seals are made from, where a reporter can make them; hex.
	Key string
}

// key is the key of one of the suite's reports.
func (s Suite) key(report string) string {
	sum := sha256.Sum256([]byte(s.Key + report))
	return hex.EncodeToString(sum[:])
}

// dir is the suite's own folder in the environment.
func (s Suite) dir() string { return "/assay/" + s.Nonce }

func (s Suite) reports() string { return s.dir() + "/reports" }

// ReportDir is an empty folder for the reports of the run; nothing else uses
// it.
func (s Suite) ReportDir() string { return s.reports() }

// Command is how a suite runs: a script, the files that it needs in addition
// to the repository, and where its reports will be.
type Command struct {
	// Script is POSIX shell, run in the repository. It must keep the
	// runner's exit code as its own.
	Script string
	Files  []harness.File
	Env    []string
	// Remove are absolute paths that the run must not see.
	Remove []string
	// Reports are absolute glob patterns of structured reports.
	Reports []string
	// Format of the reports; empty means by content.
	Format reports.Format
	// ByName are the formats of reports whose names end so, where one command
	// leaves several; the longest ending counts.
	ByName map[string]reports.Format
	// Key, when set, is the key that the reports are sealed with.
	Key string
	// Printed says that the report is what the command printed, read by the
	// log parser that Parser names. With a structured report, Parser decides
	// how published lists spell ids.
	Printed bool
	Parser  string
	// Text is the format of NAME.log, the output of a runner that left no
	// NAME.xml because it died; empty where that cannot be read.
	Text reports.Format
	// FailuresIgnored says that the runner exits with code 0 although tests
	// failed.
	FailuresIgnored bool
	// OtherFailures says that the runner may exit with another code than 0
	// although tests passed: a fork that died, a module that was not built.
	// What did not run is missing from the reports.
	OtherFailures bool
	// Nonce is the second invocation with one test that must pass and one
	// that must fail; nil where the runner does not allow it.
	Nonce *Nonce
	// Own are nonce tests that the run's own executables hold, or that are
	// linked with their objects; nil where there are none.
	Own *Own
	// Collect are globs of further files that the run leaves, from which
	// Settings, where it is set, reads the effective configuration.
	Collect  []string
	Settings func(files map[string][]byte) Settings
	// suspect returns the reasons in the command's output to suspect a
	// report; nil where there are no reasons.
	doubted func(report reports.Report, ours []bench.Test, output harness.Output) []oddity
	// measured reads the files that a run leaves whose coverage is measured.
	measured func(files map[string][]byte) Coverage
}

// Nonce is an invocation that proves that the runner still distinguishes
// passing from failing tests in the variant's tree.
type Nonce struct {
	Script  string
	Files   []harness.File
	Reports []string
	Format  reports.Format
	Pass    string // canonical ids
	Fail    string
	// More are tests that must fail, too, each for another way of asserting.
	More []NonceTest
	// Copies are copies of the suite's own tests that must fail where the
	// test itself passes.
	Copies []NonceCopy
	// retried says that the tests run again without copies if a class that holds
	// some does not compile.
	retried bool
	Key     string
	// Beside says that these tests run along with the suite's, in the same
	// start of the runner and with the same reports. Script is then for a run
	// that reports nothing of them, or empty.
	Beside bool
	// unbuilt reports whether the report says itself that the nonce tests could
	// not be built; nil where no report does.
	unbuilt func(reports.Report) bool
	// Empty is a run that must report no test at all, for runners that can
	// be asked for a test by name but not given one.
	Empty bool
}

// NonceTest is a test that must fail.
type NonceTest struct {
	ID   string
	Form string // what it asserts with: the same in every run of an instance
}

// NonceCopy is a copy of one of the suite's tests, with failing assertions at
// its end. Of a test with parameters it is one case.
type NonceCopy struct {
	Of string // the test's canonical id, without parameters
	ID string // the copy's own
	// Values says that the copy has no failing assertions at its end: its own
	// expect other values, and it passes where one of them holds. There is none
	// of a test that compares nothing with a constant.
	Values bool
}

// syntaxTests are the tests of a source in a language that has a grammar.
func syntaxTests(language, p string, src []byte) ([]syntax.Test, error) {
	file, err := syntax.Parse(language, src)
	if err != nil {
		return nil, err
	}
	return syntax.Tests(language, p, file), nil
}

// The names of the languages that come with assay.
const (
	Python = "python"
	Java   = "java"
	Cpp    = "cpp"
)

// Root is where the repository is in every environment that assay makes.
const Root = "/testbed"

// quote makes one word of POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}
