package llm

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestClassify(t *testing.T) {
	tests := map[string]struct {
		status  int
		body    string
		class   Class
		message string
	}{
		"rate limit":            {429, `{"error":{"message":"slow","type":"tokens","code":"rate_limit_exceeded"}}`, RateLimited, "slow"},
		"quota under 429":       {429, `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`, Quota, "pay"},
		"402":                   {402, `{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}`, Quota, "Insufficient Balance"},
		"credit at 400":         {400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, Quota, "Your credit balance is too low"},
		"google, per minute":    {429, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"violations":[{"quotaId":"GenerateRequestsPerMinutePerProject"}]}]}}`, RateLimited, "m"},
		"google, per day":       {429, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]}]}}`, Quota, "m"},
		"google, in a list":     {400, `[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]`, Authentication, "m"},
		"google's bad key":      {400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, Authentication, "API key not valid. Please pass a valid API key."},
		"overloaded":            {529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Overloaded, "Overloaded"},
		"gateway":               {504, `<html><h1>504</h1>  </html>`, Overloaded, "<html><h1>504</h1> </html>"},
		"not implemented":       {501, ``, Invalid, "Not Implemented"},
		"timed out there":       {408, ``, Overloaded, "Request Timeout"},
		"forbidden":             {403, `{"error":{"message":"no","type":"permission_error"}}`, Authentication, "no"},
		"flagged":               {403, `{"error":{"code":403,"message":"Your input was flagged","metadata":{}}}`, Refused, "Your input was flagged"},
		"azure's filter":        {400, `{"error":{"code":"content_filter","message":"m"}}`, Refused, "m"},
		"no such model":         {404, `{"error":{"code":"model_not_found","message":"m"}}`, NotFound, "m"},
		"no such model, router": {400, `{"error":{"code":400,"message":"foo/bar is not a valid model ID"}}`, NotFound, "foo/bar is not a valid model ID"},
		"ollama":                {404, `{"error":"model 'x' not found"}`, NotFound, "model 'x' not found"},
		"context, openai":       {400, `{"error":{"code":"context_length_exceeded","message":"m"}}`, TooLong, "m"},
		"context, vllm":         {400, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","code":400}`, TooLong, "This model's maximum context length is 4096 tokens."},
		"context, anthropic":    {400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}`, TooLong, "prompt is too long: 9 tokens > 8 maximum"},
		"context, google":       {400, `{"error":{"message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}`, TooLong, "The input token count (9) exceeds the maximum number of tokens allowed (8)."},
		"body too big":          {413, ``, TooLong, "Request Entity Too Large"},
		"fastapi":               {422, `{"detail":[{"loc":["body"],"msg":"x"}]}`, Invalid, `[{"loc":["body"],"msg":"x"}]`},
		"fastapi text":          {401, `{"detail":"Unauthorized"}`, Authentication, "Unauthorized"},
		"under 200, by code":    {200, `{"error":{"code":502,"message":"upstream"}}`, Overloaded, "upstream"},
		"under 200, by type":    {200, `{"error":{"type":"rate_limit_error","message":"m"}}`, RateLimited, "m"},
		"under 200, wrong":      {200, `{"error":{"type":"invalid_request_error","message":"m"}}`, Invalid, "m"},
		"under 200, no word":    {200, `{"error":{"x":1}}`, Overloaded, "OK"},
		"redirect":              {307, ``, Invalid, "Temporary Redirect"},
		"odd types":             {400, `{"error":{"message":7}}`, Invalid, `{"message":7}`},
		"unknown status":        {499, `{}`, Invalid, "no message"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := Classify(tt.status, http.Header{}, []byte(tt.body))
			require.Equal(t, tt.class, e.Class)
			require.Equal(t, tt.message, e.Err.Error())
		})
	}
}

func TestRetryAfter(t *testing.T) {
	tests := map[string]struct {
		header map[string]string
		want   time.Duration
	}{
		"none":           {nil, 0},
		"seconds":        {map[string]string{"Retry-After": "20"}, 20 * time.Second},
		"part of one":    {map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond},
		"milliseconds":   {map[string]string{"Retry-After": "20", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond},
		"date":           {map[string]string{"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT", "Date": "Wed, 21 Oct 2026 07:27:30 GMT"}, 30 * time.Second},
		"date gone by":   {map[string]string{"Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT", "Date": "Wed, 21 Oct 2026 07:27:30 GMT"}, 0},
		"date, no clock": {map[string]string{"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0},
		"negative":       {map[string]string{"Retry-After": "-5"}, 0},
		"nonsense":       {map[string]string{"Retry-After": "soon"}, 0},
		"not a number":   {map[string]string{"Retry-After": "NaN"}, 0},
		"endless":        {map[string]string{"Retry-After": "1e300"}, 24 * time.Hour},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			for k, v := range tt.header {
				h.Set(k, v)
			}
			require.Equal(t, tt.want, retryAfter(h))
		})
	}
}

func FuzzClassify(f *testing.F) {
	f.Add(429, []byte(`{"error":{"message":"m","details":[{"retryDelay":"3s"}]}}`))
	f.Add(200, []byte(`[{"error":{"code":400.5,"status":{},"type":[]}}]`))
	f.Add(500, []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		e := Classify(status, http.Header{}, body)
		require.NotEmpty(t, e.Class)
		require.NotEmpty(t, e.Err.Error())
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
	})
}

func TestURLsLoseTheirSecrets(t *testing.T) {
	w := NewWire("p", NewKey("k-12345678"), nil)
	e := w.Fail(Invalid, errorText(`Post "https://host.test/v1?x=k-99": see https://docs.test/errors, not http://me:pw@host.test/a`))
	require.EqualError(t, e.Err, `Post "https://***": see https://docs.test/errors, not http://***`)
	long := w.Fail(Invalid, errorText(string(make([]byte, 5000))))
	require.Less(t, len(long.Err.Error()), 700)
}

type errorText string

func (e errorText) Error() string { return string(e) }
