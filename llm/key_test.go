package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

func TestKeyDoesNotPrint(t *testing.T) {
	type holder struct {
		Name string
		Key  Key
		own  Key
	}
	key := NewKey(" sk-secret-value\n")
	require.Equal(t, "sk-secret-value", key.Reveal())
	h := holder{"n", key, key}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%p", "%t"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", key, h, &h)
	}
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("m", "key", key, "holder", h)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "key", key, "holder", h)
	asJSON, err := json.Marshal(map[string]any{"k": key, "h": h})
	require.NoError(t, err)
	asYAML, err := yaml.Marshal(map[string]any{"k": key, "h": h})
	require.NoError(t, err)
	all := out.String() + string(asJSON) + string(asYAML)
	require.NotContains(t, all, "secret-value")
	require.NotContains(t, all, fmt.Sprintf("%x", "sk-secret-value"))
	require.Contains(t, all, "***")
}

func TestScrub(t *testing.T) {
	key := NewKey("sk-abcdef/12345+=")
	tests := map[string]struct{ text, want string }{
		"whole":         {"bad key sk-abcdef/12345+=.", "bad key ***."},
		"twice":         {"sk-abcdef/12345+= sk-abcdef/12345+=", "*** ***"},
		"escaped":       {"?key=sk-abcdef%2F12345%2B%3D&x", "?key=***&x"},
		"cut":           {"bad key sk-abcdef/1", "bad key ***"},
		"masked":        {"sk-abcdef******5+=", "*********5+="},
		"too short":     {"sk-abcd", "sk-abcd"},
		"nothing there": {"all is well", "all is well"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, key.Scrub(tt.text)) })
	}
	require.Equal(t, "a short one: ***", NewKey("abc").Scrub("a short one: abc"))
	require.Equal(t, "as it is", Key{}.Scrub("as it is"))
}
