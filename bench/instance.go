package bench

import "encoding/json"

// Instance is a base instance: a merged change that resolves an issue and
// adds a test, with what is needed to run it. The JSON names are those of
// SWE-bench; what assay adds follows them.
type Instance struct {
	ID               string  `json:"instance_id"`
	Repo             string  `json:"repo"`        // owner/name, or a clone URL
	BaseCommit       string  `json:"base_commit"` // full commit id; the state before the change
	Patch            string  `json:"patch"`       // gold patch: the change without its tests
	TestPatch        string  `json:"test_patch"`  // the change's tests, hidden from agents
	ProblemStatement string  `json:"problem_statement"`
	HintsText        string  `json:"hints_text,omitempty"`
	CreatedAt        string  `json:"created_at,omitempty"` // RFC 3339
	Version          string  `json:"version,omitempty"`
	FailToPass       TestIDs `json:"FAIL_TO_PASS"`
	PassToPass       TestIDs `json:"PASS_TO_PASS"`

	Language     string        `json:"language,omitempty"` // python when absent, as in SWE-bench
	Env          *Env          `json:"env,omitempty"`
	Image        string        `json:"image,omitempty"`       // run in it as it is
	Root         string        `json:"root,omitempty"`        // where the repository is in the image; it is looked for when absent
	EvalScript   string        `json:"eval_script,omitempty"` // bash that runs the tests in the image, as SWE-bench 5 publishes it
	TestCmds     []string      `json:"test_cmds,omitempty"`   // commands that run the tests in the image, where there is no eval_script
	LogParser    string        `json:"log_parser,omitempty"`  // reads what they print, by the names of SWE-bench 5
	EvalType     EvalType      `json:"eval_type,omitempty"`
	BadPatches   []BadPatch    `json:"bad_patches,omitempty"`
	GoodVariants []GoodVariant `json:"good_variants,omitempty"`
	Reviews      []Review      `json:"reviews,omitempty"`
	Style        []StyleTask   `json:"style,omitempty"`
	Provenance   *Provenance   `json:"provenance,omitempty"`

	// Extra keeps the fields that this package does not know, so that an
	// instance that is read and written again loses nothing.
	Extra map[string]json.RawMessage `json:"-"`
}

// EvalType describes what it means that an eval_script's output does not name
// a test.
type EvalType string

// The types: where only failures are printed, a test that is not named passed.
const (
	EvalPassAndFail EvalType = "pass_and_fail" // also when absent
	EvalFailOnly    EvalType = "fail_only"
)

// HasCommand reports whether the instance has a command that runs its tests
// in its image.
func (in *Instance) HasCommand() bool {
	return in.Image != "" && (in.EvalScript != "" || len(in.TestCmds) > 0 || in.LogParser != "")
}

// TestIDs is a list of test ids. In JSON it may be a list, a string that
// holds a list (as SWE-bench publishes it), an empty string or null.
type TestIDs []string

