package bench

// Review is a review of one bad patch (OmniCode, section 3.2.3).
type Review struct {
	BadPatch int    `json:"bad_patch"` // idx of the bad patch
	Arm      Arm    `json:"arm,omitempty"`
	Text     string `json:"text"`
	// Source is who wrote it: deterministic, published, or provider/model.
	Source string `json:"source,omitempty"`
	// Level describes how much a deterministic review reveals: L0 failing
	// behaviour, L1 + file, L2 + symbol, L3 + category.
	Level string `json:"level,omitempty"`
	// Category of the review by the paper's list (appendix A), A to F.
	Category string      `json:"category,omitempty"`
	Leak     *LeakReport `json:"leak,omitempty"`
	// QuotesTests says that the review was allowed to name hidden tests and to
	// quote what they expect.
	QuotesTests bool `json:"quotes_tests,omitempty"`
}

// Arm names what a review-response task shows. Three arms on the same
// instances (review, bad patch alone, plain bug-fix) give the uplift.
type Arm string

// The arms of review-response. Plain bug-fixing is a kind of its own.
const (
	ArmReview Arm = ""      // bad patch and review
	ArmAlone  Arm = "alone" // bad patch only
)

// LeakReport describes what the leak check found in a review.
type LeakReport struct {
	// Checkable is false where the gold patch adds nothing that base, bad
	// patch and issue do not contain, so that a copy could not be recognised.
	Checkable bool `json:"checkable"`
	// Leaks are the reasons, of the text that is kept; empty means clean.
	Leaks []string `json:"leaks,omitempty"`
	// Refused holds, for every draft that was thrown away, why.
	Refused []string `json:"refused,omitempty"`
}

// ReviewFacts describe what a review-response submission started from.
type ReviewFacts struct {
	BadPatch int    `json:"bad_patch"`
	Arm      Arm    `json:"arm,omitempty"`
	Level    string `json:"level,omitempty"`
	Source   string `json:"source,omitempty"`
}
