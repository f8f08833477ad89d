package engine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm/prompts"
	"assay/tasks"
)

// addedLines are the lines that a patch adds, without blanks around them.
func addedLines(diff string) []string {
	var out []string
	for _, line := range strings.Split(diff, "\n") {
		if text, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(line, "+++") && strings.TrimSpace(text) != "" {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

// everyString is all text of JSON Lines, as an agent reads it: decoded.
func everyString(t *testing.T, data []byte) string {
	var out strings.Builder
	var collect func(any)
	collect = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(v + "\n")
		case []any:
			for _, e := range v {
				collect(e)
			}
		case map[string]any:
			for key, e := range v {
				out.WriteString(key + "\n")
				collect(e)
			}
		}
	}
	for line := range bytes.Lines(data) {
		var v any
		require.NoError(t, json.Unmarshal(line, &v))
		collect(v)
	}
	return out.String()
}

// secretive is an instance of whose gold and hidden tests every line is a secret,
// however short.
func secretive() *bench.Instance {
	const file = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1,3 @@\n-pass\n"
	return &bench.Instance{
		ID: "o__r-1", Repo: "o/r", BaseCommit: "c0ffee", Language: "python", ProblemStatement: "It loses values.",
		Patch:      file + "+q7 = 41\n+say(\"<z9>\")\n+k5()\n",
		TestPatch:  "--- /dev/null\n+++ b/tests/test_h3.py\n@@ -0,0 +1,2 @@\n+def test_w8():\n+    assert x == 'v6'\n",
		FailToPass: []string{"tests/test_h3.py::test_w8"}, PassToPass: []string{"tests/test_p2.py::test_y4"},
		BadPatches: []bench.BadPatch{{Index: 0, Patch: file + "+return None\n", Level: bench.LevelFailsF2P}, {Index: 1, Patch: file + "+return 0\n", Level: bench.LevelFailsF2P}},
		Reviews: []bench.Review{
			{BadPatch: 0, Text: "It still loses values.", Leak: &bench.LeakReport{}},
			{BadPatch: 1, Text: "Write q7 = 41 instead.", Leak: &bench.LeakReport{Leaks: []string{"copy (word 2)"}}},
		},
		Style: []bench.StyleTask{{Linter: "pylint", Files: []string{"lib/a.py"}, ProblemStatement: "Mend it.",
			Findings: []bench.Finding{{Tool: "pylint", Rule: "unused-import", Path: "lib/a.py", Range: bench.Range{Line: 1}}}}},
		Env: &bench.Env{Test: "run r8", Reports: []string{"n4"}, Targets: []string{"t5_test"}, PreTest: []string{"m6"}, Framework: "pytest"},
	}
}

// TestAgentTasksHoldNoSecret: the output has nothing of gold, of the hidden
// tests, their names and their command. A review that leaks is left out.
func TestAgentTasksHoldNoSecret(t *testing.T) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	var buf bytes.Buffer
	inst := secretive()
	require.NoError(t, Default().WriteAgentTasks(&buf, set, Default().Kinds.All(), inst))
	require.Equal(t, 4, bytes.Count(buf.Bytes(), []byte("\n")), "bugfix, testgen, one review, style")
	told := everyString(t, buf.Bytes())
	secrets := append(addedLines(inst.Patch+inst.TestPatch), "q7", "k5", "z9", "v6", "test_h3", "test_w8", "test_p2", "test_y4", "r8", "n4", "t5", "m6", "Write q7")
	for _, s := range secrets {
		require.NotContains(t, told, s)
	}
	for _, s := range []string{"It loses values.", "It still loses values.", "+return None", "Mend it.", "pytest", "c0ffee"} {
		require.Contains(t, told, s)
	}
	require.NotContains(t, told, "+return 0")
}

// mute is a kind without a prompt.
type mute struct{ tasks.Kind }

func (mute) Name() string { return "mute" }

func TestAgentTasksNeedAPrompt(t *testing.T) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	var buf bytes.Buffer
	require.EqualError(t, Default().WriteAgentTasks(&buf, set, []tasks.Kind{mute{tasks.BugFix{}}}, secretive()), "mute tasks have no prompt for agents")
}
