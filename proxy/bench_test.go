package proxy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/scripted"
)

// BenchmarkCall measures what the proxy adds to a call of a model on loopback:
// calls directly and through it in turn, medians of both.
func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"chat", "responses", "messages", "generate"} {
		for _, stream := range []bool{false, true} {
			for _, kilobytes := range []int{10, 200} {
				kind := map[bool]string{false: "whole", true: "stream"}[stream]
				b.Run(fmt.Sprintf("%s-%s-%dkB", name, kind, kilobytes), func(b *testing.B) { benchCall(b, name, stream, kilobytes) })
			}
		}
	}
}

func benchCall(b *testing.B, name string, stream bool, kilobytes int) {
	p := protocols()[name]
	model, err := scripted.New(scripted.Script{Acts: []scripted.Act{{Say: strings.Repeat("some words of an answer ", 40)}}})
	require.NoError(b, err)
	defer model.Close()
	record, err := os.Create(filepath.Join(b.TempDir(), "record"))
	require.NoError(b, err)
	defer func() { require.NoError(b, record.Close()) }()
	s, err := Open(Options{Upstream: p.upstream(model.URL), Model: "the-model", Price: price(), Limit: 1e6, Record: record})
	require.NoError(b, err)
	defer s.Close()
	front := serveOn(b, s)

	body := strings.Replace(ask(name, stream), "hello", strings.Repeat("0123456789 \\\"x\\\"\\n", kilobytes*1000/18), 1)
	key := llm.NewKey(realKey)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	var direct, proxied []time.Duration
	for b.Loop() {
		direct = append(direct, timed(b, client, model.URL+p.url(stream), key.Reveal(), body))
		proxied = append(proxied, timed(b, client, front+p.url(stream), s.Key(), body))
	}
	without, with := median(direct), median(proxied)
	b.ReportMetric(without, "direct-ms")
	b.ReportMetric(with, "proxied-ms")
	b.ReportMetric(with-without, "added-ms")
}

// serveOn gives the session a port of loopback.
func serveOn(b *testing.B, s *Session) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.Serve(c)
		}
	}()
	return "http://" + l.Addr().String()
}

func timed(b *testing.B, client *http.Client, address, key, body string) time.Duration {
	begin := time.Now()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, address, bytes.NewReader([]byte(body)))
	require.NoError(b, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	require.NoError(b, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(b, err)
	require.NoError(b, res.Body.Close())
	require.Equal(b, http.StatusOK, res.StatusCode)
	return time.Since(begin)
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return d[len(d)/2].Seconds() * 1000
}
