package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// sampleTrajectory has all that is shown: plain and parted texts, thinking,
// calls, results, a subagent, and a result that would change a terminal.
const sampleTrajectory = `{"schema_version":"ATIF-v1.8","agent":{"name":"mini","version":"2.4.6","model_name":"openai/gpt-5"},"steps":[
{"step_id":1,"source":"user","message":"Fix it."},
{"step_id":2,"source":"agent","message":[{"type":"text","text":"I look."},{"type":"image","source":{"media_type":"image/png","path":"a.png"}}],"reasoning_content":"Hm.",
 "tool_calls":[{"tool_call_id":"a","function_name":"bash","arguments":{"command":"ls\npwd"}},{"tool_call_id":"b","function_name":"edit","arguments":{"line":3,"path":"a.py"}}],
 "observation":{"results":[{"source_call_id":"a","content":"a.py\u001b[2J\u001b]0;owned\u0007 b.py\r"}]},
 "metrics":{"prompt_tokens":12345,"completion_tokens":50,"cost_usd":0.0123}}],
"subagent_trajectories":[{"schema_version":"ATIF-v1.8","trajectory_id":"s","agent":{"name":"sub","version":"1","model_name":"m"},"steps":[{"step_id":1,"source":"agent","message":"look at b.py"}]}]}`

func TestPrintTrajectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json")
	require.NoError(t, os.WriteFile(file, []byte(sampleTrajectory), 0o644))
	tr, err := readTrajectory(file)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, printTrajectory(&out, tr, 0))
	require.Equal(t, `mini 2.4.6 openai/gpt-5, 2 steps

1 user
  says
    Fix it.

2 agent (12.35k tokens in, 50 out, $0.0123)
  thinks
    Hm.
  says
    I look.
    [image a.png]
  calls bash
    ls
    pwd
  calls edit
    line: 3
    path: a.py
  sees
    a.py b.py

subagent 1: sub 1 m, 1 steps

1 agent
  says
    look at b.py
`, out.String())
	require.Equal(t, []string{"step 2 agent sees: a.py b.py", "step 1 agent says: look at b.py"}, searchTrajectory(tr, regexp.MustCompile(`b\.py$`)))
	require.Equal(t, "ab\n[6 bytes are not shown; see --full]\nij", shorten("abcdefghij", 4))
}

func TestReadTrajectoryErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json")
	for _, text := range []string{"", "[]", "{}", `{"steps":"x"}`} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := readTrajectory(file)
		require.ErrorContains(t, err, file+": expected a trajectory in ATIF", text)
	}
}

func FuzzTrajectoryText(f *testing.F) {
	f.Add([]byte(sampleTrajectory))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "t.json")
		require.NoError(t, os.WriteFile(file, data, 0o644))
		tr, err := readTrajectory(file)
		if err != nil {
			return
		}
		var out bytes.Buffer
		require.NoError(t, printTrajectory(&out, tr, 100))
		require.NotContains(t, out.String(), "\x1b")
	})
}
