package patch_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/internal/patch"
)

// genText draws a text of few different lines, so that they repeat, with any
// mixture of line ends or one kind, and with or without a last one.
func genText(t *rapid.T, label string) []byte {
	line := rapid.SampledFrom([]string{"", "a", "b", "  c", "-d", "+e", "--- a/f", "+++ b/f", "@@ -1 +1 @@", "diff --git a/f b/f", `\ No newline at end of file`, "```", "\xff\xfe", "f\rg", "-- ", "2.39.5"})
	ends := rapid.SampledFrom([][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}}).Draw(t, label+" ends")
	var out []byte
	for _, l := range rapid.SliceOfN(line, 0, 40).Draw(t, label) {
		out = append(out, l...)
		out = append(out, rapid.SampledFrom(ends).Draw(t, "end")...)
	}
	if rapid.Bool().Draw(t, label+" unended") {
		out = bytes.TrimSuffix(out, []byte{'\n'})
	}
	return append([]byte{}, out...)
}

// genEdit draws a text that differs from the given one in a few lines.
func genEdit(t *rapid.T, old []byte) []byte {
	lines := bytes.SplitAfter(old, []byte{'\n'})
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			lines[at] = nil
		case 1:
			lines[at] = genText(t, "insertion")
		case 2:
			lines[at] = append([]byte("x"), lines[at]...)
		}
	}
	return bytes.Join(lines, nil)
}

// TestRoundTrip: what Between writes, Parse and Apply turn into the new text,
// at the very lines; and so after another round through Bytes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := genText(t, "old")
		new := genText(t, "new")
		if rapid.Bool().Draw(t, "similar") {
			new = append([]byte{}, genEdit(t, old)...)
		}
		diff := patch.Between("dir/f", old, new)
		require.Equal(t, bytes.Equal(old, new), diff == nil)
		p, err := patch.Parse(diff)
		require.NoError(t, err)
		again, err := patch.Parse(p.Bytes())
		require.NoError(t, err)
		require.Equal(t, string(diff), string(again.Bytes()))
		changes, err := patch.Apply(patch.MapTree(entries{"dir/f": file(string(old))}), again)
		require.NoError(t, err)
		require.Equal(t, patch.Strict, changes.Method)
		got, err := changes.Over(patch.MapTree(entries{"dir/f": file(string(old))})).Read("dir/f")
		require.NoError(t, err)
		require.Equal(t, string(new), string(got.Data))
	})
}

// TestDamage: wrong counts, stripped blanks and a lost last line feed do not
// change the outcome.
func TestDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f"}), 1, 30).Draw(t, "lines")
		old := []byte(text(lines...))
		edited := append([]string(nil), lines...)
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
		edited[at] = "new"
		diff := string(patch.Between("f", old, []byte(text(edited...))))
		if rapid.Bool().Draw(t, "counts") {
			header := strings.SplitAfter(diff, "\n")[3]
			start, _, _ := strings.Cut(strings.TrimPrefix(header, "@@ -"), ",")
			diff = strings.Replace(diff, header, "@@ -"+start+",77 +"+start+",66 @@\n", 1)
		} else if rapid.Bool().Draw(t, "strip") {
			diff = strings.ReplaceAll(diff, "\n \n", "\n\n")
		}
		if rapid.Bool().Draw(t, "unended") {
			diff = strings.TrimSuffix(diff, "\n")
		}
		p, err := patch.Parse([]byte(diff))
		require.NoError(t, err)
		changes, err := patch.Apply(patch.MapTree(entries{"f": file(string(old))}), p)
		require.NoError(t, err)
		require.Equal(t, patch.Strict, changes.Method)
		require.Equal(t, text(edited...), string(changes.Write["f"].Data))
	})
}

// TestLostCarriageReturns: a diff between two CRLF texts, with its carriage
// returns lost, gives the new CRLF text.
func TestLostCarriageReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", "b", "c"})
		old := text(rapid.SliceOfN(line, 1, 30).Draw(t, "old")...)
		new := text(rapid.SliceOfN(line, 1, 30).Draw(t, "new")...)
		diff := patch.Between("f", []byte(old), []byte(new))
		p, err := patch.Parse(diff)
		require.NoError(t, err)
		tree := patch.MapTree(entries{"f": file(crlf(old))})
		changes, err := patch.Apply(tree, p)
		require.NoError(t, err)
		got, err := changes.Over(tree).Read("f")
		require.NoError(t, err)
		require.Equal(t, crlf(new), string(got.Data))
	})
}
