package card

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/collect"
	"assay/internal/patch"
	"assay/languages"
)

// Name names a characteristic.
type Name string

// The characteristics, in the order of the paper's table 2 and figure 7.
const (
	BaseFiles     Name = "base_files" // code files of the language at base
	BaseLines     Name = "base_lines"
	Words         Name = "statement_words"
	ErrorMessages Name = "statement_error_messages"
	CodeBlocks    Name = "statement_code_blocks"
	GoldFileNames Name = "statement_gold_files" // files of gold that the statement names
	GoldSubstring Name = "statement_gold_substring"
	GoldLines     Name = "statement_gold_lines" // whole lines of gold in the statement
	PassToPass    Name = "pass_to_pass"
	FailToPass    Name = "fail_to_pass"
	FailToFail    Name = "fail_to_fail"
	PassToFail    Name = "pass_to_fail"
	TestFiles     Name = "test_files"
	TestLines     Name = "test_lines"
	TestsAdded    Name = "tests_added"
	TestsRemoved  Name = "tests_removed"
	FixFiles      Name = "fix_files"
	FixLines      Name = "fix_lines"
)

// Names lists the characteristics in their order.
func Names() []Name {
	return []Name{
		BaseFiles, BaseLines, Words, ErrorMessages, CodeBlocks, GoldFileNames, GoldSubstring, GoldLines, PassToPass, FailToPass, FailToFail, PassToFail,
		TestFiles, TestLines, TestsAdded, TestsRemoved, FixFiles, FixLines,
	}
}

// measure is what is known of an instance.
func (in Input) measure(inst *bench.Instance, about collect.Collected) (map[Name]float64, error) {
	gold, err := patch.Parse([]byte(inst.Patch))
	if err != nil {
		return nil, err
	}
	tests, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return nil, err
	}
	v := map[Name]float64{
		PassToPass: float64(len(inst.PassToPass)), FailToPass: float64(len(inst.FailToPass)),
		FixFiles: float64(len(gold.Files)), FixLines: edited(gold), TestFiles: float64(len(tests.Files)), TestLines: edited(tests),
	}
	statement(v, inst.ProblemStatement, gold)
	if l := in.Languages.Named(inst.Language); l != nil {
		v[TestsAdded], v[TestsRemoved] = declared(l, tests)
	}
	if about.States != nil {
		v[FailToFail], v[PassToFail] = 0, 0
		for id, s := range about.States {
			switch {
			case slices.Contains(about.Flaky, id):
			case s[2].OK() || s[2] == bench.Skipped:
			case s[1].OK():
				v[PassToFail]++
			case s[2] != bench.Missing:
				v[FailToFail]++
			}
		}
	}
	if in.Size != nil {
		if size, ok := in.Size(inst); ok {
			v[BaseFiles], v[BaseLines] = float64(size.Files), float64(size.Lines)
		}
	}
	return v, nil
}

func edited(p *patch.Patch) float64 {
	n := 0
	for _, f := range p.Files {
		n += f.Added() + f.Removed()
	}
	return float64(n)
}

var (
	fence = regexp.MustCompile("(?m)^[ \t]*(?:```|~~~)")
	// errorLine is the line of an error as runtimes and compilers print it.
	errorLine = regexp.MustCompile(`(?m)^[ \t>E]*(?:Exception in thread "[^"]*" |Caused by: )?(?:(?:[A-Za-z_]\w*[.:$]+)*[A-Z]\w*(?:Error|Exception)(?::|[ \t]*$)|\S+:\d+(?::\d+)?: (?:fatal )?error: |terminate called after|Segmentation fault)`)
)

// statement measures a problem statement, alone and against gold.
func statement(v map[Name]float64, text string, gold *patch.Patch) {
	v[Words] = float64(len(strings.Fields(text)))
	v[CodeBlocks] = float64((len(fence.FindAllString(text, -1)) + 1) / 2)
	v[ErrorMessages] = float64(len(errorLine.FindAllString(text, -1)))
	said := map[string]bool{}
	for line := range strings.Lines(text) {
		said[strings.TrimSpace(line)] = true
	}
	names, lines := 0, 0
	longest := 0
	for _, f := range gold.Files {
		if strings.Contains(text, path.Base(f.Path())) {
			names++
		}
		for line := range strings.Lines(strings.Join(f.AddedText(), "\n")) {
			line = strings.TrimSpace(line)
			if len(line) > 3 && said[line] {
				lines++
			}
			longest = max(longest, common(line, text, longest))
		}
	}
	v[GoldFileNames], v[GoldLines], v[GoldSubstring] = float64(names), float64(lines), float64(longest)
}

// common is the length of the longest substring of a line that a text holds,
// where it is longer than so many bytes.
func common(line, text string, than int) int {
	for i := 0; i+than < len(line); i++ {
		for i+than < len(line) && strings.Contains(text, line[i:i+than+1]) {
			than++
		}
	}
	return than
}

// declared counts the tests that a test patch adds and removes; one of which a
// line changes is neither.
func declared(l languages.Language, tests *patch.Patch) (added, removed float64) {
	for _, f := range tests.Files {
		if !languages.IsTest(l, f.Path()) {
			continue
		}
		plus, minus := sides(f)
		now, before := namesIn(l, f.Path(), plus), namesIn(l, f.Path(), minus)
		for name := range now {
			if !before[name] {
				added++
			}
		}
		for name := range before {
			if !now[name] {
				removed++
			}
		}
	}
	return added, removed
}

// sides are the added and the removed lines of a file.
func sides(f *patch.File) (plus, minus string) {
	var a, b strings.Builder
	inside := false
	for line := range strings.Lines(string((&patch.Patch{Files: []*patch.File{f}}).Bytes())) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			inside = true
		case inside && strings.HasPrefix(line, "+"):
			a.WriteString(line[1:])
		case inside && strings.HasPrefix(line, "-"):
			b.WriteString(line[1:])
		}
	}
	return a.String(), b.String()
}

func namesIn(l languages.Language, file, text string) map[string]bool {
	names := map[string]bool{}
	for _, form := range formsOf(l, text) {
		tests, err := l.Tests(file, []byte(form))
		if err != nil {
			continue // what cannot be read declares nothing
		}
		for _, t := range tests {
			parts := strings.Split(t.ID, "::")
			names[parts[len(parts)-1]] = true
		}
	}
	return names
}
