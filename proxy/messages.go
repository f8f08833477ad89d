package proxy

import (
	"strings"

	"assay/internal/decoded"

	"assay/llm"
)

// messages is Anthropic's protocol.
type messages struct{}

func (messages) protocol() string { return "messages" }

func (messages) roots() []string { return []string{"messages", "system"} }

func (messages) forbidden(q *query) string {
	for _, name := range []string{
		"mcp_servers", "container", // run at the provider
		"speed", "inference_geo", "fallbacks", // other prices, other models
	} {
		if q.tree[name] != nil {
			return notAllowed(name)
		}
	}
	if tier := decoded.Text(q.tree["service_tier"]); tier != "" && tier != "auto" && tier != "standard_only" {
		return notAllowed("service_tier " + clip(tier, maxQuote))
	}
	problem := anthropicTools(q.tree["tools"])
	for _, m := range decoded.List(q.tree["messages"]) {
		message := decoded.Object(m)
		for _, part := range append(decoded.List(message["content"]), message) {
			if problem == "" {
				problem = anthropicTools(decoded.Object(part)["tools"])
			}
		}
	}
	return problem
}

// anthropicTools allows tools that the agent runs. The others are run by the
// provider, with its network; types carry a date.
func anthropicTools(tools any) string {
	for _, t := range decoded.List(tools) {
		kind := decoded.Text(decoded.Object(t)["type"])
		if kind == "" || kind == "custom" {
			continue
		}
		allowed := false
		for _, begin := range []string{"bash_", "text_editor_", "memory_", "computer_", "tool_search_tool_"} {
			allowed = allowed || strings.HasPrefix(kind, begin)
		}
		if !allowed {
			return toolRefused(kind)
		}
	}
	return ""
}

func (messages) wanted(q *query) (tokens, answers int) {
	answers = 1
	for _, e := range decoded.List(decoded.Object(q.tree["context_management"])["edits"]) {
		if strings.HasPrefix(decoded.Text(decoded.Object(e)["type"]), "compact") {
			answers = 2 // the provider has the model sum up first
		}
	}
	return int(asInt(q.tree["max_tokens"])), answers
}

func (messages) edited(q *query, e edit) (object, error) {
	out, err := q.body.set("model", e.model)
	if err == nil && e.most > 0 {
		if out, err = out.set("max_tokens", e.most); err == nil {
			out, err = lessThinking(out, q, e.most)
		}
	}
	return out, err
}

// lessThinking keeps the tokens for thinking below those of the whole answer,
// as the provider demands.
func lessThinking(body object, q *query, most int) (object, error) {
	const least = 1024 // that the provider allows
	thinking := body.get("thinking")
	if int(asInt(decoded.Object(q.tree["thinking"])["budget_tokens"])) < most {
		return body, nil
	}
	settings, err := parseObject(thinking)
	if err == nil {
		settings, err = settings.set("budget_tokens", max(least, most/2))
	}
	if err != nil {
		return nil, err
	}
	return body.set("thinking", settings)
}

func (messages) usage(answer map[string]any) (llm.Usage, bool) {
	u := decoded.Object(answer["usage"])
	if u == nil {
		return llm.Usage{}, false
	}
	out := anthropicUsage(u)
	var rounds llm.Usage // of a conversation that was summed up in between
	for _, r := range decoded.List(u["iterations"]) {
		round := anthropicUsage(decoded.Object(r))
		rounds.Input += round.Input
		rounds.CachedInput += round.CachedInput
		rounds.CacheWrites += round.CacheWrites
		rounds.CacheWritesHour += round.CacheWritesHour
		rounds.Output += round.Output
	}
	if rounds.Input+rounds.Output > out.Input+out.Output {
		rounds.Reasoning = out.Reasoning
		out = rounds
	}
	return out, out.Input > 0 || out.Output > 0
}

func anthropicUsage(u map[string]any) llm.Usage {
	read, written := asInt(u["cache_read_input_tokens"]), asInt(u["cache_creation_input_tokens"])
	return llm.Usage{
		Input:           int(asInt(u["input_tokens"]) + read + written),
		CachedInput:     int(read),
		CacheWrites:     int(written),
		CacheWritesHour: int(min(written, asInt(decoded.Object(u["cache_creation"])["ephemeral_1h_input_tokens"]))),
		Output:          int(asInt(u["output_tokens"])),
		Reasoning:       int(asInt(decoded.Object(u["output_tokens_details"])["thinking_tokens"])),
	}
}

func (messages) declined(answer map[string]any) string {
	if answer["stop_reason"] == "refusal" {
		return "the model refused to answer"
	}
	return ""
}

func (messages) cut(answer map[string]any) bool { return answer["stop_reason"] == "max_tokens" }

// failure answers a spent limit with 402: Claude Code retries 401 and 429 for
// minutes, and drops beta headers one by one on 400.
func (messages) failure(kind failureKind, message string) (int, any) {
	status, name := kind.status(), "invalid_request_error"
	switch kind {
	case spentOut:
		status, name = 402, "billing_error"
	case badKey:
		name = "authentication_error"
	case badModel, unknownURL:
		name = "not_found_error"
	case tooLarge:
		name = "request_too_large"
	}
	return status, map[string]any{"type": "error", "error": map[string]any{"type": name, "message": message}}
}
