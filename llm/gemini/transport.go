package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"assay/llm"
)

// transport gives requests what the SDK can't: the key in a header instead of
// the URL, and a seed.
type transport struct {
	next http.RoundTripper
	key  llm.Key
}

type seedKey struct{}

func withSeed(ctx context.Context, seed *int64) context.Context {
	if seed == nil {
		return ctx
	}
	return context.WithValue(ctx, seedKey{}, *seed)
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	query := out.URL.Query()
	query.Del("key")
	out.URL.RawQuery = query.Encode()
	if t.key.Set() {
		out.Header.Set("x-goog-api-key", t.key.Reveal())
	}
	if seed, ok := req.Context().Value(seedKey{}).(int64); ok && req.Body != nil {
		if err := addSeed(out, seed); err != nil {
			return nil, err
		}
	}
	return t.next.RoundTrip(out)
}

// addSeed writes generationConfig.seed, which the SDK's last release lacks,
// into the request's body.
func addSeed(req *http.Request, seed int64) error {
	data, err := io.ReadAll(req.Body)
	if cerr := req.Body.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	body, config := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &body); err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	if raw, ok := body["generationConfig"]; ok {
		if err := json.Unmarshal(raw, &config); err != nil {
			return fmt.Errorf("reading the request's settings: %w", err)
		}
	}
	config["seed"] = json.RawMessage(fmt.Sprint(seed))
	if body["generationConfig"], err = json.Marshal(config); err == nil {
		data, err = json.Marshal(body)
	}
	if err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return nil
}
