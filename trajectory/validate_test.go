package trajectory

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const valid = `{"schema_version":"ATIF-v1.8","agent":{"name":"a","version":"1"},"steps":[
{"step_id":1,"source":"user","message":"u"},
{"step_id":2,"source":"agent","timestamp":"2026-01-02T03:04:05.5Z","message":[{"type":"text","text":"t"},{"type":"image","source":{"media_type":"image/png","path":"a.png"}}],
 "reasoning_effort":0.5,"tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{}}],
 "observation":{"results":[{"source_call_id":"c","content":"r","subagent_trajectory_ref":[{"trajectory_id":"s"}]},{"content":[{"type":"text","text":"x"}]}]},
 "metrics":{"prompt_tokens":1,"logprobs":[-0.5]},"llm_call_count":1}],
"subagent_trajectories":[{"schema_version":"ATIF-v1.7","trajectory_id":"s","agent":{"name":"b","version":"1"},"steps":[{"step_id":1,"source":"system","message":""}]}]}`

func TestRead(t *testing.T) {
	tr, err := Read(strings.NewReader(valid))
	require.NoError(t, err)
	require.Equal(t, "t\n[image a.png]", tr.Steps[1].Message.String())
	require.Equal(t, int64(1), *tr.Steps[1].Metrics.PromptTokens)
	data, err := tr.JSON()
	require.NoError(t, err)
	require.JSONEq(t, valid, string(data))
}

func TestReadReports(t *testing.T) {
	tests := []struct{ from, to, want string }{
		{`"ATIF-v1.8"`, `"ATIF-v1.9"`, `schema_version: "ATIF-v1.9" is not known`},
		{`"name":"a","version":"1"`, `"name":"a","version":""`, "agent: name and version must be given"},
		{`{"step_id":2`, `{"step_id":3`, "steps[1]: step_id: 3, want 2"},
		{`"source":"user"`, `"source":"human"`, `steps[0]: source: "human"`},
		{`"source":"agent"`, `"source":"user"`, "are for steps of the agent"},
		{`2026-01-02T`, `yesterday `, "timestamp"},
		{`"llm_call_count":1`, `"llm_call_count":0`, "llm_call_count"},
		{`"source_call_id":"c"`, `"source_call_id":"d"`, `observation.results[0]: source_call_id "d" is no call of this step`},
		{`"trajectory_id":"s","agent"`, `"agent"`, "subagent_trajectories[0]: trajectory_id must be given"},
		{`[{"trajectory_id":"s"}]`, `[{"session_id":"s"}]`, "trajectory_id or trajectory_path must be given"},
		{`"type":"text","text":"t"`, `"type":"text"`, "message: [0]: a text has text"},
		{`"image/png"`, `"audio/wav"`, "message: [1]: image has a source of its media type"},
		{`"message":"u"`, `"message":7`, "want a text or a list of parts"},
		{`"message":"u"`, `"message":[{"type":"text","text":"t","x":1}]`, "want a text or a list of parts"},
		{`"step_id":1,"source":"user"`, `"step_id":1,"mood":"good","source":"user"`, `unknown field "mood"`},
		{`"function_name":"f"`, `"function_name":""`, "tool_calls[0]: tool_call_id, function_name and arguments must be given"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			require.Contains(t, valid, tt.from)
			_, err := Read(strings.NewReader(strings.Replace(valid, tt.from, tt.to, 1)))
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, err := Read(strings.NewReader(valid + "{}"))
	require.ErrorContains(t, err, "something follows the object")
}

// FuzzRead: what is read is written and read as the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(valid))
	f.Fuzz(func(t *testing.T, in []byte) {
		tr, err := Read(strings.NewReader(string(in)))
		if err != nil {
			return
		}
		data, err := tr.JSON()
		require.NoError(t, err)
		again, err := Read(strings.NewReader(string(data)))
		require.NoError(t, err)
		second, err := again.JSON()
		require.NoError(t, err)
		require.Equal(t, string(data), string(second))
	})
}
