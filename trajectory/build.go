package trajectory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/internal/decoded"

	"assay/proxy"
)

// builder follows the conversations of a record.
type builder struct {
	meta    Meta
	threads []*thread
	failed  []Step // before any conversation
	sum     sums   // of exchanges whose conversation is not known
}

// thread is one conversation.
type thread struct {
	id      string
	system  string
	tools   []map[string]any
	effort  any
	steps   []Step
	keys    []string // of the messages of the last request
	said    []ToolCall
	text    string // that was said last
	spoken  bool   // the last request was answered
	until   time.Time
	calls   map[string]int // step by id of a call
	pending []string       // ids of calls without a result, in order
	parent  *parentCall
	kind    string // of a subagent
	sum     sums
}

// parentCall is a place where a subagent was started.
type parentCall struct {
	thread *thread
	id     string
}

type sums struct {
	prompt, completion, cached, calls int64
	usd                               float64
	estimated                         bool
}

func (s *sums) add(x proxy.Exchange) {
	s.prompt += x.Usage.Prompt
	s.completion += x.Usage.Completion
	s.cached += x.Usage.Cached
	s.usd += x.USD
	s.estimated = s.estimated || x.Estimated
	if x.Refused == "" {
		s.calls++
	}
}

// exchange adds what is new in one.
func (b *builder) exchange(x proxy.Exchange) {
	request := decode(x.Request)
	if strings.HasSuffix(x.Path, "/count_tokens") || strings.HasSuffix(x.Path, ":countTokens") {
		return // the model was not asked
	}
	form, _ := formOf(x.Protocol)
	c := form.conversation(request)
	if len(c.messages) == 0 {
		b.unread(x)
		return
	}
	t, from := b.find(x, c)
	t.tools, t.effort = merge(t.tools, c.tools), c.effort
	t.hear(x, c.messages[from:])
	t.keys = keysOf(c.messages)
	t.sum.add(x)
	m, said := form.answer(decode(x.Response))
	if said {
		t.speak(x, m)
	} else {
		t.spoken = false
	}
	if x.Error != "" || x.Refused != "" {
		t.fail(x, said)
	}
	t.until = x.At.Add(time.Duration(x.Seconds * float64(time.Second)))
}

// unread is for exchanges whose request is not there.
func (b *builder) unread(x proxy.Exchange) {
	b.sum.add(x)
	if len(b.threads) > 0 {
		b.threads[0].fail(x, false)
		return
	}
	b.failed = append(b.failed, failure(x))
}

func keysOf(messages []message) []string {
	var out []string
	for _, m := range messages {
		out = append(out, m.key())
	}
	return out
}

// merge keeps tools that were there before: some agents offer more later.
func merge(old, now []map[string]any) []map[string]any {
	for _, t := range now {
		name := decoded.Object(t["function"])["name"]
		if !slices.ContainsFunc(old, func(o map[string]any) bool { return decoded.Object(o["function"])["name"] == name }) {
			old = append(old, t)
		}
	}
	return old
}

// find returns the conversation that a request continues with, and from which
// message on it is new.
func (b *builder) find(x proxy.Exchange, c conversation) (*thread, int) {
	keys := keysOf(c.messages)
	for _, t := range slices.Backward(b.threads) {
		if at := t.answered(c.messages); at > 0 {
			return t, max(at, samePrefix(t.keys, keys))
		}
	}
	var best *thread
	from := 0
	for _, t := range b.threads {
		if at, ok := t.continues(x, c, keys); ok && (best == nil || at > from) {
			best, from = t, at
		}
	}
	if best != nil {
		return best, from
	}
	return b.begin(c)
}

// answered finds the calls of the last answer in a request; what follows them
// is new. 0 means that they are not there.
func (t *thread) answered(messages []message) int {
	for i, m := range slices.Backward(messages) {
		for _, c := range m.calls {
			if c.ID != "" && slices.ContainsFunc(t.said, func(s ToolCall) bool { return s.ID == c.ID && s.Function == c.Function }) {
				return i + 1
			}
		}
	}
	return 0
}

