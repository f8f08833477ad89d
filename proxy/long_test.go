package proxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongRefusals: a refusal names what the agent sent, but not all of it.
func TestLongRefusals(t *testing.T) {
	long := strings.Repeat("ü", 100_000)
	bodies := map[string][2]string{
		"model":   {"chat", `{"model":"` + long + `"}`},
		"name":    {"chat", `{"model":"the-model","` + long + `":1,"` + long + `":2}`},
		"tier":    {"chat", `{"model":"the-model","service_tier":"` + long + `"}`},
		"tool":    {"chat", `{"model":"the-model","tools":[{"type":"` + long + `"}]}`},
		"shell":   {"responses", `{"model":"the-model","tools":[{"type":"shell","environment":{"type":"` + long + `"}}]}`},
		"gemini":  {"generate", `{"tools":[{"` + long + `":{}}]}`},
		"content": {"generate", `{"contents":[{"parts":[{"inlineData":{"mimeType":"` + long + `","data":"AA"}}]}]}`},
	}
	for name, one := range bodies {
		t.Run(name, func(t *testing.T) {
			p := protocols()[one[0]]
			r := newRig(t, p, say("not asked"), nil)
			status, body := r.post(p.path, one[1])
			require.Contains(t, []int{400, 404}, status)
			require.Less(t, len(body), 2000)
			r.s.Close()
			require.Less(t, len(r.record.String()), 2000)
			x := r.record.exchanges(t)[0]
			require.Contains(t, x.Refused, "assay: ")
			require.LessOrEqual(t, len(x.Refused), 520)
		})
	}
	r := newRig(t, protocols()["chat"], say("not asked"), nil)
	_, _ = r.post("/"+strings.Repeat("x", 50_000), "{}")
	r.s.Close()
	require.Less(t, len(r.record.String()), 2000, "the address, too")
}

// TestFullRecord: past its bound a line says only that something was refused or
// failed.
func TestFullRecord(t *testing.T) {
	var b buffer
	rec := recorder{w: &b, scrub: func(s string) string { return s }, written: maxRecord - 1000}
	long := strings.Repeat("x", 100_000)
	for _, x := range []*Exchange{
		{Refused: long}, {Error: long}, {Request: []byte(`"` + long + `"`)}, {}, {Refused: long, Error: long},
	} {
		rec.exchange(x)
	}
	require.Less(t, len(b.String()), 5*600)
	lines := b.exchanges(t)
	var got []string
	for _, x := range lines {
		got = append(got, fmt.Sprint(x.Refused != "", x.Error != ""))
	}
	require.Equal(t, []string{"true false", "false true", "false false", "false false", "true true"}, got, "calls are counted by that")
}
