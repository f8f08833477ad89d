package otter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/languages"
	"assay/methods"
	"assay/methods/methodstest"
	"assay/methods/outline"
	"assay/trajectory"
)

// sample is one of the samples, with answers as a good model gives them.
type sample struct {
	language, folder          string
	testFile, focalFile       string
	testFunction              string // an existing test
	focalFunction             string
	newTest, modifiedTest     string // code
	newName                   string
	wantWritten, wantModified string // what the patch adds
}

func sampleList() []sample {
	return []sample{
		{
			language: "python", folder: "python/assay-samples__tidemark-7",
			testFile: "tests/test_engine.py", focalFile: "tidemark/engine.py", testFunction: "test_yearly", focalFunction: "iterate", newName: "test_last_day",
			newTest:      "def test_last_day():\n    assert walk(Rule(\"month\"), \"2024-01-31\", 3)[2] == date(2024, 3, 31)\n",
			modifiedTest: "def test_yearly():\n    assert walk(Rule(\"year\", 4), \"2020-02-29\", 2) == days(\"2020-02-29\", \"2024-02-29\")\n",
			wantWritten:  "+def test_last_day():\n+    assert walk(", wantModified: "+    assert walk(Rule(\"year\", 4), \"2020-02-29\", 2)",
		},
		{
			language: "java", folder: "java/assay-samples__coinsplit-31",
			testFile: "src/test/java/coinsplit/AllocatorTest.java", focalFile: "src/main/java/coinsplit/Allocator.java",
			testFunction: "AllocatorTest.Split.needsAShare", focalFunction: "Allocator.split", newName: "mirrors",
			newTest:      "@Test\nvoid mirrors() {\n    assertEquals(numbers(\"-34 -33 -33\"), minor(Allocator.split(Money.ofMinor(-100, Unit.EUR), 3)));\n}\n",
			modifiedTest: "@Test\nvoid needsAShare() {\n    assertEquals(numbers(\"-1 -1\"), minor(Allocator.split(Money.ofMinor(-2, Unit.EUR), 2)));\n}\n",
			wantWritten:  "+        @Test\n+        void mirrors() {\n+            assertEquals(", wantModified: "+            assertEquals(numbers(\"-1 -1\")",
		},
		{
			language: "cpp", folder: "cpp/assay-samples__framewire-9",
			testFile: "tests/reader_test.cpp", focalFile: "src/reader.cpp", testFunction: "ReaderTest.LongPayload", focalFunction: "framewire::Reader::feed", newName: "ReaderTest.SingleBytes",
			newTest:      "TEST(ReaderTest, SingleBytes) {\n  Writer writer;\n  writer.frame(Bytes(200, 'q'));\n  Reader reader;\n  for (auto b : writer.bytes()) reader.feed({b});\n  EXPECT_EQ(reader.damaged(), 0u);\n}\n",
			modifiedTest: "TEST(ReaderTest, LongPayload) {\n  Reader reader;\n  reader.feed({kMarker});\n  EXPECT_EQ(reader.damaged(), 0u);\n}\n",
			wantWritten:  "+TEST(ReaderTest, SingleBytes) {\n+  Writer writer;", wantModified: "+  reader.feed({kMarker});",
		},
	}
}

