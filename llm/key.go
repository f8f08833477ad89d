package llm

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// hidden replaces a key.
const hidden = "***"

// Key is a secret that does not print: every way of formatting or encoding it
// gives "***", and so does a struct that holds it. Only Reveal shows it.
type Key struct {
	// A pointer, since fmt walks unexported fields of foreign structs
	// without asking for methods; there it shows an address.
	secret *string
}

// NewKey returns the key; blanks and line ends around it are dropped.
func NewKey(secret string) Key {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return Key{}
	}
	return Key{&secret}
}

// Reveal returns the secret, "" when there is none.
func (k Key) Reveal() string {
	if k.secret == nil {
		return ""
	}
	return *k.secret
}

// Set reports whether there is a secret.
func (k Key) Set() bool { return k.secret != nil }

func (k Key) String() string { return hidden }

// GoString hides the secret from %#v.
func (k Key) GoString() string { return hidden }

// Format hides the secret from every verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// MarshalJSON hides the secret from JSON.
func (k Key) MarshalJSON() ([]byte, error) { return json.Marshal(hidden) }

// MarshalText hides the secret from YAML, XML and the like.
func (k Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue hides the secret from slog.
func (k Key) LogValue() slog.Value { return slog.StringValue(hidden) }

// Scrub puts "***" where the secret, or eight characters or more of its
// beginning, are in the text, plain or escaped as in a URL: servers quote
// keys in their error messages, whole, masked or cut.
func (k Key) Scrub(text string) string {
	if k.secret == nil {
		return text
	}
	forms := []string{*k.secret, url.QueryEscape(*k.secret), url.PathEscape(*k.secret)}
	for _, form := range forms {
		text = strings.ReplaceAll(text, form, hidden)
	}
	for _, form := range forms {
		text = scrubBegin(text, form)
	}
	return text
}

func scrubBegin(text, form string) string {
	const least = 8
	begin := form[:min(len(form), least)]
	var b strings.Builder
	for {
		i := strings.Index(text, begin)
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i] + hidden)
		text = text[i:]
		n := 0
		for n < len(text) && n < len(form) && text[n] == form[n] {
			n++
		}
		text = text[n:]
	}
}
