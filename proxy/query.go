package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// query is a request of the agent for the model.
type query struct {
	raw  []byte
	body object
	tree map[string]any // body, decoded: for reading only
	// path and stream are from the URL or the body, as the protocol has it.
	model  string
	stream bool
	media  []media
	hour   bool // it may ask the provider to keep its cache for an hour or longer
	// release lets another large request in.
	release func()
}

const longRequest = 256 << 10

func parseQuery(raw []byte) (*query, error) {
	q := &query{raw: raw, release: func() {}}
	if !utf8.Valid(raw) { // each reader makes something else of it
		return nil, errors.New("the request is not valid UTF-8")
	}
	var err error
	if len(raw) > longRequest && json.Valid(raw) { // its values are counted before they take memory
		if q.body, err = scanObject(raw); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(raw, &q.tree); err != nil {
		return nil, fmt.Errorf("the request is not a JSON object: %w", err)
	}
	if q.body == nil {
		if q.body, err = scanObject(raw); err != nil {
			return nil, err
		}
	}
	q.model = q.body.text("model")
	q.stream, _ = q.tree["stream"].(bool)
	q.hour = cachesLong(q.tree)
	return q, nil
}

// cachesLong looks for Anthropic's ttl of an hour, and OpenAI's retention, at
// any depth: it may be at any part of a request.
func cachesLong(v any) bool {
	switch v := v.(type) {
	case string:
		return v == "1h"
	case []any:
		return slices.ContainsFunc(v, cachesLong)
	case map[string]any:
		for name, e := range v {
			if strings.Contains(name, "retention") || cachesLong(e) {
				return true
			}
		}
	}
	return false
}

func asInt(v any) int64 {
	f, ok := v.(float64)
	if !ok || f < 0 || f > 1e15 {
		return 0
	}
	return int64(f)
}