func (s sample) files(t testing.TB) map[string]string {
	base := filepath.Join("..", "..", "samples", "data", filepath.FromSlash(s.folder), "base")
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(base, p)
		out[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return out
}

func (s sample) world(t testing.TB, answers ...any) *methodstest.World {
	return &methodstest.World{
		Task:  methods.View{Repo: "assay-samples/x", Language: languages.Default().Named(s.language), Problem: "It is wrong."},
		Files: s.files(t), Answers: answers,
	}
}

// located are the answers to the localizer.
func (s sample) located() []any {
	return []any{
		s.testFile, fmt.Sprintf("<Filename>%s</Filename> <Function>%s</Function>", s.testFile, s.testFunction),
		s.focalFile, fmt.Sprintf("<Filename>%s</Filename> <Function>%s</Function>", s.focalFile, s.focalFunction),
	}
}

func act(verb, file, function string) string {
	return fmt.Sprintf("<Action>%s</Action> <Filename>%s</Filename> <Function>%s</Function>\n", verb, file, function)
}

func code(prior, text string) string {
	return fmt.Sprintf("<PriorFunction>%s</PriorFunction>\n<COMPLETE_FUNC>\n%s</COMPLETE_FUNC>", prior, text)
}

const thought = "<Thought>Satisfied</Thought>"

// written are the answers of a model that follows all that it is asked for.
func (s sample) written() []any {
	read := act("read", s.focalFile, s.focalFunction)
	return append(s.located(), read, read+act("write", s.testFile, s.newName)+thought, code(s.testFunction, s.newTest))
}

func steps(events []trajectory.Event) (calls []string) {
	for _, e := range events {
		if e.Kind == trajectory.CallEvent {
			calls = append(calls, e.Step)
		}
	}
	return calls
}

func TestOtterWrites(t *testing.T) {
	for _, s := range sampleList() {
		t.Run(s.language, func(t *testing.T) {
			w := s.world(t, s.written()...)
			patch, events, err := w.Solve(t.Context(), Otter{})
			require.NoError(t, err)
			require.Contains(t, patch, s.wantWritten)
			require.Contains(t, patch, "+++ b/"+s.testFile)
			require.NotContains(t, strings.ReplaceAll(patch, "\n--- ", ""), "\n-", "nothing is taken away")
			require.Equal(t, []string{"test-files", "test-functions", "focal-files", "focal-functions", "plan", "reflect-1", "generate"}, steps(events))
			require.Empty(t, w.Trials(), "Otter runs nothing")
			for _, r := range w.Requests() {
				require.Contains(t, r.Messages[0].Text, "It is wrong.")
				require.Zero(t, *r.Temperature)
			}
			require.Contains(t, w.Requests()[0].Messages[0].Text, "\n"+s.testFile+"\n")
			require.Contains(t, w.Requests()[1].Messages[0].Text, "\n  "+s.testFunction+"\n")
			require.NotContains(t, w.Requests()[2].Messages[0].Text, "\n"+s.testFile+"\n")
			require.Contains(t, w.Requests()[6].Messages[0].Text, "name=\""+s.focalFunction+"\"")
		})
	}
}

func TestOtterModifies(t *testing.T) {
	for _, s := range sampleList() {
		t.Run(s.language, func(t *testing.T) {
			plan := act("read", s.focalFile, s.focalFunction)
			w := s.world(t, append(s.located(), plan, plan+act("modify", s.testFile, s.testFunction)+thought, code("", s.modifiedTest))...)
			patch, _, err := w.Solve(t.Context(), Otter{})
			require.NoError(t, err)
			require.Contains(t, patch, s.wantModified)
			require.Contains(t, strings.ReplaceAll(patch, "\n--- ", ""), "\n-")
			last := w.Requests()[6].Messages[0].Text
			require.Contains(t, last, "Change the test "+s.testFunction)
			require.Contains(t, last, "name=\""+s.testFunction+"\"", "what is modified is shown")
		})
	}
}

// TestOtterReflects checks the rounds: the next prompt explains what is wrong with
// a plan, and there are at most five rounds.
func TestOtterReflects(t *testing.T) {
	for _, s := range sampleList() {
		t.Run(s.language, func(t *testing.T) {
			read := act("read", s.focalFile, s.focalFunction)
			wrong := act("read", s.focalFile, "invented") + act("read", "nowhere.x", "f") + act("write", s.testFile, s.testFunction) +
				act("modify", s.focalFile, s.focalFunction) + act("delete", s.testFile, "x") + act("read", s.focalFile, "")
			answers := append(s.located(), read+wrong)
			for range 5 {
				answers = append(answers, read+act("write", s.testFile, s.newName)+act("modify", s.testFile, s.testFunction)+"<Thought>Unsure</Thought>")
			}
			w := s.world(t, append(answers, code(s.testFunction, s.newTest))...)
			patch, events, err := w.Solve(t.Context(), Otter{})
			require.NoError(t, err)
			require.Contains(t, patch, s.wantWritten)
			require.Len(t, steps(events), 11)
			first := w.Requests()[5].Messages[0].Text
			for _, why := range []string{"the file has no such function", "there is no such file", "the file has a function of that name already", "it is not a test file", "there is no such action", "it names no function"} {
				require.Contains(t, first, why)
			}
			require.Contains(t, w.Requests()[6].Messages[0].Text, "only one write or modify is possible")
			require.NotContains(t, w.Requests()[6].Messages[0].Text, "invented")
		})
	}
}

// TestOtterMends checks answers that break the requested form: a test is still
// written.
func TestOtterMends(t *testing.T) {
	for _, s := range sampleList() {
		read := act("read", s.focalFile, s.focalFunction)
		good := s.written()
		for name, change := range map[string]func(a []any){
			"invented file":            func(a []any) { a[1] = strings.ReplaceAll(a[1].(string), s.testFile, s.testFile+"x") },
			"all files invented":       func(a []any) { a[0] = "x" + s.testFile },
			"prose for files":          func(a []any) { a[0], a[1] = "The test belongs to:\n\n- `"+s.testFile+"`\n", "I would choose `x`." },
			"invented function":        func(a []any) { a[1] = strings.ReplaceAll(a[1].(string), s.testFunction, s.testFunction+"s") },
			"no first plan":            func(a []any) { a[4] = "" },
			"first plan out of format": func(a []any) { a[4] = "read everything" },
			"empty reflection":         func(a []any) { a[4] = read + act("write", s.testFile, s.newName) },
			"write into no file":       func(a []any) { a[5] = act("write", "x"+s.testFile, s.newName) + thought },
			"modify what is not there": func(a []any) { a[5] = act("modify", s.testFile, s.newName) + thought },
			"no write":                 func(a []any) { a[5] = read + thought },
			"code in a fence":          func(a []any) { a[6] = "Here:\n```\n" + s.newTest + "```\n" },
			"prior is invented":        func(a []any) { a[6] = code(s.testFunction+"x", s.newTest) },
			"no prior":                 func(a []any) { a[6] = "<COMPLETE_FUNC>\n" + s.newTest + "</COMPLETE_FUNC>" },
		} {
			t.Run(s.language+"/"+name, func(t *testing.T) {
				answers := append([]any(nil), good...)
				change(answers)
				patch, _, err := s.world(t, answers...).Solve(t.Context(), Otter{})
				require.NoError(t, err)
				require.Contains(t, patch, s.wantWritten)
				require.Contains(t, patch, "+++ b/"+s.testFile)
			})
		}
	}
}

// TestFunctionsOf: what a model may name in a file.
func TestFunctionsOf(t *testing.T) {
	f, err := outline.Read("python", "a.py", []byte("class Max:\n    def zero(self): pass\n    def one(self): pass\n\ndef real_root(): pass\n"))
	require.NoError(t, err)
	names, changes := functionsOf(f, "Max, real_roots, nothing, Max.one")
	require.Equal(t, []string{"Max.zero", "Max.one", "real_root", "Max.one"}, names)
	require.Equal(t, []change{{"real_roots", "real_root"}, {"nothing", ""}}, changes)
}

func TestOtterGivesUp(t *testing.T) {
	for _, s := range sampleList() {
		for name, answer := range map[string]string{"empty": "", "prose": "I cannot.", "nothing between": code("", "")} {
			t.Run(s.language+"/"+name, func(t *testing.T) {
				answers := s.written()
				answers[6] = answer
				patch, events, err := s.world(t, answers...).Solve(t.Context(), Otter{})
				require.NoError(t, err)
				require.Empty(t, patch)
				require.Len(t, steps(events), 7)
			})
		}
	}
}

// TestOtterBudget ends the session after every number of calls.
func TestOtterBudget(t *testing.T) {
	for _, s := range sampleList() {
		for n := range 7 {
			patch, events, err := s.world(t, s.written()[:n]...).Solve(t.Context(), Otter{})
			var end *methods.EndError
			require.ErrorAs(t, err, &end)
			require.Equal(t, agents.Budget, end.End)
			require.Empty(t, patch)
			require.Len(t, steps(events), n+1)
		}
	}
	s := sampleList()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := s.world(t, s.written()...).Solve(ctx, Otter{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestOtterWithoutTests writes into a file of its own.
func TestOtterWithoutTests(t *testing.T) {
	for language, want := range map[string]string{"python": "tests/test_issue.py", "java": "src/test/java/IssueTest.java", "cpp": "tests/issue_test.cpp"} {
		s := sample{language: language}
		w := &methodstest.World{
			Task:    methods.View{Repo: "o/r", Language: languages.Default().Named(s.language), Problem: "x"},
			Answers: []any{"", "", thought, "<COMPLETE_FUNC>\n@Test void x() {}\n</COMPLETE_FUNC>"},
			Files:   map[string]string{"README.md": "x"},
		}
		w.Answers = []any{"", thought, "<COMPLETE_FUNC>\n@Test void x() {}\n</COMPLETE_FUNC>"}
		patch, events, err := w.Solve(t.Context(), Otter{})
		require.NoError(t, err)
		require.Contains(t, patch, "+++ b/"+want)
		require.Equal(t, []string{"plan", "reflect-1", "generate"}, steps(events))
	}
}

// plus are the answers for Otter++ of a good model: five tests of different
// names.
func (s sample) plus() []any {
	out := s.written()
	for _, v := range variants() {
		out = append(out, code(s.testFunction, strings.ReplaceAll(s.newTest, short(s.newName), short(s.newName)+"_"+v.name)))
	}
	return out
}

func short(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// ending makes up runs: by the name of the variant that the patch is of.
func ending(kinds map[string]bench.FailureKind) func(methods.Trial) (methods.Run, error) {
	return func(t methods.Trial) (methods.Run, error) {
		name := "otter"
		for _, v := range variants() {
			if strings.Contains(t.Tests, "_"+v.name+"(") || strings.Contains(t.Tests, "_"+v.name+")") {
				name = v.name
			}
		}
		kind := kinds[name]
		one := methods.TestRun{ID: name, Status: bench.Failed, FailsBy: kind}
		switch kind {
		case "":
			one.Status = bench.Passed
		case bench.ByBuild:
			return methods.Run{State: bench.RunUnbuilt}, nil
		}
		return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{one}}, nil
	}
}

func TestOtterPlus(t *testing.T) {
	for _, s := range sampleList() {
		for name, tt := range map[string]struct {
			kinds map[string]bench.FailureKind
			want  string // "" for no submission
		}{
			"assertion first":    {map[string]bench.FailureKind{"otter": bench.ByException, "both": bench.ByBuild, "focal": bench.ByAssertion}, "focal"},
			"ties by the order":  {map[string]bench.FailureKind{"neither": bench.ByAssertion, "focal": bench.ByAssertion, "tests": bench.ByAssertion}, "tests"},
			"Otter's own first":  {map[string]bench.FailureKind{"otter": bench.ByAssertion, "both": bench.ByAssertion}, "otter"},
			"other before error": {map[string]bench.FailureKind{"otter": bench.ByBuild, "neither": bench.ByException}, "neither"},
			"error at last":      {map[string]bench.FailureKind{"tests": bench.ByBuild}, "tests"},
			"all pass":           {nil, ""},
		} {
			t.Run(s.language+"/"+name, func(t *testing.T) {
				w := s.world(t, s.plus()...)
				w.Runs = ending(tt.kinds)
				patch, events, err := w.Solve(t.Context(), Otter{Plus: true})
				require.NoError(t, err)
				require.Equal(t, []string{"test-files", "test-functions", "focal-files", "focal-functions", "plan", "reflect-1", "generate",
					"generate-both", "generate-tests", "generate-focal", "generate-neither"}, steps(events))
				require.Len(t, w.Trials(), 5)
				switch tt.want {
				case "":
					require.Empty(t, patch)
				case "otter":
					require.Contains(t, patch, s.wantWritten)
				default:
					require.Contains(t, patch, short(s.newName)+"_"+tt.want)
				}
			})
		}
	}
}

// TestOtterPlusPrompts checks what each of the five prompts shows.
func TestOtterPlusPrompts(t *testing.T) {
	for _, s := range sampleList() {
		w := s.world(t, s.plus()...)
		_, _, err := w.Solve(t.Context(), Otter{Plus: true})
		require.NoError(t, err)
		for i, v := range variants() {
			text := w.Requests()[7+i].Messages[0].Text
			require.Equal(t, v.focal, strings.Contains(text, "name=\""+s.focalFunction+"\""), "%s %s", s.language, v.name)
			require.Equal(t, v.tests, strings.Contains(text, "name=\""+s.testFunction+"\""), "%s %s", s.language, v.name)
			require.Equal(t, v.tests, strings.Contains(text, "<structure>"), "%s %s", s.language, v.name)
		}
	}
}

// TestOtterPlusBudget: what was written before the session was spent is run and
// ranked.
func TestOtterPlusBudget(t *testing.T) {
	for _, s := range sampleList() {
		all := s.plus()
		for n := range all {
			w := s.world(t, all[:n]...)
			w.Runs = ending(map[string]bench.FailureKind{"otter": bench.ByException, "both": bench.ByAssertion, "focal": bench.ByAssertion})
			patch, _, err := w.Solve(t.Context(), Otter{Plus: true})
			var end *methods.EndError
			require.ErrorAs(t, err, &end)
			require.Len(t, w.Trials(), max(0, n-6))
			switch {
			case n < 7:
				require.Empty(t, patch)
			case n == 7:
				require.Contains(t, patch, s.wantWritten)
			default:
				require.Contains(t, patch, short(s.newName)+"_both")
			}
		}
	}
}

func TestOtterPlusRuns(t *testing.T) {
	s := sampleList()[0]
	// Equal candidates are run once.
	same := s.written()
	for range 4 {
		same = append(same, code(s.testFunction, s.newTest))
	}
	w := s.world(t, same...)
	_, _, err := w.Solve(t.Context(), Otter{Plus: true})
	require.NoError(t, err)
	require.Less(t, len(w.Trials()), 5)

	// A run that cannot be made: the best of those before.
	w = s.world(t, s.plus()...)
	runs := 0
	w.Runs = func(methods.Trial) (methods.Run, error) {
		if runs++; runs > 2 {
			return methods.Run{}, errors.New("no room")
		}
		return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{Status: bench.Failed, FailsBy: bench.ByException}}}, nil
	}
	patch, _, err := w.Solve(t.Context(), Otter{Plus: true})
	require.ErrorContains(t, err, "no room")
	require.Contains(t, patch, s.wantWritten)
}

// TestOtterPlusGivesUp: where no answer is of use, nothing is run or submitted.
func TestOtterPlusGivesUp(t *testing.T) {
	for _, s := range sampleList() {
		for name, tt := range map[string]struct {
			located []any
			answer  string
			calls   int // the localizer and the planner continue without an answer
		}{
			"no code":          {s.located(), thought, 11},
			"empty":            {s.located(), "", 15},
			"empty throughout": {[]any{"", "", "", ""}, "", 13},
			"prose throughout": {[]any{"I cannot.", "I cannot.", "I cannot.", "I cannot."}, "I cannot.", 13},
		} {
			t.Run(s.language+"/"+name, func(t *testing.T) {
				answers := tt.located
				for len(answers) < tt.calls {
					answers = append(answers, tt.answer)
				}
				w := s.world(t, answers...)
				patch, events, err := w.Solve(t.Context(), Otter{Plus: true})
				require.NoError(t, err)
				require.Empty(t, patch)
				require.Empty(t, w.Trials())
				require.Len(t, steps(events), tt.calls)
			})
		}
	}
}

func TestSettings(t *testing.T) {
	s := sampleList()[0]
	w := s.world(t)
	w.Answers = append(s.located(), "", "", "", code("", s.newTest))
	w.Settings = map[string]float64{"rounds": 2, "files": 1}
	_, events, err := w.Solve(t.Context(), Otter{})
	require.NoError(t, err)
	require.Equal(t, []string{"plan", "reflect-1", "reflect-2", "generate"}, steps(events)[4:])
	require.Contains(t, w.Requests()[0].Messages[0].Text, "up to 1 of these files")
}

func TestZeroShot(t *testing.T) {
	for _, s := range sampleList() {
		whole := map[string]string{
			"python": "from tidemark import Rule\n\n\ndef test_it():\n    assert not Rule(\"month\")\n",
			"java":   "package coinsplit;\n\nimport org.junit.jupiter.api.Test;\n\npublic class RefundTest {\n    @Test\n    void x() {\n        throw new AssertionError();\n    }\n}\n",
			"cpp":    "#include <gtest/gtest.h>\n#include <map>\n#include \"framewire/reader.h\"\n\nTEST(Issue, Bytes) {\n  FAIL();\n}\n\nint main(int argc, char** argv) {\n  return 0;\n}\n",
		}[s.language]
		want := map[string]string{"python": "tests/test_issue.py", "java": "src/test/java/coinsplit/RefundTest.java", "cpp": "tests/reader_test.cpp"}[s.language]
		t.Run(s.language, func(t *testing.T) {
			w := s.world(t, code("", whole))
			patch, events, err := w.Solve(t.Context(), ZeroShot{})
			require.NoError(t, err)
			require.Contains(t, patch, "+++ b/"+want)
			require.Equal(t, []string{"test-file"}, steps(events))
			require.Contains(t, w.Requests()[0].Messages[0].Text, "assay-samples/x")
			if s.language == "cpp" {
				require.Contains(t, patch, "+TEST(Issue, Bytes) {")
				require.Contains(t, patch, "+#include <map>")
				require.NotContains(t, patch, "main")
				require.NotContains(t, patch, "+#include <gtest")
			} else {
				require.Contains(t, patch, "--- /dev/null")
			}
			for name, answer := range map[string]any{"empty": "", "prose": "No."} {
				patch, _, err := s.world(t, answer).Solve(t.Context(), ZeroShot{})
				require.NoError(t, err, name)
				require.Empty(t, patch, name)
			}
			_, _, err = s.world(t).Solve(t.Context(), ZeroShot{})
			require.ErrorAs(t, err, new(*methods.EndError))
		})
	}
	// JUnit 5's classes need not be public.
	s := sampleList()[1]
	for source, want := range map[string]string{
		"package coinsplit;\n\nclass RefundTest {\n}\n":                                  "RefundTest",
		"package coinsplit;\n\n@Tag(\"slow\")\nfinal class RefundTest {\n}\n":            "RefundTest",
		"package coinsplit;\n\nclass Till {\n}\n\nclass TestRefund {\n}\n":               "TestRefund",
		"package coinsplit;\n\nclass ATest {\n}\n\npublic abstract class Refunds {\n}\n": "Refunds",
		"package coinsplit;\n\nclass Refunds {\n}\n":                                     "Refunds",
		"package coinsplit;\n\nrecord Refund(int n) {\n}\n":                              "IssueTest",
		"package coinsplit;\n\nclass MoneyTest {\n    @Test\n    void x() {\n    }\n}\n": "IssueTest",
	} {
		patch, _, err := s.world(t, code("", source)).Solve(t.Context(), ZeroShot{})
		require.NoError(t, err)
		require.Contains(t, patch, "+++ b/src/test/java/coinsplit/"+want+".java\n", source)
	}
	// A class whose file exists already gets another name.
	patch, _, err := s.world(t, code("", "package coinsplit;\n\npublic class MoneyTest {\n    MoneyTest() {}\n}\n")).Solve(t.Context(), ZeroShot{})
	require.NoError(t, err)
	require.Contains(t, patch, "+++ b/src/test/java/coinsplit/IssueTest.java")
	require.Contains(t, patch, "+    IssueTest() {}")
}

// TestImportsAreRepaired: what the linter or the syntax misses is looked for in
// the repository, and what the model invented is replaced.
func TestImportsAreRepaired(t *testing.T) {
	for _, s := range sampleList() {
		test := map[string]string{
			"python": "from tidemark.agendas import Agenda\n\ndef test_last_day():\n    import json\n    agenda = Agenda()\n    with pytest.raises(RuleError):\n        timedelta(agenda)\n",
			"java":   "import coinsplit.cash.Money;\n@Test\nvoid mirrors() {\n    assertNotEquals(Set.of(), new Invoice(Unit.EUR));\n}\n",
			"cpp":    "#include \"framewire/checksums.h\"\nTEST(ReaderTest, SingleBytes) {\n  std::map<int, int> m;\n  encode_varint(1);\n}\n",
		}[s.language]
		want := map[string][]string{
			"python": {"+    from tidemark import Agenda\n", "+    from tidemark import RuleError\n", "+    import json\n"},
			"java":   {"+import java.util.Set;\n", "+import static org.junit.jupiter.api.Assertions.assertNotEquals;\n", "+import coinsplit.Money;\n"},
			"cpp":    {"+#include <map>\n", "+#include \"framewire/checksum.h\"\n"},
		}[s.language]
		t.Run(s.language, func(t *testing.T) {
			answers := s.written()
			answers[6] = code(s.testFunction, test)
			w := s.world(t, answers...)
			w.Tools = func(tool methods.Tool) (methods.ToolRun, error) {
				require.Contains(t, tool.Script, "pyflakes")
				var out strings.Builder
				for i, line := range strings.Split(string(tool.Files[0].Data), "\n") {
					if strings.Contains(line, "RuleError)") {
						fmt.Fprintf(&out, "/lint/t.py:%d:9: undefined name 'RuleError'\n", i+1)
					}
				}
				return methods.ToolRun{End: "exited", Code: 1, Output: out.String() + "/lint/t.py:1:1: undefined name 'elsewhere'\n"}, nil
			}
			patch, _, err := w.Solve(t.Context(), Otter{})
			require.NoError(t, err)
			for _, line := range want {
				require.Contains(t, patch, line)
			}
			require.NotContains(t, patch, "agendas")
			require.NotContains(t, patch, "elsewhere")
			require.NotContains(t, patch, "checksums.h")
		})
	}
	s := sampleList()[0]
	w := s.world(t, s.written()...)
	w.Tools = func(methods.Tool) (methods.ToolRun, error) { return methods.ToolRun{}, errors.New("no linter") }
	_, _, err := w.Solve(t.Context(), Otter{})
	require.ErrorContains(t, err, "no linter")
	require.Empty(t, w.Requests(), "no call is paid in vain")
}
