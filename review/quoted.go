package review

import "strings"

// overlapShare is how much of quoted code must be in one place of gold for
// the quote to count as copied.
const overlapShare = 0.6

// codeLeaks finds quoted code that an agent does not have already and that is
// mostly one of gold's hunks. A reference to something known (Version.equals)
// is not code.
func (s *Subject) codeLeaks(p prose) []Leak {
	var out []Leak
	for _, c := range p.code {
		content := p.text[c.start:c.end]
		if !c.fenced && reference(content) {
			continue
		}
		if code := s.unknown(content); s.copied(code) {
			out = append(out, p.leak(LeakCode, c.start, strings.Join(code, " ")))
		}
	}
	return out
}

// unknown is the names and values of those lines that no known text holds.
func (s *Subject) unknown(content string) stream {
	if s.known.hold(textStream(content)) {
		return nil
	}
	var out stream
	for _, line := range strings.Split(content, "\n") {
		if st := textStream(line); !s.known.hold(st) {
			out = append(out, st.names()...)
		}
	}
	return out
}

// copied reports whether enough of the code occurs close together in gold.
func (s *Subject) copied(code stream) bool {
	if len(code) < 2 {
		return false // a single name is tokenLeaks' matter
	}
	for _, hunk := range s.secret.hunks {
		if float64(overlap(code, hunk.names)) >= overlapShare*float64(len(code)) {
			return true
		}
	}
	return false
}

// overlap is the number of tokens that code shares with a part of the hunk
// that is hardly longer than itself, at best.
func overlap(code, hunk stream) int {
	have := map[string]int{}
	for _, t := range code {
		have[t]++
	}
	best, now := 0, 0
	window := len(code) + 2
	for i, t := range hunk {
		if have[t]--; have[t] >= 0 {
			now++
		}
		if i >= window {
			old := hunk[i-window]
			if have[old]++; have[old] > 0 {
				now--
			}
		}
		best = max(best, now)
	}
	return best
}

// reference reports whether code is but a name, qualified or not, perhaps with
// empty parentheses.
func reference(code string) bool {
	tokens := scan(strings.TrimSuffix(strings.TrimSpace(code), "()"))
	for i, t := range tokens {
		if i > 0 && t.start != tokens[i-1].end {
			return false
		}
		switch {
		case i%2 == 0 && t.class != word:
			return false
		case i%2 == 1 && t.text != "." && t.text != "::" && t.text != "->":
			return false
		}
	}
	return len(tokens)%2 == 1
}
