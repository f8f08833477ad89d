package hub_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/internal/hub"
)

const (
	commit    = "0123456789012345678901234567890123456789"
	converted = "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
)

// server is a hub of one dataset, o/d, that notes what it is asked.
type server struct {
	*httptest.Server
	files map[string]string // of commit
	asked []string
	waits []time.Duration
	// before answers in place of the server, where it returns true.
	before func(w http.ResponseWriter, r *http.Request) bool
}

func newServer(t *testing.T, files map[string]string) *server {
	s := &server{files: files}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked = append(s.asked, r.URL.RequestURI()+r.Header.Get("Range"))
		if s.before != nil && s.before(w, r) {
			return
		}
		s.answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	at := r.URL.EscapedPath()
	resolve := "/datasets/o/d/resolve/" + commit + "/"
	switch {
	case at == "/api/datasets/o/d/revision/main" || at == "/api/datasets/o/d/revision/v1":
		fmt.Fprintf(w, `{"sha":%q,"private":false}`, commit)
	case at == "/api/datasets/o/d/revision/refs%2Fconvert%2Fparquet":
		fmt.Fprintf(w, `{"sha":%q}`, converted)
	case at == "/api/datasets/o/d/tree/"+converted:
		fmt.Fprint(w, `[{"type":"file","path":"default/test/0000.parquet","size":0}]`)
	case at == "/api/datasets/o/d/tree/"+commit:
		s.tree(w, r)
	case at == "/datasets/o/d/resolve/"+converted+"/default/test/0000.parquet":
	case strings.HasPrefix(at, resolve):
		http.ServeContent(w, r, "x", time.Time{}, strings.NewReader(s.files[strings.TrimPrefix(r.URL.Path, resolve)]))
	default:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		http.Error(w, "no", http.StatusUnauthorized)
	}
}

// tree lists one file a page.
func (s *server) tree(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	list := []map[string]any{}
	paths := slices.Sorted(maps.Keys(s.files))
	if page < len(paths) {
		sum := sha256.Sum256([]byte(s.files[paths[page]]))
		list = append(list, map[string]any{
			"type": "file", "path": paths[page], "size": len(s.files[paths[page]]),
			"lfs": map[string]any{"oid": hex.EncodeToString(sum[:])},
		}, map[string]any{"type": "directory", "path": "data"})
	}
	if page+1 < len(paths) {
		w.Header().Set("Link", fmt.Sprintf(`<%s?recursive=true&cursor=%d>; rel="next"`, r.URL.Path, page+1))
	}
	_ = json.NewEncoder(w).Encode(list)
}

func (s *server) client(t *testing.T) hub.Client {
	return hub.Client{
		Endpoint: s.URL, Token: "secret", Dir: t.TempDir(), HTTP: s.Client(), Tell: func(string) {},
		Sleep: func(_ context.Context, d time.Duration) error {
			s.waits = append(s.waits, d)
			return nil
		},
	}
}

// all takes every file.
func all(paths []string) ([]string, error) { return paths, nil }

func TestFetch(t *testing.T) {
	s := newServer(t, map[string]string{"README.md": "r", "data/test-00000-of-00002.parquet": "first", "data/test 1.parquet": "second"})
	c := s.client(t)
	only := func(paths []string) ([]string, error) { return paths[1:], nil }
	got, err := c.Fetch(t.Context(), hub.Name{Repo: "o/d", Split: "test"}, only)
	require.NoError(t, err)
	require.Equal(t, "hf:o/d@test#"+commit, got.Name.String())
	require.True(t, strings.HasPrefix(got.Folder, filepath.Join(c.Dir, "o__d", commit)))
	text, err := os.ReadFile(filepath.Join(got.Folder, "data", "test 1.parquet"))
	require.NoError(t, err)
	require.Equal(t, "second", string(text))
	require.NoFileExists(t, filepath.Join(got.Folder, "README.md"))
	require.Contains(t, s.asked, "/datasets/o/d/resolve/"+commit+"/data/test%201.parquet")

	asked := len(s.asked)
	again, err := c.Fetch(t.Context(), hub.Name{Repo: "o/d", Split: "test", Revision: "v1"}, only)
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.Equal(t, []string{"/api/datasets/o/d/revision/v1"}, s.asked[asked:], "files are there")

	s.Close()
	again, err = c.Fetch(t.Context(), got.Name, only)
	require.NoError(t, err, "a commit that is there needs no network")
	require.Equal(t, got, again)
	_, err = c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, only)
	require.ErrorContains(t, err, "after 5 tries")
	require.ErrorContains(t, err, "the cache holds a commit of it: hf:o/d#"+commit)
}

func TestFetchTakesTheConversion(t *testing.T) {
	s := newServer(t, map[string]string{"script.py": "x"})
	c := s.client(t)
	got, err := c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
	require.NoError(t, err)
	require.Equal(t, converted, got.Name.Revision)
	require.FileExists(t, filepath.Join(got.Folder, "default", "test", "0000.parquet"))
}

