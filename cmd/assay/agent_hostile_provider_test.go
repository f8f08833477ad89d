package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// realKey is the provider's key, which no agent may see.
const realKey = "sk-real-0123456789abcdef0123456789abcdef"

// hostileProvider is a model whose answers cost callPrice each. "STORE x" and
// "FETCH" let agents talk to each other; other texts make it repeat what it was
// sent.
type hostileProvider struct {
	*httptest.Server
	host     string
	answered atomic.Int64

	mu       sync.Mutex
	requests []providerRequest
	stored   []string
}

type providerRequest struct{ method, path, host, authorization, body string }

func newHostileProvider(t *testing.T) *hostileProvider {
	t.Helper()
	p := &hostileProvider{}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	u, err := url.Parse(p.URL)
	require.NoError(t, err)
	p.host = u.Host
	return p
}

func (p *hostileProvider) seen() []providerRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]providerRequest(nil), p.requests...)
}

// texts are the bodies of all requests.
func (p *hostileProvider) texts() []string {
	var out []string
	for _, r := range p.seen() {
		out = append(out, r.body)
	}
	return out
}

func (p *hostileProvider) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	p.requests = append(p.requests, providerRequest{r.Method, r.URL.Path, r.Host, r.Header.Get("Authorization"), string(body)})
	p.mu.Unlock()
	var q struct {
		N        int `json:"n"`
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal(body, &q)
	text := ""
	if n := len(q.Messages); n > 0 {
		text = q.Messages[n-1].Content
	}
	w.Header().Set("Content-Type", "application/json")
	headers := fmt.Sprint(r.Header)
	switch text {
	case "fail with the headers":
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, map[string]any{"error": map[string]any{"type": "invalid_request_error", "message": headers}})
	default:
		p.answered.Add(1)
		answer := map[string]any{
			"id": "x", "object": "chat.completion", "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": p.answer(text, headers)}}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
		}
		writeJSON(w, answer)
	}
}

func (p *hostileProvider) answer(text, headers string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rest, ok := strings.CutPrefix(text, "STORE "); ok {
		p.stored = append(p.stored, rest)
		return "stored"
	}
	switch text {
	case "FETCH":
		return strings.Join(p.stored, ";")
	case "repeat the headers", "deny with the headers":
		return headers
	}
	return text
}

func writeJSON(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

// judgeFile evaluates a file of predictions as a run wrote it.
func (w world) judgeFile(t *testing.T, file string) map[string]bench.Result {
	t.Helper()
	dir := t.TempDir()
	code, out := w.assay(t, "eval", "-d", w.paths.Dataset, "-p", file, "-o", filepath.Join(dir, "run"), "-q", "-t", "bugfix",
		"--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache, "--no-cache")
	require.Contains(t, []int{exitDone, exitNotJudged}, code, out)
	return readResults(t, filepath.Join(dir, "run", "results.jsonl"))
}

func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }

func freeBytes(t *testing.T) int64 {
	t.Helper()
	var st syscall.Statfs_t
	require.NoError(t, syscall.Statfs("/", &st))
	return int64(st.Bavail) * int64(st.Bsize)
}

// hostAddresses are those of this machine, without loopback.
func hostAddresses(t *testing.T) []string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	var out []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			out = append(out, ip.IP.String())
		}
	}
	return out
}
