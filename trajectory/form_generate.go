package trajectory

import "assay/internal/decoded"

type generateForm struct{}

func (generateForm) conversation(request map[string]any) conversation {
	var c conversation
	if text := textOf(decoded.Object(decoded.First(request, "systemInstruction", "system_instruction"))["parts"]); text != "" {
		c.system = append(c.system, text)
	}
	for _, e := range decoded.List(request["contents"]) {
		m := decoded.Object(e)
		c.add(geminiMessage(decoded.Text(m["role"]), m["parts"]))
	}
	for _, t := range decoded.List(request["tools"]) {
		for _, e := range decoded.List(decoded.First(decoded.Object(t), "functionDeclarations", "function_declarations")) {
			f := decoded.Object(e)
			c.tools = append(c.tools, function(decoded.Text(f["name"]), decoded.Text(f["description"]), decoded.First(f, "parametersJsonSchema", "parameters")))
		}
	}
	config := decoded.Object(decoded.First(request, "generationConfig", "generation_config"))
	c.effort = decoded.Object(decoded.First(config, "thinkingConfig", "thinking_config"))["thinkingLevel"]
	return c
}

func geminiMessage(who string, parts any) message {
	out := message{role: userRole}
	if who == "model" {
		out.role = agentRole
	}
	for _, p := range decoded.List(parts) {
		part := decoded.Object(p)
		if call := decoded.Object(decoded.First(part, "functionCall", "function_call")); call != nil {
			out.calls = append(out.calls, ToolCall{ID: decoded.Text(call["id"]), Function: decoded.Text(call["name"]), Arguments: orEmpty(call["args"])})
			continue
		}
		if result := decoded.Object(decoded.First(part, "functionResponse", "function_response")); result != nil {
			out.results = append(out.results, toolResult{id: decoded.Text(result["id"]), name: decoded.Text(result["name"]), text: geminiResult(result["response"])})
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
	o := decoded.Object(v)
	for _, name := range []string{"output", "result", "content", "error"} {
		if text, ok := o[name].(string); ok && len(o) == 1 {
			return text
		}
	}
	return compactJSON(v)
}

func (generateForm) answer(response map[string]any) (message, bool) {
	candidates := decoded.List(response["candidates"])
	if len(candidates) == 0 {
		return message{}, false
	}
	return geminiMessage("model", decoded.Object(decoded.Object(candidates[0])["content"])["parts"]), true
}
