package proxy

import (
	"context"
	"hash/maphash"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func parsed(t *testing.T, body string) *query {
	t.Helper()
	q, err := parseQuery([]byte(body))
	require.NoError(t, err)
	require.Empty(t, q.findMedia(maphash.MakeSeed(), "messages"))
	return q
}

// talk is a request with so many turns of a thousand bytes.
func talk(turns int) string {
	var b strings.Builder
	for i := range turns {
		b.WriteString(`{"role":"user","content":"` + strings.Repeat(string(rune('a'+i%26)), 1000) + `"},`)
	}
	return `{"model":"m","max_tokens":1000,"messages":[` + strings.TrimSuffix(b.String(), ",") + `],"tools":[{"name":"` + strings.Repeat("t", 5000) + `"}]}`
}

// TestBoundLearns: what a request repeats of an earlier one counts as the
// provider counted it, what is new by its bytes.
func TestBoundLearns(t *testing.T) {
	var b bounds
	first, next := parsed(t, talk(20)), parsed(t, talk(22))
	require.Equal(t, len(first.raw)+frameTokens, b.input(first))
	b.learn(first, 6000)
	require.Equal(t, 6000+frameTokens, b.input(first))
	require.InDelta(t, 6000+frameTokens+2*1030, b.input(next), 10)
	other := parsed(t, `{"messages":[{"role":"user","content":"something else"}]}`)
	require.LessOrEqual(t, b.input(other), len(other.raw)+frameTokens)
	for range 2 * keepSeen {
		b.learn(other, 5)
	}
	require.Greater(t, b.input(next), 27_000, "it forgets")
}

// TestBoundDoesNotLearn from requests that the provider may have shortened.
func TestBoundDoesNotLearn(t *testing.T) {
	for more, learns := range map[string]bool{
		`"truncation":"auto"`:         false,
		`"truncation":"disabled"`:     true,
		`"transforms":["middle-out"]`: false,
		`"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}`:           true,
		`"context_management":{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"value":1}}]}`: false,
		`"context_management":[{"type":"compaction"}]`:                                               false,
	} {
		var b bounds
		q := parsed(t, `{`+more+`,"messages":[{"role":"user","content":"`+strings.Repeat("x", 9000)+`"}]}`)
		b.learn(q, 100)
		require.Equal(t, learns, b.input(q) < 9000, more)
	}
}

func TestBoundOfImages(t *testing.T) {
	image := func(data string) string {
		return `{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}]}`
	}
	var b bounds
	seed := maphash.MakeSeed()
	read := func(body string) *query {
		q, err := parseQuery([]byte(body))
		require.NoError(t, err)
		require.Empty(t, q.findMedia(seed, "messages"))
		return q
	}
	large := read(image(strings.Repeat("A", 3_000_000)))
	require.Less(t, b.input(large), imageTokens+3000, "its bytes are no text")
	small := read(image("AAAA"))
	require.Greater(t, b.input(small), imageTokens)
	b.learn(small, 1500)
	require.Less(t, b.input(small), 4000)
	require.Greater(t, b.input(read(image("AAAB"))), imageTokens, "another image may be larger")
}

// TestBoundOfRepeatedImages: each image counts once for each time that it is
// there, and again where it is to be read more closely.
func TestBoundOfRepeatedImages(t *testing.T) {
	image := func(detail string) string {
		return `,{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"` + detail + `"}}`
	}
	seed := maphash.MakeSeed()
	read := func(parts string) *query {
		q, err := parseQuery([]byte(`{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}` + parts + `]}]}`))
		require.NoError(t, err)
		require.Empty(t, q.findMedia(seed, "messages"))
		return q
	}
	var b bounds
	b.learn(read(image("low")), 100)
	require.Less(t, b.input(read(image("low"))), 3000)
	require.Greater(t, b.input(read(strings.Repeat(image("low"), 3))), 2*imageTokens)
	require.Greater(t, b.input(read(image("high"))), imageTokens)
}

// TestBoundIsNeverNegative for any data of media.
func TestBoundIsNeverNegative(t *testing.T) {
	var b bounds
	require.GreaterOrEqual(t, b.input(&query{raw: []byte(`{}`), media: []media{{length: 1 << 30, tokens: imageTokens}}}), 0)
	_, err := parseQuery([]byte("{\"messages\":\"" + strings.Repeat("\xff", 9) + "\"}"))
	require.ErrorContains(t, err, "UTF-8", "another reader may see another text")
}

// TestShared compares with the simple way.
func TestShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab]{0,9}`)
		pad := strings.Repeat("x", rapid.SampledFrom([]int{0, 1, block - 1, block, block + 3}).Draw(t, "pad"))
		a := []byte(word.Draw(t, "a1") + pad + word.Draw(t, "a2") + pad + word.Draw(t, "a3"))
		b := []byte(word.Draw(t, "b1") + pad + word.Draw(t, "b2") + pad + word.Draw(t, "b3"))
		head := 0
		for head < min(len(a), len(b)) && a[head] == b[head] {
			head++
		}
		tail := 0
		for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
			tail++
		}
		require.Equal(t, head+tail, shared(a, b))
	})
}

// TestAccount: the sum of what is spent and what is held never exceeds the limit,
// for any reservations and settlements at the same time.
func TestAccount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Float64Range(0.1, 10).Draw(t, "limit")
		a := newAccount(limit)
		wants := rapid.SliceOfN(rapid.Float64Range(0, 3), 1, 30).Draw(t, "wants")
		part := rapid.Float64Range(0, 1).Draw(t, "part")
		var wg sync.WaitGroup
		for _, want := range wants {
			wg.Go(func() {
				granted, err := a.reserve(context.Background(), want, want/2)
				if err != nil {
					require.ErrorIs(t, err, errNoRoom)
					return
				}
				a.mu.Lock()
				require.LessOrEqual(t, a.spent+a.reserved, limit+1e-9)
				a.mu.Unlock()
				a.settle(granted, granted*part)
			})
		}
		wg.Wait()
		require.LessOrEqual(t, a.total(), limit+1e-9)
		require.Zero(t, a.reserved)
		require.Zero(t, a.open)
	})
}

func TestReserveWaits(t *testing.T) {
	a := newAccount(1)
	first, err := a.reserve(t.Context(), 0.8, 0.8)
	require.NoError(t, err)
	got := make(chan float64)
	go func() {
		granted, _ := a.reserve(t.Context(), 0.5, 0.5)
		got <- granted
	}()
	select {
	case <-got:
		require.Fail(t, "there is no room yet")
	case <-time.After(10 * time.Millisecond):
	}
	a.settle(first, 0.1)
	require.InDelta(t, 0.5, <-got, 1e-12)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = a.reserve(ctx, 0.9, 0.9)
	require.ErrorIs(t, err, context.Canceled)
}

func TestCostIsABound(t *testing.T) {
	p := price()
	p.Above, p.AboveTokens = p.Rates, 1000
	p.Above.Input, p.Above.Output = 5, 50
	plain := parsed(t, `{"messages":[]}`)
	require.InDelta(t, (1.25*1000+10*7)/1e6, cost(p, plain, 1000, 7), 1e-12, "the cache may be written")
	require.InDelta(t, (5.0*1001+50*7)/1e6, cost(p, plain, 1001, 7), 1e-12)
	hour := parsed(t, `{"messages":[{"cache_control":{"type":"ephemeral","ttl":"1h"}}]}`)
	require.InDelta(t, 2*1000/1e6, cost(p, hour, 1000, 0), 1e-12)
	for _, body := range []string{
		`{"messages":[{"cache_control":{"type":"ephemeral","ttl":"\u0031h"}}]}`,
		`{"tools":[{"input_schema":{},"cache_control":{"ttl":"1\u0068"}}]}`,
		`{"prompt_cache_\u0072etention":"24h"}`,
	} {
		require.InDelta(t, 2*1000/1e6, cost(p, parsed(t, body), 1000, 0), 1e-12, body)
	}
	require.Equal(t, 100, affordable(p, plain, 1000, cost(p, plain, 1000, 100)+1e-9))
	p.Rates.Output = 0
	require.Equal(t, math.MaxInt32, affordable(p, plain, 10, 1))
}
