package retrieve_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/syntax"
	"assay/methods/retrieve"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"readHTTPBody":         "read http body readhttpbody",
		"read_http_body":       "read http body readhttpbody",
		"__init__":             "init",
		"IOError":              "io error ioerror",
		"base64.b64decode(x)":  "base64 b64decode",
		"a I 7":                "",
		"Ångström's GRÖSSE":    "ångström grösse",
		"std::vector<int> v{}": "std vector int",
		"utf8Name2Other":       "utf8 name2 other utf8name2other",
		"x.y_":                 "",
		"":                     "",
	} {
		require.Equal(t, want, strings.Join(retrieve.Words(text), " "), "%q", text)
	}
}

// TestRankByHand compares a score with the formula, put down term by term.
func TestRankByHand(t *testing.T) {
	x := retrieve.NewIndex([]string{"red red green", "green blue", "yellow"})
	hits := x.Rank("red green red")
	require.Len(t, hits, 2)
	require.Equal(t, []int{0, 1}, []int{hits[0].Doc, hits[1].Doc})
	idf := func(n float64) float64 { return math.Log(1 + (3-n+0.5)/(n+0.5)) }
	tf := func(count, length float64) float64 { return count * 2.2 / (count + 1.2*(0.25+0.75*length/2)) }
	require.InDelta(t, 2*idf(1)*tf(2, 3)+idf(2)*tf(1, 3), hits[0].Score, 1e-12)
	require.InDelta(t, idf(2)*tf(1, 2), hits[1].Score, 1e-12)
}

func TestRank(t *testing.T) {
	docs := []string{
		"parse the header of a request",
		"parse parse parse parse parse parse",
		"cookies",
		"parse the header of a request", // as the first one
		"the the the the of of of a a a",
		strings.Repeat("other words that make a long document ", 40) + "header",
	}
	order := func(query string) string {
		var out []string
		for _, h := range retrieve.NewIndex(docs).Rank(query) {
			require.Positive(t, h.Score)
			out = append(out, fmt.Sprint(h.Doc))
		}
		return strings.Join(out, " ")
	}
	require.Equal(t, "0 3 5", order("Header"), "equal ones in their order; a long document last")
	require.Equal(t, "2", order("Cookies"))
	require.Equal(t, "0 3 1 5", order("parseHeader header request"), "an identifier's parts")
	require.Empty(t, order("nothing"))
	require.Empty(t, order(""))
	require.Empty(t, retrieve.NewIndex(nil).Rank("header"))
	require.Empty(t, retrieve.NewIndex([]string{"", "?"}).Rank("header"))
}

// memory is a tree of texts.
type memory map[string]string

func (m memory) Paths() []string { return slices.Sorted(maps.Keys(m)) }

func (m memory) Read(path string) ([]byte, error) {
	text, ok := m[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func TestFiles(t *testing.T) {
	tree := memory{
		"lib/slug.py":        "def slug(text):\n    return text\n",
		"lib/fold.py":        "def fold(text):\n    return text\n",
		"lib/unrelated.py":   "x = 1\n",
		"lib/data.bin":       "slug\x00slug",
		"lib/huge.py":        strings.Repeat("slug ", 1<<18),
		"tests/test_slug.py": "slug slug slug\n",
	}
	source := func(p string) bool { return strings.HasPrefix(p, "lib/") }
	got, err := retrieve.Files(tree, source, "slug of a text is wrong; see slug.py")
	require.NoError(t, err)
	var paths []string
	for _, f := range got {
		paths = append(paths, f.Path)
	}
	require.Equal(t, []string{"lib/slug.py", "lib/fold.py", "lib/unrelated.py"}, paths, "the last one shares the word py")
	again, err := retrieve.Files(tree, source, "slug of a text is wrong; see slug.py")
	require.NoError(t, err)
	require.Equal(t, got, again)
}

// listing names a file that it does not have.
type listing struct{ memory }

func (l listing) Paths() []string { return []string{"gone.py"} }

func TestBrokenTree(t *testing.T) {
	all := func(string) bool { return true }
	_, err := retrieve.Files(listing{memory{}}, all, "x")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "gone.py")
	_, err = retrieve.Functions(memory{}, nil, []string{"gone.py"}, "x")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestFunctions(t *testing.T) {
	for language, tt := range map[string]struct{ text, want string }{
		"python": {"class Purse:\n    def close(self):\n        pass\n\n    def open_it(self):\n        return coins\n\ndef count(coins):\n    return len(coins)\n", "count 8-9; Purse.open_it 5-6"},
		"java":   {"class Purse {\n  void close() {}\n  int count(int coins) { return coins; }\n}\n", "Purse.count 3-3"},
		"cpp":    {"namespace shop {\nint count(int coins) {\n  return coins;\n}\nvoid close() {}\n}\n", "shop.count 2-4"},
	} {
		t.Run(language, func(t *testing.T) {
			parse := func(src []byte) (*syntax.File, error) {
				if strings.HasPrefix(string(src), "?") {
					return nil, fmt.Errorf("no")
				}
				return syntax.Parse(language, src)
			}
			tree := memory{"f": tt.text, "g": "?"}
			got, err := retrieve.Functions(tree, parse, tree.Paths(), "coins are counted twice: count")
			require.NoError(t, err)
			var shown []string
			for _, f := range got {
				shown = append(shown, fmt.Sprintf("%s %d-%d", f.Name, f.Start, f.End))
			}
			require.Equal(t, tt.want, strings.Join(shown, "; "))
		})
	}
}

// FuzzRank checks that a ranking is in order, and the same twice.
func FuzzRank(f *testing.F) {
	f.Add("parse header", "header", "the header_of HTTPRequest")
	f.Add("", "\xff_A", "_")
	f.Fuzz(func(t *testing.T, a, b, query string) {
		docs := []string{a, b, a + " " + b}
		got := retrieve.NewIndex(docs).Rank(query)
		require.Equal(t, got, retrieve.NewIndex(docs).Rank(query))
		require.LessOrEqual(t, len(got), len(docs))
		for i, h := range got {
			require.Positive(t, h.Score)
			if i > 0 {
				require.GreaterOrEqual(t, got[i-1].Score, h.Score)
			}
		}
	})
}
