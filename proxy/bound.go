package proxy

import (
	"bytes"
	"math"
	"sync"

	"assay/internal/decoded"

	"assay/llm"
)

const (
	// frameTokens is what a provider adds to a request at most that is not in
	// its text: marks of turns, its own text about tools, and what a text has
	// more where it is cut.
	frameTokens = 2048
	keepSeen    = 6       // requests that bounds are learned from
	keepBytes   = 4 << 20 // longest of them
)

// bounds finds the most tokens that a request can be. No tokenizer makes more
// tokens than a text has bytes, which is about four times too many. A request
// that repeats an earlier one in large parts, as agents do, is bounded better:
// by what the provider counted for that one, and the bytes that are new. It is
// safe for concurrent use.
type bounds struct {
	mu   sync.Mutex
	seen []seenRequest
}

type seenRequest struct {
	raw    []byte
	prompt int
	media  []media
}

func (b *bounds) input(q *query) int {
	least := byBytes(q)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.seen {
		least = min(least, s.bound(q))
	}
	return least
}

func byBytes(q *query) int {
	tokens := len(q.raw) + frameTokens
	for _, m := range q.media {
		tokens += m.tokens - m.length
	}
	return max(0, tokens)
}

func (s seenRequest) bound(q *query) int {
	fresh := len(q.raw) - shared(s.raw, q.raw)
	counted := map[uint64]int{}
	for _, m := range s.media {
		counted[m.hash]++
	}
	for _, m := range q.media {
		if counted[m.hash]--; counted[m.hash] < 0 { // there more often than before
			fresh += m.tokens
		}
	}
	return max(0, s.prompt+fresh+frameTokens)
}

// shared is how many bytes at beginning and end of b are those of a.
func shared(a, b []byte) int {
	n := min(len(a), len(b))
	head := 0
	for head+block <= n && bytes.Equal(a[head:head+block], b[head:head+block]) {
		head += block
	}
	for head < n && a[head] == b[head] {
		head++
	}
	return head + sharedEnd(a[head:], b[head:])
}

// block is what is compared at once.
const block = 4096

func sharedEnd(a, b []byte) int {
	n := min(len(a), len(b))
	tail := 0
	for tail+block <= n && bytes.Equal(a[len(a)-tail-block:len(a)-tail], b[len(b)-tail-block:len(b)-tail]) {
		tail += block
	}
	for tail < n && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return tail
}

// learn remembers what the provider counted. It ignores requests whose
// conversation the provider may shorten before it counts.
func (b *bounds) learn(q *query, prompt int) {
	if len(q.raw) > keepBytes || prompt <= 0 || q.shortened() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen = append(b.seen, seenRequest{q.raw, prompt, q.media})
	if len(b.seen) > keepSeen {
		b.seen = b.seen[1:]
	}
}

// shortened reports whether the request lets the provider drop parts of it.
func (q *query) shortened() bool {
	if t := decoded.Text(q.tree["truncation"]); t != "" && t != "disabled" {
		return true
	}
	if q.tree["transforms"] != nil {
		return true
	}
	for _, e := range decoded.List(decoded.Object(q.tree["context_management"])["edits"]) {
		keep := decoded.Text(decoded.Object(e)["keep"])
		if keep != "all" {
			return true
		}
	}
	_, isList := q.tree["context_management"].([]any) // OpenAI's form
	return isList
}

// cost is the most dollars that a request can cost.
func cost(p llm.Price, q *query, input, output int) float64 {
	usd := 0.0
	for _, r := range ratesFor(p, input) {
		rate := max(r.Input, r.CachedInput, r.CacheWrite)
		if q.hour {
			rate = max(rate, r.CacheWriteHour)
		}
		usd = max(usd, (float64(input)*rate+float64(output)*r.Output)/1e6)
	}
	return usd
}

// ratesFor are the rates that may hold for at most so many tokens of input.
func ratesFor(p llm.Price, input int) []llm.Rates {
	if p.AboveTokens > 0 && input > p.AboveTokens {
		return []llm.Rates{p.Rates, p.Above}
	}
	return []llm.Rates{p.Rates}
}

// affordable is how many tokens of output the dollars pay for after the input.
func affordable(p llm.Price, q *query, input int, usd float64) int {
	per := 0.0
	for _, r := range ratesFor(p, input) {
		per = max(per, r.Output/1e6)
	}
	if per == 0 {
		return math.MaxInt32
	}
	return int(min(math.MaxInt32, max(0, (usd-cost(p, q, input, 0))/per)))
}
