package trajectory

type messagesForm struct{}

func (messagesForm) conversation(request map[string]any) conversation {
	var c conversation
	if text := textOf(request["system"]); text != "" {
		c.system = append(c.system, text)
	}
	for _, e := range asList(request["messages"]) {
		m := asObject(e)
		switch asText(m["role"]) {
		case "assistant":
			c.add(anthropicAnswer(m["content"]))
		case "system":
			c.add(message{role: systemRole, text: textOf(m["content"])})
		default:
			c.addUser(m["content"])
		}
	}
	for _, t := range asList(request["tools"]) {
		tool := asObject(t)
		c.tools = append(c.tools, function(asText(tool["name"]), asText(tool["description"]), tool["input_schema"]))
	}
	c.effort = asObject(request["output_config"])["effort"]
	return c
}

// addUser adds the results of tools, and then what the user says.
func (c *conversation) addUser(content any) {
	m, texts := message{role: userRole}, []any{}
	if text, ok := content.(string); ok {
		texts = append(texts, text)
	}
	for _, p := range asList(content) {
		part := asObject(p)
		if part["type"] == "tool_result" {
			m.results = append(m.results, toolResult{id: asText(part["tool_use_id"]), text: textOf(part["content"])})
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
	for _, p := range asList(content) {
		part := asObject(p)
		switch asText(part["type"]) {
		case "thinking":
			out.reasoning = joinLines(out.reasoning, asText(part["thinking"]))
		case "tool_use":
			out.calls = append(out.calls, ToolCall{ID: asText(part["id"]), Function: asText(part["name"]), Arguments: arguments(part["input"])})
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
