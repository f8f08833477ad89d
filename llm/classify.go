package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// failure is what servers say about an error, in any of the forms that are in
// use: OpenAI's and Anthropic's {"error":{type,code,message}}, Google's
// {"error":{code,status,message,details}} (also in a list), Ollama's
// {"error":"text"} and FastAPI's {"detail":"text"}.
type failure struct {
	Code    string // code, type and status, joined by blanks, lower case
	Status  int    // an HTTP status inside the body (OpenRouter)
	Message string
	Delay   time.Duration
	// PerDay says that a quota of a day is used up (Google).
	PerDay bool
}

// holdsError reports whether an answer with a good status is an error after
// all, as OpenRouter sends them.
func holdsError(body []byte) bool {
	var top struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(body, &top) == nil && len(top.Error) > 0 && string(top.Error) != "null"
}

// Classify makes an error of an HTTP answer; Provider is not set.
func Classify(status int, header http.Header, body []byte) *Error {
	f := readFailure(body)
	code := status
	if status < 300 && f.Status >= 400 && f.Status < 600 {
		code = f.Status
	}
	e := &Error{Class: classOf(code, f), Status: code, RetryAfter: retryAfter(header)}
	if e.RetryAfter == 0 {
		e.RetryAfter = f.Delay
	}
	message := f.Message
	if message == "" {
		message = http.StatusText(code)
	}
	if message == "" {
		message = "no message"
	}
	e.Err = errors.New(message)
	return e
}

func classOf(status int, f failure) Class {
	message := strings.ToLower(f.Message)
	has := func(parts ...string) bool { return containsAny(f.Code, parts) || containsAny(message, parts) }
	switch {
	case status == http.StatusPaymentRequired || f.PerDay ||
		has("insufficient_quota", "billing_hard_limit", "billing_error", "credit balance", "insufficient balance", "insufficient credit"):
		return Quota
	case status >= 500 && status != http.StatusNotImplemented || has("overloaded_error"):
		return Overloaded
	case status == http.StatusTooManyRequests:
		return RateLimited
	case has("content_filter", "content_policy", "flagged", "safety system"):
		return Refused
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has("api_key_invalid", "api key not valid", "invalid api key"):
		return Authentication
	case status == http.StatusRequestEntityTooLarge || has("context_length", "context length", "context window", "prompt is too long", "too many tokens") ||
		strings.Contains(message, "token count") && strings.Contains(message, "exceeds"):
		return TooLong
	case status == http.StatusNotFound || has("model_not_found", "not a valid model", "model not found"):
		return NotFound
	case status == http.StatusRequestTimeout:
		return Overloaded
	}
	return byCode(status, f)
}

// byCode is for bodies that hold an error under a status that says nothing.
func byCode(status int, f failure) Class {
	switch {
	case status >= 300:
		return Invalid
	case containsAny(f.Code, []string{"rate_limit", "resource_exhausted"}):
		return RateLimited
	case containsAny(f.Code, []string{"authentication", "permission"}):
		return Authentication
	case containsAny(f.Code, []string{"invalid_request", "invalid_argument"}):
		return Invalid
	}
	return Overloaded
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

func readFailure(body []byte) failure {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &top) != nil {
		return failure{Message: plain(body)}
	}
	var text string
	switch {
	case json.Unmarshal(top.Error, &text) == nil && text != "":
		return failure{Message: text}
	case len(top.Error) > 0:
		return readErrorObject(top.Error)
	case json.Unmarshal(top.Detail, &text) == nil && text != "":
		return failure{Message: text}
	case len(top.Detail) > 0:
		return failure{Message: plain(top.Detail)}
	}
	return failure{Message: top.Message}
}

func readErrorObject(raw json.RawMessage) failure {
	var e struct {
		Message string          `json:"message"`
		Type    any             `json:"type"`
		Code    any             `json:"code"`
		Status  any             `json:"status"`
		Details json.RawMessage `json:"details"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return failure{Message: plain(raw)}
	}
	f := failure{Message: e.Message}
	for _, part := range []any{e.Type, e.Code, e.Status} {
		switch part := part.(type) {
		case string:
			f.Code += strings.ToLower(part) + " "
		case float64:
			if part >= 400 && part < 600 {
				f.Status = int(part)
			}
		}
	}
	f.readDetails(e.Details)
	return f
}

// readDetails reads google.rpc's RetryInfo, QuotaFailure and ErrorInfo.
func (f *failure) readDetails(raw json.RawMessage) {
	var details []struct {
		RetryDelay string `json:"retryDelay"`
		Reason     string `json:"reason"`
		Violations []struct {
			QuotaID string `json:"quotaId"`
		} `json:"violations"`
	}
	if json.Unmarshal(raw, &details) != nil {
		return
	}
	for _, d := range details {
		if delay, err := time.ParseDuration(d.RetryDelay); err == nil && delay > 0 {
			f.Delay = delay
		}
		f.Code += strings.ToLower(d.Reason) + " "
		for _, v := range d.Violations {
			f.PerDay = f.PerDay || strings.Contains(v.QuotaID, "PerDay")
		}
	}
}

// plain makes one line of a body that is not in a known form.
func plain(body []byte) string {
	return strings.Join(strings.Fields(string(bytes.ToValidUTF8(body, nil))), " ")
}

// retryAfter reads Retry-After (seconds, or a date against the answer's own
// Date) and OpenAI's retry-after-ms.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(s)
	}
	at, err := http.ParseTime(value)
	sent, serr := http.ParseTime(h.Get("Date"))
	if err != nil || serr != nil {
		return 0
	}
	return max(0, at.Sub(sent))
}

func seconds(s float64) time.Duration {
	if math.IsNaN(s) || s <= 0 {
		return 0
	}
	return time.Duration(min(s, 24*3600) * float64(time.Second))
}
