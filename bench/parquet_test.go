package bench_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// pyarrow is a file of 40 instances, and the same rows as JSON Lines, which
// internal/parquet compares.
const pyarrow = "../internal/parquet/testdata/instances"

// copyTo copies a file to a folder's path.
func copyTo(t testing.TB, from string, to ...string) {
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	path := filepath.Join(to...)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
}

// TestParquetReadsAsJSONLines checks that a dataset is the same in both
// forms, by a scan and by reading single instances.
func TestParquetReadsAsJSONLines(t *testing.T) {
	lines, want, err := index(t, pyarrow+".jsonl")
	require.NoError(t, err)
	d, got, err := index(t, pyarrow+".parquet")
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Len(t, got, 40)
	for i := len(got) - 1; i >= 0; i-- {
		a, err := lines.Read(want[i])
		require.NoError(t, err)
		b, err := d.Read(got[i])
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
	fromLines, err := lines.Digest(t.Context())
	require.NoError(t, err)
	fromRows, err := d.Digest(t.Context())
	require.NoError(t, err)
	require.Equal(t, fromLines, fromRows)
	require.Equal(t, pyarrow+".parquet", d.Path())
}

// TestReadBeforeScan reads an entry of another Dataset of the same file.
func TestReadBeforeScan(t *testing.T) {
	_, entries, err := index(t, pyarrow+".parquet")
	require.NoError(t, err)
	d, err := bench.OpenDataset(pyarrow + ".parquet")
	require.NoError(t, err)
	defer d.Close()
	in, err := d.Read(entries[7])
	require.NoError(t, err)
	require.Equal(t, "acme__widgets-7", in.ID)
}

func TestParquetByContent(t *testing.T) {
	dir := t.TempDir()
	copyTo(t, pyarrow+".parquet", dir, "data.bin")
	_, entries, err := index(t, filepath.Join(dir, "data.bin"))
	require.NoError(t, err)
	require.Len(t, entries, 40)
}

func TestBrokenParquet(t *testing.T) {
	dir := t.TempDir()
	sound, err := os.ReadFile(pyarrow + ".parquet")
	require.NoError(t, err)
	damaged := bytes.Clone(sound)
	copy(damaged[4:], strings.Repeat("\xff", 64))
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"cut", sound[:100], "x.parquet: the Parquet file is broken: it ends with"},
		{"page", damaged, `x.parquet: row 1, column "instance_id": the Parquet file is broken`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, "x.parquet")
			require.NoError(t, os.WriteFile(path, tt.data, 0o644))
			d, entries, err := index(t, path)
			require.ErrorContains(t, err, tt.want)
			require.Empty(t, entries)
			_, err = d.Read(bench.Entry{ID: "x", Length: 1})
			require.ErrorContains(t, err, tt.want, "the same each time")
		})
	}
}

// TestParquetProblems names file, row and field of records that are wrong.
func TestParquetProblems(t *testing.T) {
	_, _, err := index(t, "../internal/parquet/testdata/values.parquet")
	require.ErrorContains(t, err, `values.parquet:1: field "instance_id": expected an id`)
	require.ErrorContains(t, err, `values.parquet:3: field "instance_id"`)
}

