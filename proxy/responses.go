package proxy

import (
	"assay/internal/decoded"
	"assay/llm"
)

// responses is OpenAI's Responses protocol.
type responses struct{}

func (responses) protocol() string { return "responses" }

func (responses) roots() []string { return []string{"input"} }

func (responses) forbidden(q *query) string {
	for _, name := range []string{
		"previous_response_id", "conversation", "prompt", // state at the provider: of unknown length, and maybe of others
		"background",
	} {
		if v := q.tree[name]; v != nil && v != false {
			return notAllowed(name)
		}
	}
	if tier := decoded.Text(q.tree["service_tier"]); tier != "" && tier != "auto" && tier != "default" && tier != "flex" {
		return notAllowed("service_tier " + clip(tier, maxQuote))
	}
	problem := responsesTools(q.tree["tools"])
	for _, i := range decoded.List(q.tree["input"]) {
		item := decoded.Object(i)
		if decoded.Text(item["type"]) == "item_reference" {
			return notAllowed("item_reference")
		}
		if problem == "" {
			problem = responsesTools(item["tools"]) // Codex puts its tools here
		}
	}
	return problem
}

// responsesTools allows tools that the agent runs; a namespace holds tools.
func responsesTools(tools any) string {
	for _, t := range decoded.List(tools) {
		tool := decoded.Object(t)
		switch kind := decoded.Text(tool["type"]); kind {
		case "function", "custom", "local_shell", "apply_patch", "tool_search":
		case "shell":
			if place := decoded.Text(decoded.Object(tool["environment"])["type"]); place != "" && place != "local" {
				return toolRefused("shell in " + place)
			}
		case "namespace":
			if problem := responsesTools(tool["tools"]); problem != "" {
				return problem
			}
		default:
			return toolRefused(kind)
		}
	}
	return ""
}

func (responses) wanted(q *query) (tokens, answers int) {
	return int(asInt(q.tree["max_output_tokens"])), 1
}

func (responses) edited(q *query, e edit) (object, error) {
	out, err := q.body.set("model", e.model)
	if err == nil && e.most > 0 {
		out, err = out.set("max_output_tokens", max(16, e.most)) // the provider takes no less
	}
	return out, err
}

func (responses) usage(answer map[string]any) (llm.Usage, bool) {
	u := decoded.Object(answer["usage"])
	if u == nil {
		return llm.Usage{}, false
	}
	in, details := asInt(u["input_tokens"]), decoded.Object(u["input_tokens_details"])
	cached := min(in, asInt(details["cached_tokens"]))
	return llm.Usage{
		Input: int(in), CachedInput: int(cached), CacheWrites: int(min(asInt(details["cache_write_tokens"]), in-cached)),
		Output:    int(asInt(u["output_tokens"])),
		Reasoning: int(asInt(decoded.Object(u["output_tokens_details"])["reasoning_tokens"])),
	}, true
}

func (responses) declined(answer map[string]any) string {
	if decoded.Text(decoded.Object(answer["incomplete_details"])["reason"]) == "content_filter" {
		return "stopped by the content filter"
	}
	for _, i := range decoded.List(answer["output"]) {
		for _, p := range decoded.List(decoded.Object(i)["content"]) {
			if part := decoded.Object(p); part["type"] == "refusal" {
				return decoded.Text(part["refusal"])
			}
		}
	}
	return ""
}

func (responses) cut(answer map[string]any) bool {
	return decoded.Text(decoded.Object(answer["incomplete_details"])["reason"]) == "max_output_tokens"
}

// failure answers a spent limit with 429 and insufficient_quota, on which Codex
// stops at once; other statuses it retries.
func (responses) failure(kind failureKind, message string) (int, any) {
	if kind == spentOut {
		return 429, openAIError("insufficient_quota", "insufficient_quota", message)
	}
	return chat{}.failure(kind, message)
}
