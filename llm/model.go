package llm

import (
	"context"
	"fmt"
	"strings"
)

// ParseModel splits "provider/model" at the first slash; the model may hold
// more of them ("openrouter/qwen/qwen3-32b").
func ParseModel(name string) (provider, model string, err error) {
	provider, model, found := strings.Cut(strings.TrimSpace(name), "/")
	switch {
	case !found || provider == "" || model == "":
		return "", "", fmt.Errorf("model %q: want provider/model, such as openai/gpt-5-mini; providers: %s", name, strings.Join(ProviderNames(), ", "))
	case strings.ContainsAny(name, " \t\r\n?#"):
		return "", "", fmt.Errorf("model %q: blanks, ? and # cannot be part of a model's name", name)
	case strings.HasSuffix(model, "/") || strings.Contains(model, "//") || strings.Contains(model, ".."):
		return "", "", fmt.Errorf("model %q: empty or dotted part in the name", name)
	}
	return strings.ToLower(provider), model, nil
}

// ForProvider takes the provider's name off Request.Model, so that next gets
// what the wire wants. It is the innermost decorator, since everything else
// (prices, cache, log) needs the whole name. A request for another provider
// is an error of class Invalid.
func ForProvider(next Client, provider string) Client { return &forProvider{next, provider} }

type forProvider struct {
	next     Client
	provider string
}

func (p *forProvider) Complete(ctx context.Context, req Request) (Response, error) {
	provider, model, err := ParseModel(req.Model)
	if err == nil && provider != p.provider {
		err = fmt.Errorf("request for %s came to the client of %s", req.Model, p.provider)
	}
	if err != nil {
		return Response{}, &Error{Class: Invalid, Provider: p.provider, Err: err}
	}
	req.Model = model
	return p.next.Complete(ctx, req)
}
