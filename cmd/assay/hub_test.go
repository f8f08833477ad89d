package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHubDataset reads a dataset of the hub, from a server of our own.
func TestHubDataset(t *testing.T) {
	rows, err := os.ReadFile("../../internal/parquet/testdata/instances.parquet")
	require.NoError(t, err)
	commit := strings.Repeat("a", 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer secret":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/api/datasets/no-such-owner/bench/revision/main":
			fmt.Fprintf(w, `{"sha":%q}`, commit)
		case r.URL.Path == "/api/datasets/no-such-owner/bench/tree/"+commit:
			fmt.Fprintf(w, `[{"type":"file","path":"data/test-00000-of-00001.parquet","size":%d},{"type":"file","path":"data/dev-00000-of-00001.parquet","size":1}]`, len(rows))
		case strings.HasSuffix(r.URL.Path, "/resolve/"+commit+"/data/test-00000-of-00001.parquet"):
			_, _ = w.Write(rows)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	cache := t.TempDir()
	assay := func(dataset, token string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		env := map[string]string{"HF_ENDPOINT": server.URL + "/", "HF_TOKEN": token}
		code := run(t.Context(), []string{"eval", "-d", dataset, "--gold", "--dry-run", "-t", "bugfix", "--cache-dir", cache},
			strings.NewReader(""), &stdout, &stderr, func(name string) string { return env[name] })
		return code, stdout.String(), stderr.String()
	}
	for _, name := range []string{"hf:no-such-owner/bench", "no-such-owner/bench@test", "hf:no-such-owner/bench#" + commit} {
		code, stdout, stderr := assay(name, "secret")
		require.Equal(t, exitDone, code, stderr)
		require.Contains(t, stdout, "bugfix/acme__widgets-1\tgold")
		require.Contains(t, stderr, "#"+commit)
		require.Equal(t, name == "hf:no-such-owner/bench", strings.Contains(stderr, "downloading"), "brought once")
	}
	code, _, stderr := assay("hf:no-such-owner/bench@train", "secret")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, `there is no split "train" (dev, test)`)
	code, _, stderr = assay("hf:no-such-owner/other", "")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "there is no such dataset, or it is private")
	code, _, stderr = assay("no-such-owner/bench.jsonl", "secret")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "no such file")
}
