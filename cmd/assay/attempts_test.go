package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/attempts"
	"assay/bench"
)

// callUSD is what a call of meter costs, in dollars.
const callUSD = 0.002

// attemptCalls is how many calls an attempt of meteredAgent makes.
const attemptCalls = 5

// meter is a provider that answers every call alike, and knows what it may bill.
type meter struct {
	URL    string
	pause  time.Duration
	status atomic.Int32 // of answers; 0 is 200
	calls  atomic.Int64 // that were answered

	mu   sync.Mutex
	keys map[string]bool
}

func newMeter(t testing.TB, pause time.Duration) *meter {
	m := &meter{pause: pause, keys: map[string]bool{}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.URL = server.URL
	t.Setenv("OPENAI_API_KEY", "sk-real-key-of-the-test")
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	return m
}

func (m *meter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	time.Sleep(m.pause)
	m.mu.Lock()
	m.keys[r.Header.Get("Authorization")] = true
	m.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if status := int(m.status.Load()); status != 0 {
		code := map[int]string{http.StatusUnauthorized: "invalid_api_key", http.StatusTooManyRequests: "insufficient_quota"}[status]
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"no, for a reason","type":%q,"code":%[1]q}}`, code)
		return
	}
	m.calls.Add(1)
	fmt.Fprint(w, `{"id":"c","object":"chat.completion","created":1,"model":"metered","choices":[{"index":0,"finish_reason":"stop",`+
		`"message":{"role":"assistant","content":"Look further."}}],"usage":{"prompt_tokens":1000,"completion_tokens":100,"total_tokens":1100}}`)
}

// billed is what the provider charges.
func (m *meter) billed() float64 { return float64(m.calls.Load()) * callUSD }

// meteredAgent is an adapter whose program makes some calls and writes a file.
const meteredAgent = `name: metered
title: a program of a test
version: "1"
speaks:
  - protocol: chat
    env: {BASE: "{{url}}/v1", KEY: "{{key}}", MODEL: "{{agent_model}}"}
files:
  - path: "{{state}}/PROGRAM"
    text: |
      import json, os, sys, urllib.error, urllib.request
      said = [{"role": "user", "content": sys.stdin.read()}]
      for i in range(CALLS):
          body = json.dumps({"model": os.environ["MODEL"], "messages": said, "max_tokens": 100}).encode()
          request = urllib.request.Request(os.environ["BASE"] + "/chat/completions", body, {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["KEY"]})
          try:
              answer = json.load(urllib.request.urlopen(request))
          except urllib.error.HTTPError as e:
              print("refused:", e.code, e.read().decode())
              sys.exit(1)
          said += [answer["choices"][0]["message"], {"role": "user", "content": "That was call %d." % i}]
          print("call", i)
      with open("METERED.md", "w") as f:
          f.write("fixed\n")
command: [python3, "{{state}}/PROGRAM"]
prompt: {stdin: true}
`

// program names the agent's program so that no other test's has the name.
func program() string { return fmt.Sprintf("metered-%d.py", os.Getpid()) }

// metered writes the adapter and the price of its model, and returns the
// arguments of a run of k attempts at one task.
func (w world) metered(t *testing.T, out string, k, jobs int, more ...string) []string {
	t.Helper()
	dir := t.TempDir()
	adapter := strings.NewReplacer("CALLS", fmt.Sprint(attemptCalls), "PROGRAM", program()).Replace(meteredAgent)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "metered.yaml"), []byte(adapter), 0o644))
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	require.NoError(t, os.WriteFile(prices, []byte("models:\n  openai/metered: {input: 1, output: 10, max_output: 4096}\n"), 0o644))
	return w.on(append([]string{"run", "-d", w.paths.Dataset, "-i", victim, "-t", "bugfix", "-a", "metered", "--agents", dir, "-m", "openai/metered",
		"--prices", prices, "-k", fmt.Sprint(k), "-j", fmt.Sprint(jobs), "-o", out}, more...)...)
}

// records reads a run's attempts.jsonl.
func records(t *testing.T, out string) []attempts.Record {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(out, "attempts.jsonl"))
	require.NoError(t, err)
	var found []attempts.Record
	for line := range bytes.Lines(data) {
		var r attempts.Record
		require.NoError(t, json.Unmarshal(line, &r), string(line))
		found = append(found, r)
	}
	return found
}

func summaryOf(t *testing.T, out string) attempts.Summary {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(out, "summary.json"))
	require.NoError(t, err)
	var s attempts.Summary
	require.NoError(t, json.Unmarshal(data, &s))
	return s
}

// TestRunBudget: twenty parallel attempts against a limit that allows nine and
// a half. The provider never bills more, no attempt counts as a failure of the
// agent, and the run continues when it is given more.
func TestRunBudget(t *testing.T) {
	w := newWorld(t)
	for name, each := range map[string]string{"with a limit for each": "0.0125", "without": "0"} {
		t.Run(name, func(t *testing.T) {
			m := newMeter(t, 0)
			out := filepath.Join(t.TempDir(), "out")
			code, text := w.assay(t, w.metered(t, out, 20, 20, "--budget", "0.095", "--task-budget", each)...)
			require.Equal(t, exitBudget, code, text)
			require.LessOrEqual(t, m.billed(), 0.095+1e-9)
			require.InDelta(t, m.billed(), summaryOf(t, out).SpentUSD, 1e-9, "what the provider bills is what is counted")
			first := records(t, out)
			for _, r := range first {
				require.Equal(t, "done", string(r.End), r.Detail)
				require.InDelta(t, attemptCalls*callUSD, r.CostUSD, 1e-9)
			}
			if each != "0" {
				require.GreaterOrEqual(t, len(first), 8, text)
				require.InDelta(t, float64(len(first))*attemptCalls*callUSD, m.billed(), 1e-9, "no money went to attempts that were cut")
			}
			before := m.calls.Load()
			code, text = w.assay(t, w.metered(t, out, 20, 20, "--budget", "1", "--task-budget", each)...)
			require.Equal(t, exitDone, code, text)
			require.Equal(t, int64(20-len(first))*attemptCalls, m.calls.Load()-before, "finished attempts were paid again")
			require.InDelta(t, m.billed(), summaryOf(t, out).SpentUSD, 1e-9)
			require.Len(t, records(t, out), 20)
			require.Equal(t, map[string]bool{"Bearer sk-real-key-of-the-test": true}, m.keys)
			w.nothingLeft(t)
		})
	}
}

// TestRunIsJudged: what a run writes goes into eval as it is, all files at once.
func TestRunIsJudged(t *testing.T) {
	w := newWorld(t)
	newMeter(t, 0)
	out := filepath.Join(t.TempDir(), "out")
	code, text := w.assay(t, w.metered(t, out, 2, 2)...)
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "2 done")
	got := predictionsIn(t, filepath.Join(out, "predictions-2.jsonl"))
	require.Len(t, got, 1)
	p := got[0]
	require.Contains(t, p.Patch, "+++ b/METERED.md\n")
	require.Equal(t, "metered+openai/metered#2", p.Model)
	require.Equal(t, bench.Tokens{Input: 1000 * attemptCalls, Output: 100 * attemptCalls}, p.Tokens)
	require.Equal(t, attemptCalls, p.Steps)
	code, text = w.assay(t, "trajectories", "show", out, victim)
	require.Equal(t, exitDone, code, text)
	require.Equal(t, attemptCalls, strings.Count(text, "    Look further.\n"), text)
	require.Contains(t, text, "    That was call 3.\n")
	code, text = w.assay(t, "trajectories", "convert", out, "--to", "sweagent", "-o", filepath.Join(out, "swe"))
	require.Equal(t, exitDone, code, text)
	require.FileExists(t, filepath.Join(out, "swe", "bugfix", victim, "2.traj"))
	code, text = w.assay(t, w.on("eval", "-d", w.paths.Dataset, "-p", filepath.Join(out, "predictions.jsonl")+","+filepath.Join(out, "predictions-2.jsonl"),
		"-o", filepath.Join(t.TempDir(), "judged"), "-q")...)
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "metered+openai/metered#2")
	require.NotContains(t, text, "invalid_patch")
}

func predictionsIn(t *testing.T, path string) []bench.Prediction {
	t.Helper()
	out, err := bench.ReadPredictions(t.Context(), path)
	require.NoError(t, err)
	return out
}

// TestKilledAttemptsGoOn kills a run of twenty attempts in its middle and starts
// it again: nothing that was finished is paid again, what was cut counts, and
// nothing is left.
func TestKilledAttemptsGoOn(t *testing.T) { newWorld(t).killedAttemptsGoOn(t) }

// TestKilledAttemptsGoOnInContainers: the same, and no container of the killed
// run is left.
func TestKilledAttemptsGoOnInContainers(t *testing.T) {
	w := newWorld(t)
	needContainers(t)
	w.executor = "docker"
	killed := w.killedAttemptsGoOn(t)
	out, err := exec.Command("docker", "ps", "--all", "--quiet", "--filter", fmt.Sprintf("label=assay.pid=%d", killed)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, string(out))
}

// killedAttemptsGoOn returns the process that was killed.
func (w world) killedAttemptsGoOn(t *testing.T) (killed int) {
	t.Helper()
	m := newMeter(t, 100*time.Millisecond)
	out := filepath.Join(t.TempDir(), "out")
	args := w.metered(t, out, 20, 4, "--json")
	cmd := exec.Command(w.binary, args...)
	cmd.Dir = t.TempDir()
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(filepath.Join(out, "attempts.jsonl"))
		return err == nil && bytes.Count(data, []byte("\n")) >= 5
	}, 5*time.Minute, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()
	first := records(t, out)
	require.Less(t, len(first), 20, "it was killed too late to show anything")
	requireEvents(t, said.Bytes(), "start", "phase", "attempt")
	time.Sleep(time.Second) // calls that were under way end at the provider
	before := m.calls.Load()

	code, text := w.assay(t, args...)
	require.Equal(t, exitDone, code, text)
	after := records(t, out)
	require.Len(t, after, 20)
	require.Equal(t, first, after[:len(first)], "a finished attempt was lost or made again")
	require.Equal(t, int64(20-len(first))*attemptCalls, m.calls.Load()-before, "finished attempts were paid again")
	spent := summaryOf(t, out).SpentUSD
	require.GreaterOrEqual(t, spent, m.billed()-1e-9, "what the killed attempts spent was forgotten")
	require.Len(t, predictionsIn(t, filepath.Join(out, "predictions-20.jsonl")), 1)
	w.nothingLeft(t)
	require.Empty(t, processesOf(t, program()))
	return cmd.Process.Pid
}

// requireEvents checks that progress is JSON, and that some events are there.
func requireEvents(t *testing.T, said []byte, want ...string) {
	t.Helper()
	seen := map[string]bool{}
	for line := range bytes.Lines(said) {
		var e struct {
			Event string `json:"event"`
		}
		require.NoError(t, json.Unmarshal(line, &e), string(line))
		seen[e.Event] = true
	}
	for _, w := range want {
		require.True(t, seen[w], "no event %s", w)
	}
}

// TestInterruptedAttempts: SIGINT ends a run in order. What is finished is
// written as predictions, what was cut counts, and the same command continues.
func TestInterruptedAttempts(t *testing.T) {
	w := newWorld(t)
	m := newMeter(t, 200*time.Millisecond)
	out := filepath.Join(t.TempDir(), "out")
	args := w.metered(t, out, 6, 2, "-q")
	code := w.stop(t, syscall.SIGINT, filepath.Join(out, "attempts.jsonl"), args...)
	require.Equal(t, exitInterrupted, code)
	first := records(t, out)
	require.Less(t, len(first), 6, "it was stopped too late to show anything")
	require.InDelta(t, m.billed(), summaryOf(t, out).SpentUSD, callUSD*2+1e-9, "what was cut counts")
	require.GreaterOrEqual(t, summaryOf(t, out).SpentUSD, m.billed()-1e-9)
	// Each attempt number has a file; the second may have been done first.
	files, err := filepath.Glob(filepath.Join(out, "predictions*.jsonl"))
	require.NoError(t, err)
	written := 0
	for _, file := range files {
		written += len(predictionsIn(t, file))
	}
	require.Equal(t, len(first), written)
	require.Empty(t, processesOf(t, program()))
	code, text := w.assay(t, args...)
	require.Equal(t, exitDone, code, text)
	require.Equal(t, first, records(t, out)[:len(first)])
	require.Len(t, records(t, out), 6)
	w.nothingLeft(t)
}

// processesOf lists the command lines that hold a text.
func processesOf(t *testing.T, text string) []string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []string
	for _, l := range lines {
		if data, err := os.ReadFile(l); err == nil && bytes.Contains(data, []byte(text)) {
			found = append(found, string(data))
		}
	}
	return found
}

// TestRunWithWrongKey: the run ends at once, with a sentence, and no attempt
// counts.
func TestRunWithWrongKey(t *testing.T) {
	w := newWorld(t)
	m := newMeter(t, 0)
	m.status.Store(http.StatusUnauthorized)
	out := filepath.Join(t.TempDir(), "out")
	code, text := w.assay(t, w.metered(t, out, 20, 2)...)
	require.Equal(t, exitUsage, code, text)
	require.Contains(t, text, "openai/metered: the provider refuses all calls")
	require.NotContains(t, text, "sk-real")
	require.Empty(t, records(t, out))
	m.status.Store(0)
	code, text = w.assay(t, w.metered(t, out, 2, 2)...)
	require.Equal(t, exitDone, code, text)
}

// TestRunWithoutQuota: attempts that the provider failed do not count as attempts; the
// next call makes them, without what the first one had left.
func TestRunWithoutQuota(t *testing.T) {
	w := newWorld(t)
	m := newMeter(t, 0)
	m.status.Store(http.StatusTooManyRequests)
	out := filepath.Join(t.TempDir(), "out")
	code, text := w.assay(t, w.metered(t, out, 1, 1, "--retries", "0")...)
	require.Equal(t, exitNotJudged, code, text)
	require.Contains(t, text, "1 of 1 attempts could not be made")
	require.Empty(t, predictionsIn(t, filepath.Join(out, "predictions.jsonl")))
	m.status.Store(0)
	code, text = w.assay(t, w.metered(t, out, 1, 1)...)
	require.Equal(t, exitDone, code, text)
	require.Equal(t, 2, records(t, out)[0].Tries)
}
