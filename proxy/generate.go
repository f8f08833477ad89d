package proxy

import (
	"slices"

	"assay/internal/decoded"

	"assay/llm"
)

// generate is Gemini's generateContent, which takes each name in two
// spellings.
type generate struct{}

func (generate) protocol() string { return "generate" }

func (generate) roots() []string {
	return []string{"contents", "systemInstruction", "system_instruction"}
}

func (generate) forbidden(q *query) string {
	for _, name := range []string{"cachedContent", "cached_content"} {
		if q.tree[name] != nil {
			return notAllowed(name)
		}
	}
	for _, t := range decoded.List(q.tree["tools"]) {
		for name := range decoded.Object(t) {
			if name != "functionDeclarations" && name != "function_declarations" {
				return toolRefused(name)
			}
		}
	}
	for _, m := range decoded.List(decoded.First(generationConfig(q), "responseModalities", "response_modalities")) {
		if m != "TEXT" {
			return notAllowed("responseModalities")
		}
	}
	return twoSpellings(generationConfig(q))
}

// twoSpellings refuses what is said twice, since the provider may read the
// other one.
func twoSpellings(o map[string]any) string {
	for _, pair := range [][2]string{{"maxOutputTokens", "max_output_tokens"}, {"candidateCount", "candidate_count"}, {"responseModalities", "response_modalities"}} {
		if o[pair[0]] != nil && o[pair[1]] != nil {
			return "both " + pair[0] + " and " + pair[1] + " are given"
		}
	}
	return ""
}

func generationConfig(q *query) map[string]any {
	return decoded.Object(decoded.First(q.tree, "generationConfig", "generation_config"))
}

func (generate) wanted(q *query) (tokens, answers int) {
	config := generationConfig(q)
	return int(asInt(decoded.First(config, "maxOutputTokens", "max_output_tokens"))), max(1, int(asInt(decoded.First(config, "candidateCount", "candidate_count"))))
}

func (generate) edited(q *query, e edit) (object, error) {
	out := q.body.without("model")
	if e.most <= 0 && e.seed == 0 {
		return out, nil
	}
	name := "generationConfig"
	if out.get("generation_config") != nil {
		name = "generation_config"
	}
	config := object{}
	if generationConfig(q) != nil {
		var err error
		if config, err = parseObject(out.get(name)); err != nil {
			return nil, err
		}
	}
	var err error
	if e.most > 0 {
		config, err = config.without("maxOutputTokens", "max_output_tokens").set("maxOutputTokens", e.most)
	}
	if err == nil && e.seed != 0 {
		config, err = config.set("seed", e.seed)
	}
	if err != nil {
		return nil, err
	}
	return out.set(name, config)
}

// usage counts thoughts as output, as they are billed. What tools put into the
// prompt is billed as input.
func (generate) usage(answer map[string]any) (llm.Usage, bool) {
	u := decoded.Object(answer["usageMetadata"])
	if u == nil {
		return llm.Usage{}, false
	}
	in, thoughts := asInt(u["promptTokenCount"])+asInt(u["toolUsePromptTokenCount"]), asInt(u["thoughtsTokenCount"])
	return llm.Usage{
		Input:       int(in),
		CachedInput: int(min(in, asInt(u["cachedContentTokenCount"]))),
		Output:      int(asInt(u["candidatesTokenCount"]) + thoughts),
		Reasoning:   int(thoughts),
	}, true
}

func (generate) declined(answer map[string]any) string {
	if reason := decoded.Text(decoded.Object(answer["promptFeedback"])["blockReason"]); reason != "" {
		return "the prompt was blocked: " + reason
	}
	for _, c := range decoded.List(answer["candidates"]) {
		reason := decoded.Text(decoded.Object(c)["finishReason"])
		if slices.Contains([]string{"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"}, reason) {
			return "the answer was withheld: " + reason
		}
	}
	return ""
}

func (generate) cut(answer map[string]any) bool {
	return slices.ContainsFunc(decoded.List(answer["candidates"]), func(c any) bool { return decoded.Object(c)["finishReason"] == "MAX_TOKENS" })
}

// failure answers with 400, on which all agents of this protocol stop.
func (generate) failure(kind failureKind, message string) (int, any) {
	status, name := kind.status(), "INVALID_ARGUMENT"
	body := map[string]any{"message": message}
	switch kind {
	case spentOut:
		name = "FAILED_PRECONDITION"
	case badModel, unknownURL:
		name = "NOT_FOUND"
	case badKey:
		status = 400
		body["details"] = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}}
	}
	body["code"], body["status"] = status, name
	return status, map[string]any{"error": body}
}
