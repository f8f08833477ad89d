package fixer

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/llm"
	"assay/methods"
	"assay/methods/methodstest"
	"assay/trajectory"
)

// repo is a small repository with a mistake.
type repo struct {
	language     string
	path, test   string // the file with the mistake, and its tests
	function     string
	old, right   string // the line that is wrong, and the fix
	also, wrong  string // the fix in other words of layout, and another one
	files        map[string]string
	outline, ids string
}

func repos() []repo {
	return []repo{{
		language: "python", path: "lib/slug.py", test: "tests/test_slug.py", function: "Slugger.slug", ids: "tests/test_slug.py::test_slug",
		old: "        return text", right: "        return text.lower()", also: "        return text.lower()  # small letters", wrong: "        return text.upper()",
		files: map[string]string{
			"lib/slug.py":        "import re\n\n\nclass Slugger:\n    def slug(self, text):\n        return text\n\n    def other(self):\n        return 1\n",
			"lib/fold.py":        "def fold(text):\n    return text\n",
			"tests/test_slug.py": "from lib.slug import Slugger\n\n\ndef test_slug():\n    assert Slugger().slug('a') == 'a'\n",
			"README.md":          "slug slug slug\n",
		},
		outline: "class Slugger:\n    def slug(self, text): ...\n    def other(self): ...",
	}, {
		language: "java", path: "src/main/java/a/Slugger.java", test: "src/test/java/a/SluggerTest.java", function: "Slugger.slug", ids: "a.SluggerTest::slug",
		old: "        return text;", right: "        return text.toLowerCase();", also: "        return text.toLowerCase(); // small letters", wrong: "        return text.toUpperCase();",
		files: map[string]string{
			"src/main/java/a/Slugger.java":     "package a;\n\nimport java.util.List;\n\npublic class Slugger {\n    public String slug(String text) {\n        return text;\n    }\n\n    public int other() {\n        return 1;\n    }\n}\n",
			"src/main/java/a/Fold.java":        "package a;\n\npublic class Fold {\n    public String fold(String text) {\n        return text;\n    }\n}\n",
			"src/test/java/a/SluggerTest.java": "package a;\n\nimport org.junit.jupiter.api.Test;\n\nclass SluggerTest {\n    @Test\n    void slug() {\n    }\n}\n",
			"pom.xml":                          "<project>slug</project>\n",
		},
		outline: "public class Slugger\n    public String slug(String text) ...\n    public int other() ...",
	}, {
		language: "cpp", path: "src/slug.cpp", test: "tests/slug_test.cpp", function: "shop::Slugger::slug", ids: "Slug.Small",
		old: "    return text;", right: "    return lower(text);", also: "    return lower(text); // small letters", wrong: "    return upper(text);",
		files: map[string]string{
			"src/slug.cpp":        "#include <string>\n\nnamespace shop {\n\nclass Slugger {\n public:\n  std::string slug(std::string text) {\n    return text;\n  }\n  int other() { return 1; }\n};\n\n}\n",
			"src/fold.cpp":        "int fold(int text) {\n  return text;\n}\n",
			"tests/slug_test.cpp": "#include <gtest/gtest.h>\n\nTEST(Slug, Small) {\n  EXPECT_EQ(1, 1);\n}\n",
			"CMakeLists.txt":      "project(slug)\n",
		},
		outline: "class Slugger\n  std::string slug(std::string text) ...\n  int other() { return 1; } ...",
	}}
}

// world is a task about the repository.
func (r repo) world(answers ...any) *methodstest.World {
	return &methodstest.World{
		Task:  methods.View{Kind: "bugfix", Language: languages.Default().Named(r.language), Problem: "The slug of a text should be in small letters: slug('A') is 'A'."},
		Files: r.files, Answers: answers,
	}
}

// located are answers that find the place.
func (r repo) located() []any {
	return []any{"```\n" + r.path + "\n```", r.path + "\nfunction: " + r.function + "\n", r.path + "\nfunction: " + r.function + "\n"}
}

func (r repo) block(with string) string {
	return "The case is kept.\n\n```\n" + r.path + "\n<<<<<<< SEARCH\n" + r.old + "\n=======\n" + with + "\n>>>>>>> REPLACE\n```\n"
}

// existing makes up runs: the existing test passes but where the code has one of
// the texts.
func (r repo) existing(breaking ...string) func(methods.Trial) (methods.Run, error) {
	return func(t methods.Trial) (methods.Run, error) {
		status := bench.Passed
		for _, b := range breaking {
			if strings.Contains(t.Code, b) {
				status = bench.Failed
			}
		}
		return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{ID: r.ids, Status: status}}}, nil
	}
}

