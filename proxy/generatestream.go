package proxy

import (
	"encoding/json"
	"maps"
	"slices"

	"assay/internal/decoded"
)

// generateStream puts the parts of a Gemini answer together.
type generateStream struct {
	head       map[string]any
	candidates map[int64]map[string]any
	parts      map[int64][]any
	finish     bool
	problem    json.RawMessage
}

func (generate) assemble() assembler {
	return &generateStream{head: map[string]any{}, candidates: map[int64]map[string]any{}, parts: map[int64][]any{}}
}

func (s *generateStream) add(ev event) (hide bool) {
	chunk := decode(ev.data)
	if chunk["error"] != nil {
		s.problem = ev.data
		return false
	}
	for name, value := range chunk {
		if name != "candidates" && value != nil {
			s.head[name] = value
		}
	}
	if decoded.Text(decoded.Object(chunk["promptFeedback"])["blockReason"]) != "" {
		s.finish = true
	}
	for _, c := range decoded.List(chunk["candidates"]) {
		s.candidate(decoded.Object(c))
	}
	return false
}

func (s *generateStream) candidate(c map[string]any) {
	index := asInt(c["index"])
	if s.candidates[index] == nil {
		s.candidates[index] = map[string]any{}
	}
	for name, value := range c {
		if name != "content" {
			s.candidates[index][name] = value
		}
	}
	s.finish = s.finish || decoded.Text(c["finishReason"]) != ""
	content := decoded.Object(c["content"])
	if role := content["role"]; role != nil {
		s.candidates[index]["content"] = map[string]any{"role": role}
	}
	for _, p := range decoded.List(content["parts"]) {
		s.part(index, decoded.Object(p))
	}
}

// part joins texts that follow each other, thoughts with thoughts.
func (s *generateStream) part(index int64, part map[string]any) {
	parts := s.parts[index]
	text, isText := part["text"].(string)
	if isText && text == "" && part["thoughtSignature"] == nil {
		return // only there to carry the end
	}
	if isText && len(parts) > 0 {
		last := decoded.Object(parts[len(parts)-1])
		if _, also := last["text"]; also && last["thought"] == part["thought"] && last["thoughtSignature"] == nil {
			appendText(last, "text", text)
			if signature := part["thoughtSignature"]; signature != nil {
				last["thoughtSignature"] = signature
			}
			return
		}
	}
	if part != nil {
		s.parts[index] = append(parts, maps.Clone(part))
	}
}

func (s *generateStream) answer() (map[string]any, bool) {
	out := maps.Clone(s.head)
	var candidates []any
	for _, index := range slices.Sorted(maps.Keys(s.candidates)) {
		c := maps.Clone(s.candidates[index])
		content := map[string]any{"role": "model"}
		maps.Copy(content, decoded.Object(c["content"]))
		content["parts"] = append([]any{}, decoded.List(joined(s.parts[index]))...)
		c["content"] = content
		candidates = append(candidates, c)
	}
	if candidates != nil {
		out["candidates"] = candidates
	}
	return out, s.finish
}

func (s *generateStream) failed() json.RawMessage { return s.problem }

// complete is false to the end: what was used is in every event, and the last
// one counts.
func (s *generateStream) complete() bool { return false }
