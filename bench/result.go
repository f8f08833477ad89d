package bench

// Verdict is the judgement of one submission. Everything but Infra and
// HarnessError is about the submission.
type Verdict string

// The verdicts.
const (
	Resolved     Verdict = "resolved"
	Unresolved   Verdict = "unresolved"
	InvalidPatch Verdict = "invalid_patch" // does not parse, does not apply, leaves the tree
	EmptyPatch   Verdict = "empty_patch"
	Timeout      Verdict = "timeout"
	Suspect      Verdict = "suspect"       // reports contradict each other or were tampered with
	Infra        Verdict = "infra"         // the machine: engine gone, disk full, network at set-up
	HarnessError Verdict = "harness_error" // assay or the dataset: environment does not build, gold does not apply
)

// Judged reports whether the verdict is about the submission and so belongs
// in the denominator.
func (v Verdict) Judged() bool { return v != Infra && v != HarnessError }

// Result keeps the facts of one judged submission; reports decide which
// figures to show. It holds no times but those in Timing, so that two runs
// on the same input differ there only.
type Result struct {
	Task       string  `json:"task"` // name of the task kind
	InstanceID string  `json:"instance_id"`
	Model      string  `json:"model_name_or_path"`
	Language   string  `json:"language"`
	Repo       string  `json:"repo"`
	Verdict    Verdict `json:"verdict"`
	Reason     string  `json:"reason,omitempty"` // one sentence, for people
	// PatchDigest is the SHA-256 of the submitted patch, in hex.
	PatchDigest string `json:"patch_digest"`
	// TaskDigest is the hash of all that went in: instance, submission,
	// kind, and version of the judging rules.
	TaskDigest string   `json:"task_digest"`
	Flags      []Flag   `json:"flags,omitempty"` // what was split off or looked odd
	Runs       []Run    `json:"runs,omitempty"`  // in the order of the plan
	BugFix     *BugFix  `json:"bugfix,omitempty"`
	TestGen    *TestGen `json:"testgen,omitempty"`
	// Transitions are of a submitted test patch, also one that never ran.
	Transitions *Transitions `json:"transitions,omitempty"`
	Style       *Style       `json:"style,omitempty"`
	Review      *ReviewFacts `json:"review,omitempty"`
	// Coverage is of a submitted test patch, where it was asked for and could be
	// measured.
	Coverage *ChangeCoverage `json:"coverage,omitempty"`
	// Quality is of a submitted test patch, where it was asked for.
	Quality *TestQuality `json:"quality,omitempty"`
	// Filter is what each generated suite says of a fix (assay filter).
	Filter []Vote `json:"filter,omitempty"`
	// Figures are facts of kinds that have no field above, by name; reports show
	// their means.
	Figures map[string]float64 `json:"figures,omitempty"`
	// Part distinguishes several tasks of one kind and instance.
	Part    string  `json:"part,omitempty"`
	CostUSD float64 `json:"cost_usd,omitempty"`
	Timing  *Timing `json:"timing,omitempty"`
}

// Flag is something in a submission that a reader should know and that did
// not decide the verdict by itself.
type Flag struct {
	Kind   string `json:"kind"` // for example test_hunks, runner_files, build_files, non_test_changes
	Path   string `json:"path,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Run is the record of one run of a plan: tests on one variant.
type Run struct {
	Name     string   `json:"name"` // base, gold, submission, bad/0, good/1, ...
	State    RunState `json:"state"`
	ExitCode int      `json:"exit_code"`
	Detail   string   `json:"detail,omitempty"`
	Tests    []Test   `json:"tests,omitempty"` // sorted by id
	// Environment is the digest-bearing name of the environment.
	Environment string `json:"environment,omitempty"`
	// Root is where the repository is in the environment, where that is not
	// /testbed.
	Root string `json:"root,omitempty"`
}

// RunState describes how a run ended.
type RunState string

// The states of a run.
const (
	RunDone      RunState = "done"      // tests ran and their reports were read
	RunUnapplied RunState = "unapplied" // a patch did not apply
	RunUnbuilt   RunState = "unbuilt"   // did not compile, import or collect: no test ran
	RunCrashed   RunState = "crashed"   // the runner died and left no or a cut report
	RunTimeout   RunState = "timeout"
	RunLimit     RunState = "limit"   // out of memory, output, disk or processes
	RunSuspect   RunState = "suspect" // report and exit code contradict, nonce tests wrong
	RunSkipped   RunState = "skipped" // not needed after what earlier runs showed
	RunInfra     RunState = "infra"
)

// TestSplit separates the tests of a list that passed from those that did
// not.
type TestSplit struct {
	Passed []string `json:"passed"`
	Failed []string `json:"failed"` // failed, error, skipped or missing
}

// BugFix holds the facts of a submission judged by hidden tests.
type BugFix struct {
	FailToPass TestSplit `json:"fail_to_pass"`
	PassToPass TestSplit `json:"pass_to_pass"`
	// LeftOut are published pass-to-pass tests that do not pass with the gold
	// patch in this environment. They are in neither list above.
	LeftOut []string `json:"left_out,omitempty"`
}

// Timing is what a result cost, in seconds of wall time.
type Timing struct {
	Started  string             `json:"started"`
	Seconds  float64            `json:"seconds"`
	Phases   map[string]float64 `json:"phases,omitempty"` // prepare, create, start, run, collect, remove
	CacheHit int                `json:"cache_hits,omitempty"`
}
