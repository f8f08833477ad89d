package agents

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents/adapter"
)

// TestEndsOfAdapters: what the programs print and log at their end, as they did
// in trials with a scripted model. A text that a model or a tool says, which
// these formats escape, does not count.
func TestEndsOfAdapters(t *testing.T) {
	const (
		gemini = `{"type":"error","timestamp":"2026-11-22T15:56:56.469Z","severity":"warning","message":"Loop detected, stopping execution"}` + "\n" +
			`{"type":"result","timestamp":"2026-11-22T15:56:56.509Z","status":"success"}` + "\n"
		claude = `"permission_denials":[],"terminal_reason":"prompt_too_long","is_error":true,"api_error_status":400,"type":"result"}`
		mini   = "/assay-agent/trajectory.json"
		chat   = "/assay-agent/chat.md"
		swe    = "/assay-agent/out/task/task.traj"
		hands  = "/root/.openhands/conversations/2737b97b6ee14638b774ae4e54019c80/base_state.json"
	)
	for _, c := range []struct {
		agent        string
		code         int
		output       string
		file, logged string
		want         string
	}{
		{"gemini-cli", 0, gemini, "", "", "gave_up"},
		{"gemini-cli", 0, `{"type":"message","content":"{\"type\":\"error\",\"message\":\"Loop detected\"}"}`, "", "", "done"},
		{"claude-code", 1, claude, "", "", "context_window"},
		{"claude-code", 0, `{"type":"assistant","text":"\"terminal_reason\":\"prompt_too_long\""}`, "", "", "done"},
		{"mini-swe-agent", 0, "", mini, `{"info": {"exit_status": "RepeatedFormatError", "submission": ""}}`, "gave_up"},
		{"mini-swe-agent", 1, "", mini, `{"info": {"exit_status": "ContextWindowExceededError", "submission": ""}}`, "context_window"},
		{"mini-swe-agent", 0, "", mini, `{"info": {"exit_status": "Submitted"}, "content": "\"exit_status\": \"LimitsExceeded\""}`, "done"},
		{"swe-agent", 0, "", swe, `{"info": {"exit_status": "submitted"}}`, "done"},
		{"swe-agent", 0, "", swe, `{"info": {"exit_status": "submitted (exit_format)"}}`, "gave_up"},
		{"swe-agent", 0, "", swe, `{"info": {"exit_status": "exit_error"}}`, "gave_up"},
		{"swe-agent", 0, "", swe, `{"info": {"exit_status": "submitted (exit_context)"}}`, "context_window"},
		{"aider", 0, "", chat, "#### Fix it.  \n> litellm.BadRequestError: OpenAIException - Invalid value for parameter  \n", "gave_up"},
		{"aider", 0, "", chat, "#### Fix it.  \n> litellm.APIError: overloaded  \n> Retrying in 0.2 seconds...  \n\nA change.\n\n> Tokens: 2.0k sent, 40 received.  \n", "done"},
		{"aider", 0, "", chat, "#### > Only 3 reflections allowed, stopping.  \n\nA change.\n\n> Applied edit to README.md  \n", "done"},
		{"aider", 0, "", chat, "\nA change.\n\n> Only 3 reflections allowed, stopping.  \n", "gave_up"},
		{"aider", 0, "", chat, "> Model openai/gpt-5 has hit a token limit!  \n> Token counts below are approximate.  \n", "gave_up"},
		{"openhands", 0, "", hands, `{"max_iterations":500,"execution_status":"finished"}`, "done"},
		{"openhands", 0, "", hands, `{"max_iterations":500,"execution_status":"stuck"}`, "gave_up"},
	} {
		one := named(t, c.agent)
		call, err := one.Adapter.Call(adapter.Setting{Dir: adapter.Dir, State: stateDir, Home: homeDir, Root: "/testbed", Prompt: "Fix it."}, one.Adapter.Speaks[0])
		require.NoError(t, err)
		end, _ := call.End(c.code, adapter.Said{Output: []byte(c.output), Files: map[string][]byte{c.file: []byte(c.logged)}})
		require.Equal(t, c.want, end, "%s %s%s", c.agent, c.output, c.logged)
	}
}

// named is a built-in program.
func named(t *testing.T, name string) CLI {
	t.Helper()
	all, err := CLIs()
	require.NoError(t, err)
	for _, c := range all {
		if c.Name() == name {
			return c
		}
	}
	require.Fail(t, "there is no "+name)
	return CLI{}
}
