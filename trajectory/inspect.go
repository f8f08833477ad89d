package trajectory

// Sample is what Inspect's form of a sample holds beyond the trajectory.
type Sample struct {
	ID       string
	Epoch    int // the attempt, from 1
	Input    string
	Metadata map[string]any
}

// Inspect is the trajectory in the form of a sample of Inspect's eval logs:
// messages, output, usage.
func (t Trajectory) Inspect(s Sample) ([]byte, error) {
	messages := []any{}
	functions := map[string]string{}
	output := map[string]any{"model": t.Agent.ModelName, "choices": []any{}, "completion": ""}
	for _, step := range t.Steps {
		for _, c := range step.ToolCalls {
			functions[c.ID] = c.Function
		}
		own := inspectMessages(step, functions)
		messages = append(messages, own...)
		if step.Source == AgentOwn {
			reason := "stop"
			if len(step.ToolCalls) > 0 {
				reason = "tool_calls"
			}
			output["choices"] = []any{map[string]any{"message": own[0], "stop_reason": reason}}
			output["completion"] = step.Message.String()
		}
	}
	usage := t.inspectUsage()
	if usage != nil {
		output["usage"] = usage
	}
	metadata := map[string]any{}
	for name, value := range s.Metadata {
		metadata[name] = value
	}
	metadata["agent"], metadata["agent_version"] = t.Agent.Name, t.Agent.Version
	out := map[string]any{
		"id": s.ID, "epoch": max(1, s.Epoch), "input": s.Input, "target": "", "messages": messages, "output": output, "metadata": metadata,
	}
	if usage != nil && t.Agent.ModelName != "" {
		out["model_usage"] = map[string]any{t.Agent.ModelName: usage}
	}
	return indented(out)
}

func (t Trajectory) inspectUsage() map[string]any {
	m := t.FinalMetrics
	if m == nil || m.PromptTokens == nil || m.CompletionTokens == nil {
		return nil
	}
	cached := int64(0)
	if m.CachedTokens != nil {
		cached = *m.CachedTokens
	}
	usage := map[string]any{
		"input_tokens": *m.PromptTokens - cached, "input_tokens_cache_read": cached,
		"output_tokens": *m.CompletionTokens, "total_tokens": *m.PromptTokens + *m.CompletionTokens,
	}
	put(usage, "total_cost", m.CostUSD)
	return usage
}

// inspectMessages is a step and what its calls gave.
func inspectMessages(s Step, functions map[string]string) []any {
	m := map[string]any{"role": string(s.Source), "content": s.Message.String()}
	if s.Source == User {
		m["source"] = "input"
	}
	if s.Source == AgentOwn {
		m = inspectAnswer(s)
	}
	out := []any{m}
	if s.Observation == nil {
		return out
	}
	for _, r := range s.Observation.Results {
		if r.Content == nil {
			continue
		}
		result := map[string]any{"role": "tool", "content": r.Content.String()}
		if r.SourceCallID != "" {
			result["tool_call_id"], result["function"] = r.SourceCallID, functions[r.SourceCallID]
		}
		out = append(out, result)
	}
	return out
}

func inspectAnswer(s Step) map[string]any {
	m := map[string]any{"role": "assistant", "content": s.Message.String(), "source": "generate"}
	if s.ReasoningContent != "" {
		m["content"] = []any{
			map[string]any{"type": "reasoning", "reasoning": s.ReasoningContent},
			map[string]any{"type": "text", "text": s.Message.String()},
		}
	}
	if s.ModelName != "" {
		m["model"] = s.ModelName
	}
	var calls []any
	for _, c := range s.ToolCalls {
		calls = append(calls, map[string]any{"id": c.ID, "function": c.Function, "arguments": c.Arguments, "type": "function"})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return m
}