func each(t *testing.T, check func(t *testing.T, r repo)) {
	for _, r := range repos() {
		t.Run(r.language, func(t *testing.T) { check(t, r) })
	}
}

// TestMajority: the code that most samples have wins, regardless of their layout,
// and each step asks for what the one before has found.
func TestMajority(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		w := r.world(append(r.located(), r.block(r.wrong), r.block(r.right), "I cannot.", r.block(r.also))...)
		w.Settings = map[string]float64{"samples": 4, "files": 2}
		w.Runs = r.existing()
		got, events, err := w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		require.Contains(t, got, "-"+r.old+"\n+"+r.right+"\n")
		require.Equal(t, 1, strings.Count(got, "diff --git"))

		asked := w.Requests()
		require.Len(t, asked, 7)
		require.Contains(t, asked[0].Messages[0].Text, "\n"+r.path+"\n")
		require.NotContains(t, asked[0].Messages[0].Text, r.test, "tests are not to be changed")
		require.Contains(t, asked[1].Messages[0].Text, "<file path=\""+r.path+"\">\n"+r.outline+"\n</file>")
		require.NotContains(t, asked[1].Messages[0].Text, "return text;\n", "no bodies")
		line := 1 + strings.Count(r.files[r.path][:strings.Index(r.files[r.path], r.old)], "\n")
		require.Contains(t, asked[2].Messages[0].Text, fmt.Sprintf("\n%d| %s\n", line, r.old))
		require.Contains(t, asked[3].Messages[0].Text, "\n"+r.old+"\n")
		for i, req := range asked {
			want := 0.0
			if i > 3 {
				want = 0.8
			}
			require.Equal(t, want, *req.Temperature, "call %d", i)
			require.Equal(t, max(0, i-3), req.Sample)
		}
		require.Equal(t, []methods.Trial{{Files: []string{r.test}}}, w.Trials()[:1])
		require.Len(t, w.Trials(), 3, "the two with the same code run once")
		require.Equal(t, `{"broken":0,"samples":[1,3],"votes":0}`, string(events[len(events)-1].Output))
		require.Contains(t, stepsOf(events), "repair/2 unusable")
	})
}

func stepsOf(events []trajectory.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Step)
	}
	return out
}

// TestRegression: a patch that breaks a test which passed at the start is left
// out, however often it was sampled.
func TestRegression(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		w := r.world(append(r.located(), r.block(r.wrong), r.block(r.wrong), r.block(r.right))...)
		w.Settings = map[string]float64{"samples": 3}
		w.Runs = r.existing(strings.TrimSpace(r.wrong))
		got, _, err := w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		require.Contains(t, got, "+"+r.right+"\n")

		w = r.world(append(r.located(), r.block(r.wrong), r.block(r.wrong), r.block(r.right))...)
		w.Settings = map[string]float64{"samples": 3, "regression": 0}
		got, _, err = w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		require.Contains(t, got, "+"+r.wrong+"\n")
		require.Empty(t, w.Trials())
	})
}

// TestRegressionThatSaysNothing: where the existing tests do not run at the start,
// or a patch does not build, what is left decides.
func TestRegressionThatSaysNothing(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		answers := append(r.located(), r.block(r.wrong), r.block(r.right))
		w := r.world(answers...)
		w.Settings = map[string]float64{"samples": 2}
		w.Runs = func(methods.Trial) (methods.Run, error) { return methods.Run{State: bench.RunUnbuilt}, nil }
		got, _, err := w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		require.Contains(t, got, "+"+r.wrong+"\n")
		require.Len(t, w.Trials(), 1)

		w = r.world(answers...)
		w.Settings = map[string]float64{"samples": 2}
		w.Runs = func(t methods.Trial) (methods.Run, error) {
			if strings.Contains(t.Code, r.wrong) {
				return methods.Run{State: bench.RunUnbuilt}, nil
			}
			return r.existing()(t)
		}
		got, _, err = w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		require.Contains(t, got, "+"+r.right+"\n")
	})
}

