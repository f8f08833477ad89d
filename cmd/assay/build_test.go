package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm"
	"assay/llm/llmtest"
)

// buildReviews builds the review tasks of one Python sample.
func (w world) buildReviews(t *testing.T, out string, more ...string) (int, string) {
	return w.assay(t, append([]string{"build", "-d", w.paths.Dataset, "-o", out, "-t", "review", "-i", victim,
		"--repos", w.paths.Repos, "--executor", "local", "--cache-dir", w.cache}, more...)...)
}

func readInstance(t *testing.T, path string) bench.Instance {
	var found bench.Instance
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(bytes.TrimSpace(data), &found))
	return found
}

// TestBuildIsDeterministic: two builds give the same bytes, and one that is
// done already does nothing again.
func TestBuildIsDeterministic(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	code, out := w.buildReviews(t, a, "--arms", "--reviews", "0")
	require.Equal(t, 0, code, out)
	code, out = w.buildReviews(t, b, "--arms", "--reviews", "0", "--no-cache") // else it would read the first one's outcomes
	require.Equal(t, 0, code, out)
	first, err := os.ReadFile(a)
	require.NoError(t, err)
	second, err := os.ReadFile(b)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
	inst := readInstance(t, a)
	require.NotEmpty(t, inst.Reviews)
	for _, r := range inst.Reviews {
		if r.Arm == bench.ArmReview {
			require.Equal(t, "deterministic", r.Source)
			require.Empty(t, r.Leak.Leaks)
		}
	}
	code, out = w.buildReviews(t, a, "--arms", "--reviews", "0")
	require.Equal(t, 0, code, out)
	require.NotContains(t, out, victim+": review", "it was built again")
}

// TestAgentTasksTellNothing: what agents see contains nothing of gold or
// hidden tests.
func TestAgentTasksTellNothing(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	public := filepath.Join(dir, "public.jsonl")
	code, out := w.buildReviews(t, filepath.Join(dir, "a.jsonl"), "-t", "bugfix,testgen,review", "--agent-tasks", public)
	require.Equal(t, 0, code, out)
	data, err := os.ReadFile(public)
	require.NoError(t, err)
	require.Equal(t, 3, bytes.Count(data, []byte("\n")))
	inst := readInstance(t, filepath.Join(dir, "a.jsonl"))
	told, known := "", inst.ProblemStatement
	for line := range bytes.Lines(data) {
		var seen map[string]any
		require.NoError(t, json.Unmarshal(line, &seen))
		told += fmt.Sprintln(seen)
	}
	for _, b := range inst.BadPatches {
		known += b.Patch
	}
	for line := range strings.Lines(inst.Patch + inst.TestPatch) {
		line, added := strings.CutPrefix(line, "+")
		line = strings.TrimSpace(line)
		if added && len(line) > 12 && !strings.Contains(known, line) {
			require.NotContains(t, told, line)
		}
	}
}

// TestBuildWithModel has reviews written by a model on loopback, through the
// real SDK: a clean one is kept, one that leaks is refused and replaced.
func TestBuildWithModel(t *testing.T) {
	w := newWorld(t)
	inst, _ := w.sample(t, victim)
	wire := llmtest.Speaks(llm.ProtocolOpenAI)
	clean := "The patch handles only the first layer. A later layer that holds the value is still overlooked, so lookups through a chain of " +
		"layers keep failing. Think about what happens when the earlier layers do not know the name at all, and go on from there."
	for name, c := range map[string]struct {
		steps  []llmtest.Step
		more   []string
		code   int
		source string
		says   string
	}{
		"clean":           {[]llmtest.Step{wire.Answer(clean, llm.StopEnd), wire.Answer("A", llm.StopEnd)}, nil, 0, "openai/gpt-5-mini", ""},
		"leaks each time": {[]llmtest.Step{wire.Answer("Do this:\n```diff\n"+inst.Patch+"\n```\n"+clean, llm.StopEnd)}, nil, 0, "deterministic", ""},
		"refuses":         {[]llmtest.Step{wire.Refuse()}, nil, 0, "deterministic", ""},
		"no budget":       {[]llmtest.Step{wire.Answer(clean, llm.StopEnd)}, []string{"--budget", "0.000001"}, exitBudget, "", "over_budget"},
		"wrong key":       {[]llmtest.Step{{Status: 401, Body: `{"error":{"message":"no"}}`}}, nil, exitUsage, "", "authentication"},
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.NewServer(c.steps...)
			defer server.Close()
			t.Setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
			t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
			path := filepath.Join(t.TempDir(), "a.jsonl")
			code, out := w.buildReviews(t, path, append([]string{"--llm", "openai/gpt-5-mini"}, c.more...)...)
			require.Equal(t, c.code, code, out)
			require.Contains(t, out, c.says)
			require.NotContains(t, out, "sk-secret-of-the-test")
			log, _ := os.ReadFile(filepath.Join(path+".build", "llm.jsonl"))
			require.NotContains(t, string(log), "sk-secret-of-the-test")
			if c.code != 0 {
				require.NoFileExists(t, path)
				return
			}
			r := readInstance(t, path).Reviews
			require.Len(t, r, 1)
			require.Equal(t, c.source, r[0].Source, r[0].Text)
			require.Empty(t, r[0].Leak.Leaks)
			if c.source == "deterministic" {
				require.NotEmpty(t, r[0].Leak.Refused)
			}
			require.NotEmpty(t, log)
		})
	}
}
