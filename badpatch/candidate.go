package badpatch

import (
	"context"
	"iter"
)

// Category is what is wrong with a bad patch, by the list of OmniCode's
// appendix A.
type Category string

// The categories.
const (
	WrongLayer   Category = "A" // wrong layer, or misdiagnosed root cause
	Partial      Category = "B" // partial fix, incomplete coverage
	Undiscipline Category = "C" // process hygiene and change discipline
	Contract     Category = "D" // contract or invariant broken, API misused
	Guard        Category = "E" // guard or safety net removed or inverted
	EdgeCase     Category = "F" // edge cases, normalisation, representation
)

// MistakeKind is the coarser division of the same appendix.
type MistakeKind string

// The kinds.
const (
	KindPartial     MistakeKind = "partial"     // the attempted fix is partly right
	KindUnnecessary MistakeKind = "unnecessary" // makes spurious changes
	KindIncorrect   MistakeKind = "incorrect"   // the approach is wrong
)

// Tier describes how near to the fix a candidate's change is. Measured on
// real fixes, half of the first tier's changes break a hidden test of the
// issue, and a fifth of the second's.
type Tier int

// The tiers. Whole is for candidates that are made of gold's parts, or of
// base, and have no one place.
const (
	Whole  Tier = 0
	Lines  Tier = 1 // on lines that gold changes
	Around Tier = 2 // in the rest of the functions around them
)

// Candidate is a patch that may prove bad. Patch is a unified diff against
// base, in place of gold's.
type Candidate struct {
	Patch    string      `json:"patch"`
	Source   string      `json:"source"` // subset, operator, symptom, undisciplined, attempt or llm
	Operator string      `json:"operator,omitempty"`
	Category Category    `json:"category,omitempty"`
	Kind     MistakeKind `json:"kind,omitempty"`
	Seed     uint64      `json:"seed,omitempty"`
	Tier     Tier        `json:"tier,omitempty"`
	Detail   Detail      `json:"detail"`
}

// Detail reports where a candidate differs from gold. Line is in gold's
// version of the file, or in base's where the candidate starts from base;
// zero where there is no one place.
type Detail struct {
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	What string `json:"what,omitempty"`
}

// Source makes candidates of a subject, lazily and always in the same order
// for the same subject. A consumer may stop at any time. An error ends the
// sequence; candidates before it are good.
type Source interface {
	Name() string
	Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error]
}
