package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

// mishap is what the fake server does with one request instead of answering it.
type mishap func(w http.ResponseWriter, r *http.Request)

// server answers as GitHub does, from a list of pull requests, last updated
// first. Mishaps come first, by the number of the request.
type server struct {
	t       *testing.T
	url     string
	mishaps map[int]mishap
	pulls   []map[string]any
	issues  map[int]map[string]any // with __typename

	mu    sync.Mutex
	n     int
	sizes []int // of the pages that were asked for, 0 for other questions
}

func newServer(t *testing.T, pulls int, mishaps map[int]mishap) *server {
	s := &server{t: t, mishaps: mishaps, issues: map[int]map[string]any{}}
	for n := pulls; n >= 1; n-- {
		s.pulls = append(s.pulls, map[string]any{
			"number": n, "title": fmt.Sprint("Pull ", n), "body": "Text", "updatedAt": day(n), "mergedAt": day(n), "mergeCommit": map[string]any{"oid": fmt.Sprintf("%040d", n)},
			"labels":  map[string]any{"nodes": []any{map[string]any{"name": "bug"}}},
			"commits": map[string]any{"totalCount": 1, "nodes": []any{map[string]any{"commit": map[string]any{"messageHeadline": "One"}}}},
			"closingIssuesReferences": map[string]any{"nodes": []any{
				issueNodeOf(1000+n, "owner/name"), issueNodeOf(2000+n, "other/name"), nil,
			}},
		})
	}
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

func day(n int) string {
	return time.Date(2024, 1, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
}

func issueNodeOf(n int, repo string) map[string]any {
	return map[string]any{
		"__typename": "Issue", "number": n, "title": fmt.Sprint("Issue ", n), "body": "It breaks", "createdAt": day(0), "lastEditedAt": nil,
		"labels": map[string]any{"nodes": []any{}}, "repository": map[string]any{"nameWithOwner": repo},
	}
}

var alias = regexp.MustCompile(`n(\d+):issueOrPullRequest\(number:(\d+)\)`)

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	var q struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Method != http.MethodPost {
		http.Error(w, "no query", http.StatusBadRequest)
		return
	}
	first, _ := q.Variables["first"].(float64)
	s.sizes = append(s.sizes, int(first))
	if m := s.mishaps[s.n]; m != nil {
		m(w, r)
		return
	}
	if r.Header.Get("Authorization") != "Bearer token" {
		say(w, http.StatusUnauthorized, `{"message":"Bad credentials"}`)
		return
	}
	if first == 0 {
		s.lookup(w, q.Query)
		return
	}
	from := 0
	if after, ok := q.Variables["after"].(string); ok {
		var err error
		if from, err = strconv.Atoi(after); err != nil {
			say(w, http.StatusOK, `{"data":{"repository":null},"errors":[{"type":"INVALID_CURSOR_ARGUMENTS","message":"`+"`x` does not appear to be a valid cursor."+`"}]}`)
			return
		}
	}
	to := min(from+int(first), len(s.pulls))
	s.write(w, map[string]any{"data": map[string]any{"repository": map[string]any{
		"nameWithOwner": "owner/name", "stargazerCount": 7, "licenseInfo": map[string]any{"spdxId": "MIT"},
		"pullRequests": map[string]any{"nodes": s.pulls[from:to], "pageInfo": map[string]any{"hasNextPage": to < len(s.pulls), "endCursor": strconv.Itoa(to)}},
	}}})
}

func (s *server) lookup(w http.ResponseWriter, query string) {
	found, faults := map[string]any{}, []any{}
	for _, m := range alias.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(m[2])
		if i, ok := s.issues[n]; ok {
			found["n"+m[1]] = i
			continue
		}
		found["n"+m[1]] = nil
		faults = append(faults, map[string]any{"type": "NOT_FOUND", "message": "Could not resolve to an issue or pull request with the number of " + m[2]})
	}
	s.write(w, map[string]any{"data": map[string]any{"repository": found}, "errors": faults})
}

func (s *server) write(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	require.NoError(s.t, err)
	_, _ = w.Write(text)
}

func say(w http.ResponseWriter, status int, body string, header ...string) {
	for i := 0; i < len(header); i += 2 {
		w.Header().Set(header[i], header[i+1])
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// clock is a clock that only waiting moves.
type clock struct {
	now   time.Time
	waits []time.Duration
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.waits = append(c.waits, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

// client is a client of the server, whose waits are written down.
func (s *server) client(token string) (*Client, *clock) {
	at := &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	c, err := New(Options{
		URL: s.url, Token: llm.NewKey(token), Now: func() time.Time { return at.now },
		Backoff: llm.NewBackoff(llm.RetryOptions{Attempts: 5, Patience: 65 * time.Minute, Sleep: at.sleep}),
	})
	require.NoError(s.t, err)
	return c, at
}
