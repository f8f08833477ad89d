package proxy

// HasSeed reports whether requests of a protocol of agents (chat, responses,
// messages or generate) can carry a seed.
func HasSeed(protocol string) bool { return protocol == "chat" || protocol == "generate" }

// seedFor is the seed that goes into a request, 0 for none: the agent's own
// counts first.
func (s *Session) seedFor(w wire, q *query) int64 {
	own := q.tree["seed"]
	if w.protocol() == "generate" {
		own = generationConfig(q)["seed"]
	}
	if own != nil || !HasSeed(w.protocol()) {
		return 0
	}
	return s.o.Seed
}