// TestFolders checks which files of a folder count as one dataset.
func TestFolders(t *testing.T) {
	one, two, three := string(minimal(map[string]any{"instance_id": "a"})), string(minimal(map[string]any{"instance_id": "b"})), string(minimal(map[string]any{"instance_id": "c"}))
	for _, tt := range []struct {
		name  string
		files map[string]string
		open  string
		ids   string // joined by blanks
		want  string // the error
	}{
		{"shards", map[string]string{"data/test-00000-of-00002.jsonl": one, "data/test-00001-of-00002.jsonl": two}, "", "a b", ""},
		{"shards with digests", map[string]string{"data/test-00000-of-00001-7e897d4aeb3d3eab.jsonl": one}, "", "a", ""},
		{"the split test", map[string]string{"data/test-00000-of-00001.jsonl": one, "data/dev-00000-of-00001.jsonl": two}, "", "a", ""},
		{"a split that is named", map[string]string{"data/test-00000-of-00001.jsonl": one, "data/dev-00000-of-00001.jsonl": two}, "@dev", "b", ""},
		{"the only split", map[string]string{"data/train-00000-of-00001.jsonl": one}, "", "a", ""},
		{"files by splits", map[string]string{"test.jsonl": one, "dev.jsonl": two}, "", "a", ""},
		{"files of any name", map[string]string{"x.jsonl": two, "y.jsonl": one, "notes.txt": "no", ".hidden/z.jsonl": "no"}, "", "b a", ""},
		{"as the hub converts", map[string]string{"default/test/0000.jsonl": one, "default/test/0001.jsonl": two, "default/train/0000.jsonl": three}, "", "a b", ""},
		{"a configuration", map[string]string{"java/test-00000-of-00001.jsonl": one, "cpp/test-00000-of-00001.jsonl": two}, ":cpp", "b", ""},
		{"a configuration and a split", map[string]string{"java/test-00000-of-00001.jsonl": one, "java/dev-00000-of-00001.jsonl": three, "cpp/test-00000-of-00001.jsonl": two}, ":java@dev", "c", ""},
		{"a pattern", map[string]string{"data/test-00000-of-00002.jsonl": one, "data/test-00001-of-00002.jsonl": two, "data/x.jsonl": three}, "/data/test-*.jsonl", "a b", ""},
		{"keyed and pretty", map[string]string{"x.jsonl": "[" + strings.ReplaceAll(one, ",", ",\n  ") + "]"}, "", "a", ""},
		{"splits to choose from", map[string]string{"dev.jsonl": one, "train.jsonl": two}, "", "", "several splits (dev, train): name one by @NAME after the folder"},
		{"configurations to choose from", map[string]string{"java/a.jsonl": one, "cpp/b.jsonl": two}, "", "", "several configurations (cpp, java): name one by :NAME after the folder"},
		{"no such split", map[string]string{"dev.jsonl": one}, "@test", "", `there is no split "test" (dev)`},
		{"no such configuration", map[string]string{"dev.jsonl": one}, ":x@dev", "", `there is no configuration "x" ()`},
		{"a shard is missing", map[string]string{"test-00000-of-00002.jsonl": one}, "", "", "shard 2 of 2 is missing (test-00000-of-00002.jsonl is there)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range tt.files {
				path := filepath.Join(dir, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
			}
			if tt.want != "" {
				_, err := bench.OpenDataset(dir + tt.open)
				require.ErrorContains(t, err, tt.want)
				return
			}
			d, entries, err := index(t, dir+tt.open)
			require.NoError(t, err)
			var ids []string
			for _, e := range entries {
				ids = append(ids, e.ID)
				in, err := d.Read(e)
				require.NoError(t, err)
				require.Equal(t, e.ID, in.ID)
			}
			require.Equal(t, tt.ids, strings.Join(ids, " "))
		})
	}
}

// TestShardsNameTheirFiles checks that problems and duplicates name the file
// and its line or row, and that the valid records are there.
func TestShardsNameTheirFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	content := string(minimal(map[string]any{"instance_id": "x"})) + "\n\n{\"a\": tru}\n" + string(minimal(map[string]any{"instance_id": "y", "repo": 1})) + "\n"
	require.NoError(t, os.WriteFile(a, []byte(content), 0o644))
	require.NoError(t, os.WriteFile(b, minimal(map[string]any{"instance_id": "x"}), 0o644))
	d, entries, err := index(t, dir)
	require.EqualError(t, err, a+":3:10: expected JSON, got broken JSON (invalid character '}' in literal true (expecting 'e'))\n"+
		a+`:4: field "repo": expected owner/name or a clone URL, got number 1`)
	require.Len(t, entries, 1)
	require.Len(t, d.Duplicates(), 1)
	require.Equal(t, b+":1: a second record of x (the first: "+a+":1), which holds the same; the first one is used", d.Duplicates()[0].String())
}
