package github

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

// all reads all pages.
func all(t *testing.T, c *Client) (numbers []int, pages int) {
	t.Helper()
	for after := ""; ; {
		page, err := c.Pulls(t.Context(), "owner/name", after)
		require.NoError(t, err)
		pages++
		for _, p := range page.Pulls {
			numbers = append(numbers, p.Number)
		}
		if after = page.End; after == "" {
			return numbers, pages
		}
	}
}

func descending(n int) []int {
	var out []int
	for ; n > 0; n-- {
		out = append(out, n)
	}
	return out
}

func TestPulls(t *testing.T) {
	s := newServer(t, 120, nil)
	c, _ := s.client("token")
	numbers, pages := all(t, c)
	require.Equal(t, descending(120), numbers)
	require.Equal(t, 3, pages)
	page, err := c.Pulls(t.Context(), "owner/name", "119")
	require.NoError(t, err)
	require.Equal(t, Repository{Name: "owner/name", Licence: "MIT", Stars: 7}, page.Repository)
	at := time.Date(2024, 1, 1, 0, 1, 0, 0, time.UTC)
	require.Equal(t, []Pull{{
		Number: 1, Title: "Pull 1", Body: "Text", Updated: at, Merged: at, Commit: fmt.Sprintf("%040d", 1), Labels: []string{"bug"}, Commits: 1, Subjects: []string{"One"},
		Closes: []Issue{{Number: 1001, Title: "Issue 1001", Body: "It breaks", Created: at.Add(-time.Minute)}},
	}}, page.Pulls, "the other repository's issue is none of ours")
}

// TestMishaps: what passes is asked for again, after the wait that the server
// asks for, and nothing is lost or read twice.
func TestMishaps(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	reset := func(after time.Duration) string { return strconv.FormatInt(start.Add(after).Unix(), 10) }
	answers := func(status int, body string, header ...string) mishap {
		return func(w http.ResponseWriter, _ *http.Request) { say(w, status, body, header...) }
	}
	for name, c := range map[string]struct {
		is    mishap
		wait  time.Duration // the first one
		sizes []int         // of the first two pages after it
	}{
		"bad gateway":      {answers(502, "<html>"), 2 * time.Second, []int{25, 50}},
		"connection":       {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 2 * time.Second, []int{25, 50}},
		"cut":              {func(w http.ResponseWriter, _ *http.Request) { say(w, 200, `{"data":{`, "Content-Length", "500") }, 2 * time.Second, []int{25, 50}},
		"not JSON":         {answers(200, "<html>"), 2 * time.Second, []int{25, 50}},
		"nothing":          {answers(200, `{}`), 2 * time.Second, []int{25, 50}},
		"another form":     {answers(200, `{"data":{"repository":[]}}`), 2 * time.Second, []int{25, 50}},
		"no list":          {answers(200, `{"data":{"repository":{"nameWithOwner":"owner/name"}}}`), 2 * time.Second, []int{25, 50}},
		"no number":        {answers(200, `{"data":{"repository":{"pullRequests":{"pageInfo":{},"nodes":[{"title":"x"}]}}}}`), 2 * time.Second, []int{25, 50}},
		"the same place":   {answers(200, `{"data":{"repository":{"pullRequests":{"pageInfo":{"hasNextPage":true,"endCursor":"50"},"nodes":[]}}}}`), 2 * time.Second, []int{25, 50}},
		"too slow":         {answers(200, `{"data":null,"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout"}]}`), 2 * time.Second, []int{25, 50}},
		"part of it":       {answers(200, `{"data":{"repository":{"pullRequests":{"pageInfo":{},"nodes":[]}}},"errors":[{"message":"timedout: timed out"}]}`), 2 * time.Second, []int{25, 50}},
		"its limits":       {answers(200, `{"data":{"repository":{"pullRequests":{"pageInfo":{},"nodes":[null]}}},"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"too much"}]}`), 2 * time.Second, []int{25, 50}},
		"its limits, said": {answers(200, `{"data":{"repository":{"pullRequests":{"pageInfo":{},"nodes":[null]}}},"errors":[{"message":"Resource limits for this query exceeded."}]}`), 2 * time.Second, []int{25, 50}},
		"primary limit":    {answers(200, `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset(40*time.Minute)), 40*time.Minute + time.Second, []int{50, 50}},
		"primary, 403":     {answers(403, `{"message":"API rate limit exceeded"}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset(time.Minute)), time.Minute + time.Second, []int{50, 50}},
		"secondary limit":  {answers(403, `{"message":"You have exceeded a secondary rate limit."}`), time.Minute, []int{50, 50}},
		"secondary, after": {answers(429, `{"message":"slow down"}`, "Retry-After", "90"), 90 * time.Second, []int{50, 50}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, 120, map[int]mishap{2: c.is}) // the second page
			client, at := s.client("token")
			numbers, _ := all(t, client)
			require.Equal(t, descending(120), numbers)
			require.Equal(t, []time.Duration{c.wait}, at.waits)
			require.Equal(t, append([]int{50, 50}, c.sizes...), s.sizes[:4])
		})
	}
}