// TestFetchResumes continues with half a file, also where the server sends
// all of it, and begins again where what it has is of another file.
func TestFetchResumes(t *testing.T) {
	const name, content = "a.parquet", "0123456789"
	for _, tt := range []struct {
		name, half string
		noRanges   bool
		want       string // the last request
	}{
		{"half", "01234", false, "bytes=5-"},
		{"half, no ranges", "01234", true, "bytes=5-"},
		{"all of it", content, false, ""},
		{"another file", "xxxxx", false, ""},
		{"too much", content + "x", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, map[string]string{name: content})
			if tt.noRanges {
				s.before = func(w http.ResponseWriter, r *http.Request) bool {
					r.Header.Del("Range")
					return false
				}
			}
			c := s.client(t)
			got, err := c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
			require.NoError(t, err)
			path := filepath.Join(got.Folder, name)
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.WriteFile(path+".part", []byte(tt.half), 0o644))
			_, err = c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
			require.NoError(t, err)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, content, string(text))
			require.NoFileExists(t, path+".part")
			require.True(t, strings.HasSuffix(s.asked[len(s.asked)-1], tt.want))
		})
	}
}

func TestFetchTriesAgain(t *testing.T) {
	s := newServer(t, map[string]string{"a.jsonl": "{}"})
	busy := 0
	s.before = func(w http.ResponseWriter, _ *http.Request) bool {
		busy++
		switch busy {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.WriteHeader(http.StatusBadGateway)
		case 3:
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return busy <= 3
	}
	_, err := ptr(s.client(t)).Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
	require.NoError(t, err)
	require.Equal(t, []time.Duration{7 * time.Second, 2 * time.Second, 5 * time.Minute}, s.waits)

	s.before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	_, err = ptr(s.client(t)).Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
	require.ErrorContains(t, err, "fetching hf:o/d: after 5 tries: the hub says 502 Bad Gateway")
}

func ptr(c hub.Client) *hub.Client { return &c }

func TestFetchRefusals(t *testing.T) {
	for _, tt := range []struct {
		status     int
		code, want string
	}{
		{401, "RepoNotFound", "there is no such dataset, or it is private: check the name, or set HF_TOKEN"},
		{404, "", "there is no such dataset"},
		{403, "GatedRepo", "the dataset is gated: accept its terms on its page and set HF_TOKEN (the hub says 403 Forbidden)"},
		{404, "RevisionNotFound", "there is no such revision"},
		{418, "", "the hub says 418 I'm a teapot"},
	} {
		s := newServer(t, nil)
		s.before = func(w http.ResponseWriter, r *http.Request) bool {
			require.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
			w.Header().Set("X-Error-Code", tt.code)
			w.WriteHeader(tt.status)
			return true
		}
		_, err := ptr(s.client(t)).Fetch(t.Context(), hub.Name{Repo: "o/d"}, all)
		require.ErrorContains(t, err, tt.want)
		require.Len(t, s.asked, 1, "asked once")
	}
}

// TestFetchChecks refuses content that is not what was listed, and a path
// that leaves the folder; the token goes to the hub alone.
func TestFetchChecks(t *testing.T) {
	s := newServer(t, map[string]string{"a.parquet": "0123", "../b.parquet": "x"})
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Empty(t, r.Header.Get("Authorization"))
		fmt.Fprint(w, "4567")
	}))
	defer elsewhere.Close()
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/resolve/") {
			http.Redirect(w, r, strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
			return true
		}
		return false
	}
	c := s.client(t)
	var offered []string
	_, err := c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, func(paths []string) ([]string, error) {
		offered = paths
		return paths, nil
	})
	require.Equal(t, []string{"a.parquet"}, offered)
	require.ErrorContains(t, err, "a.parquet: expected 4 bytes, SHA-256")
	found, err := filepath.Glob(filepath.Join(c.Dir, "*", "*", "*", "a.parquet"))
	require.NoError(t, err)
	require.Empty(t, found)
	none := errors.New("none of them")
	_, err = c.Fetch(t.Context(), hub.Name{Repo: "o/d"}, func([]string) ([]string, error) { return nil, none })
	require.ErrorIs(t, err, none)
}

func TestNames(t *testing.T) {
	for text, want := range map[string]hub.Name{
		"hf:o/d": {Repo: "o/d"}, "o/d": {Repo: "o/d"}, "o/d.e-f_g@dev": {Repo: "o/d.e-f_g", Split: "dev"},
		"hf:o/d:java@test#v1": {Repo: "o/d", Config: "java", Split: "test", Revision: "v1"},
		"hf:o/d#refs/pr/1":    {Repo: "o/d", Revision: "refs/pr/1"},
	} {
		got, ok := hub.ParseName(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
		require.Equal(t, "hf:"+strings.TrimPrefix(text, "hf:"), got.String())
	}
	for _, text := range []string{"", "o", "hf:o", "o/d/e", "../d", "./d", "-o/d", "o/d@", "/o/d", "o/../d", "https://x/y"} {
		_, ok := hub.ParseName(text)
		require.False(t, ok, text)
	}
}
