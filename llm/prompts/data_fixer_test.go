package prompts

// goldenCase is a prompt with data that show it.
type goldenCase struct {
	prompt string
	data   any
}

// fixerCases are those of the method fixer.
func fixerCases() map[string]goldenCase {
	function := Function{"slug.py", "slug", 1, 2, "def slug(text):\n    return ascii_only(text)"}
	review := "Letters with marks are still lost."
	return map[string]goldenCase{
		"fixer-files":            {FixerFiles, FixerFilesData{Language: "Python", Problem: problem, Paths: []string{"fold.py", "slug.py"}, Most: 3}},
		"fixer-files-review":     {FixerFiles, FixerFilesData{Language: "Python", Problem: problem, Patch: bad, Review: review, Paths: []string{"slug.py"}, Most: 1}},
		"fixer-functions":        {FixerFunctions, FixerFunctionsData{Language: "C++", Problem: problem, Outlines: []Outline{{"fold.cpp", "int fold(int x) ..."}, {"slug.cpp", "class Slug\n  int of(int x) ..."}}}},
		"fixer-functions-review": {FixerFunctions, FixerFunctionsData{Language: "C++", Problem: problem, Patch: bad, Review: review, Outlines: []Outline{{"slug.cpp", "class Slug"}}}},
		"fixer-lines":            {FixerLines, FixerCodeData{Language: "Java", Problem: problem, Functions: []Function{{"Slug.java", "Slug.of", 7, 8, "7| String of() {\n8| }"}, {Path: "Fold.java", Start: 1, End: 1, Text: "1| import a.B;"}}}},
		"fixer-lines-review":     {FixerLines, FixerCodeData{Language: "Python", Problem: problem, Patch: bad, Review: review, Functions: []Function{function}}},
		"fixer-repair":           {FixerRepair, FixerCodeData{Language: "Python", Problem: problem, Functions: []Function{function, {Path: "fold.py", Start: 1, End: 1, Text: "import re"}}}},
		"fixer-repair-alone":     {FixerRepair, FixerCodeData{Language: "Python", Problem: problem, Patch: bad, Functions: []Function{function}}},
	}
}
