package proxy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/decoded"
)

// TestSeed: if a protocol has seeds, the session's is added to requests without
// one, and only then is it recorded. Nothing else about the request changes.
func TestSeed(t *testing.T) {
	own := map[string]string{
		"chat":     strings.Replace(ask("chat", false), `"max_tokens"`, `"seed":5,"max_tokens"`, 1),
		"generate": strings.Replace(ask("generate", false), `"maxOutputTokens"`, `"seed":5,"maxOutputTokens"`, 1),
	}
	bare := map[string]string{"generate": `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`}
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			sent := func(seed int64, body string) (any, Exchange) {
				r := newRig(t, p, say("fine"), func(o *Options) { o.Seed = seed })
				status, text := r.post(p.path, body)
				require.Equal(t, 200, status, text)
				r.s.Close()
				x := r.record.exchanges(t)[0]
				require.JSONEq(t, body, string(x.Request), "the record has what the agent sent")
				got := r.model.Requests()[0].Body
				if name == "generate" {
					got = decoded.Object(got["generationConfig"])
				}
				require.Equal(t, body == bare[name], got["maxOutputTokens"] == nil && name == "generate", "%s", body)
				return got["seed"], x
			}
			got, x := sent(0, ask(name, false))
			require.Nil(t, got)
			require.Zero(t, x.Seed)
			got, x = sent(7, ask(name, false))
			if !HasSeed(name) {
				require.Nil(t, got)
				require.Zero(t, x.Seed)
				return
			}
			require.EqualValues(t, 7, got)
			require.EqualValues(t, 7, x.Seed)
			got, x = sent(7, own[name])
			require.EqualValues(t, 5, got, "the agent's own counts first")
			require.Zero(t, x.Seed)
			if bare[name] != "" {
				got, _ = sent(7, bare[name])
				require.EqualValues(t, 7, got)
			}
			text, err := json.Marshal(Exchange{Seed: 7})
			require.NoError(t, err)
			require.Contains(t, string(text), `"seed":7`)
		})
	}
}
