// Package style runs linters as data: which rules, how a linter is installed
// and run over files, how its output reads; and compares the findings of two
// states of a tree. It starts nothing itself.
package style

import (
	"errors"

	"assay/bench"
	"assay/harness"
	"assay/internal/registry"
)

// Linter is one tool. Its methods are pure and safe for concurrent use.
type Linter interface {
	About() About
	// Install is the layer that adds the tool, pinned, to an environment that
	// has the language's tool chain; without Parent and Base.
	Install() harness.Recipe
	// Lint describes how to run the tool over the request's files, in an
	// environment that has the tool. The script must end with code 0 when the
	// tool did its work, even if it found nothing.
	Lint(req Request) (Command, error)
	// Read turns what the run left into findings of the files asked for,
	// sorted, each once. A *ToolError says that the tool failed; a
	// *BrokenError that a file could not be parsed, which is never clean.
	Read(req Request, res harness.Result) ([]bench.Finding, error)
}

// Fixer is a linter whose tool chain can fix findings without a model.
type Fixer interface {
	Linter
	// Fix is run like Lint; it changes the files in place.
	Fix(req Request) (Command, error)
}

// RuleLister is a linter that comes with a list of rules.
type RuleLister interface {
	Linter
	Rules() (RuleFile, error)
}

// DefaultRules is the list that comes with a linter. A linter without one is
// an error.
func DefaultRules(l Linter) (RuleFile, error) {
	lister, ok := l.(RuleLister)
	if !ok {
		return RuleFile{}, errors.New("the linter has no rule list")
	}
	return lister.Rules()
}

// Linters holds linters by name, in the order in which they were registered.
type Linters = registry.Registry[Linter]

// NewLinters returns a registry of linters.
func NewLinters(list ...Linter) *Linters {
	return registry.New("linter", func(l Linter) string { return l.About().Name }, list...)
}

// About names a linter.
type About struct {
	Name     string // in data and on the command line: pylint, pmd, checkstyle, clang-tidy
	Language string
	Version  string // as installed
}

// Request is what is to be linted.
type Request struct {
	// Files are paths relative to the repository, sorted, without doublets.
	Files []string
	// Rules are the rules that count, with their configuration.
	Rules Rules
	// Dir is a fresh directory in the environment for configuration and
	// reports, with a name that a submission cannot guess.
	Dir string
	// Args are the instance's own arguments of its build (cmake configure).
	Args []string
	// Sources gives the text of the files as they are linted (after
	// Neutralise), by path; Line of a finding comes from here.
	Sources map[string][]byte
}

// Command is how a linter is run: POSIX shell in the repository (/testbed).
type Command struct {
	Script string
	Files  []harness.File
	Env    []string
	// Collect are absolute glob patterns of what Read needs.
	Collect []string
}

// Rules are the rules that count, as a user can replace them.
type Rules struct {
	Linter string
	// Names are the tool's present names, sorted.
	Names []string
	// Aliases maps former names to present ones.
	Aliases map[string]string
	// Options are properties of rules: rule -> property -> value.
	Options map[string]map[string]string
	// Config is the tool's own configuration (pylintrc, PMD ruleset,
	// .clang-tidy, checkstyle XML); empty means that one is made from Names.
	Config []byte
}

// ToolError says that a linter did not do its work: a failure of the machine,
// never "no findings".
type ToolError struct {
	Linter string
	Reason string
}

func (e *ToolError) Error() string { return e.Linter + " failed: " + e.Reason }

// BrokenError says that files cannot be parsed.
type BrokenError struct {
	Linter string
	Files  map[string]string // path -> what the tool says
}

func (e *BrokenError) Error() string {
	for path, why := range e.Files {
		if len(e.Files) == 1 {
			return e.Linter + " cannot parse " + path + ": " + why
		}
	}
	return e.Linter + " cannot parse several files"
}