// TestLimitIsKept: after the last request of the hour the client waits for its
// end.
func TestLimitIsKept(t *testing.T) {
	s := newServer(t, 3, nil)
	c, at := s.client("token")
	end := at.now.Add(10 * time.Minute)
	s.mishaps = map[int]mishap{1: func(w http.ResponseWriter, _ *http.Request) {
		say(w, 200, `{"data":{"repository":{"pullRequests":{"pageInfo":{},"nodes":[]}}}}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", strconv.FormatInt(end.Unix(), 10))
	}}
	_, err := c.Pulls(t.Context(), "owner/name", "")
	require.NoError(t, err)
	require.Empty(t, at.waits)
	page, err := c.Pulls(t.Context(), "owner/name", "")
	require.NoError(t, err)
	require.Len(t, page.Pulls, 3)
	require.Equal(t, []time.Duration{10*time.Minute + time.Second}, at.waits)
	require.Equal(t, 2, s.n)
}

// TestFailures: what does not pass is not asked again.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		token string
		is    mishap
		class llm.Class
		n     int
	}{
		"token":     {"wrong", nil, llm.Authentication, 1},
		"forbidden": {"token", func(w http.ResponseWriter, _ *http.Request) { say(w, 403, `{"message":"Resource not accessible"}`) }, llm.Authentication, 1},
		"redirect":  {"token", func(w http.ResponseWriter, _ *http.Request) { say(w, 302, "", "Location", "/x") }, llm.Invalid, 1},
		"no such": {"token", func(w http.ResponseWriter, _ *http.Request) {
			say(w, 200, `{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"no"}]}`)
		}, llm.Invalid, 1},
		"query":      {"token", func(w http.ResponseWriter, _ *http.Request) { say(w, 200, `{"errors":[{"message":"Parse error"}]}`) }, llm.Invalid, 1},
		"two hours":  {"token", func(w http.ResponseWriter, _ *http.Request) { say(w, 429, "", "Retry-After", "7200") }, llm.RateLimited, 1},
		"not better": {"token", func(w http.ResponseWriter, _ *http.Request) { say(w, 502, "") }, llm.Overloaded, 5},
	} {
		t.Run(name, func(t *testing.T) {
			mishaps := map[int]mishap{}
			for n := 1; n <= 5 && c.is != nil; n++ {
				mishaps[n] = c.is
			}
			s := newServer(t, 1, mishaps)
			client, _ := s.client(c.token)
			_, err := client.Pulls(t.Context(), "owner/name", "")
			var e *llm.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.class, e.Class)
			require.Equal(t, c.n, s.n)
			require.NotContains(t, err.Error(), "wrong", "no token in a message")
		})
	}
	s := newServer(t, 1, nil)
	client, _ := s.client("token")
	_, err := client.Pulls(t.Context(), "owner/name", "nowhere")
	var lost *CursorError
	require.ErrorAs(t, err, &lost)
	for _, o := range []Options{{Token: llm.NewKey("")}, {Token: llm.NewKey("x"), URL: "ftp://host"}, {Token: llm.NewKey("x"), URL: "https://me:pw@host/"}} {
		_, err := New(o)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "pw")
	}
}

func TestIssues(t *testing.T) {
	s := newServer(t, 0, map[int]mishap{1: func(w http.ResponseWriter, _ *http.Request) { say(w, 502, "") }})
	var numbers []int
	for n := 1; n <= 120; n++ {
		numbers = append(numbers, n)
		switch {
		case n%3 == 0:
			s.issues[n] = issueNodeOf(n, "owner/name")
		case n%3 == 1:
			s.issues[n] = map[string]any{"__typename": "PullRequest"}
		}
	}
	moved := issueNodeOf(7, "owner/other")
	s.issues[6] = moved
	c, at := s.client("token")
	found, err := c.Issues(t.Context(), "owner/name", numbers)
	require.NoError(t, err)
	require.Len(t, found, 39, "every third, without the one that was moved")
	require.Equal(t, 3, found[0].Number)
	require.Len(t, at.waits, 1)
	require.Equal(t, 4, s.n, "half as many after the failure, then 50 at once")
}

func FuzzReadPage(f *testing.F) {
	f.Add([]byte(`{"repository":{"nameWithOwner":"a/b","pullRequests":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":[null,{"number":1,"mergedAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","closingIssuesReferences":{"nodes":[null]}}]}}}`))
	f.Add([]byte(`{"repository":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		page, err := readPage(json.RawMessage(data), nil, "")
		if err != nil {
			return
		}
		for _, p := range page.Pulls {
			require.Positive(t, p.Number)
			require.False(t, p.Updated.IsZero())
		}
	})
}
