package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// counting answers with the number of the call.
func counting(calls *atomic.Int64) Client {
	return clientFunc(func(_ context.Context, req Request) (Response, error) {
		n := calls.Add(1)
		return Response{Text: req.Messages[0].Text + strings.Repeat("!", int(n)), Stop: StopLength, Model: "m1",
			Usage: Usage{Input: 3, Output: 4}, CostUSD: 0.5, Priced: true, Latency: time.Second}, nil
	})
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int64
	client := Cache(counting(&calls), CacheOptions{Dir: dir, BaseURL: "https://one.test"})
	first, err := client.Complete(t.Context(), user("q"))
	require.NoError(t, err)
	require.False(t, first.Cached)

	again := Cache(counting(&calls), CacheOptions{Dir: dir, BaseURL: "https://one.test"})
	req := user("q")
	req.Purpose = "something else"
	second, err := again.Complete(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, Response{Text: "q!", Stop: StopLength, Model: "m1", Usage: Usage{Input: 3, Output: 4}, Priced: true, Cached: true}, second)
	require.EqualValues(t, 1, calls.Load())
}

// TestCacheOfWholeAnswers: an answer that was cut short is neither kept nor taken
// from a cache that has it.
func TestCacheOfWholeAnswers(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int64
	cut := counting(&calls)
	for _, opts := range []CacheOptions{{Dir: dir, WholeOnly: true}, {Dir: dir}, {Dir: dir, WholeOnly: true}} {
		res, err := Cache(cut, opts).Complete(t.Context(), user("q"))
		require.NoError(t, err)
		require.False(t, res.Cached)
	}
	require.EqualValues(t, 3, calls.Load())
	whole := clientFunc(func(context.Context, Request) (Response, error) { return Response{Text: "all", Stop: StopEnd}, nil })
	for _, cached := range []bool{false, true} {
		res, err := Cache(whole, CacheOptions{Dir: dir, WholeOnly: true}).Complete(t.Context(), user("q"))
		require.NoError(t, err)
		require.Equal(t, "all", res.Text)
		require.Equal(t, cached, res.Cached)
	}
}

func TestCacheKey(t *testing.T) {
	half, seed := 0.5, int64(3)
	nan, inf := math.NaN(), math.Inf(1)
	requests := map[string]Request{"plain": user("q")}
	change := func(name string, f func(*Request)) {
		req := user("q")
		f(&req)
		requests[name] = req
	}
	change("model", func(r *Request) { r.Model = "openai/gpt-4o-mini" })
	change("system", func(r *Request) { r.System = "s" })
	change("text", func(r *Request) { r.Messages = []Message{{User, "r"}} })
	change("role", func(r *Request) { r.Messages = []Message{{Assistant, "q"}} })
	change("split", func(r *Request) { r.Messages = []Message{{User, ""}, {User, "q"}} })
	change("temperature", func(r *Request) { r.Temperature = &half })
	change("seed", func(r *Request) { r.Seed = &seed })
	change("tokens", func(r *Request) { r.MaxTokens = 7 })
	change("sample", func(r *Request) { r.Sample = 1 })
	change("no number", func(r *Request) { r.Temperature = &nan })
	change("infinite", func(r *Request) { r.Temperature = &inf })
	change("no number, other text", func(r *Request) { r.Temperature, r.System = &nan, "s" })
	seen := map[string]string{}
	for name, req := range requests {
		for _, base := range []string{"", "https://one.test"} {
			key := sentOf(req, base).digest()
			require.Regexp(t, "^[0-9a-f]{64}$", key)
			require.Empty(t, seen[key], "%s has the key of %s", name, seen[key])
			seen[key] = name
		}
	}
}

func TestCacheKeepsNoErrors(t *testing.T) {
	var calls int
	client := Cache(failing(&calls, &Error{Class: Refused}), CacheOptions{Dir: t.TempDir()})
	_, err := client.Complete(t.Context(), user("q"))
	require.Error(t, err)
	res, err := client.Complete(t.Context(), user("q"))
	require.NoError(t, err)
	require.False(t, res.Cached)
	require.Equal(t, 2, calls)
}

func TestCacheWithABrokenDirectory(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int64
	client := Cache(counting(&calls), CacheOptions{Dir: dir})
	_, err := client.Complete(t.Context(), user("q"))
	require.NoError(t, err)
	files := filesIn(t, dir)
	require.Len(t, files, 1, "nothing temporary stays")
	for _, broken := range []string{"", `{"key":"`, `{"key":"other","response":{"text":"wrong"}}`, "[]"} {
		require.NoError(t, os.WriteFile(files[0], []byte(broken), 0o600))
		res, err := client.Complete(t.Context(), user("q"))
		require.NoError(t, err)
		require.False(t, res.Cached, broken)
	}
	res, err := client.Complete(t.Context(), user("q"))
	require.NoError(t, err)
	require.True(t, res.Cached, "mended")

	var heard error
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	res, err = Cache(counting(&calls), CacheOptions{Dir: file, OnError: func(err error) { heard = err }}).Complete(t.Context(), user("q"))
	require.NoError(t, err, "the answer is there all the same")
	require.NotEmpty(t, res.Text)
	require.Error(t, heard)
}

