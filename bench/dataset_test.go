package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// file writes content to a file of that name and returns its path.
func file(t testing.TB, name, content string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// index opens and scans a dataset.
func index(t *testing.T, path string) (*bench.Dataset, []bench.Entry, error) {
	d, err := bench.OpenDataset(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	entries, err := d.Index(t.Context())
	return d, entries, err
}

func TestDatasetShapes(t *testing.T) {
	a := string(minimal(map[string]any{"instance_id": "a"}))
	b := string(minimal(map[string]any{"instance_id": "b", "hints_text": "br{ace \" ] quoted \\"}))
	anonymous := string(minimal(map[string]any{"instance_id": nil}))
	pretty := strings.ReplaceAll(a, ",", ",\n  ")
	for _, tt := range []struct {
		name, file, content string
		lines               []int
	}{
		{"lines", "d.jsonl", a + "\n" + b + "\n", []int{1, 2}},
		{"lines without last line end", "d.jsonl", a + "\n" + b, []int{1, 2}},
		{"lines, CRLF, BOM, blank lines, indent", "d.jsonl", "\ufeff\r\n" + a + "\r\n\r\n  " + b + "\r\n\n", []int{2, 4}},
		{"lines in a .json", "d.json", a + "\n" + b + "\n", []int{1, 2}},
		{"list", "d.json", "[" + a + "," + b + "]", []int{1, 1}},
		{"list in a .jsonl", "d.jsonl", "[" + a + "," + b + "]\n", []int{1, 1}},
		{"list over lines, BOM", "d.json", "\ufeff[\n" + a + ",\n\n" + b + "\n]\n", []int{2, 4}},
		{"pretty list", "d.json", "[\n" + pretty + ",\n" + b + "]", []int{2, 7}},
		{"keyed", "d.json", `{"a":` + anonymous + ",\n\"b\":" + b + "}", []int{1, 2}},
		{"single", "d.json", "{\n" + pretty[1:], []int{1}},
		{"unknown first field", "d.json", `{"Unnamed: 0":{},` + a[1:] + "\n" + b, []int{1, 2}},
		{"empty list", "d.json", " [ ] ", nil},
		{"empty", "d.jsonl", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, entries, err := index(t, file(t, tt.file, tt.content))
			require.NoError(t, err)
			var lines []int
			for i, e := range entries {
				lines = append(lines, e.Line)
				require.Equal(t, string(rune('a'+i)), e.ID)
				in, err := d.Read(e)
				require.NoError(t, err)
				require.Equal(t, e.ID, in.ID)
				require.Equal(t, "acme/widgets", in.Repo)
			}
			require.Equal(t, tt.lines, lines)
		})
	}
}

func TestDatasetErrors(t *testing.T) {
	good := string(minimal(nil))
	with := func(name string, value any) string { return string(minimal(map[string]any{name: value})) }
	for _, tt := range []struct{ name, file, content, want string }{
		{"number for commit", "d.jsonl", "\n" + with("base_commit", 12), `d.jsonl:2: field "base_commit": expected a commit id (7 to 40 hex digits), got number 12`},
		{"branch for commit", "d.jsonl", with("base_commit", "main"), `d.jsonl:1: field "base_commit": expected a commit id (7 to 40 hex digits), got "main"`},
		{"no commit", "d.jsonl", with("base_commit", nil), `d.jsonl:1: field "base_commit": expected a commit id (7 to 40 hex digits), got nothing`},
		{"no id", "d.jsonl", with("instance_id", nil), `d.jsonl:1: field "instance_id": expected an id that can name a file (at most 200 bytes, no "/", "\", ".." or control characters), got nothing`},
		{"id climbs", "d.jsonl", with("instance_id", "../x"), `got "../x"`},
		{"id with slash", "d.jsonl", with("instance_id", "a/b"), `got "a/b"`},
		{"id with control", "d.jsonl", with("instance_id", "a\x1b[0m"), `got "a\x1b[0m"`},
		{"repo is an option", "d.jsonl", with("repo", "--upload-pack=x/y"), `field "repo": expected owner/name or a clone URL`},
		{"repo runs a command", "d.jsonl", with("repo", "ext::sh -c x"), `field "repo": expected owner/name or a clone URL`},
		{"no patch", "d.jsonl", with("patch", ""), `field "patch": expected a diff, got nothing`},
		{"no test patch", "d.jsonl", with("test_patch", nil), `field "test_patch": expected a diff, got nothing`},
		{"language", "d.jsonl", with("language", "COBOL"), `field "language": expected a language (python, java, cpp), got "COBOL"`},
		{"bad patch", "d.jsonl", with("bad_patches", []any{"p", map[string]any{"idx": 1}}), `field "bad_patches[1].patch": expected a diff, got nothing`},
		{"bad patches", "d.jsonl", with("bad_patches", 3), `field "bad_patches": expected a list of objects or of diffs, got number 3`},
		{"bad patch idx", "d.jsonl", with("bad_patches", []any{map[string]any{"idx": "x", "patch": "p"}}), `field "bad_patches[0].idx": expected a whole number from 0 on, got "x"`},
		{"bad patch level", "d.jsonl", with("bad_patches", []any{map[string]any{"level": "x", "patch": "p"}}), `field "bad_patches[0].level": expected the level of a bad patch, got "x"`},
		{"review", "d.jsonl", with("reviews", []any{map[string]any{"bad_patch": "x"}}), `field "reviews[0].bad_patch"`},
		{"style task", "d.jsonl", with("style", []any{map[string]any{"linters": "x"}}), `field "style[0].linters": expected one of files, findings, idx`},
		{"variant", "d.jsonl", with("good_variants", []any{"p"}), `field "good_variants[0]": expected an object, got "p"`},
		{"env type", "d.jsonl", with("env", map[string]any{"setup": "make"}), `field "env.setup": expected a list of strings, got a JSON string`},
		{"env name", "d.jsonl", with("env", map[string]any{"setups": []any{}}), `field "env.setups": expected one of args, base, build, dependencies,`},
		{"env limit", "d.jsonl", with("env", map[string]any{"memory_mb": -1}), `field "env.memory_mb": expected 0 or more, got -1`},
		{"env variable", "d.jsonl", with("env", map[string]any{"vars": map[string]any{"A B": "x"}}), `field "env.vars": expected names of environment variables, got "A B"`},
		{"tests", "d.jsonl", with("FAIL_TO_PASS", "x"), `field "FAIL_TO_PASS": expected a list of test ids, or a string that holds one, got "x"`},
		{"two errors of a record", "d.jsonl", string(minimal(map[string]any{"repo": 1, "patch": nil})), "d.jsonl:1: field \"repo\": expected owner/name or a clone URL, got number 1\nd.jsonl:1: field \"patch\""},
		{"broken line", "d.jsonl", good + "\n  {\"a\": tru}\n", "d.jsonl:2:12: expected JSON, got broken JSON (invalid character '}' in literal true (expecting 'e'))"},
		{"cut line", "d.jsonl", good[:20], "d.jsonl:1:20: expected JSON, got broken JSON (unexpected end of JSON input)"},
		{"no object", "d.jsonl", "3", "d.jsonl:1: expected an object, got number 3"},
		{"page", "d.json", "<html>", "d.json:1:1: expected JSON"},
		{"latin-1", "d.jsonl", `{"instance_id":"caf` + "\xe9" + `"}`, "d.jsonl:1:20: expected UTF-8, got byte 0xe9"},
		{"half a surrogate", "d.jsonl", strings.Replace(good, "w.py", `caf\udce9`, 1), `field "patch": expected a diff, got half a surrogate pair (\udce9)`},
		{"half a surrogate in env", "d.jsonl", strings.Replace(with("env", map[string]any{"test": "XX"}), "XX", `\ud800`, 1), `field "env": expected text in UTF-8, got half a surrogate pair`},
		{"list ends early", "d.json", "[\n" + good, `d.json:2:`},
		{"list without comma", "d.json", "[\n" + good + "\n" + good + "]", `d.json:3:1: expected "," or ']', got '{'`},
		{"more after a list", "d.json", "[" + good + "]\nx", `d.json:2:1: expected the end of the file, got 'x'`},
		{"broken within a list", "d.json", "[\n{\"a\":\n  tru}, " + good + "]", "d.json:3:6: expected JSON, got broken JSON"},
		{"keyed without colon", "d.json", `{"x" {}}`, `d.json:1`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t, tt.file, tt.content)
			_, entries, err := index(t, path)
			var problems *bench.Problems
			require.ErrorAs(t, err, &problems)
			text := strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", "")
			require.Contains(t, text, tt.want)
			require.LessOrEqual(t, len(entries), 1, "the sound record, where there is one")
			var field *bench.FieldError
			require.ErrorAs(t, err, &field)
			require.Equal(t, path, field.File)
		})
	}
}