// continues compares a request with the last one of the conversation: all
// messages are there again, of which the last may be changed, and then what the
// model said.
func (t *thread) continues(x proxy.Exchange, c conversation, keys []string) (from int, ok bool) {
	if (len(t.tools) > 0) != (len(c.tools) > 0) || len(c.tools) == 0 && t.system != strings.Join(c.system, "\n") {
		return 0, false
	}
	n := len(t.keys)
	if n > len(keys) {
		return 0, false
	}
	same := samePrefix(t.keys, keys)
	if same < n && (same < n-1 || same == 0) {
		return 0, false
	}
	if n == len(keys) { // asked again
		return n, same == n && !x.At.Before(t.until)
	}
	next := c.messages[n]
	if next.role != agentRole {
		return n, !t.spoken || same == n
	}
	if !t.spoken || sameCalls(t.said, next.calls) && (len(next.calls) > 0 || sameText(t.text, next.text)) {
		return n + 1, true
	}
	return 0, false
}

func samePrefix(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// sameText forgives blanks, and what agents cut off.
func sameText(a, b string) bool {
	a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

func sameCalls(a, b []ToolCall) bool {
	return slices.EqualFunc(a, b, func(a, b ToolCall) bool {
		return a.Function == b.Function && compactJSON(a.Arguments) == compactJSON(b.Arguments)
	})
}

// begin starts a conversation: a subagent's, one that continues after its history
// was summed up, or a new one.
func (b *builder) begin(c conversation) (*thread, int) {
	system := strings.Join(c.system, "\n")
	opening := firstUser(c.messages)
	parent := b.parentOf(opening)
	if parent == nil {
		for _, t := range b.threads {
			if len(c.tools) > 0 && len(t.tools) > 0 && alike(t.system, system) {
				from := 0
				for from < len(c.messages) && slices.Contains(t.keys, c.messages[from].key()) {
					from++
				}
				t.restarted()
				return t, from
			}
		}
	}
	t := &thread{id: fmt.Sprintf("%d", len(b.threads)+1), system: system, calls: map[string]int{}, parent: parent, kind: "side_call"}
	if parent != nil {
		t.kind = "subagent"
	} else if len(c.tools) > 0 {
		t.kind = "conversation"
	}
	if system != "" {
		t.steps = append(t.steps, Step{Source: System, Message: plain(system)})
	}
	b.threads = append(b.threads, t)
	return t, 0
}

func firstUser(messages []message) string {
	for _, m := range messages {
		if m.role == userRole {
			return m.text
		}
	}
	return ""
}

// parentOf finds the call whose arguments hold what a conversation begins with.
func (b *builder) parentOf(opening string) *parentCall {
	opening = strings.TrimSpace(opening)
	if opening == "" {
		return nil
	}
	for _, t := range b.threads {
		for _, id := range t.pending {
			at, known := t.calls[id]
			if !known {
				continue
			}
			for _, c := range t.steps[at].ToolCalls {
				if c.ID == id && holdsPrompt(c.Arguments, opening) {
					return &parentCall{t, id}
				}
			}
		}
	}
	return nil
}

// holdsPrompt reports whether a text argument is the opening, or a long part of
// it.
func holdsPrompt(args map[string]any, opening string) bool {
	const long = 12
	for _, v := range args {
		text := strings.TrimSpace(decoded.Text(v))
		if len(text) >= long && strings.Contains(opening, text) {
			return true
		}
	}
	return false
}

// alike compares system prompts, which some agents change a little from call to
// call.
func alike(a, b string) bool {
	n := min(len(a), len(b))
	same := 0
	for same < n && a[same] == b[same] {
		same++
	}
	return a == b || same > 0 && same >= min(n, 200)
}
