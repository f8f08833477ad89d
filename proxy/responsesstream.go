package proxy

import (
	"encoding/json"
	"maps"
	"slices"

	"assay/internal/decoded"
)

// responsesStream puts the events of a response together: the last one holds
// all of it.
type responsesStream struct {
	response map[string]any
	items    map[int64]any
	ended    bool
	problem  json.RawMessage
}

func (responses) assemble() assembler { return &responsesStream{items: map[int64]any{}} }

func (s *responsesStream) add(ev event) (hide bool) {
	data := decode(ev.data)
	switch decoded.Text(data["type"]) {
	case "response.created", "response.in_progress", "response.queued":
		s.response = decoded.Object(data["response"])
	case "response.output_item.added", "response.output_item.done":
		s.items[asInt(data["output_index"])] = data["item"]
	case "response.completed", "response.incomplete":
		s.response, s.ended = decoded.Object(data["response"]), true
	case "response.failed":
		s.response, s.ended = decoded.Object(data["response"]), true
		s.problem = failedResponse(s.response, ev.data)
	case "error":
		s.problem = ev.data
	}
	return false
}

// failedResponse converts the error to the form that other errors have.
func failedResponse(response map[string]any, data []byte) json.RawMessage {
	if e := decoded.Object(response["error"]); e != nil {
		if raw, err := json.Marshal(map[string]any{"error": e}); err == nil {
			return raw
		}
	}
	return data
}

func (s *responsesStream) answer() (map[string]any, bool) {
	if s.response == nil {
		return map[string]any{}, false
	}
	out := maps.Clone(s.response)
	if len(decoded.List(out["output"])) == 0 && len(s.items) > 0 {
		output := []any{}
		for _, index := range slices.Sorted(maps.Keys(s.items)) {
			output = append(output, s.items[index])
		}
		out["output"] = output
	}
	return out, s.ended
}

func (s *responsesStream) failed() json.RawMessage { return s.problem }

func (s *responsesStream) complete() bool { return s.ended }