func filesIn(t *testing.T, dir string) (files []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// TestCacheAsksOnce checks that equal requests at one moment go out once, and
// that one that gives up does not take the others with it.
func TestCacheAsksOnce(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		client := Cache(clientFunc(func(ctx context.Context, _ Request) (Response, error) {
			calls.Add(1)
			if err := sleep(ctx, time.Minute); err != nil {
				return Response{}, err
			}
			return Response{Text: "ok"}, nil
		}), CacheOptions{Dir: dir})
		var wg sync.WaitGroup
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wg.Go(func() {
			_, err := client.Complete(impatient, user("q"))
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
		synctest.Wait()
		for range 5 {
			wg.Go(func() {
				res, err := client.Complete(t.Context(), user("q"))
				require.NoError(t, err)
				require.Equal(t, "ok", res.Text)
			})
		}
		wg.Wait()
		require.EqualValues(t, 2, calls.Load())
	})
}

func TestRecordAndReplay(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int64
	res, err := Record(counting(&calls), dir).Complete(t.Context(), user("q"))
	require.NoError(t, err)
	again, err := Replay(dir).Complete(t.Context(), user("q"))
	require.NoError(t, err)
	require.True(t, again.Cached)
	require.Zero(t, again.CostUSD)
	require.Equal(t, res.Text, again.Text)
	require.Equal(t, res.Usage, again.Usage)

	var n int
	_, err = Record(failing(&n, &Error{Class: Refused, Provider: "p", Err: errors.New("no")}), dir).Complete(t.Context(), user("bad"))
	require.Error(t, err)
	_, err = Replay(dir).Complete(t.Context(), user("bad"))
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, Refused, e.Class)
	require.EqualError(t, err, "p: refused: no")

	n = 0
	_, err = Record(failing(&n, &Error{Class: Malformed, Provider: "p", Status: 200, Err: errors.New("no text")}), dir).Complete(t.Context(), user("silent"))
	require.Error(t, err)
	_, err = Replay(dir).Complete(t.Context(), user("silent"))
	require.ErrorAs(t, err, &e)
	require.Equal(t, Malformed, e.Class)
	require.Equal(t, 200, e.Status)

	n = 0
	_, err = Record(failing(&n, &Error{Class: Network, Err: errors.New("cut")}), dir).Complete(t.Context(), user("cut"))
	require.Error(t, err)
	req := user("cut")
	_, err = Replay(dir).Complete(t.Context(), req)
	require.ErrorAs(t, err, &e)
	require.Equal(t, Invalid, e.Class)
	require.ErrorContains(t, err, "no recording for task-1 of request "+sentOf(req, "").digest()+" (model openai/gpt-4o, sample 0) in "+dir)

	require.NoError(t, os.WriteFile(recordFile(dir, sentOf(user("half"), "")), []byte(`{"request":`), 0o600))
	_, err = Replay(dir).Complete(t.Context(), user("half"))
	require.ErrorContains(t, err, "reading recording")
	require.NoError(t, os.WriteFile(recordFile(dir, sentOf(user("none"), "")), []byte(`{}`), 0o600))
	_, err = Replay(dir).Complete(t.Context(), user("none"))
	require.ErrorContains(t, err, "holds no answer")
}

func TestLog(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tick := func() time.Time {
		now = now.Add(250 * time.Millisecond)
		return now
	}
	var calls atomic.Int64
	var out bytes.Buffer
	_, err := Log(counting(&calls), &out, LogOptions{Now: tick}).Complete(t.Context(), user("hidden text"))
	require.NoError(t, err)
	require.Equal(t, `{"time":"2026-03-01T12:00:00.25Z","purpose":"task-1","model":"openai/gpt-4o","answered_by":"m1","usage":{"input":3,"output":4},`+
		`"cost_usd":0.5,"priced":true,"cached":false,"latency_ms":250,"stop":"length","max_tokens":100}`+"\n", out.String())

	out.Reset()
	var n int
	refused := &Error{Class: Refused, Status: 200, Usage: Usage{Input: 9}, Err: errors.New("hidden text")}
	_, err = Log(failing(&n, refused), &out, LogOptions{Now: tick}).Complete(t.Context(), user("hidden text"))
	require.ErrorIs(t, err, refused)
	require.NotContains(t, out.String(), "hidden")
	var entry LogEntry
	require.NoError(t, json.Unmarshal(out.Bytes(), &entry))
	require.Equal(t, Refused, entry.ErrorClass)
	require.Equal(t, 200, entry.Status)
	require.Equal(t, 9, entry.Usage.Input)

	out.Reset()
	_, err = Log(clientFunc(func(context.Context, Request) (Response, error) { return Response{}, context.Canceled }), &out, LogOptions{}).Complete(t.Context(), user("q"))
	require.Error(t, err)
	require.Contains(t, out.String(), `"error_class":"context"`)

	out.Reset()
	_, err = Log(counting(&calls), &out, LogOptions{Prompts: true}).Complete(t.Context(), user("hidden text"))
	require.NoError(t, err)
	require.Contains(t, out.String(), `"messages":[{"role":"user","text":"hidden text"}],"answer":"hidden text!!"`)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestLogThatCannotBeWritten(t *testing.T) {
	var calls atomic.Int64
	var heard error
	_, err := Log(counting(&calls), brokenWriter{}, LogOptions{OnError: func(err error) { heard = err }}).Complete(t.Context(), user("q"))
	require.NoError(t, err)
	require.EqualError(t, heard, "logging a call: disk full")
}

func TestLogLinesAreWhole(t *testing.T) {
	var calls atomic.Int64
	var out bytes.Buffer
	client := Log(counting(&calls), &out, LogOptions{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { _, _ = client.Complete(t.Context(), user("q")) })
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 50)
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)))
	}
}
