package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/internal/decoded"
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

// arguments reads those of a call: a JSON text, or an object.
func arguments(v any) map[string]any {
	if o := decoded.Object(v); o != nil {
		return o
	}
	text := decoded.Text(v)
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
// parts. Parts that are not text are named.
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
	if inline := decoded.Object(decoded.First(p, "inlineData", "inline_data")); inline != nil {
		return media(decoded.Text(decoded.First(inline, "mimeType", "mime_type")), decoded.Text(inline["data"]))
	}
	switch decoded.Text(p["type"]) {
	case "image", "document":
		source := decoded.Object(p["source"])
		if source["type"] == "text" {
			return decoded.Text(source["data"])
		}
		return media(decoded.Text(source["media_type"]), decoded.Text(source["data"]))
	case "image_url", "input_image", "computer_screenshot":
		address := decoded.Text(p["image_url"])
		if nested := decoded.Object(p["image_url"]); nested != nil {
			address = decoded.Text(nested["url"])
		}
		head, data, _ := strings.Cut(address, ",")
		mime, _, _ := strings.Cut(strings.TrimPrefix(head, "data:"), ";")
		return media(mime, data)
	case "refusal":
		return decoded.Text(p["refusal"])
	}
	return ""
}

// media is the placeholder of an image or document, whose bytes are in the
// proxy's record.
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
