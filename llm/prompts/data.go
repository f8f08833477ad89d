package prompts

import "maps"

// The names of the prompts; their files are NAME.tmpl.
const (
	Bugfix             = "bugfix"              // BugfixData
	Testgen            = "testgen"             // TestgenData
	Review             = "review"              // ReviewData
	Style              = "style"               // StyleData
	ReviewWrite        = "review-write"        // ReviewWriteData
	ReviewCategorise   = "review-categorise"   // ReviewCategoriseData
	StatementWrite     = "statement-write"     // StatementWriteData
	SetupExtract       = "setup-extract"       // SetupExtractData
	SetupCause         = "setup-cause"         // SetupCauseData
	SetupRepair        = "setup-repair"        // SetupRepairData
	BadPatchFile       = "badpatch-file"       // BadPatchFileData
	BadPatchEdits      = "badpatch-edits"      // BadPatchEditsData
	BadPatchCategorise = "badpatch-categorise" // BadPatchCategoriseData
)

// BugfixData is for an agent that repairs a problem (OmniCode, appendix B).
type BugfixData struct {
	Dir         string // where the repository is
	Language    string // as people write it: Python, Java, C++
	Problem     string // the problem statement
	TestCommand string // how the project's tests run; may be empty
}

// TestgenData is for an agent that writes tests which show a problem
// (appendix B).
type TestgenData struct {
	Dir       string
	Language  string
	Problem   string
	Framework string // pytest, JUnit, GoogleTest; may be empty
}

// ReviewData is for an agent that answers a review (appendix B).
type ReviewData struct {
	Dir      string
	Language string
	Problem  string
	Patch    string // the bad patch as a diff; it is already applied
	Review   string // empty: the bad patch alone is shown
}

// StyleData is for an agent that fixes a linter's findings (appendix B).
type StyleData struct {
	Dir      string
	Linter   string // pylint, PMD, clang-tidy
	Language string
	Files    []string // with findings, relative to the repository
	Problem  string   // the findings: rule, place, message, code around
}

// ReviewWriteData asks for a review of a bad patch (section 3.2.3).
type ReviewWriteData struct {
	Problem      string
	Gold         string // gold patch; the review must not give it away
	BadPatch     string
	FailingTests []string // ids that fail with the bad patch; may be empty
	MaxWords     int
	Retry        []string // why earlier drafts were turned down
	// HideTests keeps the failing tests' names and values out of the review.
	HideTests bool
}

// ReviewCategoriseData asks which category a review is of (appendix A). The
// answer is read by ReadCategory.
type ReviewCategoriseData struct {
	Problem  string
	Gold     string
	BadPatch string
	Review   string
}

// StatementWriteData asks for the problem statement of a change that has no
// issue.
type StatementWriteData struct {
	Language string
	Message  string    // the change's own text; may be empty
	Failures []Failure // of hidden tests at base; may be empty
	Names    []string  // that the statement must mention; may be empty
	MaxWords int
	Retry    []string // why earlier drafts were turned down
	// HideTests keeps the hidden tests' names and values out of the statement.
	HideTests bool
}

// SetupExtractData asks what environment a project needs (SetUpAgent).
type SetupExtractData struct {
	Language, Repo string
	Date           string // day of the commit
	Inferred       string // JSON of what was chosen by rule; may be empty
	Failure        string // how that ended
	Documents      []Document
	Fields         string // of the JSON that is asked for, a line each
	Retry          string // why the last answer could not be read
}

// SetupCauseData asks why an environment failed. The answer is read by
// ReadCause.
type SetupCauseData struct {
	Language, Repo, Date string
	Recipe               string // JSON of what was tried
	Failure              string
	Retry                string
}

// SetupRepairData asks what to change in the part that the cause is in.
type SetupRepairData struct {
	Language, Repo, Date string
	Recipe, Failure      string
	Cause, Reason        string
	Documents            []Document
	Fields, Retry        string
}

// Document is a file of a repository.
type Document struct{ Path, Text string }

// Failure is a test that fails, and what the runner says about it.
type Failure struct{ Test, Message string }

// BadPatchFileData asks for a buggy version of a whole file, the paper's
// recipe (appendix B). The answer is the file.
type BadPatchFileData struct {
	Path  string
	Text  string   // with the gold patch
	Retry []string // why earlier tries were turned down
}

// BadPatchEditsData asks for a bad patch as search/replace blocks on top of
// the gold patch, each with the file's path on the line before it.
type BadPatchEditsData struct {
	Problem      string
	Gold         string
	FailingTests []string // F2P ids, without their text; may be empty
	Functions    []Function
	Ranges       []Range // where edits are allowed
	Strategy     Strategy
	Hints        []string
	Retry        string // why the last answer was turned down
}

// Function is code of a file, for bad patches with the gold patch.
type Function struct {
	Path       string
	Name       string
	Start, End int // lines from 1, both included
	Text       string
}

// Range is a range of lines from 1, both included, with the gold patch.
type Range struct {
	Path       string
	Start, End int
}

// Strategy is a way of being wrong.
type Strategy struct {
	Name        string // a few words
	Description string // whole sentences
}

// BadPatchCategoriseData asks what is wrong with a bad patch (appendix A). The
// answer is read by ReadCategory and ReadKind.
type BadPatchCategoriseData struct {
	Problem  string
	Gold     string
	BadPatch string
}

// samples returns for every prompt its data with all fields filled. The type
// is what Render accepts, the values are what templates are tried with.
func samples() map[string]any {
	all := map[string]any{}
	for _, some := range []map[string]any{taskSamples(), otterSamples(), fixerSamples(), zeroShotSamples()} {
		maps.Copy(all, some)
	}
	return all
}

// taskSamples are those of the kinds of task, of reviews and of bad patches.
func taskSamples() map[string]any {
	texts := []string{"text"}
	return map[string]any{
		Bugfix:           BugfixData{"text", "text", "text", "text"},
		Testgen:          TestgenData{"text", "text", "text", "text"},
		Review:           ReviewData{"text", "text", "text", "text", "text"},
		Style:            StyleData{"text", "text", "text", texts, "text"},
		ReviewWrite:      ReviewWriteData{"text", "text", "text", texts, 1, texts, true},
		ReviewCategorise: ReviewCategoriseData{"text", "text", "text", "text"},
		StatementWrite:   StatementWriteData{"text", "text", []Failure{{"text", "text"}}, texts, 1, texts, true},
		SetupExtract:     SetupExtractData{"text", "text", "text", "text", "text", []Document{{"text", "text"}}, "text", "text"},
		SetupCause:       SetupCauseData{"text", "text", "text", "text", "text", "text"},
		SetupRepair:      SetupRepairData{"text", "text", "text", "text", "text", "text", "text", []Document{{"text", "text"}}, "text", "text"},
		BadPatchFile:     BadPatchFileData{"text", "text", texts},
		BadPatchEdits: BadPatchEditsData{"text", "text", texts, []Function{{"text", "text", 1, 1, "text"}},
			[]Range{{"text", 1, 1}}, Strategy{"text", "text"}, texts, "text"},
		BadPatchCategorise: BadPatchCategoriseData{"text", "text", "text"},
	}
}
