package collect

import "time"

// Kind is how a change came to the main line.
type Kind string

// The kinds of changes.
const (
	Merge  Kind = "merge"  // a merge commit of a pull request
	Squash Kind = "squash" // one commit that stands for a pull request
	Rebase Kind = "rebase" // the commits of a pull request, copied one by one
	Direct Kind = "direct" // a commit without a pull request
)

// Change is a change of the main line that may become an instance: a line of
// candidates.jsonl.
type Change struct {
	// ID becomes the instance's: owner__name-NUMBER, or owner__name-COMMIT
	// where there is no pull request.
	ID   string `json:"id"`
	Repo string `json:"repo"`
	// CutOff is the commit at which the change was first found.
	CutOff string `json:"cut_off"`
	Kind   Kind   `json:"kind"`
	Number int    `json:"number,omitempty"` // of the pull request
	// Onto is the commit before the change, Commit the last of the change; for a
	// merge Head is the last commit of what was merged.
	Onto   string `json:"onto,omitempty"`
	Commit string `json:"commit"`
	Head   string `json:"head,omitempty"`
	// Copies are the earlier commits of a rebase, newest first.
	Copies  []string  `json:"copies,omitempty"`
	Date    time.Time `json:"date"` // of Commit, by its committer
	Subject string    `json:"subject"`
	// Messages are the change's commit messages, that of Commit first; only
	// where nothing dropped the change.
	Messages []string `json:"messages,omitempty"`
	Links    []Link   `json:"links,omitempty"`
	Language string   `json:"language,omitempty"`
	// SourceFiles counts the files without tests and documentation.
	SourceFiles int `json:"source_files,omitempty"`
	// Changelog are the lines that the change adds to changelogs and news
	// fragments.
	Changelog []string `json:"changelog,omitempty"`
	// Dropped is the reason why the change goes no further; "" where it does.
	Dropped Reason `json:"dropped,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Link is an issue that a change names.
type Link struct {
	Issue string `json:"issue"` // its number, or a key such as ABC-12
	By    By     `json:"by"`
}

// By is where a link to an issue was found.
type By string

// Where links are found, from the strongest to the weakest.
const (
	ByEvent       By = "closing event" // GitHub: the pull request closed it
	ByClosingWord By = "closing word"  // fixes #1
	ByTrailer     By = "trailer"       // Issue: #1
	ByKey         By = "subject key"   // ABC-12: ...
	ByFragment    By = "news fragment"
	ByChangelog   By = "changelog"
	ByTestName    By = "test name" // test_issue_12
	ByMention     By = "mention"   // a number in a message
)

// isWeak reports whether such a link may name an issue that the change does not
// resolve. It gives the statement only if there is no stronger link.
func (by By) isWeak() bool { return by == ByTestName || by == ByMention }

// Reason is why a change goes no further.
type Reason string

// The reasons of Find and Split.
const (
	BranchMerge   Reason = "branch_merge" // a merge without a pull request
	FirstCommit   Reason = "first_commit"
	Revert        Reason = "revert"
	Reverted      Reason = "reverted" // by a later commit
	Backport      Reason = "backport"
	OutsideDates  Reason = "outside_dates"
	EmptyChange   Reason = "empty"
	Documentation Reason = "documentation_only"
	Configuration Reason = "configuration_only"
	NoTests       Reason = "no_tests"
	NoSource      Reason = "no_source"
	TooLarge      Reason = "too_large"
	LanguageShare Reason = "language_share" // too little of the repository's code is in the change's language
	NoIssue       Reason = "no_issue"
	Duplicate     Reason = "duplicate"
	NoStatement   Reason = "no_statement"
	Unsplittable  Reason = "unsplittable" // its patch cannot be read or divided
)

// Reasons lists all reasons in the order in which they are looked for.
func Reasons() []Reason {
	return []Reason{
		FirstCommit, BranchMerge, OutsideDates, Revert, Reverted, Backport, EmptyChange, Documentation, Configuration, NoTests, NoSource, TooLarge, LanguageShare, Duplicate, NoIssue,
		Unsplittable, NoStatement,
		NotInferred, SetUpLimit, SetUpDownload, SetUpDependency, SetUpBuild, SetUpTests, SetUpOther,
		Unmeasurable, GoldFails, NoF2P, OnlyFlaky, NotSane, Unconfirmed,
	}
}
