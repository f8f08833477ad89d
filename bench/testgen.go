package bench

// TestGen holds the facts of a submitted test patch.
type TestGen struct {
	Contributed []string `json:"contributed"` // canonical ids of the tests the patch adds or changes
	FailsBase   *bool    `json:"fails_base"`
	PassesGold  *bool    `json:"passes_gold"`
	// Eligible bad patches apply, build and fail at least one F2P test.
	Eligible   []int `json:"eligible"`
	Killed     []int `json:"killed"`      // eligible ones on which a contributed test fails
	KilledAll  []int `json:"killed_all"`  // of all published ones, by the paper's rule: anything but a clean pass
	BadPatches int   `json:"bad_patches"` // published
	// AllBadFail is nil where no bad patch is eligible.
	AllBadFail *bool `json:"all_bad_fail"`
	// PaperAllBadFail is the paper's rule: every bad patch as published.
	PaperAllBadFail *bool `json:"paper_all_bad_fail"`
	// Failures give, for each contributed test that fails on base, by what.
	Failures map[string]FailureKind `json:"failures,omitempty"`
	// GoodPass is nil where the instance has no good variants.
	GoodPass *bool `json:"good_pass"`
	// Matrix gives the status of every contributed test on every variant
	// that ran: variant -> test id -> status.
	Matrix map[string]map[string]Status `json:"matrix"`
}

// Transitions describes how the tests that a submission adds or changes end
// before the gold patch and after it (SWT-Bench, section 3). Only these tests
// count. A submission that never ran, or that is void, has only false in it.
type Transitions struct {
	// Applies is true where the submission changes tests and applies, to base
	// and to the gold patch.
	Applies bool `json:"applies"`
	// FailToAny: some test fails before, whatever it does after.
	FailToAny bool `json:"fail_to_any"`
	// FailToPass is success: some test fails before and passes after, and every
	// test that is not skipped passes after.
	FailToPass bool `json:"fail_to_pass"`
	// PassToPass: some test passes before and after, and none fails.
	PassToPass bool `json:"pass_to_pass"`
	// PassToFail: some test passes before and fails after.
	PassToFail bool `json:"pass_to_fail"`
	// AnyToFail: some test fails after, whatever it did before.
	AnyToFail bool `json:"any_to_fail"`
	// Tests counts the tests by what they do.
	Tests Moves `json:"tests"`
	// FailsBy is the strongest kind of failure before: of the tests that pass
	// after, or of all that fail before where none of these does. Empty where
	// none fails before.
	FailsBy FailureKind `json:"fails_by,omitempty"`
}

// FailureKind is by what a test failed.
type FailureKind string

// The kinds of failure, the strongest first: how much each says about the issue.
const (
	ByAssertion FailureKind = "assertion"
	ByException FailureKind = "exception"
	ByCrash     FailureKind = "crash"
	ByTimeout   FailureKind = "timeout"
	ByBuild     FailureKind = "build" // it did not compile, and not only for names that are missing
	// ByMissing is a name, a member or an argument that is not there: such a
	// test may fail on every code but the gold patch's own interface.
	ByMissing FailureKind = "missing_symbol"
)

// Moves counts tests by how they end before the gold patch and after it.
type Moves struct {
	FailToPass int `json:"fail_to_pass"`
	FailToFail int `json:"fail_to_fail"`
	PassToPass int `json:"pass_to_pass"`
	PassToFail int `json:"pass_to_fail"`
	// Other tests were skipped, did not run, or show nothing on one side.
	Other int `json:"other"`
}

// ChangeCoverage is how much of the gold patch a submission's contributed tests
// execute, after SWT-Bench (section 3.3) and TDD-Bench-Verified (section 5.3), and
// the same as in neither: lines that the language's tool does not call executable
// are left out, and lines that run when modules are imported are covered.
type ChangeCoverage struct {
	// Removed are lines that gold removes or replaces, run on base; Added are
	// lines that it adds, run on gold.
	Removed LineCounts `json:"removed"`
	Added   LineCounts `json:"added"`
	// Adequacy is the covered share of both; nil where no line is executable.
	Adequacy *float64 `json:"adequacy"`
	// FailToPass and Other are the shares that the fail-to-pass tests cover, and
	// the other contributed ones; nil where there are none, and where the
	// language's tool does not tell tests apart and there are both.
	FailToPass *float64 `json:"fail_to_pass"`
	Other      *float64 `json:"other"`
	// TDDScore is 100 x success x adequacy, from 0 to 100. The paper's adequacy
	// divides by all changed lines: see Published.
	TDDScore *float64 `json:"tdd_score"`
	// Published are figures that follow the papers' formulas or the benchmarks'
	// own programs more closely, by name.
	Published map[string]float64 `json:"published,omitempty"`
	// Missed are executable lines that no contributed test executes: "-PATH:LINE"
	// of base, "+PATH:LINE" of gold.
	Missed []string `json:"missed,omitempty"`
}

// ByRule reports whether the figures are zeros of a submission that was not run,
// or is void: nothing was measured.
func (c ChangeCoverage) ByRule() bool {
	return c.Adequacy != nil && c.Removed.Executable+c.Added.Executable == 0
}

// TestQuality is what else is known of generated tests that were judged.
type TestQuality struct {
	// Runs is how often the tests ran on base, and on gold.
	Runs int `json:"runs"`
	// Tests counts the contributed tests; Flaky are those that did not end alike
	// in all runs on the same code.
	Tests int      `json:"tests"`
	Flaky []string `json:"flaky"`
	// PassGood are the tests that pass on gold and on every rewrite of it that
	// ran; nil where none ran.
	PassGood []string `json:"pass_good"`
	// KilledBefore are those of the killed bad patches that the tests that exist
	// kill already; nil where these did not run.
	KilledBefore []int `json:"killed_before"`
	// Covered counts the changed lines of gold that the tests execute, and
	// CoveredBefore those of them that the tests that exist execute, too; nil
	// where that was not measured.
	Covered       *int `json:"covered"`
	CoveredBefore *int `json:"covered_before"`
	// Survivors are the eligible bad patches that the tests let pass, where
	// coverage was measured.
	Survivors []Survivor `json:"survivors,omitempty"`
}

// Survivor is a bad patch that tests let pass. Where Reached is not empty, the
// tests execute where it is wrong, and no assertion sees it.
type Survivor struct {
	Index int `json:"idx"`
	// Reached are the lines that the tests execute, as PATH:LINE; nil where that
	// is not known.
	Reached []string `json:"reached"`
}

// LineCounts counts changed lines of one side.
type LineCounts struct {
	Executable int `json:"executable"`
	Covered    int `json:"covered"`
	FailToPass int `json:"fail_to_pass"` // covered by fail-to-pass tests
	Other      int `json:"other"`        // covered by other contributed tests
}

// Vote is what one suite of generated tests says of a fix. It lets the fix pass
// where it fails on base and passes on the fix.
type Vote struct {
	Tests     string `json:"tests"` // model_name_or_path of the tests
	Suite     int    `json:"suite"` // among those for the instance, from 0
	FailsBase bool   `json:"fails_base"`
	PassesFix bool   `json:"passes_fix"`
}

// Lets reports whether the suite lets the fix pass.
func (v Vote) Lets() bool { return v.FailsBase && v.PassesFix }