// TestSuspectRuns: a run that cannot be trusted counts as broken, unless the one of
// the start could not be either.
func TestSuspectRuns(t *testing.T) {
	r := repos()[0]
	for _, start := range []bench.RunState{bench.RunDone, bench.RunSuspect} {
		w := r.world(append(r.located(), r.block(r.wrong), r.block(r.wrong), r.block(r.right))...)
		w.Settings = map[string]float64{"samples": 3}
		w.Task.Instance = "o__r-1"
		w.Runs = func(trial methods.Trial) (methods.Run, error) {
			run, err := r.existing()(trial)
			if trial.Code == "" {
				run.State = start
			}
			if strings.Contains(trial.Code, r.wrong) {
				run.State = bench.RunSuspect
			}
			return run, err
		}
		got, _, err := w.Solve(t.Context(), Fixer{})
		require.NoError(t, err)
		want := map[bench.RunState]string{bench.RunDone: r.right, bench.RunSuspect: r.wrong}[start]
		require.Contains(t, got, "+"+want+"\n", "%s", start)
	}
}

// generated makes up runs of generated tests: "good" fails at the start and
// passes with the right code, "blind" passes always, "wild" fails always.
func (r repo) generated(t methods.Trial) (methods.Run, error) {
	status := bench.Failed
	if strings.Contains(t.Tests, "blind") || strings.Contains(t.Tests, "good") && strings.Contains(t.Code, "+"+r.right) {
		status = bench.Passed
	}
	if t.Tests == "" {
		status = bench.Passed
	}
	return methods.Run{State: bench.RunDone, Tests: []methods.TestRun{{ID: "t", Status: status}}}, nil
}

// TestGenerated: generated tests that fail at the start choose among the samples,
// and votes sets how many of them must.
func TestGenerated(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		suites := func(names ...string) Fixer {
			var all []Suite
			for _, n := range names {
				text := patch.Between(r.test, []byte(r.files[r.test]), []byte(r.files[r.test]+n+"\n"))
				text = append(text, patch.Between(r.path, nil, []byte("no test\n"))...)
				all = append(all, Suite{Model: "m", Patch: string(text)})
			}
			return Fixer{Suites: map[string][]Suite{"o__r-1": all}}
		}
		for name, tt := range map[string]struct {
			fixer Fixer
			votes float64
			want  string
		}{
			"good":          {suites("good"), 1, r.right},
			"among others":  {suites("blind", "wild", "good"), 1, r.right},
			"blind":         {suites("blind"), 0, r.wrong},
			"blind, strict": {suites("blind"), 1, ""},
			"wild":          {suites("wild"), 0, r.wrong},
			"wild, strict":  {suites("wild"), 1, ""},
			"too few":       {suites("good", "wild"), 2, ""},
			"unreadable":    {Fixer{Suites: map[string][]Suite{"o__r-1": {{Patch: "diff --git a/x b/x\n@@ -1 @@ no"}}}}, 0, r.wrong},
			"none":          {Fixer{}, 0, r.wrong},
			"none, strict":  {Fixer{}, 1, ""},
		} {
			t.Run(name, func(t *testing.T) {
				w := r.world(append(r.located(), r.block(r.wrong), r.block(r.wrong), r.block(r.right))...)
				w.Task.Instance = "o__r-1"
				w.Settings = map[string]float64{"samples": 3, "votes": tt.votes}
				w.Runs = r.generated
				got, _, err := w.Solve(t.Context(), tt.fixer)
				require.NoError(t, err)
				for _, trial := range w.Trials() {
					require.NotContains(t, trial.Tests, "no test")
				}
				if tt.want == "" {
					require.Empty(t, got)
					return
				}
				require.Contains(t, got, "+"+tt.want+"\n")
			})
		}
	})
}

// TestUselessAnswers: names that do not exist, prose and silence while localising
// leave it to retrieval.
func TestUselessAnswers(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		for name, answer := range map[string]string{
			"silence": "", "prose": "It is hard to say.", "hallucinated": "lib/nowhere.py\nfunction: Nothing.at_all\nline: 7\n",
			"no such place": r.path + "\nfunction: nothing\nline: 4711\n",
		} {
			t.Run(name, func(t *testing.T) {
				w := r.world(answer, answer, answer, r.block(r.right))
				w.Settings = map[string]float64{"samples": 1}
				w.Runs = r.existing()
				got, _, err := w.Solve(t.Context(), Fixer{})
				require.NoError(t, err)
				require.Contains(t, got, "+"+r.right+"\n")
			})
		}
	})
}

