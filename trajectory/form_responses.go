package trajectory

import "assay/internal/decoded"

type responsesForm struct{}

func (responsesForm) conversation(request map[string]any) conversation {
	var c conversation
	if text := decoded.Text(request["instructions"]); text != "" {
		c.system = append(c.system, text)
	}
	if text, ok := request["input"].(string); ok {
		c.add(message{role: userRole, text: text})
	}
	for _, e := range decoded.List(request["input"]) {
		item := decoded.Object(e)
		if m, ok := responsesItem(item); ok {
			c.add(m)
		}
		c.offer(item["tools"], "")
	}
	c.offer(request["tools"], "")
	c.effort = decoded.Object(request["reasoning"])["effort"]
	return c
}

// offer adds tools; a namespace holds some.
func (c *conversation) offer(tools any, space string) {
	for _, t := range decoded.List(tools) {
		tool := decoded.Object(t)
		name := decoded.Text(tool["name"])
		if tool["type"] == "namespace" {
			c.offer(tool["tools"], name+".")
			continue
		}
		if name == "" {
			name = decoded.Text(tool["type"])
		}
		c.tools = append(c.tools, function(space+name, decoded.Text(tool["description"]), tool["parameters"]))
	}
}

// responsesItem reads one of the input or output; false for those that say
// nothing.
func responsesItem(item map[string]any) (message, bool) {
	id := decoded.Text(item["call_id"])
	switch kind := decoded.Text(item["type"]); kind {
	case "message", "":
		return responsesMessage(item), true
	case "reasoning":
		text := joinLines(textOf(item["summary"]), textOf(item["content"]))
		return message{role: agentRole, reasoning: text}, true
	case "function_call":
		return called(id, decoded.Text(item["name"]), arguments(item["arguments"])), true
	case "custom_tool_call":
		return called(id, decoded.Text(item["name"]), map[string]any{"input": decoded.Text(item["input"])}), true
	case "local_shell_call", "shell_call", "apply_patch_call":
		return called(id, kind[:len(kind)-len("_call")], orEmpty(decoded.First(item, "action", "operation"))), true
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output", "apply_patch_call_output":
		return message{role: userRole, results: []toolResult{{id: id, text: textOf(item["output"])}}}, true
	}
	return message{}, false
}

func responsesMessage(item map[string]any) message {
	text := textOf(item["content"])
	switch decoded.Text(item["role"]) {
	case "assistant":
		return message{role: agentRole, text: text}
	case "system", "developer":
		return message{role: systemRole, text: text}
	}
	return message{role: userRole, text: text}
}

func called(id, name string, args map[string]any) message {
	return message{role: agentRole, calls: []ToolCall{{ID: id, Function: name, Arguments: args}}}
}

func orEmpty(v any) map[string]any {
	if o := decoded.Object(v); o != nil {
		return o
	}
	return map[string]any{}
}

func (responsesForm) answer(response map[string]any) (message, bool) {
	var c conversation
	for _, e := range decoded.List(response["output"]) {
		m, ok := responsesItem(decoded.Object(e))
		if ok && m.role == agentRole {
			c.add(m)
		}
	}
	if len(c.messages) == 0 {
		return message{}, false
	}
	return c.messages[0], true
}
