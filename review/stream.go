package review

import (
	"hash/fnv"
	"strings"
)

// gramSize is the number of tokens in a run that counts as copied.
const gramSize = 5

// scan splits text of any kind, reviews included, the way that code is split,
// but knows neither comments nor strings: quotes and backticks are dropped,
// what they hold stays.
func scan(text string) []span {
	var out []span
	src := []byte(text)
	for i := 0; i < len(src); {
		c, end := src[i], i+1
		switch {
		case wordStart(c):
			end = i + wordLen(src[i:])
			out = append(out, span{word, text[i:end], i, end})
		case isDigit(c):
			end = i + numberLen(src[i:])
			out = append(out, span{number, text[i:end], i, end})
		case c == ' ' || c >= '\t' && c <= '\r' || c == '"' || c == '\'' || c == '`':
		default:
			end = i + markLen(src[i:])
			out = append(out, span{mark, text[i:end], i, end})
		}
		i = end
	}
	return out
}

// span is a token of a text with its place in it.
type span struct {
	class      class
	text       string
	start, end int // bytes
}

// stream is the tokens of code or text in order, strings split.
type stream []string

func textStream(text string) stream {
	var out stream
	for _, s := range scan(text) {
		out = append(out, s.text)
	}
	return out
}

func codeStream(tokens []token) stream {
	var out stream
	for _, t := range tokens {
		if t.class == literal {
			out = append(out, textStream(t.text)...)
		} else {
			out = append(out, t.text)
		}
	}
	return out
}

// separator is put between the tokens of a joined stream; no token holds it.
const separator = "\x00"

func (s stream) join() string { return separator + strings.Join(s, separator) + separator }

// gram is the hash of a run of gramSize tokens.
type gram uint64

// eachGram calls f for every run of gramSize tokens with its first index.
func (s stream) eachGram(f func(g gram, at int)) {
	for i := 0; i+gramSize <= len(s); i++ {
		h := fnv.New64a()
		for _, t := range s[i : i+gramSize] {
			h.Write([]byte(t))
			h.Write([]byte(separator))
		}
		f(gram(h.Sum64()), i)
	}
}

// significant reports whether a run carries information: at least two names or values, not
// all of them keywords.
func (s stream) significant() bool {
	values, names := 0, 0
	for _, t := range s {
		if !wordStart(t[0]) && !isDigit(t[0]) {
			continue
		}
		values++
		if !keyword(t) {
			names++
		}
	}
	return values >= 2 && names >= 1
}

// streams are texts that an agent has, or may have.
type streams struct {
	joined []string
}

func (k *streams) add(s stream) { k.joined = append(k.joined, s.join()) }

// hold reports whether the tokens are in one of the texts, side by side.
func (k *streams) hold(s stream) bool {
	if len(s) == 0 {
		return true
	}
	want := s.join()
	for _, text := range k.joined {
		if strings.Contains(text, want) {
			return true
		}
	}
	return false
}