func TestOpenDatasetRefuses(t *testing.T) {
	folder := t.TempDir()
	for _, tt := range []struct{ name, path, want string }{
		{"absent", filepath.Join(folder, "x.jsonl"), "no such file"},
		{"absent, with a split", filepath.Join(folder, "x@test"), "no such file"},
		{"empty folder", folder, "the folder holds no *.parquet, no *.jsonl and no tasks/ID/task.yaml"},
		{"pipe", os.DevNull, "not a regular file"},
		{"split of a file", file(t, "x.jsonl", "") + "@test", "only a folder has configurations and splits"},
		{"pattern without a match", filepath.Join(folder, "*.jsonl"), "no file matches it as a pattern"},
		{"broken pattern", filepath.Join(folder, "[.jsonl"), "syntax error in pattern"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bench.OpenDataset(tt.path)
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, err := bench.OpenPredictions(file(t, "x.parquet", "x"))
	require.ErrorContains(t, err, "only datasets can be Parquet files")
}

func TestProblemsAreCounted(t *testing.T) {
	var b strings.Builder
	for range 25 {
		b.WriteString("{}\n")
	}
	b.Write(minimal(nil))
	_, entries, err := index(t, file(t, "d.jsonl", b.String()))
	var problems *bench.Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, entries, 1, "the sound record is there")
	require.Len(t, problems.List, 20)
	require.Equal(t, 25, problems.Records)
	require.Equal(t, 25*5, len(problems.List)+problems.More)
	require.True(t, strings.HasSuffix(err.Error(), "\nand 105 more"))
}

func TestScanTakesErrorsOfItsCaller(t *testing.T) {
	d, err := bench.OpenDataset(file(t, "d.jsonl", string(minimal(nil))+"\n"+string(minimal(map[string]any{"instance_id": "b"}))))
	require.NoError(t, err)
	defer d.Close()
	seen := 0
	err = d.Scan(t.Context(), func(e bench.Entry, in *bench.Instance) error {
		seen++
		return &bench.FieldError{Field: "patch", Expected: "a diff that parses", Got: "another"}
	})
	require.ErrorContains(t, err, `d.jsonl:2: field "patch": expected a diff that parses, got another`)
	require.Equal(t, 2, seen)

	stop := errors.New("stop")
	require.ErrorIs(t, d.Scan(t.Context(), func(bench.Entry, *bench.Instance) error { return stop }), stop)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, d.Scan(ctx, nil), context.Canceled)
}

