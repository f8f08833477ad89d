package prompts

// The prompts of the method fixer, in the order in which it asks.
const (
	FixerFiles     = "fixer-files"     // FixerFilesData
	FixerFunctions = "fixer-functions" // FixerFunctionsData
	FixerLines     = "fixer-lines"     // FixerCodeData
	FixerRepair    = "fixer-repair"    // FixerCodeData
)

// FixerFilesData asks which files a fix has to change.
type FixerFilesData struct {
	Language string
	Problem  string
	Patch    string // is already applied, and does not solve the problem; empty where there is none
	Review   string // of that patch; may be empty
	Paths    []string
	Most     int // files in the answer
}

// FixerFunctionsData asks which functions and classes a fix has to change.
type FixerFunctionsData struct {
	Language string
	Problem  string
	Patch    string
	Review   string
	Outlines []Outline
}

// Outline is a file without the bodies of its functions.
type Outline struct {
	Path string
	Text string
}

// FixerCodeData asks which lines a fix has to change (the text of each function
// has line numbers then), and for the fix itself.
type FixerCodeData struct {
	Language  string
	Problem   string
	Patch     string
	Review    string
	Functions []Function // or other parts of files, without a name
}

func fixerSamples() map[string]any {
	code := FixerCodeData{"text", "text", "text", "text", []Function{{"text", "text", 1, 1, "text"}}}
	return map[string]any{
		FixerFiles:     FixerFilesData{"text", "text", "text", "text", []string{"text"}, 1},
		FixerFunctions: FixerFunctionsData{"text", "text", "text", "text", []Outline{{"text", "text"}}},
		FixerLines:     code,
		FixerRepair:    code,
	}
}
