package searchreplace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/code"
)

func TestParse(t *testing.T) {
	one := []Block{{"a.py", []string{"x"}, []string{"y"}}}
	for name, tt := range map[string]struct {
		answer string
		want   []Block
		why    string
	}{
		"plain":           {block("a.py", "x", "y"), one, ""},
		"fence, prose":    {"So:\n\n```python\n" + block("a.py", "x", "y") + "```\nDone.", one, ""},
		"fence inside":    {"a.py\n```\n" + strings.TrimPrefix(block("", "x", "y"), "\n") + "```", one, ""},
		"path in marks":   {"**`./a.py`**\n" + strings.TrimPrefix(block("", "x", "y"), "\n"), one, ""},
		"path with label": {"### File: a.py\n" + strings.TrimPrefix(block("", "x", "y"), "\n"), one, ""},
		"CRLF":            {strings.ReplaceAll(block("a.py", "x", "y"), "\n", "\r\n"), one, ""},
		"marks too long":  {"a.py\n<<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>>>> REPLACE\n", one, ""},
		"deletion":        {"a.py\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n", []Block{{"a.py", []string{"x"}, nil}}, ""},
		"same file again": {block("a.py", "x", "y") + "\n<<<<<<< SEARCH\nv\n=======\nw\n>>>>>>> REPLACE\n", append(one[:1:1], Block{"a.py", []string{"v"}, []string{"w"}}), ""},
		"equals signs":    {block("a.py", "x\n====", "y\n========"), []Block{{"a.py", []string{"x", "===="}, []string{"y", "========"}}}, ""},
		"empty":           {"", nil, "there is no search/replace block"},
		"no path":         {"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", nil, "block 1 has no path"},
		"no middle":       {"a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n", nil, "block 1 has no line ======="},
		"two middles":     {block("a.py", "x", "y\n=======\nz"), nil, "block 1 has more than one line ======="},
		"no end":          {"a.py\n<<<<<<< SEARCH\nx\n=======\ny\n", nil, "block 1 is cut off"},
		"no end, next":    {"a.py\n<<<<<<< SEARCH\nx\n=======\ny\n" + block("a.py", "x", "y"), nil, "block 2 begins before block 1 has"},
		"nothing sought":  {"a.py\n<<<<<<< SEARCH\n\n=======\ny\n>>>>>>> REPLACE\n", nil, "block 1 searches for nothing"},
		"nothing changed": {block("a.py", "x", "x"), nil, "block 1 changes nothing"},
		"end alone":       {">>>>>>> REPLACE", nil, "before block 1 has begun"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(tt.answer)
			if tt.why != "" {
				require.ErrorContains(t, err, tt.why)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestPlace(t *testing.T) {
	for name, tt := range map[string]struct {
		text            string
		spans           []Span
		search, replace string
		want            string
		cause           string
	}{
		"a line":               {"a\nb\nc\n", []Span{{1, 3}}, "b", "x", "a\nx\nc\n", ""},
		"context outside":      {"a\nb\nc\n", []Span{{2, 2}}, "a\nb\nc", "a\nx\nc", "a\nx\nc\n", ""},
		"insertion behind":     {"a\nb\nc\n", []Span{{2, 2}}, "b\nc", "b\nx\nc", "a\nb\nx\nc\n", ""},
		"insertion far behind": {"a\nb\nc\n", []Span{{1, 1}}, "b\nc", "b\nx\nc", "", OutOfRange},
		"one of two allowed":   {"a\nb\na\n", []Span{{3, 3}}, "a", "x", "a\nb\nx\n", ""},
		"two allowed":          {"a\nb\na\n", []Span{{1, 3}}, "a", "x", "", Ambiguous},
		"over two ranges":      {"a\nb\nc\n", []Span{{1, 1}, {3, 3}}, "a\nb\nc", "x\nb\ny", "", OutOfRange},
		"CRLF":                 {"a\r\nb\r\n", []Span{{1, 2}}, "b", "x\ny", "a\r\nx\r\ny\r\n", ""},
		"open end":             {"a\nb", []Span{{1, 2}}, "b", "x", "a\nx", ""},
		"more at an open end":  {"a\nb", []Span{{1, 2}}, "b", "b\nc", "a\nb\nc", ""},
		"a line off":           {"a\nb\n", []Span{{1, 2}}, "a\nb", "b", "b\n", ""},
		"blanks":               {"a \n", []Span{{1, 1}}, "a", "x", "", NotFound},
		"longer than the file": {"a\n", []Span{{1, 1}}, "a\na", "x", "", NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			f := File{"f", []byte(tt.text), tt.spans}
			e, no := f.place(Block{"f", strings.Split(tt.search, "\n"), strings.Split(tt.replace, "\n")})
			if tt.cause != "" {
				require.NotNil(t, no)
				require.Equal(t, tt.cause, no.Cause)
				return
			}
			require.Nil(t, no)
			got, ok := code.Apply(f.Text, []code.Edit{e})
			require.True(t, ok)
			require.Equal(t, tt.want, string(got))
		})
	}
}

// FuzzParse checks that an answer that is read is read the same when
// its blocks are written out.
func FuzzParse(f *testing.F) {
	f.Add(block("a.py", "x", "y"))
	f.Add("prose\n```\n" + block("./b", "x\n\ty", "") + "```\n" + block("`a`", "=", "<"))
	f.Add("a\n<<<<<<< SEARCH\nx\r\n=======\n>>>>>>> REPLACE")
	f.Fuzz(func(t *testing.T, answer string) {
		blocks, err := Parse(answer)
		if err != nil {
			require.Empty(t, blocks)
			return
		}
		require.NotEmpty(t, blocks)
		var out strings.Builder
		for _, b := range blocks {
			out.WriteString(b.Path + "\n" + startOfBlock + "\n")
			for _, l := range b.Search {
				out.WriteString(l + "\n")
			}
			out.WriteString(middleOfBlock + "\n")
			for _, l := range b.Replace {
				out.WriteString(l + "\n")
			}
			out.WriteString(endOfBlock + "\n")
		}
		again, err := Parse(out.String())
		require.NoError(t, err, out.String())
		require.Equal(t, blocks, again)
	})
}

// FuzzPlace checks that an edit leaves everything outside of the range as it
// is.
func FuzzPlace(f *testing.F) {
	f.Add("a\nb\nc\n", "b\nc", "b\nx\nc", 2, 2)
	f.Add("a\r\nb", "b", "b\nx", 1, 2)
	f.Add("a\na\na", "a\na", "", 2, 3)
	f.Fuzz(func(t *testing.T, text, search, replace string, start, end int) {
		all := code.Lines([]byte(text))
		if start < 1 || end < start || end > len(all) {
			return
		}
		file := File{"f", []byte(text), []Span{{start, end}}}
		e, no := file.place(Block{"f", strings.Split(search, "\n"), strings.Split(replace, "\n")})
		if no != nil {
			require.NotEmpty(t, no.Why)
			return
		}
		got, ok := code.Apply(file.Text, []code.Edit{e})
		require.True(t, ok)
		require.True(t, bytes.HasPrefix(got, bytes.Join(all[:start-1], nil)))
		require.True(t, bytes.HasSuffix(got, bytes.Join(all[end:], nil)))
	})
}

func TestMerged(t *testing.T) {
	require.Equal(t, []Span{{1, 5}, {8, 9}}, Merged([]Span{{8, 9}, {1, 2}, {3, 5}, {4, 4}}))
	require.Empty(t, Merged(nil))
}

// block is a search/replace block.
func block(path, search, replace string) string {
	return fmt.Sprintf("%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n", path, search, replace)
}