// TestLongLines reads a line of 60 MB, and continues after one that is too
// long.
func TestLongLines(t *testing.T) {
	writesMuch(t)
	long := minimal(map[string]any{"instance_id": "long", "hints_text": strings.Repeat("x", 60_000_000)})
	tooLong := bytes.Repeat([]byte("y"), 65<<20)
	content := string(long) + "\n" + string(tooLong) + "\n" + string(minimal(nil))
	d, entries, err := index(t, file(t, "d.jsonl", content))
	require.ErrorContains(t, err, "d.jsonl:2: expected at most 67108864 bytes, got 68157441")
	require.Len(t, entries, 2)
	require.Equal(t, 3, entries[1].Line)
	in, err := d.Read(entries[0])
	require.NoError(t, err)
	require.Len(t, in.HintsText, 60_000_000)
	_, err = d.Read(entries[1])
	require.NoError(t, err)
}

// TestLongStringsInLists reads strings beyond any buffer, with escaped quotes.
func TestLongStringsInLists(t *testing.T) {
	text := strings.Repeat(`\"[{`, 200_000)
	one := minimal(map[string]any{"instance_id": "a", "hints_text": text})
	d, entries, err := index(t, file(t, "d.json", "["+string(one)+",\n"+string(minimal(nil))+"]"))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	in, err := d.Read(entries[0])
	require.NoError(t, err)
	require.Equal(t, text, in.HintsText)

	_, _, err = index(t, file(t, "d.json", `["`+strings.Repeat("x", 65<<20)+`"]`))
	require.ErrorContains(t, err, "expected at most 67108864 bytes in one record, got more")
}

func TestReadIsConcurrentAndSeesChanges(t *testing.T) {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "%s\n", minimal(map[string]any{"instance_id": fmt.Sprintf("x-%02d", i)}))
	}
	path := file(t, "d.jsonl", b.String())
	d, entries, err := index(t, path)
	require.NoError(t, err)
	var wg sync.WaitGroup
	got := make([]string, len(entries))
	for i, e := range entries {
		wg.Go(func() {
			if in, err := d.Read(e); err == nil {
				got[i] = in.ID
			}
		})
	}
	wg.Wait()
	for i, e := range entries {
		require.Equal(t, e.ID, got[i])
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(minimal(map[string]any{"instance_id": "y-00"}), 0)
	require.NoError(t, errors.Join(err, f.Close()))
	_, err = d.Read(entries[0])
	require.ErrorContains(t, err, "the file was changed")
}

// TestIndexIsSmall checks that the index of 100,000 instances, with the copy
// of every id that the search for doubletsneeds, stays below 60 MB.
func TestIndexIsSmall(t *testing.T) {
	writesMuch(t)
	path := filepath.Join(t.TempDir(), "d.jsonl")
	writeMany(t, path, 100_000, 0)
	d, err := bench.OpenDataset(path)
	require.NoError(t, err)
	defer d.Close()
	before := liveBytes()
	entries, err := d.Index(t.Context())
	require.NoError(t, err)
	require.Len(t, entries, 100_000)
	require.Less(t, liveBytes()-before, uint64(60<<20))
	runtime.KeepAlive(entries)
}

// writesMuch skips, in short mode, what takes seconds to write and to read.
func writesMuch(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it writes and reads a hundred megabytes or so: not in short mode")
	}
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
