package prompts

// The prompts of the methods of TDD-Bench-Verified's paper (Otter, sections 4
// and G).
const (
	OtterFiles     = "otter-files"     // OtterFilesData
	OtterFunctions = "otter-functions" // OtterFunctionsData
	OtterPlan      = "otter-plan"      // OtterPlanData
	OtterReflect   = "otter-reflect"   // OtterReflectData
	OtterTest      = "otter-test"      // OtterTestData
	TDDZeroShot    = "tdd-zeroshot"    // TDDZeroShotData
)

// OtterFilesData asks for the files that an issue is about, one in each line.
type OtterFilesData struct {
	Repo     string // owner/name
	Problem  string
	Language string // as people write it
	Tests    bool   // test files; else those in which the fix will be
	Files    []string
	Most     int // how many may be named
}

// OtterFunctionsData asks for the functions that an issue is about, a line for
// each file.
type OtterFunctionsData struct {
	Repo     string
	Problem  string
	Language string
	Tests    bool
	Files    []Listing
}

// Listing is a file with the names of functions in it.
type Listing struct {
	Path      string
	Functions []string
}

// OtterPlanData asks for a first plan, which only reads.
type OtterPlanData struct {
	Repo      string
	Problem   string
	Language  string
	Tests     []Listing
	Focal     []Listing
	Functions []Function // of both, with their text
}

// OtterReflectData asks for a better plan, and what the model thinks of it.
type OtterReflectData struct {
	Repo      string
	Problem   string
	Language  string
	Tests     []Listing
	Focal     []Listing
	Valid     []PlanAction
	Invalid   []PlanAction
	Functions []Function // that the valid actions read
}

// PlanAction is an action of a plan: read, write or modify.
type PlanAction struct {
	Verb, Path, Function string
	Why                  string // why it is invalid; "" for a valid one
}

// OtterTestData asks for a whole test function.
type OtterTestData struct {
	Repo      string
	Problem   string
	Language  string
	Framework string     // may be empty
	Functions []Function // may be empty
	Path      string     // of the test file; "" where the model is not shown one
	Structure string     // of that file: imports, heads of classes and functions
	Name      string     // of the function; "" leaves it to the model
	Modify    bool       // the function exists
}

// TDDZeroShotData asks for a whole test file.
type TDDZeroShotData struct {
	Repo      string
	Problem   string
	Language  string
	Framework string // may be empty
	Path      string // of the new file
}

// otterSamples are the samples of these prompts.
func otterSamples() map[string]any {
	texts := []string{"text"}
	list, functions := []Listing{{"text", texts}}, []Function{{"text", "text", 1, 1, "text"}}
	plan := []PlanAction{{"text", "text", "text", "text"}}
	return map[string]any{
		OtterFiles:     OtterFilesData{"text", "text", "text", true, texts, 1},
		OtterFunctions: OtterFunctionsData{"text", "text", "text", true, list},
		OtterPlan:      OtterPlanData{"text", "text", "text", list, list, functions},
		OtterReflect:   OtterReflectData{"text", "text", "text", list, list, plan, plan, functions},
		OtterTest:      OtterTestData{"text", "text", "text", "text", functions, "text", "text", "text", true},
		TDDZeroShot:    TDDZeroShotData{"text", "text", "text", "text", "text"},
	}
}