// Env describes how the instance's environment is made and how its tests run.
// Every field may be absent: the language then supplies a default from the
// files of the repository. All commands are POSIX shell, run by the root of
// the container in the repository (/testbed) unless said otherwise.
type Env struct {
	// Base names the image to start from ("debian:bookworm"). Executors
	// without images (local) start from the host's tool chains instead.
	Base string `json:"base,omitempty"`
	// Python is the version of Python ("3.9"). When absent it is inferred.
	Python string `json:"python,omitempty"`
	// Packages are Debian packages. They replace those that the language
	// installs by default.
	Packages []string `json:"packages,omitempty"`
	// Dependencies run before the source is there, with network, in /. The
	// layer that they make is shared by all instances with the same ones.
	Dependencies []string `json:"dependencies,omitempty"`
	// Setup runs with the source at base, with network.
	Setup []string `json:"setup,omitempty"`
	// Build is the warm build at base, with network, after Setup. When
	// absent the language builds what the instance's own tests need.
	Build []string `json:"build,omitempty"`
	// PreTest runs before every test run, after all patches, no network.
	PreTest []string `json:"pre_test,omitempty"`
	// Framework names the runner: pytest, unittest, django (runtests.py), sympy
	// (bin/test), maven, gradle, ant, ctest, gtest, catch2, doctest, meson,
	// automake, make. When absent it is detected.
	Framework string `json:"framework,omitempty"`
	// Test replaces the language's own test command. It must leave its
	// structured reports where Reports says. $ASSAY_REPORTS is a fresh
	// directory for them; $ASSAY_TESTS holds the test files, one a line.
	Test string `json:"test,omitempty"`
	// Reports are glob patterns, relative to the repository or absolute.
	Reports []string `json:"reports,omitempty"`
	// JDK is the major version of the JDK that builds and tests ("8", "11",
	// "17", "21"). When absent it is inferred from build files and CI.
	JDK string `json:"jdk,omitempty"`
	// Args are added to the runner's command line (pytest, mvn, gradle,
	// cmake configure).
	Args []string `json:"args,omitempty"`
	// Targets are the CMake targets that hold the tests.
	Targets []string `json:"targets,omitempty"`
	// IDs is the source of the names of a C++ instance's published tests:
	// framework (GoogleTest, Catch2, doctest), ctest, or both. When absent
	// the ids themselves decide.
	IDs string `json:"ids,omitempty"`
	// Sources are repositories that the set-up fetches in addition to the
	// instance's own: submodules, and what the build would download.
	Sources []Source `json:"sources,omitempty"`
	// Modules are the Maven or Gradle modules that hold the tests.
	Modules []string `json:"modules,omitempty"`
	// Linters are installed in addition to the tool chain (pylint, pmd,
	// checkstyle, clang-tidy), for style tasks.
	Linters []string `json:"linters,omitempty"`
	// Sparse are git sparse-checkout patterns, for trees of which a part is
	// enough.
	Sparse []string `json:"sparse,omitempty"`
	// Vars are environment variables of every phase.
	Vars map[string]string `json:"vars,omitempty"`
	// TimeoutSeconds bounds one test run; 0 means the default (1800).
	TimeoutSeconds int `json:"timeout_seconds,omitempty"`
	// MemoryMB bounds one test run; 0 means the default (4096).
	MemoryMB int `json:"memory_mb,omitempty"`
}

// Source is another repository at one commit.
type Source struct {
	// Repo is owner/name or a clone URL, found as an instance's repository is.
	Repo string `json:"repo"`
	// Ref is a commit, a tag or a branch.
	Ref string `json:"ref"`
	// Path is where the tree is put, relative to the instance's repository.
	// When absent, git takes this copy wherever Repo is cloned.
	Path string `json:"path,omitempty"`
	// Name is what CMake's FetchContent knows it by, if it does.
	Name string `json:"name,omitempty"`
}

// BadPatch is a plausible but wrong attempt at the issue.
type BadPatch struct {
	Index    int    `json:"idx"`
	Source   string `json:"source,omitempty"` // who or what made it
	Patch    string `json:"patch"`
	Review   string `json:"review,omitempty"`
	Category string `json:"category,omitempty"`
	Level    Level  `json:"level,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Level describes what a bad patch really does, from running it.
type Level string

// The levels of a bad patch, from worst made to best. LevelFailsF2P and
// LevelLikeBase judge generated tests: such a patch does not do what the
// issue asks for. What the others break is not part of the issue.
const (
	LevelUnapplied  Level = "does_not_apply"
	LevelUnbuilt    Level = "does_not_build"
	LevelLikeBase   Level = "behaves_like_base"
	LevelBreaksP2P  Level = "breaks_p2p_only"
	LevelFailsF2P   Level = "fails_f2p"
	LevelPassesAll  Level = "passes_all"
	LevelUndecided  Level = "undecided" // its runs could not be judged
	LevelUnmeasured Level = ""
)

// GoodVariant is a behaviour-preserving rewrite of the gold patch: a patch on
// base, in place of gold, that must resolve the instance too.
type GoodVariant struct {
	Index  int    `json:"idx"`
	Source string `json:"source,omitempty"`
	Patch  string `json:"patch"`
}

// Provenance reports where an instance came from.
type Provenance struct {
	Format string `json:"format,omitempty"` // the benchmark's format it was read from
	URL    string `json:"url,omitempty"`
	Notes  string `json:"notes,omitempty"`
}
