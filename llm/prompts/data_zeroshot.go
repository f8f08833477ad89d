package prompts

// The prompts of SWT-Bench's methods that ask a model directly.
const (
	ZeroShot     = "zeroshot"     // ZeroShotData
	ZeroShotPlus = "zeroshotplus" // ZeroShotData
	LibroJudge   = "libro-judge"  // LibroJudgeData
)

// ZeroShotData asks for tests that show an issue, as a unified diff or in the
// fault-tolerant format (SWT-Bench, figures 9 to 12).
type ZeroShotData struct {
	Language  string // as people write it
	Framework string // of the tests; may be empty
	Problem   string
	Fix       string         // a patch that was proposed, right or wrong; may be empty
	Files     []NumberedFile // that are about the problem; may be empty
}

// NumberedFile is a file, or its begin, whose lines have their numbers.
type NumberedFile struct {
	Path string
	Text string
	Cut  bool // the file is longer than this
}

// LibroJudgeData asks whether a test fails because of the issue (section 4.3).
// The answer is read by ReadYes.
type LibroJudgeData struct {
	Problem string
	Test    string // the patch of the test
	Failure string // what the runner said
}

func zeroShotSamples() map[string]any {
	data := ZeroShotData{"text", "text", "text", "text", []NumberedFile{{"text", "text", true}}}
	return map[string]any{ZeroShot: data, ZeroShotPlus: data, LibroJudge: LibroJudgeData{"text", "text", "text"}}
}
