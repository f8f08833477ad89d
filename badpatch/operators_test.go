package badpatch

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sampled() []string { return []string{"python", "java", "cpp"} }

func sampleCode(t testing.TB, language string) *code {
	name, src := sample(t, language)
	c, err := parse(language, name, src)
	require.NoError(t, err)
	require.Zero(t, c.errors)
	return c
}

// everything gives all mutations of an operator on a file.
func everything(c *code, op operator) []mutation {
	var out []mutation
	c.root.Walk(func(n *syntax.Node) bool {
		if n.Broken || c.arid(n) {
			return false
		}
		if n.Named && (op.only == "" || op.only == c.language) {
			out = append(out, op.rewrite(c, n)...)
		}
		return true
	})
	return out
}

// TestOperators compares all that every operator makes of the samples with
// golden files, and parses it: none may do harm to the syntax.
func TestOperators(t *testing.T) {
	for _, op := range operators() {
		made := 0
		for _, language := range sampled() {
			c := sampleCode(t, language)
			t.Run(op.name+"/"+language, func(t *testing.T) {
				got, n := describe(t, c, op)
				made += n
				file := filepath.Join("testdata", "operators", op.name+"."+language+".golden")
				if n == 0 {
					require.NoFileExists(t, file)
					return
				}
				golden(t, file, got, *update)
			})
		}
		require.Positive(t, made, "%s makes nothing of any sample", op.name)
	}
}

// describe writes what an operator makes as the lines that change.
func describe(t *testing.T, c *code, op operator) (string, int) {
	var b strings.Builder
	all := everything(c, op)
	for _, m := range all {
		text, ok := apply(c.src, m.edits)
		require.True(t, ok, "%s: edits overlap: %v", op.name, m)
		_, errs, err := syntax.Nodes(c.language, text)
		require.NoError(t, err)
		require.Zero(t, errs, "%s: %s breaks the syntax:\n%s", op.name, m.what, text)
		fmt.Fprintf(&b, "# %s\n", m.what)
		for _, h := range hunksBetween(c.src, text) {
			fmt.Fprintf(&b, "@ %d\n", h.from+1)
			for _, l := range lines(c.src)[h.from:h.to] {
				fmt.Fprintf(&b, "-%s", l)
			}
			for _, l := range lines(text)[h.newFrom:h.newTo] {
				fmt.Fprintf(&b, "+%s", l)
			}
		}
	}
	return b.String(), len(all)
}

// TestOperatorTable holds that names are not used twice and every category of
// the operators is there.
func TestOperatorTable(t *testing.T) {
	seen, categories := map[string]bool{}, map[Category]bool{}
	for _, op := range operators() {
		require.False(t, seen[op.name], op.name)
		seen[op.name] = true
		categories[op.category] = true
	}
	require.Len(t, categories, 6)
}

// FuzzOperators holds for any source that operators do not panic, that their
// edits are within the file, and that a patch made of them gives their text.
func FuzzOperators(f *testing.F) {
	for i, language := range sampled() {
		_, src := sample(f, language)
		f.Add(uint8(i), src)
	}
	f.Add(uint8(0), []byte("def f(x): return x[:]; y = 1\n"))
	f.Add(uint8(1), []byte("class A { int f() { if (a) return 1; else b(); } }"))
	f.Add(uint8(2), []byte("int f(int& x) { FOO(x) if (x) throw 1; return {}; }"))
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := sampled()[int(which)%3]
		c, err := parse(language, "f", append([]byte{}, src...))
		require.NoError(t, err)
		for _, op := range operators() {
			for i, m := range everything(c, op) {
				text, ok := apply(c.src, m.edits)
				require.True(t, ok || len(m.edits) > 1, "%s: %v of %d bytes", op.name, m, len(src))
				if ok && i == 0 {
					checkPatch(t, c.src, text)
				}
			}
		}
		Normalise(language, src)
	})
}
