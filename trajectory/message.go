package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"
)

// role is who speaks in a conversation.
type role int

const (
	systemRole role = iota
	userRole
	agentRole
)

// message is one of a conversation, in a form that all protocols share.
type message struct {
	role      role
	text      string
	reasoning string
	calls     []ToolCall
	results   []toolResult // of the user's side
}

type toolResult struct {
	id, name, text string
}

// conversation is what a request holds.
type conversation struct {
	system   []string
	messages []message
	tools    []map[string]any
	effort   any
}

// add appends a message; what the model says in several parts is one.
func (c *conversation) add(m message) {
	if m.role == systemRole && len(c.messages) == 0 {
		c.system = append(c.system, m.text)
		return
	}
	last := len(c.messages) - 1
	if last >= 0 && c.messages[last].role == m.role && m.role == agentRole {
		into := &c.messages[last]
		into.text = joinLines(into.text, m.text)
		into.reasoning = joinLines(into.reasoning, m.reasoning)
		into.calls = append(into.calls, m.calls...)
		return
	}
	if last >= 0 && c.messages[last].role == m.role && len(m.results) > 0 && m.text == "" && c.messages[last].text == "" {
		c.messages[last].results = append(c.messages[last].results, m.results...)
		return
	}
	c.messages = append(c.messages, m)
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// key is by which a message is recognised in a later request. Agents change
// blanks, marks for caches and the like.
func (m message) key() string {
	var b strings.Builder
	fmt.Fprint(&b, m.role, "\x00", strings.Join(strings.Fields(m.text), " "))
	for _, c := range m.calls {
		b.WriteString("\x00" + c.ID + c.Function)
	}
	for _, r := range m.results {
		b.WriteString("\x00" + r.id + strings.Join(strings.Fields(r.text), " "))
	}
	return b.String()
}

// The next four read decoded JSON; what has another type is empty.

func asObject(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func asList(v any) []any {
	l, _ := v.([]any)
	return l
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}

func first(o map[string]any, names ...string) any {
	for _, name := range names {
		if v, ok := o[name]; ok {
			return v
		}
	}
	return nil
}

// arguments reads those of a call: a JSON text, or an object.
func arguments(v any) map[string]any {
	if o := asObject(v); o != nil {
		return o
	}
	text := asText(v)
	out := map[string]any{}
	if strings.TrimSpace(text) == "" {
		return out
	}
	if json.Unmarshal([]byte(text), &out) != nil || out == nil {
		return map[string]any{"input": text} // as the model wrote it
	}
	return out
}

// textOf joins the texts of a content, which is a text, a part or a list of
// parts; what is no text is named.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var out []string
		for _, e := range v {
			if text := textOf(e); text != "" {
				out = append(out, text)
			}
		}
		return strings.Join(out, "\n")
	case map[string]any:
		return partText(v)
	}
	return ""
}

func partText(p map[string]any) string {
	if text, ok := p["text"].(string); ok {
		return text
	}
	if inline := asObject(first(p, "inlineData", "inline_data")); inline != nil {
		return media(asText(first(inline, "mimeType", "mime_type")), asText(inline["data"]))
	}
	switch asText(p["type"]) {
	case "image", "document":
		source := asObject(p["source"])
		if source["type"] == "text" {
			return asText(source["data"])
		}
		return media(asText(source["media_type"]), asText(source["data"]))
	case "image_url", "input_image", "computer_screenshot":
		address := asText(p["image_url"])
		if nested := asObject(p["image_url"]); nested != nil {
			address = asText(nested["url"])
		}
		head, data, _ := strings.Cut(address, ",")
		mime, _, _ := strings.Cut(strings.TrimPrefix(head, "data:"), ";")
		return media(mime, data)
	case "refusal":
		return asText(p["refusal"])
	}
	return ""
}

// media stands for what is no text; its bytes are in the proxy's record.
func media(mime, data string) string {
	return fmt.Sprintf("[%s, %d bytes]", mime, len(data)*3/4)
}

// function is a tool definition in OpenAI's form.
func function(name, description string, parameters any) map[string]any {
	f := map[string]any{"name": name}
	if description != "" {
		f["description"] = description
	}
	if parameters != nil {
		f["parameters"] = parameters
	}
	return map[string]any{"type": "function", "function": f}
}
