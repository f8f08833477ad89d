package harness

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMatchGlob(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"/a/b", "/a/b", true},
		{"/a/b", "/a/b/c", false},
		{"/a/b", "/a", false},
		{"/a/*", "/a/b", true},
		{"/a/*", "/a/b/c", false},
		{"/a/*", "/a", false},
		{"/a/*.xml", "/a/.xml", true},
		{"/a/**", "/a/b/c", true},
		{"/a/**", "/a", true},
		{"/a/**", "/ab", false},
		{"/a/**/*.xml", "/a/x.xml", true},
		{"/a/**/*.xml", "/a/b/c/x.xml", true},
		{"/a/**/*.xml", "/a/b/c/x.txt", false},
		{"/**/b/**/c", "/a/b/c", true},
		{"/**/b/**/c", "/b/b/x/c", true},
		{"/**/b/**/c", "/a/c", false},
		{"/**/a/b/**", "/a/a/b", true},
		{"/**/x/**/x", "/x", false},
		{"/a**/b", "/axx/b", true}, // within an element it is path.Match's
		{"/a**/b", "/a/x/b", false},
		{"/a/?[xy]", "/a/1y", true},
		{"/a/[", "/a/[", false},
		{`/a/\*`, "/a/*", true},
		{`/a/\*`, "/a/b", false},
		{"//a//b/", "/a/b", true},
		{"", "/", true},
		{"/**", "/", true},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, MatchGlob(tt.pattern, tt.name), "%s on %s", tt.pattern, tt.name)
	}
}

func TestGlobRoot(t *testing.T) {
	for pattern, want := range map[string]string{
		"/a/b/c":      "/a/b/c",
		"/a/b/*.xml":  "/a/b",
		"/a/**/x":     "/a",
		"/*/x":        "/",
		"/a/b?/c":     "/a",
		`/a/\*/c`:     "/a",
		"/a/../b/*":   "/b",
		"/../../etc":  "/etc",
		"/a/[b]/c":    "/a",
		"relative/*x": "/relative",
		"":            "/",
	} {
		require.Equal(t, want, GlobRoot(pattern), pattern)
	}
}

// TestMatchGlobSteps: many wildcards must not multiply.
func TestMatchGlobSteps(t *testing.T) {
	pattern := strings.Repeat("/**/*a*", 200) + "/end"
	name := strings.Repeat("/aaaaaaaa", 2000)
	began := time.Now()
	require.False(t, MatchGlob(pattern, name))
	require.Less(t, time.Since(began), 5*time.Second)
}

func FuzzMatchGlob(f *testing.F) {
	for _, seed := range []string{"/a/**/*.xml", "/**", "/a/[a-", `/\`, "/*/b/**/c", "//", "/**/**/x"} {
		f.Add(seed, "/a/b/c/x.xml")
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 200 {
			return
		}
		require.Equal(t, slowMatch(globElements(pattern), globElements(name)), MatchGlob(pattern, name))
		if clean := path.Clean("/" + name); MatchGlob(pattern, clean) {
			root := GlobRoot(pattern)
			require.True(t, strings.Contains(pattern, "..") || under(root, clean), "%q is not under %q", clean, root)
		}
	})
}

func under(root, name string) bool {
	return root == "/" || name == root || strings.HasPrefix(name, root+"/")
}

// slowMatch is the definition, written down with a table of all sub-problems.
func slowMatch(pat, elems []string) bool {
	table := make([][]bool, len(pat)+1)
	for p := len(pat); p >= 0; p-- {
		table[p] = make([]bool, len(elems)+1)
		for e := len(elems); e >= 0; e-- {
			switch {
			case p == len(pat):
				table[p][e] = e == len(elems)
			case pat[p] == "**":
				table[p][e] = table[p+1][e] || e < len(elems) && table[p][e+1]
			default:
				table[p][e] = e < len(elems) && matchElement(pat[p], elems[e]) && table[p+1][e+1]
			}
		}
	}
	return table[0][0]
}
