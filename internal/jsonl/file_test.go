package jsonl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// open returns the file and the lines that it held.
func open(t *testing.T, path string) (*File, []string) {
	t.Helper()
	var lines []string
	f, err := Open(path, func(_ Line, text []byte) error {
		lines = append(lines, string(text))
		return nil
	})
	require.NoError(t, err)
	return f, lines
}

func TestFileGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	f, lines := open(t, path)
	require.Empty(t, lines)
	first, err := f.Append([]byte(`{"a":1}`))
	require.NoError(t, err)
	second, err := f.Append([]byte(`{"a":"éé"}`))
	require.NoError(t, err)
	require.Equal(t, []Line{{1, 0, 7}, {2, 8, 12}}, []Line{first, second})
	text, err := f.Read(second)
	require.NoError(t, err)
	require.Equal(t, `{"a":"éé"}`, string(text))
	_, err = Open(path, nil)
	require.ErrorContains(t, err, "another process is writing it")
	require.NoError(t, f.Close())
	f, lines = open(t, path)
	require.Equal(t, []string{`{"a":1}`, `{"a":"éé"}`}, lines)
	third, err := f.Append([]byte(`{}`))
	require.NoError(t, err)
	require.Equal(t, Line{3, 21, 2}, third)
	require.NoError(t, f.Close())
}

func TestOpenRepairsTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		lines []string
		after string
		noted bool
	}{
		"nothing":             {"", nil, "", false},
		"whole lines":         {"{}\n[]\n", []string{"{}", "[]"}, "{}\n[]\n", false},
		"a cut line":          {"{}\n{\"a", []string{"{}"}, "{}\n", true},
		"only a cut line":     {"{\"a", nil, "", true},
		"no line end":         {"{}\n{}", []string{"{}", "{}"}, "{}\n{}\n", false},
		"blank lines":         {"\n  {}\n\n", []string{"{}"}, "\n  {}\n\n", false},
		"blanks without end":  {"{}\n ", []string{"{}"}, "{}\n \n", false},
		"a broken whole line": {"what\n", []string{"what"}, "what\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
			f, lines := open(t, path)
			require.Equal(t, c.lines, lines)
			require.Equal(t, c.noted, f.Note() != "", f.Note())
			at, err := f.Append([]byte(`"new"`))
			require.NoError(t, err)
			text, err := f.Read(at)
			require.NoError(t, err)
			require.Equal(t, `"new"`, string(text))
			require.NoError(t, f.Close())
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.after+"\"new\"\n", string(data))
		})
	}
}

func TestOpenEndsWithTheErrorOfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{}\n{}\n"), 0o644))
	_, err := Open(path, func(at Line, _ []byte) error {
		if at.Number == 2 {
			return os.ErrInvalid
		}
		return nil
	})
	require.ErrorIs(t, err, os.ErrInvalid)
	require.ErrorContains(t, err, "line 2: ")
	f, _ := open(t, path) // it is not locked any more
	require.NoError(t, f.Close())
}

// TestWriteThatFails: a file that cannot be written keeps what it held.
func TestWriteThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o644))
	f, _ := open(t, path)
	readonly, err := os.Open(path)
	require.NoError(t, err)
	writable := f.file
	f.file = readonly
	_, err = f.Append([]byte("[]"))
	require.Error(t, err)
	f.file = writable
	at, err := f.Append([]byte("[]"))
	require.NoError(t, err)
	require.Equal(t, Line{2, 3, 2}, at)
	require.NoError(t, f.Close())
}
