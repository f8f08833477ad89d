package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/internal/decoded"
)

// Ending is how an attempt ended, for forms that hold more than steps.
type Ending struct {
	ExitStatus string // "submitted" for an agent that was done
	Patch      string
}

// SWEAgent is the trajectory in the form of SWE-agent's .traj files: a step for
// each answer of the model, the history, and info. The queries that SWE-agent
// keeps with each step are left out: they are the history up to it.
func (t Trajectory) SWEAgent(e Ending) ([]byte, error) {
	steps, history := []any{}, []any{}
	for _, s := range t.Steps {
		history = append(history, historyOf(s)...)
		if s.Source == AgentOwn && !s.IsCopiedContext {
			steps = append(steps, sweStep(s))
		}
	}
	stats := map[string]any{"api_calls": len(steps)}
	if m := t.FinalMetrics; m != nil {
		put(stats, "instance_cost", m.CostUSD)
		put(stats, "tokens_sent", m.PromptTokens)
		put(stats, "tokens_received", m.CompletionTokens)
	}
	out := map[string]any{
		"trajectory": steps, "history": history, "environment": "main", "replay_config": nil,
		"info": map[string]any{"exit_status": e.ExitStatus, "submission": e.Patch, "model_stats": stats},
	}
	return indented(out)
}

func put[T any](into map[string]any, name string, value *T) {
	if value != nil {
		into[name] = *value
	}
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	return append(data, '\n'), nil
}

func sweStep(s Step) any {
	seconds := 0.0
	if s.Metrics != nil {
		seconds, _ = s.Metrics.Extra["seconds"].(float64)
	}
	return map[string]any{
		"action": action(s), "observation": observed(s), "response": s.Message.String(), "thought": thought(s),
		"execution_time": 0.0, "state": map[string]any{}, "query": []any{}, "extra_info": map[string]any{"model_seconds": seconds},
	}
}

// action is what the model had done, as text: the command of a shell, or the
// call.
func action(s Step) string {
	var out []string
	for _, c := range s.ToolCalls {
		out = append(out, callText(c))
	}
	return strings.Join(out, "\n")
}

func callText(c ToolCall) string {
	for _, name := range []string{"command", "cmd"} {
		if text := decoded.Text(c.Arguments[name]); text != "" && len(c.Arguments) <= 2 {
			return text
		}
	}
	return c.Function + " " + compactJSON(c.Arguments)
}

func thought(s Step) string { return joinLines(s.ReasoningContent, s.Message.String()) }

func observed(s Step) string {
	if s.Observation == nil {
		return ""
	}
	var out []string
	for _, r := range s.Observation.Results {
		if r.Content != nil {
			out = append(out, r.Content.String())
		}
	}
	return strings.Join(out, "\n")
}

func historyOf(s Step) []any {
	item := map[string]any{"role": string(s.Source), "content": s.Message.String(), "agent": "main", "message_type": "observation"}
	switch s.Source {
	case System:
		item["message_type"] = "system_prompt"
	case AgentOwn:
		item["role"], item["message_type"] = "assistant", "action"
		item["thought"], item["action"] = thought(s), action(s)
		if s.ToolCalls != nil {
			item["tool_calls"] = openAICalls(s.ToolCalls)
		}
	}
	out := []any{item}
	if s.Observation == nil {
		return out
	}
	for _, r := range s.Observation.Results {
		if r.Content == nil {
			continue
		}
		result := map[string]any{"role": "user", "content": r.Content.String(), "agent": "main", "message_type": "observation"}
		if r.SourceCallID != "" {
			result["role"], result["tool_call_ids"] = "tool", []string{r.SourceCallID}
		}
		out = append(out, result)
	}
	return out
}

func openAICalls(calls []ToolCall) []any {
	var out []any
	for _, c := range calls {
		out = append(out, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Function, "arguments": compactJSON(c.Arguments)}})
	}
	return out
}
