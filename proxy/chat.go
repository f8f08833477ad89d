package proxy

import (
	"encoding/json"
	"slices"

	"assay/internal/decoded"

	"assay/llm"
)

// chat is OpenAI's chat completions, as many servers speak it.
type chat struct{}

func (chat) protocol() string { return "chat" }

func (chat) roots() []string { return []string{"messages"} }

func (chat) forbidden(q *query) string {
	for _, name := range []string{
		"web_search_options", "search_parameters", "plugins", "models", "route", "mcp_servers", // search, other models
		"prediction", "audio", "background", // costs that no limit of tokens bounds
	} {
		if q.tree[name] != nil {
			return notAllowed(name)
		}
	}
	for _, m := range decoded.List(q.tree["modalities"]) {
		if m != "text" {
			return notAllowed("modalities")
		}
	}
	if tier := decoded.Text(q.tree["service_tier"]); tier != "" && tier != "auto" && tier != "default" && tier != "flex" {
		return notAllowed("service_tier " + clip(tier, maxQuote))
	}
	return forbiddenTools(q.tree["tools"], "function", "custom")
}

// forbiddenTools refuses tools of types that are not in the list: the provider
// would run them, with its own network.
func forbiddenTools(tools any, types ...string) string {
	for _, t := range decoded.List(tools) {
		kind := decoded.Text(decoded.Object(t)["type"])
		if !slices.Contains(types, kind) {
			return toolRefused(kind)
		}
	}
	return ""
}

func toolRefused(kind string) string {
	return "the tool " + quote(kind) + " is refused: the provider would run it outside the sandbox, which has no network; turn it off"
}

func notAllowed(name string) string { return name + " is not allowed in this sandbox" }

func quote(text string) string {
	out, err := json.Marshal(clip(text, maxQuote))
	if err != nil {
		return `""` // cannot be: strings always encode
	}
	return string(out)
}

func (chat) wanted(q *query) (tokens, answers int) {
	tokens = int(max(asInt(q.tree["max_tokens"]), asInt(q.tree["max_completion_tokens"])))
	return tokens, max(1, int(asInt(q.tree["n"])))
}

func (chat) edited(q *query, e edit) (object, error) {
	out, err := q.body.set("model", e.model)
	if err == nil && e.most > 0 {
		name := "max_tokens"
		if q.tree["max_completion_tokens"] != nil || q.tree["max_tokens"] == nil && e.modern {
			name = "max_completion_tokens"
		}
		out, err = out.without("max_tokens", "max_completion_tokens").set(name, e.most)
	}
	if err == nil && e.seed != 0 {
		out, err = out.set("seed", e.seed)
	}
	if err == nil && q.stream && !asksUsage(q) {
		options := object{}
		if raw := q.body.get("stream_options"); decoded.Object(q.tree["stream_options"]) != nil {
			if options, err = parseObject(raw); err != nil {
				return nil, err
			}
		}
		if options, err = options.set("include_usage", true); err == nil {
			out, err = out.set("stream_options", options)
		}
	}
	return out, err
}

func asksUsage(q *query) bool {
	asked, _ := decoded.Object(q.tree["stream_options"])["include_usage"].(bool)
	return asked
}

func (chat) usage(answer map[string]any) (llm.Usage, bool) {
	u := decoded.Object(answer["usage"])
	if u == nil {
		return llm.Usage{}, false
	}
	in, out := asInt(u["prompt_tokens"]), asInt(u["completion_tokens"])
	details := decoded.Object(u["prompt_tokens_details"])
	cached := max(asInt(details["cached_tokens"]), asInt(u["prompt_cache_hit_tokens"])) // DeepSeek's name
	reasoning := asInt(decoded.Object(u["completion_tokens_details"])["reasoning_tokens"])
	if asInt(u["total_tokens"]) == in+out+reasoning {
		out += reasoning // xAI counts them separately; the total shows it
	}
	return llm.Usage{
		Input: int(in), CachedInput: int(min(cached, in)), CacheWrites: int(min(asInt(details["cache_write_tokens"]), in-min(cached, in))),
		Output: int(out), Reasoning: int(reasoning),
	}, in > 0 || out > 0
}

func (chat) declined(answer map[string]any) string {
	for _, c := range decoded.List(answer["choices"]) {
		choice := decoded.Object(c)
		if text := decoded.Text(decoded.Object(choice["message"])["refusal"]); text != "" {
			return text
		}
		if choice["finish_reason"] == "content_filter" {
			return "stopped by the content filter"
		}
	}
	return ""
}

func (chat) cut(answer map[string]any) bool {
	return slices.ContainsFunc(decoded.List(answer["choices"]), func(c any) bool { return decoded.Object(c)["finish_reason"] == "length" })
}

// failure answers a spent limit with a status that stops all agents of this
// protocol: most retry 429 for minutes.
func (chat) failure(kind failureKind, message string) (int, any) {
	code := map[failureKind]string{
		spentOut: "budget_spent", badKey: "invalid_api_key", badModel: "model_not_found",
		badRequest: "invalid_request", tooLarge: "request_too_large", unknownURL: "not_found",
	}[kind]
	return kind.status(), openAIError("invalid_request_error", code, message)
}

func openAIError(kind, code, message string) any {
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}}
}
