package mutation

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sampled() []string { return []string{"python", "java", "cpp"} }

func sampleCode(t testing.TB, language string) *code.File {
	name, src := badpatchtest.Sample(t, language)
	c, err := code.Parse(language, name, src)
	require.NoError(t, err)
	require.Zero(t, c.Errors)
	return c
}

// everything returns all mutations of an operator on a file.
func everything(c *code.File, op operator) []code.Mutation {
	var out []code.Mutation
	c.Root.Walk(func(n *syntax.Node) bool {
		if n.Broken || arid(c, n) {
			return false
		}
		if n.Named && (op.only == nil || op.only(c)) {
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
				badpatchtest.Golden(t, file, got, *update)
			})
		}
		require.Positive(t, made, "%s makes nothing of any sample", op.name)
	}
}

// describe writes what an operator makes as the lines that change.
func describe(t *testing.T, c *code.File, op operator) (string, int) {
	var b strings.Builder
	all := everything(c, op)
	for _, m := range all {
		text, ok := code.Apply(c.Src, m.Edits)
		require.True(t, ok, "%s: edits overlap: %v", op.name, m)
		_, errs, err := syntax.Nodes(c.Language, text)
		require.NoError(t, err)
		require.Zero(t, errs, "%s: %s breaks the syntax:\n%s", op.name, m.What, text)
		fmt.Fprintf(&b, "# %s\n", m.What)
		for _, h := range code.HunksBetween(c.Src, text) {
			fmt.Fprintf(&b, "@ %d\n", h.From+1)
			for _, l := range code.Lines(c.Src)[h.From:h.To] {
				fmt.Fprintf(&b, "-%s", l)
			}
			for _, l := range code.Lines(text)[h.NewFrom:h.NewTo] {
				fmt.Fprintf(&b, "+%s", l)
			}
		}
	}
	return b.String(), len(all)
}

// TestOperatorTable checks that names are not used twice and every category
// of the operators is there.
func TestOperatorTable(t *testing.T) {
	seen, categories := map[string]bool{}, map[badpatch.Category]bool{}
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
		_, src := badpatchtest.Sample(f, language)
		f.Add(uint8(i), src)
	}
	f.Add(uint8(0), []byte("def f(x): return x[:]; y = 1\n"))
	f.Add(uint8(1), []byte("class A { int f() { if (a) return 1; else b(); } }"))
	f.Add(uint8(2), []byte("int f(int& x) { FOO(x) if (x) throw 1; return {}; }"))
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := sampled()[int(which)%3]
		c, err := code.Parse(language, "f", append([]byte{}, src...))
		require.NoError(t, err)
		for _, op := range operators() {
			for i, m := range everything(c, op) {
				text, ok := code.Apply(c.Src, m.Edits)
				require.True(t, ok || len(m.Edits) > 1, "%s: %v of %d bytes", op.name, m, len(src))
				if ok && i == 0 {
					badpatchtest.CheckPatch(t, c.Src, text)
				}
			}
		}
		code.Normalise(language, src)
	})
}
