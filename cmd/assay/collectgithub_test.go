package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCollectWithGitHub: the command takes texts and links from GitHub, tries
// again what fails, keeps the pages that it had when it ends, and asks for
// nothing that it has.
func TestCollectWithGitHub(t *testing.T) {
	c := &counts{t: t, root: filepath.Join(t.TempDir(), "repos")}
	c.commit("first", "a = 1\n", "test_a.py", "def test_a():\n    pass\n")
	c.commit("Count from two now", "a = 2\n", "test_a.py", "def test_b():\n    pass\n")
	out, err := exec.Command("git", "-C", filepath.Join(c.root, "owner", "counts"), "rev-parse", "HEAD").Output()
	require.NoError(t, err)
	page := func(number int, commit, end string) string {
		return fmt.Sprintf(`{"data":{"repository":{"nameWithOwner":"owner/counts","stargazerCount":3,"licenseInfo":{"spdxId":"GPL-3.0"},"pullRequests":{"pageInfo":{"hasNextPage":%t,"endCursor":%q},"nodes":[
{"number":%d,"title":"Count","body":"","updatedAt":"2024-05-0%dT00:00:00Z","mergedAt":"2024-05-01T00:00:00Z","mergeCommit":{"oid":%q},"commits":{"totalCount":1,"nodes":[]},
"closingIssuesReferences":{"nodes":[{"number":%d,"title":"It counts from one","body":"It should not.","createdAt":"2024-01-01T00:00:00Z","repository":{"nameWithOwner":"owner/counts"}}]}}]}}}}`, end != "", end, number, number, commit, number+10)
	}
	var asked []string
	status := http.StatusOK
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Variables map[string]any `json:"variables"`
		}
		if r.Header.Get("Authorization") != "Bearer secret-token" || json.NewDecoder(r.Body).Decode(&q) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked = append(asked, fmt.Sprint(q.Variables["after"]))
		switch {
		case q.Variables["after"] == nil:
			fmt.Fprint(w, page(2, "none", "next"))
		case status != http.StatusOK:
			w.WriteHeader(status)
		default:
			fmt.Fprint(w, page(1, strings.TrimSpace(string(out)), ""))
		}
	}))
	t.Cleanup(hub.Close)
	dir := filepath.Join(t.TempDir(), "out")
	collect := func(token string, more ...string) (int, string) {
		var text bytes.Buffer
		args := append([]string{"collect", "owner/counts", "--repos", c.root, "-o", dir, "--to", "split", "--api", "--api-url", hub.URL, "--cache-dir", t.TempDir()}, more...)
		code := run(t.Context(), args, nil, &text, &text, func(name string) string { return map[string]string{"GITHUB_TOKEN": token}[name] })
		require.NotContains(t, text.String(), "secret-token")
		return code, text.String()
	}
	code, text := collect("")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "set GITHUB_TOKEN")
	code, text = collect("wrong")
	require.Equal(t, exitUsage, code, text)
	require.Contains(t, text, "authentication")

	status = http.StatusForbidden // ends the run after the first page
	code, text = collect("secret-token")
	require.NotEqual(t, exitDone, code, text)
	status, asked = http.StatusOK, nil
	code, text = collect("secret-token")
	require.Equal(t, exitDone, code, text)
	require.Equal(t, []string{"next", "<nil>", "next"}, asked, "it continues with the second page, and reads what was updated since")
	split, err := os.ReadFile(filepath.Join(dir, "split.jsonl"))
	require.NoError(t, err)
	require.Contains(t, string(split), `"problem_statement":"It counts from one\nIt should not."`)
	require.Contains(t, string(split), `"id":"owner__counts-1"`)

	asked = nil
	code, text = collect("secret-token")
	require.Equal(t, exitDone, code, text)
	require.Empty(t, asked)
	again, err := os.ReadFile(filepath.Join(dir, "split.jsonl"))
	require.NoError(t, err)
	require.Equal(t, split, again)

	code, text = collect("secret-token", "--permissive")
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "left out, its licence is not a permissive one (GPL-3.0)")
	code, text = collect("secret-token", "--api-url", "http://example.com/graphql")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "expected https")
}
