package scripted

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"assay/internal/decoded"

	"assay/llm"
)

// voice is one protocol.
type voice struct {
	counts bool // only tokens are asked for
	// read finds out what a request says.
	read func(body map[string]any) conversation
	// speak writes an answer.
	speak func(m *mouth, s speech)
	// failure is the body of an error.
	failure func(status int, message string) any
}

// conversation is what a request says.
type conversation struct {
	model  string
	stream bool
	first  string // text of the user's first message
	text   string // all texts, for finding words
	turns  []spoken
	tools  map[string]tool
	schema map[string]any // that the answer must have, nil where any text will do
	usage  bool           // the client wants it in a stream
}

// spoken is what the model said between two messages of the other side.
type spoken struct {
	text  string
	calls int
}

// step is how many answers of the script the conversation has: runs of the
// model's messages that call tools, or say one of its texts. Agents put
// examples into conversations, which are neither.
func (c conversation) step(said map[string]bool) int {
	n := 0
	for _, t := range c.turns {
		if t.calls > 0 || said[strings.TrimSpace(t.text)] {
			n++
		}
	}
	return n
}

// tool is one that the agent offers.
type tool struct {
	schema map[string]any
	custom bool // takes a text instead of JSON
	space  string
}

// speech is an answer.
type speech struct {
	n       int
	model   string
	think   string
	text    string
	calls   []calling
	usage   llm.Usage
	noUsage bool
	stop    string
}

// calling is a call of a tool.
type calling struct {
	id, name string
	args     map[string]any
	input    string // of a custom tool
	custom   bool
}

func (c calling) json() string {
	data, err := json.Marshal(c.args)
	if err != nil || c.args == nil {
		return "{}"
	}
	return string(data)
}

// voiceOf finds the protocol by the path.
func voiceOf(r *http.Request) (voice, bool) {
	path := strings.TrimRight(r.URL.Path, "/")
	if r.Method != http.MethodPost {
		return voice{}, false
	}
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return chatVoice(), true
	case strings.HasSuffix(path, "/responses"):
		return responsesVoice(), true
	case strings.HasSuffix(path, "/responses/input_tokens"):
		v := responsesVoice()
		v.counts = true
		return v, true
	case strings.HasSuffix(path, "/messages/count_tokens"):
		v := messagesVoice()
		v.counts = true
		return v, true
	case strings.HasSuffix(path, "/messages"):
		return messagesVoice(), true
	}
	i := strings.LastIndex(path, "/models/")
	if i < 0 {
		return voice{}, false
	}
	model, verb, _ := strings.Cut(path[i+len("/models/"):], ":")
	v := generateVoice(model, verb == "streamGenerateContent", r.URL.Query().Get("alt") == "sse")
	v.counts = verb == "countTokens"
	return v, v.counts || verb == "generateContent" || verb == "streamGenerateContent"
}

// fail answers with an error of the provider.
func fail(w http.ResponseWriter, v voice, a Act) {
	message := a.Message
	if message == "" {
		message = "the script says so: " + http.StatusText(a.Status)
	}
	if a.RetryAfter != "" {
		w.Header().Set("Retry-After", a.RetryAfter)
	}
	writeJSON(w, a.Status, v.failure(a.Status, message))
}

// mouth writes one answer.
type mouth struct {
	w      http.ResponseWriter
	r      *http.Request
	slow   time.Duration
	cut    bool
	stream bool
}

// whole writes an answer without a stream.
func (m *mouth) whole(body any) {
	data, err := json.Marshal(body)
	if err != nil {
		data = []byte(`{}`)
	}
	m.w.Header().Set("Content-Type", "application/json")
	if !m.cut {
		_, _ = m.w.Write(data)
		return
	}
	m.w.Header().Set("Content-Length", "1000000")
	_, _ = m.w.Write(data[:len(data)/2])
	m.abort()
}

func (m *mouth) abort() {
	_ = http.NewResponseController(m.w).Flush()
	panic(http.ErrAbortHandler)
}

// event is one of a stream; without a name the protocol uses none.
type event struct {
	name string
	data any // a string is written as it is
}

// events writes a stream of server-sent events.
func (m *mouth) events(all []event) {
	m.w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(m.w)
	for i, ev := range all {
		if i > 0 && !pause(m.r, m.slow) {
			return
		}
		if m.cut && i >= len(all)/2 {
			m.abort()
		}
		if _, err := m.w.Write(ev.bytes()); err != nil {
			return
		}
		_ = control.Flush()
	}
}

func (e event) bytes() []byte {
	text, plain := e.data.(string)
	if !plain {
		data, err := json.Marshal(e.data)
		if err != nil {
			data = []byte(`{}`)
		}
		text = string(data)
	}
	if e.name != "" {
		text = "event: " + e.name + "\ndata: " + text
	} else {
		text = "data: " + text
	}
	return []byte(text + "\n\n")
}

// pieces cuts a text as models send it: some words at a time.
func pieces(text string) []string {
	const words = 4
	var out []string
	begin, blanks := 0, 0
	for i := range len(text) {
		if text[i] != ' ' && text[i] != '\n' {
			continue
		}
		if blanks++; blanks%words == 0 {
			out = append(out, text[begin:i])
			begin = i
		}
	}
	return append(out, text[begin:])
}

// textOf joins the texts of a message's content, which is a text or a list of
// parts.
func textOf(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var b strings.Builder
	for _, p := range decoded.List(content) {
		b.WriteString(decoded.Text(decoded.Object(p)["text"]))
	}
	return b.String()
}

// add appends a message of the model. It continues the one before if there was no
// message in between.
func (c *conversation) add(continues bool, text string, calls int) {
	if !continues || len(c.turns) == 0 {
		c.turns = append(c.turns, spoken{})
	}
	last := &c.turns[len(c.turns)-1]
	last.text += text
	last.calls += calls
}

// heard notes a message of the other side.
func (c *conversation) heard(role, text string) {
	c.text += text + "\n"
	if c.first == "" && role == "user" {
		c.first = text
	}
}
