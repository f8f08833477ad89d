package bench

// Finding is what a linter says about one place, in one form for all linters.
type Finding struct {
	Tool     string   `json:"tool"`    // pylint, pmd, checkstyle, clang-tidy
	Rule     string   `json:"rule"`    // the tool's present name of the rule
	Path     string   `json:"path"`    // relative to the repository
	Range    Range    `json:"range"`   // where in the file
	Message  string   `json:"message"` // one line, as the tool says it
	Severity Severity `json:"severity"`
	// Line is the text of the first line of Range, as it is in the file.
	Line string `json:"line,omitempty"`
	// Symbol is the innermost function or class around the finding, where the
	// file could be parsed.
	Symbol string `json:"symbol,omitempty"`
	// Suppressed describes how the source asked for silence (comment,
	// annotation, configuration); empty where it did not.
	Suppressed string `json:"suppressed,omitempty"`
}

// Range is a place in a file: lines and columns from 1, the end included;
// zero where the tool does not report them.
type Range struct {
	Line      int `json:"line"`
	Column    int `json:"column,omitempty"`
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
}

// Severity of a finding, as SARIF grades them.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// StyleTask is a file (or a few) of an instance with findings to fix
// (OmniCode, section 3.2.4).
type StyleTask struct {
	Index    int       `json:"idx"`    // unique within the instance
	Linter   string    `json:"linter"` // name of the tool
	Version  string    `json:"version,omitempty"`
	Rules    RuleSet   `json:"rules"`
	Files    []string  `json:"files"`
	Findings []Finding `json:"findings"` // the listed ones, sorted by path, line, column, rule
	// ProblemStatement is what an agent reads.
	ProblemStatement string `json:"problem_statement,omitempty"`
	// MinScore and MaxRemaining relax what counts as resolved; absent means
	// that every listed finding must be gone and no new one may be there.
	MinScore     *float64 `json:"min_score,omitempty"`
	MaxRemaining *int     `json:"max_remaining,omitempty"`
}

// RuleSet is the rules that count in a task, so that a dataset can be judged
// without the files that it was built from.
type RuleSet struct {
	Names []string `json:"names"` // sorted
	// Options are properties of rules: rule -> property -> value.
	Options map[string]map[string]string `json:"options,omitempty"`
	// Config is the tool's own configuration, where a user supplied one.
	Config string `json:"config,omitempty"`
}

// Style holds the facts of a submission judged by a linter. Rates are
// fractions of 1, not per cent.
type Style struct {
	Linter   string `json:"linter"`
	Version  string `json:"version,omitempty"`
	Original int    `json:"original"`
	Resolved int    `json:"resolved"`
	New      int    `json:"new"`
	// Rules counts by rule.
	Rules map[string]RuleCount `json:"rules"`
	// Score is max((resolved-new)/original, 0) (OmniCode, section 3.2.4);
	// Net is the same unclipped.
	Score float64 `json:"score"`
	Net   float64 `json:"net"`
	// FixRate, ErrorRatio and OverallFixRate are those of appendix C.1.
	FixRate        float64 `json:"fix_rate"`
	ErrorRatio     float64 `json:"error_ratio"`
	OverallFixRate float64 `json:"overall_fix_rate"`
	// FunctionHeld is nil where the instance has no tests to decide it.
	FunctionHeld *bool `json:"function_held"`
	// HeldScore is the headline: Score where function was held and nothing
	// was cheated, else 0; nil where function is not known.
	HeldScore *float64 `json:"held_score"`
	// Cheats are the ways found of silencing a linter instead of fixing.
	Cheats []Flag `json:"cheats,omitempty"`
	// Remaining and Added list the findings that are left and that are new.
	Remaining []Finding `json:"remaining,omitempty"`
	Added     []Finding `json:"added,omitempty"`
}

// RuleCount counts one rule's findings.
type RuleCount struct {
	Original  int `json:"original"`
	Resolved  int `json:"resolved"`
	Remaining int `json:"remaining"`
	New       int `json:"new"`
}
