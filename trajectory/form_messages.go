package trajectory

import "assay/internal/decoded"

type messagesForm struct{}

func (messagesForm) conversation(request map[string]any) conversation {
	var c conversation
	if text := textOf(request["system"]); text != "" {
		c.system = append(c.system, text)
	}
	for _, e := range decoded.List(request["messages"]) {
		m := decoded.Object(e)
		switch decoded.Text(m["role"]) {
		case "assistant":
			c.add(anthropicAnswer(m["content"]))
		case "system":
			c.add(message{role: systemRole, text: textOf(m["content"])})
		default:
			c.addUser(m["content"])
		}
	}
	for _, t := range decoded.List(request["tools"]) {
		tool := decoded.Object(t)
		c.tools = append(c.tools, function(decoded.Text(tool["name"]), decoded.Text(tool["description"]), tool["input_schema"]))
	}
	c.effort = decoded.Object(request["output_config"])["effort"]
	return c
}

// addUser adds the results of tools, and then what the user says.
func (c *conversation) addUser(content any) {
	m, texts := message{role: userRole}, []any{}
	if text, ok := content.(string); ok {
		texts = append(texts, text)
	}
	for _, p := range decoded.List(content) {
		part := decoded.Object(p)
		if part["type"] == "tool_result" {
			m.results = append(m.results, toolResult{id: decoded.Text(part["tool_use_id"]), text: textOf(part["content"])})
			continue
		}
		texts = append(texts, p)
	}
	m.text = textOf(texts)
	c.add(m)
}

func anthropicAnswer(content any) message {
	out := message{role: agentRole}
	if text, ok := content.(string); ok {
		out.text = text
	}
	for _, p := range decoded.List(content) {
		part := decoded.Object(p)
		switch decoded.Text(part["type"]) {
		case "thinking":
			out.reasoning = joinLines(out.reasoning, decoded.Text(part["thinking"]))
		case "tool_use":
			out.calls = append(out.calls, ToolCall{ID: decoded.Text(part["id"]), Function: decoded.Text(part["name"]), Arguments: arguments(part["input"])})
		default:
			out.text = joinLines(out.text, textOf(part))
		}
	}
	return out
}

func (messagesForm) answer(response map[string]any) (message, bool) {
	if response["content"] == nil {
		return message{}, false
	}
	return anthropicAnswer(response["content"]), true
}
