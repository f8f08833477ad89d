package proxy

import (
	"encoding/json"
	"maps"
	"slices"

	"assay/internal/decoded"
)

// chatStream puts chunks of a chat completion together.
type chatStream struct {
	head    map[string]any // of the first chunk, and what later ones add
	choices map[int64]map[string]any
	finish  bool
	ended   bool
	problem json.RawMessage
}

func (chat) assemble() assembler {
	return &chatStream{head: map[string]any{}, choices: map[int64]map[string]any{}}
}

func (s *chatStream) add(ev event) (hide bool) {
	if string(ev.data) == "[DONE]" {
		s.ended = true
		return false
	}
	chunk := decode(ev.data)
	if e := chunk["error"]; e != nil {
		s.problem = ev.data
		return false
	}
	for name, value := range chunk {
		if name != "choices" && value != nil {
			s.head[name] = value
		}
	}
	choices := decoded.List(chunk["choices"])
	for _, c := range choices {
		s.choice(decoded.Object(c))
	}
	return chunk["usage"] != nil && len(choices) == 0
}

func (s *chatStream) choice(c map[string]any) {
	index := asInt(c["index"])
	choice := s.choices[index]
	if choice == nil {
		choice = map[string]any{"index": index, "message": map[string]any{"role": "assistant", "content": nil}, "finish_reason": nil}
		s.choices[index] = choice
	}
	if reason := c["finish_reason"]; reason != nil {
		choice["finish_reason"] = reason
		s.finish = true
	}
	mergeDelta(decoded.Object(choice["message"]), decoded.Object(c["delta"]))
}

// mergeDelta appends texts and merges lists by index.
func mergeDelta(into, delta map[string]any) {
	for name, value := range delta {
		switch value := value.(type) {
		case string:
			if name == "role" || name == "id" || name == "type" || name == "name" {
				into[name] = value
				continue
			}
			appendText(into, name, value)
		case map[string]any:
			nested := decoded.Object(into[name])
			if nested == nil {
				nested = map[string]any{}
			}
			mergeDelta(nested, value)
			into[name] = nested
		case []any:
			into[name] = mergeList(decoded.List(into[name]), value)
		case nil:
			if _, ok := into[name]; !ok {
				into[name] = nil
			}
		default:
			into[name] = value
		}
	}
}

// mergeList merges elements that have an index with those that have the same,
// and appends others.
func mergeList(into, delta []any) []any {
	for _, e := range delta {
		part := decoded.Object(e)
		index, numbered := part["index"]
		at := slices.IndexFunc(into, func(old any) bool { return numbered && decoded.Object(old)["index"] == index })
		if part == nil || at < 0 {
			into = append(into, clonePart(e))
			continue
		}
		mergeDelta(decoded.Object(into[at]), part)
	}
	return into
}

func clonePart(e any) any {
	part := decoded.Object(e)
	if part == nil {
		return e
	}
	out := map[string]any{}
	mergeDelta(out, part)
	return out
}

func (s *chatStream) answer() (map[string]any, bool) {
	out := maps.Clone(s.head)
	if len(s.head) > 0 {
		out["object"] = "chat.completion"
	}
	choices := []any{}
	for _, index := range slices.Sorted(maps.Keys(s.choices)) {
		choice := joinedObject(s.choices[index])
		message := decoded.Object(choice["message"])
		if calls := decoded.List(message["tool_calls"]); calls != nil {
			message["tool_calls"] = withoutIndex(calls)
		}
		choices = append(choices, choice)
	}
	out["choices"] = choices
	return out, s.ended || s.finish && s.head["usage"] != nil
}

func withoutIndex(calls []any) []any {
	var out []any
	for _, c := range calls {
		call := maps.Clone(decoded.Object(c))
		delete(call, "index")
		out = append(out, call)
	}
	return out
}

func (s *chatStream) failed() json.RawMessage { return s.problem }

func (s *chatStream) complete() bool { return s.ended }
