package llmtest

import (
	"net/http"

	"assay/llm"
)

// The bodies follow the providers' public API references; texts are our own.

type openaiWire struct{}

func (openaiWire) Answer(text string, stop llm.Stop) Step {
	reason := "stop"
	if stop == llm.StopLength {
		reason = "length"
	}
	return Step{Body: fill(`{"id":"c1","object":"chat.completion","created":1,"model":"fake-model-1",
"choices":[{"index":0,"finish_reason":$REASON,"message":{"role":"assistant","content":$TEXT,"refusal":null}}],
"usage":{"prompt_tokens":120,"completion_tokens":45,"total_tokens":165,
"prompt_tokens_details":{"cached_tokens":20},"completion_tokens_details":{"reasoning_tokens":15}}}`, "$REASON", reason, "$TEXT", text)}
}

func (openaiWire) Refuse() Step {
	return Step{Body: `{"id":"c1","object":"chat.completion","created":1,"model":"fake-model-1",
"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"I will not do that."}}],
"usage":{"prompt_tokens":120,"completion_tokens":7,"total_tokens":127}}`}
}

func (openaiWire) NoChoices() Step {
	return Step{Body: `{"id":"c1","object":"chat.completion","created":1,"model":"fake-model-1","choices":[]}`}
}

func (openaiWire) Trouble(class llm.Class, message string) Step {
	status, kind, code := http.StatusBadRequest, "invalid_request_error", ""
	switch class {
	case llm.RateLimited:
		status, kind, code = 429, "requests", "rate_limit_exceeded"
	case llm.Quota:
		status, kind, code = 429, "insufficient_quota", "insufficient_quota"
	case llm.Overloaded:
		status, kind = 503, "server_error"
	case llm.Authentication:
		status, code = 401, "invalid_api_key"
	case llm.NotFound:
		status, code = 404, "model_not_found"
	case llm.TooLong:
		code = "context_length_exceeded"
	case llm.Refused:
		code = "content_filter"
	}
	return Step{Status: status, Body: fill(`{"error":{"message":$MESSAGE,"type":$KIND,"param":null,"code":$CODE}}`, "$MESSAGE", message, "$KIND", kind, "$CODE", code)}
}

type anthropicWire struct{}

func (anthropicWire) Answer(text string, stop llm.Stop) Step {
	reason := "end_turn"
	if stop == llm.StopLength {
		reason = "max_tokens"
	}
	return Step{Body: fill(`{"id":"m1","type":"message","role":"assistant","model":"fake-model-1","stop_reason":$REASON,"stop_sequence":null,
"content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":$TEXT}],
"usage":{"input_tokens":100,"cache_read_input_tokens":20,"cache_creation_input_tokens":0,"output_tokens":45,
"output_tokens_details":{"thinking_tokens":15}}}`, "$REASON", reason, "$TEXT", text)}
}

func (anthropicWire) Refuse() Step {
	return Step{Body: `{"id":"m1","type":"message","role":"assistant","model":"fake-model-1","stop_reason":"refusal","stop_sequence":null,
"content":[],"usage":{"input_tokens":100,"output_tokens":7}}`}
}

func (anthropicWire) NoChoices() Step {
	return Step{Body: `{"id":"m1","type":"message","role":"assistant","model":"fake-model-1","stop_reason":"end_turn","content":[],"usage":{"input_tokens":100,"output_tokens":0}}`}
}

func (anthropicWire) Trouble(class llm.Class, message string) Step {
	status, kind := http.StatusBadRequest, "invalid_request_error"
	switch class {
	case llm.RateLimited:
		status, kind = 429, "rate_limit_error"
	case llm.Quota:
		message += ": your credit balance is too low"
	case llm.Overloaded:
		status, kind = 529, "overloaded_error"
	case llm.Authentication:
		status, kind = 401, "authentication_error"
	case llm.NotFound:
		status, kind = 404, "not_found_error"
	case llm.TooLong:
		message += ": prompt is too long: 210000 tokens > 200000 maximum"
	case llm.Refused:
		message += ": output blocked by content_filter"
	}
	return Step{Status: status, Body: fill(`{"type":"error","error":{"type":$KIND,"message":$MESSAGE},"request_id":"r1"}`, "$MESSAGE", message, "$KIND", kind)}
}

type geminiWire struct{}

func (geminiWire) Answer(text string, stop llm.Stop) Step {
	reason := "STOP"
	if stop == llm.StopLength {
		reason = "MAX_TOKENS"
	}
	return Step{Body: fill(`{"candidates":[{"index":0,"finishReason":$REASON,"content":{"role":"model","parts":[{"text":$TEXT}]}}],
"usageMetadata":{"promptTokenCount":120,"cachedContentTokenCount":20,"candidatesTokenCount":30,"thoughtsTokenCount":15,"totalTokenCount":165},
"modelVersion":"fake-model-1"}`, "$REASON", reason, "$TEXT", text)}
}

func (geminiWire) Refuse() Step {
	return Step{Body: `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":120,"candidatesTokenCount":7,"totalTokenCount":127},"modelVersion":"fake-model-1"}`}
}

func (geminiWire) NoChoices() Step {
	return Step{Body: `{"usageMetadata":{"promptTokenCount":120,"totalTokenCount":120},"modelVersion":"fake-model-1"}`}
}

func (geminiWire) Trouble(class llm.Class, message string) Step {
	status, name, code, details := http.StatusBadRequest, "INVALID_ARGUMENT", "400", "[]"
	switch class {
	case llm.RateLimited:
		status, name, code = 429, "RESOURCE_EXHAUSTED", "429"
	case llm.Quota:
		status, name, code = 429, "RESOURCE_EXHAUSTED", "429"
		details = `[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]`
	case llm.Overloaded:
		status, name, code = 503, "UNAVAILABLE", "503"
	case llm.Authentication:
		details = `[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]`
	case llm.NotFound:
		status, name, code = 404, "NOT_FOUND", "404"
	case llm.TooLong:
		message += ": the input token count (1200000) exceeds the maximum number of tokens allowed (1048576)"
	case llm.Refused:
		message += ": blocked by content_filter"
	}
	return Step{Status: status, Body: fill(`{"error":{"code":`+code+`,"message":$MESSAGE,"status":$NAME,"details":`+details+`}}`, "$MESSAGE", message, "$NAME", name)}
}