// TestUselessSamples: answers that do not patch the lines shown are left out;
// without a sample nothing is submitted.
func TestUselessSamples(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		at := func(path, search, replace string) string {
			return path + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n"
		}
		for name, tt := range map[string]struct{ answer, why string }{
			"silence":      {"", "there is no search/replace block"},
			"a diff":       {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "there is no search/replace block"},
			"cut":          {strings.TrimSuffix(at(r.path, r.old, "x"), ">>>>>>> REPLACE\n"), "cut off"},
			"no such line": {at(r.path, "nothing of that", "x"), "has no line"},
			"another file": {at("lib/nowhere.py", r.old, r.right), "no edits are allowed"},
			"the tests":    {at(r.test, "x", "y"), "no edits are allowed"},
			"no syntax":    {r.block(r.old + " ((("), "does not parse any more"},
			"a comment":    {r.block(comment(r)), "it changes no code"},
		} {
			t.Run(name, func(t *testing.T) {
				w := r.world(append(r.located(), tt.answer)...)
				w.Settings = map[string]float64{"samples": 1}
				got, events, err := w.Solve(t.Context(), Fixer{})
				require.NoError(t, err)
				require.Empty(t, got)
				require.Empty(t, w.Trials())
				last := events[len(events)-1]
				require.Equal(t, "repair/0 unusable", last.Step)
				require.Contains(t, string(last.Output), tt.why)
			})
		}
	})
}

// comment is the wrong line with a comment of the language.
func comment(r repo) string { return r.old + strings.TrimPrefix(r.also, r.right) }

// TestTheEndOfTheBudget: while localising it leaves nothing; after some samples
// these are filtered, and the best one is submitted.
func TestTheEndOfTheBudget(t *testing.T) {
	each(t, func(t *testing.T, r repo) {
		for n := range 3 {
			got, _, err := r.world(r.located()[:n]...).Solve(t.Context(), Fixer{})
			requireEnd(t, err, agents.Budget)
			require.Empty(t, got)
		}
		w := r.world(append(r.located(), r.block(r.wrong), r.block(r.right))...)
		w.Runs = r.existing(strings.TrimSpace(r.wrong))
		got, _, err := w.Solve(t.Context(), Fixer{})
		requireEnd(t, err, agents.Budget)
		require.Contains(t, got, "+"+r.right+"\n")
		require.Len(t, w.Trials(), 3)
	})
}

func requireEnd(t *testing.T, err error, want agents.End) {
	t.Helper()
	var end *methods.EndError
	require.ErrorAs(t, err, &end)
	require.Equal(t, want, end.End)
}

// TestFailures: where the provider or the machine fails nothing is filtered; the
// error comes back as it is.
func TestFailures(t *testing.T) {
	r := repos()[0]
	w := r.world(append(r.located(), r.block(r.right), error(&llm.Error{Class: llm.Network, Err: context.DeadlineExceeded}))...)
	got, _, err := w.Solve(t.Context(), Fixer{})
	requireEnd(t, err, agents.Infrastructure)
	require.Empty(t, got)
	require.Empty(t, w.Trials())

	w = r.world(append(r.located(), r.block(r.right))...)
	w.Settings = map[string]float64{"samples": 1}
	broken := fmt.Errorf("the disk is full")
	w.Runs = func(methods.Trial) (methods.Run, error) { return methods.Run{}, broken }
	_, _, err = w.Solve(t.Context(), Fixer{})
	require.ErrorIs(t, err, broken)
}

// TestTheEndOfTheTime: the most frequent sample so far is submitted, but where it
// needs votes.
func TestTheEndOfTheTime(t *testing.T) {
	r := repos()[0]
	for _, sampling := range []bool{true, false} {
		for votes, want := range []string{"+" + r.right + "\n", ""} {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			w := r.world(append(r.located(), r.block(r.right), r.block(r.wrong), r.block(r.also))...)
			w.Settings = map[string]float64{"samples": 3, "votes": float64(votes)}
			w.Runs = func(methods.Trial) (methods.Run, error) { cancel(); return methods.Run{}, ctx.Err() }
			if sampling {
				w.Answers[5] = stopping{cancel}
			}
			got, _, err := w.Solve(ctx, Fixer{})
			require.ErrorIs(t, err, context.Canceled)
			if want == "" {
				require.Empty(t, got)
				continue
			}
			require.Contains(t, got, want)
		}
	}
}

// stopping is the error of a call during which the time ends: it ends when the
// error is looked at.
type stopping struct{ cancel func() }

func (s stopping) Error() string { return "the connection is gone" }

func (s stopping) Unwrap() error {
	s.cancel()
	return context.Canceled
}

