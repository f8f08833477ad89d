package proxy

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"assay/internal/decoded"
)

// messagesStream puts the events of an Anthropic message together.
type messagesStream struct {
	message map[string]any
	blocks  map[int64]map[string]any
	inputs  map[string]any // JSON of tool inputs, by index
	ended   bool
	problem json.RawMessage
}

func (messages) assemble() assembler {
	return &messagesStream{blocks: map[int64]map[string]any{}, inputs: map[string]any{}}
}

func (s *messagesStream) add(ev event) (hide bool) {
	data := decode(ev.data)
	index := asInt(data["index"])
	switch decoded.Text(data["type"]) {
	case "message_start":
		s.message = decoded.Object(data["message"])
	case "content_block_start":
		if block := decoded.Object(data["content_block"]); block != nil {
			s.blocks[index] = block
		}
	case "content_block_delta":
		s.delta(index, decoded.Object(data["delta"]))
	case "message_delta":
		s.end(data)
	case "message_stop":
		s.ended = true
	case "error":
		s.problem = ev.data
	}
	return false
}

func (s *messagesStream) delta(index int64, delta map[string]any) {
	block := s.blocks[index]
	if block == nil {
		return
	}
	switch decoded.Text(delta["type"]) {
	case "input_json_delta":
		appendText(s.inputs, strconv.FormatInt(index, 10), decoded.Text(delta["partial_json"]))
	case "citations_delta":
		block["citations"] = append(decoded.List(block["citations"]), delta["citation"])
	default:
		for name, value := range delta {
			if text, ok := value.(string); ok && name != "type" {
				appendText(block, name, text)
			}
		}
	}
}

// end takes what comes with the end of a message: the usage there is the whole
// one, but may leave out what the start said.
func (s *messagesStream) end(data map[string]any) {
	if s.message == nil {
		s.message = map[string]any{}
	}
	maps.Copy(s.message, decoded.Object(data["delta"]))
	more := decoded.Object(data["usage"])
	if more == nil {
		return
	}
	usage := map[string]any{}
	maps.Copy(usage, decoded.Object(s.message["usage"]))
	for name, value := range more {
		if value != nil {
			usage[name] = value
		}
	}
	s.message["usage"] = usage
}

func (s *messagesStream) answer() (map[string]any, bool) {
	out := maps.Clone(s.message)
	if out == nil {
		return map[string]any{}, false
	}
	content := []any{}
	for _, index := range slices.Sorted(maps.Keys(s.blocks)) {
		block := joinedObject(s.blocks[index])
		if text := decoded.Text(joined(s.inputs[strconv.FormatInt(index, 10)])); text != "" {
			var input any = text // as it came, where a cut made it unreadable
			if parsed := decode([]byte(text)); parsed != nil {
				input = parsed
			}
			block["input"] = input
		}
		content = append(content, block)
	}
	out["content"] = content
	return out, s.ended
}

func (s *messagesStream) failed() json.RawMessage { return s.problem }

func (s *messagesStream) complete() bool { return s.ended }
