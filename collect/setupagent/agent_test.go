package setupagent

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/collect"
	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/prompts"
)

func site(language string) collect.Site {
	return collect.Site{
		Instance:  &bench.Instance{ID: "o__n-1", Repo: "o/n", Language: language, CreatedAt: "2024-01-02T03:04:05Z"},
		Documents: []collect.Document{{Path: "tox.ini", Text: "deps = rustworkx"}}, Inferred: &bench.Env{Python: "3.9"}, Failure: "No module named 'x'",
	}
}

func agent(t *testing.T, answers ...llmtest.Answer) (Agent, *llmtest.Fake) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	fake := llmtest.NewFake(answers...)
	return Agent{Client: fake, Model: "fake/one", Prompts: set}, fake
}

func text(s string) llmtest.Answer { return llmtest.Answer{Text: s} }

func TestExtract(t *testing.T) {
	good := "Here it is:\n```json\n{\"tool_chain\": \"3.8\", \"packages\": [\"graphviz\"], \"install\": [\"pip install -e .\"]}\n```\n"
	want := collect.Recipe{ToolChain: "3.8", Packages: []string{"graphviz"}, Install: []string{"pip install -e ."}}
	a, fake := agent(t, text(good))
	r, err := a.Extract(t.Context(), site("python"))
	require.NoError(t, err)
	require.Equal(t, want, r)
	asked := fake.Requests()[0]
	require.Equal(t, "setup/o__n-1", asked.Purpose)
	for _, part := range []string{"deps = rustworkx", "No module named 'x'", `{"python":"3.9"}`, "no package released after the day of the change"} {
		require.Contains(t, asked.Messages[0].Text, part)
	}
	for name, c := range map[string]struct{ answer, told string }{
		"prose":         {"You should install it.", "there is no JSON object"},
		"not JSON":      {"```json\n{\"install\": [\n```", "the JSON has another form"},
		"another field": {"{\"dockerfile\": \"FROM x\"}", "unknown field"},
		"another type":  {"{\"install\": \"pip install x\"}", "the JSON has another form"},
		"no version":    {"{\"tool_chain\": \"latest\"}", "tool_chain: expected the version of Python"},
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := agent(t, text(c.answer), text(good))
			r, err := a.Extract(t.Context(), site("python"))
			require.NoError(t, err)
			require.Equal(t, want, r)
			require.Contains(t, fake.Requests()[1].Messages[0].Text, c.told)

			a, fake = agent(t, text(c.answer), text(c.answer))
			r, err = a.Extract(t.Context(), site("python"))
			require.NoError(t, err)
			require.Equal(t, collect.Recipe{}, r)
			require.Len(t, fake.Requests(), 2)
		})
	}
}

func TestDiagnose(t *testing.T) {
	a, fake := agent(t, text("I guess"), text("Cause: installation\nReason: x is missing."))
	cause, why, err := a.Diagnose(t.Context(), site("java"), collect.Recipe{Arguments: []string{"-X"}}, "it failed")
	require.NoError(t, err)
	require.Equal(t, collect.CauseInstall, cause)
	require.Equal(t, "x is missing.", why)
	require.Contains(t, fake.Requests()[0].Messages[0].Text, `{"arguments":["-X"]}`)
	require.Contains(t, fake.Requests()[0].Messages[0].Text, "it failed")

	a, _ = agent(t, text("I guess"), text("Cause: the weather"))
	cause, _, err = a.Diagnose(t.Context(), site("java"), collect.Recipe{}, "it failed")
	require.NoError(t, err)
	require.Equal(t, collect.CauseUndecidable, cause)
}

func TestRepair(t *testing.T) {
	before := collect.Recipe{ToolChain: "17", Packages: []string{"a1"}, Arguments: []string{"-X"}}
	for name, c := range map[string]struct {
		cause   collect.Cause
		answers []llmtest.Answer
		want    collect.Recipe
		ok      bool
	}{
		"its part only": {collect.CauseInstall, []llmtest.Answer{text(`{"packages": ["a1", "b2"], "tool_chain": "8"}`)}, collect.Recipe{ToolChain: "17", Packages: []string{"a1", "b2"}, Arguments: []string{"-X"}}, true},
		"tool chain":    {collect.CauseToolChain, []llmtest.Answer{text(`{"tool_chain": "8"}`)}, collect.Recipe{ToolChain: "8", Packages: []string{"a1"}, Arguments: []string{"-X"}}, true},
		"testing":       {collect.CauseTesting, []llmtest.Answer{text(`{"arguments": []}`)}, collect.Recipe{ToolChain: "17", Packages: []string{"a1"}, Arguments: []string{}}, true},
		"none":          {collect.CauseTesting, []llmtest.Answer{text("<NONE>")}, before, false},
		"no change":     {collect.CauseToolChain, []llmtest.Answer{text(`{"tool_chain": "17"}`), text(`{"tool_chain": "17"}`)}, before, false},
		"refused":       {collect.CauseToolChain, []llmtest.Answer{{Err: &llm.Error{Class: llm.Refused, Err: errors.New("no")}}}, before, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := agent(t, c.answers...)
			got, ok, err := a.Repair(t.Context(), site("java"), before, c.cause, "since", "it failed")
			require.NoError(t, err)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, got)
			require.Empty(t, fake.Unused())
			require.Contains(t, fake.Requests()[0].Messages[0].Text, "since")
		})
	}
}

// TestBudget: a spent budget is an error of all questions.
func TestBudget(t *testing.T) {
	spent := llmtest.Answer{Err: &llm.Error{Class: llm.OverBudget, Err: errors.New("spent")}}
	a, _ := agent(t, spent, spent, spent)
	var e *llm.Error
	_, err := a.Extract(t.Context(), site("cpp"))
	require.ErrorAs(t, err, &e)
	_, _, err = a.Diagnose(t.Context(), site("cpp"), collect.Recipe{}, "")
	require.ErrorAs(t, err, &e)
	_, _, err = a.Repair(t.Context(), site("cpp"), collect.Recipe{}, collect.CauseTesting, "", "")
	require.ErrorAs(t, err, &e)
}

func TestFields(t *testing.T) {
	require.NotContains(t, fields(site("cpp"), ""), "tool_chain")
	require.Contains(t, fields(site("java"), collect.CauseToolChain), "tool_chain")
	require.NotContains(t, fields(site("java"), collect.CauseToolChain), "variables")
	require.NotContains(t, fields(site("java"), collect.CauseTesting), "packages")
	require.Contains(t, fields(site("java"), collect.CauseTesting), "variables")
}

func FuzzReadRecipe(f *testing.F) {
	f.Add("```json\n{\"tool_chain\": \"3.8\"}\n```", "python")
	f.Add("{\"packages\": [\"a\"]}", "cpp")
	f.Add("NONE", "java")
	f.Fuzz(func(t *testing.T, answer, language string) {
		if r, err := readRecipe(answer, language); err == nil {
			require.NoError(t, r.Check(language))
		}
	})
}
