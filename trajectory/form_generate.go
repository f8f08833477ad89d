package trajectory

type generateForm struct{}

func (generateForm) conversation(request map[string]any) conversation {
	var c conversation
	if text := textOf(asObject(first(request, "systemInstruction", "system_instruction"))["parts"]); text != "" {
		c.system = append(c.system, text)
	}
	for _, e := range asList(request["contents"]) {
		m := asObject(e)
		c.add(geminiMessage(asText(m["role"]), m["parts"]))
	}
	for _, t := range asList(request["tools"]) {
		for _, e := range asList(first(asObject(t), "functionDeclarations", "function_declarations")) {
			f := asObject(e)
			c.tools = append(c.tools, function(asText(f["name"]), asText(f["description"]), first(f, "parametersJsonSchema", "parameters")))
		}
	}
	config := asObject(first(request, "generationConfig", "generation_config"))
	c.effort = asObject(first(config, "thinkingConfig", "thinking_config"))["thinkingLevel"]
	return c
}

func geminiMessage(who string, parts any) message {
	out := message{role: userRole}
	if who == "model" {
		out.role = agentRole
	}
	for _, p := range asList(parts) {
		part := asObject(p)
		if call := asObject(first(part, "functionCall", "function_call")); call != nil {
			out.calls = append(out.calls, ToolCall{ID: asText(call["id"]), Function: asText(call["name"]), Arguments: orEmpty(call["args"])})
			continue
		}
		if result := asObject(first(part, "functionResponse", "function_response")); result != nil {
			out.results = append(out.results, toolResult{id: asText(result["id"]), name: asText(result["name"]), text: geminiResult(result["response"])})
			continue
		}
		if part["thought"] == true {
			out.reasoning = joinLines(out.reasoning, textOf(part))
			continue
		}
		out.text = joinLines(out.text, textOf(part))
	}
	return out
}

// geminiResult is the text of a result, which is an object; most have one
// member.
func geminiResult(v any) string {
	o := asObject(v)
	for _, name := range []string{"output", "result", "content", "error"} {
		if text, ok := o[name].(string); ok && len(o) == 1 {
			return text
		}
	}
	return compactJSON(v)
}

func (generateForm) answer(response map[string]any) (message, bool) {
	candidates := asList(response["candidates"])
	if len(candidates) == 0 {
		return message{}, false
	}
	return geminiMessage("model", asObject(asObject(candidates[0])["content"])["parts"]), true
}
