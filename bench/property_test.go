package bench_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/bench"
)

// text draws strings that JSON has to escape, too.
func text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom([]string{"\n", "\t", "\"", "\\", "\\u0041", "<&>", "\u2028", "\ufffd", "\U0001f600", "\x00", "NaN", "{[", "é"}),
		), 0, 5).Draw(t, "parts")
		var out string
		for _, p := range parts {
			if utf8.ValidString(p) {
				out += p
			}
		}
		return out
	})
}

// list draws lists; an empty one is nil, as the reader gives it.
func list[T any](t *rapid.T, g *rapid.Generator[T], name string) []T {
	out := rapid.SliceOfN(g, 0, 3).Draw(t, name)
	if len(out) == 0 {
		return nil
	}
	return out
}

// extras draws unknown fields, by names that no known one has.
func extras(t *rapid.T) map[string]json.RawMessage {
	names := list(t, rapid.Map(text(), func(s string) string { return "x" + s }), "extra names")
	if names == nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	for _, name := range names {
		value := rapid.SampledFrom([]string{`null`, `1.50`, `-0`, `1e400`, `"a\u003cb"`, `[]`, `{"b":[1,null],"a":"\ud83d\ude00"}`, `true`})
		out[name] = json.RawMessage(value.Draw(t, "extra"))
	}
	return out
}

func instance(t *rapid.T) bench.Instance {
	str := func(name string) string { return text().Draw(t, name) }
	in := bench.Instance{
		ID: rapid.SampledFrom([]string{"a__b-1", "a__b_1", "x", "é y"}).Draw(t, "id"), Repo: str("repo"),
		BaseCommit: str("commit"), Patch: str("patch"), TestPatch: str("test patch"),
		ProblemStatement: str("statement"), HintsText: str("hints"), CreatedAt: rapid.SampledFrom([]string{"", "2021-03-04T05:06:07Z", "0000-01-01T00:00:00.000000001Z"}).Draw(t, "created"),
		Version: str("version"), FailToPass: list(t, text(), "f2p"), PassToPass: list(t, text(), "p2p"),
		Language: rapid.SampledFrom([]string{"python", "java", "cpp", "go"}).Draw(t, "language"), Image: str("image"),
		Extra: extras(t),
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "bad patches") {
		in.BadPatches = append(in.BadPatches, bench.BadPatch{
			Index: 2 * i, Source: str("source"), Patch: str("bad"), Review: str("review"),
			Level: rapid.SampledFrom([]bench.Level{"", bench.LevelFailsF2P, bench.LevelUnbuilt}).Draw(t, "level"), Extra: extras(t),
		})
		in.GoodVariants = append(in.GoodVariants, bench.GoodVariant{Index: i, Patch: str("variant")})
	}
	if rapid.Bool().Draw(t, "env") {
		in.Env = &bench.Env{
			Packages: list(t, text(), "packages"), Test: str("test"), TimeoutSeconds: rapid.IntRange(0, 9).Draw(t, "timeout"),
		}
		if vars := rapid.MapOfN(text(), text(), 0, 2).Draw(t, "vars"); len(vars) > 0 {
			in.Env.Vars = vars
		}
	}
	if rapid.Bool().Draw(t, "provenance") {
		in.Provenance = &bench.Provenance{URL: str("url")}
	} else if in.Env == nil {
		in.Provenance = &bench.Provenance{}
	}
	return in
}

// TestInstanceSurvives: what is written reads back the same, and writes the
// same again.
func TestInstanceSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := instance(t)
		line := write(t, in)
		require.Equal(t, 1, countLines(line))
		got := parse(t, line)
		if diff := cmp.Diff(in, got); diff != "" {
			t.Fatalf("read back otherwise (-written +read):\n%s", diff)
		}
		require.Equal(t, string(line), string(write(t, got)))
	})
}

func countLines(b []byte) int {
	n := 0
	for _, c := range b {
		if c == '\n' {
			n++
		}
	}
	return n
}

func TestNormaliseIDIsIdempotent(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "_", "__", "-", ":", ":pr-", "/", "1", "42", "."})
	rapid.Check(t, func(t *rapid.T) {
		var id string
		for _, p := range rapid.SliceOfN(part, 0, 9).Draw(t, "parts") {
			id += p
		}
		once := bench.NormaliseID(id)
		require.Equal(t, once, bench.NormaliseID(once))
	})
}

// TestSchemaNamesFields: every field that an instance can have is in its
// schema, and the other way round.
func TestSchemaNamesFields(t *testing.T) {
	var schema struct {
		Properties map[string]any
		Required   []string
	}
	text, err := bench.Schema("instance")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &schema))
	full := parse(t, minimal(map[string]any{
		"hints_text": "h", "created_at": "2021-03-04", "version": "v", "image": "i", "env": map[string]any{},
		"root": "/r", "eval_script": "s", "test_cmds": "c", "log_parser": "p", "eval_type": "fail_only",
		"bad_patches": []any{"p"}, "good_variants": []any{map[string]any{"patch": "p"}},
		"reviews": []any{map[string]any{"bad_patch": 0, "text": "t"}}, "style": []any{map[string]any{"linter": "l"}}, "provenance": map[string]any{},
	}))
	var fields map[string]any
	require.NoError(t, json.Unmarshal(write(t, full), &fields))
	require.Equal(t, slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(schema.Properties)))
	require.Subset(t, slices.Collect(maps.Keys(fields)), schema.Required)
}
