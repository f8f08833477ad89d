package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/attempts"
)

// benchCalls is how many calls of a model are timed.
const benchCalls = 200

// timedCalls is a program that makes calls of 10 kB on one connection, and
// prints what the middle one of them took, in milliseconds.
const timedCalls = `import http.client, json, os, statistics, time, urllib.parse
base = urllib.parse.urlparse(os.environ["OPENAI_BASE_URL"])
body = json.dumps({"model": os.environ["ASSAY_MODEL"], "max_tokens": 100, "messages": [{"role": "user", "content": "x" * 10000}]})
head = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
connection, took = http.client.HTTPConnection(base.hostname, base.port), []
for _ in range(CALLS):
    began = time.perf_counter()
    connection.request("POST", base.path + "/chat/completions", body, head)
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status == 200, text
    took.append(1000 * (time.perf_counter() - began))
print("middle", statistics.median(took))
`

// BenchmarkAttempt is what assay adds to an attempt: the seconds of one whose
// agent does nothing, and the milliseconds of a call through relay and proxy
// over the same call without them.
func BenchmarkAttempt(b *testing.B) {
	m := newMeter(b, 0)
	binary, r := benchBinary(b), newBenchRepo(b, 1, 0)
	dataset := writeDataset(b, r.instances(b, 1, func(int) string { return r.commits[0] })...)
	prices := filepath.Join(b.TempDir(), "prices.yaml")
	require.NoError(b, os.WriteFile(prices, []byte("models:\n  openai/metered: {input: 0, output: 0}\n"), 0o644))
	program := strings.ReplaceAll(timedCalls, "CALLS", strconv.Itoa(benchCalls))
	run := func(k int, more ...string) (string, float64) {
		out := filepath.Join(b.TempDir(), "run")
		args := append([]string{"run", "-d", dataset, "-t", "bugfix", "-a", "command", "--executor", "local", "--cache-dir", filepath.Join(benchCache(b), "cache"),
			"--repos", r.mirrors, "-k", strconv.Itoa(k), "-j", "1", "-q", "-o", out}, more...)
		return out, runAssay(b, binary, args...).seconds
	}
	run(1, "--command", "true") // makes the environment
	const n = 10
	var each, proxied, direct []float64
	phase := map[string][]float64{}
	for b.Loop() {
		_, one := run(1, "--command", "true")
		out, many := run(1+n, "--command", "true")
		each = append(each, (many-one)/n)
		for _, rec := range benchRecords(b, out) {
			for name, s := range rec.Phases {
				phase[name] = append(phase[name], s)
			}
		}
		out, _ = run(1, "-m", "openai/metered", "--prices", prices, "--command", "python3 -c '"+program+"'")
		log, err := os.ReadFile(filepath.Join(out, benchRecords(b, out)[0].Dir, "output.log"))
		require.NoError(b, err)
		proxied = append(proxied, middle(b, log))
		direct = append(direct, directly(b, m, program))
	}
	b.ReportMetric(median(each), "attempt-s")
	for name, s := range phase {
		b.ReportMetric(median(s), name+"-s")
	}
	b.ReportMetric(median(proxied), "proxied-ms")
	b.ReportMetric(median(direct), "direct-ms")
	reportLoad(b)
}

// directly runs the program of the calls without assay.
func directly(b *testing.B, m *meter, program string) float64 {
	cmd := exec.Command("python3", "-c", program)
	cmd.Env = append(os.Environ(), "OPENAI_BASE_URL="+m.URL+"/v1", "OPENAI_API_KEY=x", "ASSAY_MODEL=metered")
	out, err := cmd.Output()
	require.NoError(b, err)
	return middle(b, out)
}

// middle reads what timedCalls printed.
func middle(b *testing.B, output []byte) float64 {
	var ms float64
	_, err := fmt.Sscanf(string(bytes.TrimSpace(output)), "middle %g", &ms)
	require.NoError(b, err, string(output))
	return ms
}

func benchRecords(b *testing.B, out string) []attempts.Record {
	records, err := attempts.ReadRecords(out)
	require.NoError(b, err)
	require.NotEmpty(b, records)
	for _, r := range records {
		require.Equal(b, "done", string(r.End), r.Detail)
	}
	return records
}