// TestReview: the bad patch and its review are in every prompt.
func TestReview(t *testing.T) {
	r := repos()[0]
	w := r.world(append(r.located(), r.block(r.right))...)
	w.Task.Kind, w.Task.Start, w.Task.Review = "review", "--- a/lib/slug.py\n+++ the bad patch", "Capitals are kept."
	w.Settings = map[string]float64{"samples": 1}
	got, _, err := w.Solve(t.Context(), Fixer{})
	require.NoError(t, err)
	require.Contains(t, got, "+"+r.right+"\n")
	for _, req := range w.Requests() {
		require.Contains(t, req.Messages[0].Text, "+++ the bad patch")
		require.Contains(t, req.Messages[0].Text, "Capitals are kept.")
	}
}

// TestSamplesAreKept: each sample that is a patch is kept as a prediction, even if
// another one or nothing is submitted.
func TestSamplesAreKept(t *testing.T) {
	r := repos()[0]
	w := r.world(append(r.located(), r.block(r.wrong), "nothing", r.block(r.right))...)
	w.Settings = map[string]float64{"samples": 3, "votes": 1}
	d, err := w.Desk(Fixer{})
	require.NoError(t, err)
	got, err := Fixer{}.Solve(t.Context(), d)
	require.NoError(t, err)
	require.Empty(t, got)
	lines := strings.Split(strings.TrimSpace(string(d.Kept()[SamplesFile])), "\n")
	require.Len(t, lines, 2)
	for i, want := range []string{r.wrong, r.right} {
		var p bench.Prediction
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &p))
		require.Equal(t, bench.Prediction{InstanceID: "o__r-1", Model: fmt.Sprintf("fixer-sample+fake/model#%d", 1+2*i), Task: "bugfix", Patch: p.Patch}, p)
		require.Contains(t, p.Patch, "+"+want+"\n")
	}
}

// TestRehearsal: the answers fix the sample that agents are tried on.
func TestRehearsal(t *testing.T) {
	path := "src/layercake/stack.py"
	stack, err := os.ReadFile("../../samples/data/python/assay-samples__layercake-12/base/" + path)
	require.NoError(t, err)
	w := &methodstest.World{Task: methods.View{Kind: "bugfix", Language: languages.Default().Named("python")}, Files: map[string]string{path: string(stack)}}
	for _, a := range (Fixer{}).Rehearse() {
		w.Answers = append(w.Answers, a)
	}
	w.Settings = map[string]float64{"samples": 1}
	got, _, err := w.Solve(t.Context(), Fixer{})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(got, "+        values = read(text, layer)\n"))
	require.Equal(t, 1, strings.Count(got, "+    def _value(self, where):\n"))
}

// TestImports: the imports of a file are shown and may be edited, also where no
// answer names them.
func TestImports(t *testing.T) {
	r := repos()[0]
	answer := r.path + "\n<<<<<<< SEARCH\nimport re\n=======\nimport re\nimport os\n>>>>>>> REPLACE\n" + r.block(r.right)
	w := r.world(append(r.located(), answer)...)
	w.Settings = map[string]float64{"samples": 1, "context": 0}
	got, _, err := w.Solve(t.Context(), Fixer{})
	require.NoError(t, err)
	require.Contains(t, got, "+import os\n")
	require.Contains(t, got, "+"+r.right+"\n")
	require.NotContains(t, w.Requests()[3].Messages[0].Text, "def other")
}

// TestNothingToFix: a repository without a source of the language.
func TestNothingToFix(t *testing.T) {
	w := repos()[0].world()
	w.Files = map[string]string{"README.md": "x\n", "tests/test_a.py": "def test_a():\n    pass\n"}
	got, _, err := w.Solve(t.Context(), Fixer{})
	require.NoError(t, err)
	require.Empty(t, got)
	require.Empty(t, w.Requests())
}

// TestLargeTree: of too many paths, and of too much code, the prompts show what
// ranks best.
func TestLargeTree(t *testing.T) {
	r := repos()[0]
	w := r.world(r.path, "", "", r.block(r.right))
	w.Settings = map[string]float64{"samples": 1}
	w.Files = map[string]string{"lib/slug.py": r.files["lib/slug.py"], "lib/long.py": "def slug():\n" + strings.Repeat("    x = 'the slug of a text'\n", 5000)}
	for i := range 3000 {
		w.Files[fmt.Sprintf("lib/generated/name_%04d_of_a_file.py", i)] = "x = 1\n"
	}
	got, _, err := w.Solve(t.Context(), Fixer{})
	require.NoError(t, err)
	require.Contains(t, got, "+"+r.right+"\n")
	for i, req := range w.Requests() {
		require.Less(t, len(req.Messages[0].Text), 65_000, "call %d", i)
	}
	require.Contains(t, w.Requests()[0].Messages[0].Text, "\nlib/slug.py\n")
}
