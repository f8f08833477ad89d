package harness

import (
	"context"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestObserve(t *testing.T) {
	Notify(t.Context(), Building, "nobody hears")
	require.Equal(t, io.Discard, Lines(t.Context()))
	var outer, inner []Event
	ctx := Observe(t.Context(), func(e Event) { outer = append(outer, e) })
	below := Observe(ctx, func(e Event) { inner = append(inner, e) })
	Notify(ctx, "testing", "gold")
	NotifyLayer(below, Recipe{Name: "tools", Packages: []string{"gcc"}})
	NotifyLayer(below, Recipe{Name: "project", Archives: []Archive{{}}})
	want := []Event{{Phase: Installing, Name: "tools"}, {Phase: Building, Name: "project"}}
	require.Equal(t, want, inner)
	require.Equal(t, append([]Event{{Phase: "testing", Name: "gold"}}, want...), outer)
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 2000)
	tests := map[string]struct {
		writes, want []string
	}{
		"lines":             {[]string{"one\n", "two\nthree\n"}, []string{"one", "three"}},
		"in parts":          {[]string{"o", "ne", "\n", "\n\n"}, []string{"o", "one"}},
		"the same again":    {[]string{"one\n", "one\n"}, []string{"one"}},
		"rewritten line":    {[]string{"10 %\r", "20 %\r", "done\r\n"}, []string{"10 %", "20 %", "done"}},
		"colors and titles": {[]string{"\x1b[1;31mred\x1b[0m \x1b]0;title\x07text\x1b[2K\n"}, []string{"red text"}},
		"control":           {[]string{"a\tb\x07\x00c\u202e\xff\n"}, []string{"a bc"}},
		"blank":             {[]string{"one\n", "   \n\x1b[A\n"}, []string{"one"}},
		"long":              {[]string{long}, []string{long[:lineBytes]}},
		"long in parts":     {[]string{long[:500], "y" + long[:500] + "z"}, []string{long[:500], "" + (long[:500] + "y" + long[:500] + "z")[1002-lineBytes:]}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			w := Lines(Observe(t.Context(), func(e Event) {
				require.Empty(t, e.Phase)
				got = append(got, e.Line)
			}))
			for _, s := range tt.writes {
				n, err := io.WriteString(w, s)
				require.NoError(t, err)
				require.Equal(t, len(s), n)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// FuzzLines: for any output, no control character of a terminal is reported.
func FuzzLines(f *testing.F) {
	f.Add([]byte("\x1b[1mbold\x1b[0m\nnext"), 4)
	f.Add([]byte("\x1b\x1b[A]\x1b]0;\x1b\\\xc3\x28\r\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		w := Lines(Observe(context.Background(), func(e Event) {
			require.LessOrEqual(t, len(e.Line), 3*lineBytes)
			require.True(t, utf8.ValidString(e.Line))
			require.NotContains(t, e.Line, "\x1b")
			require.False(t, strings.ContainsFunc(e.Line, func(r rune) bool { return !unicode.IsPrint(r) }))
			require.NotEmpty(t, e.Line)
		}))
		at := min(max(cut, 0), len(data))
		_, _ = w.Write(data[:at])
		_, _ = w.Write(data[at:])
	})
}
