package bench_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// seeds adds the published forms, each as it is and with some damage.
func seeds(f *testing.F) {
	paths, err := filepath.Glob("testdata/forms/*.json")
	require.NoError(f, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text)
		f.Add(text[:len(text)/2])
		f.Add(append(append([]byte("["), bytes.TrimSpace(text)...), ']'))
	}
	for _, text := range []string{
		`{"a":{"model_patch":"x"},"b":null,"c":"\ud800"}`,
		`{"instance_id":"a/b:pr-1","model_patch":{"model_patch":null}}`,
		"\ufeff{\"instance_id\":\"a\",\r\n\"bad_patches\":[\"p\",{\"idx\":-1}],\"x\":NaN}",
		"[1,{},[],\"\\\"\",-Infinity", "{\"\":", "{\"a\" :1 ,}", "\xff", "[]]", "nul",
	} {
		f.Add([]byte(text))
	}
}

// FuzzInstance: everything that decodes must encode, and then read and write
// the same.
func FuzzInstance(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var in bench.Instance
		if in.UnmarshalJSON(data) != nil {
			return
		}
		in.Check()
		line := write(t, in)
		require.True(t, json.Valid(line))
		require.Equal(t, string(line), string(write(t, parse(t, line))))
	})
}

// FuzzDataset: every entry of any file must read, by itself, to what the scan
// saw, and are within the file.
func FuzzDataset(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"d.json", "d.jsonl"} {
			d, err := bench.OpenDataset(file(t, name, string(data)))
			if err != nil {
				continue
			}
			_ = d.Scan(t.Context(), func(e bench.Entry, in *bench.Instance) error {
				require.LessOrEqual(t, e.Offset+int64(e.Length), int64(len(data)))
				again, err := d.Read(e)
				require.NoError(t, err)
				require.Equal(t, *in, again)
				return nil
			})
			require.NoError(t, d.Close())
		}
	})
}

// FuzzParquet: the same for the rows of Parquet files.
func FuzzParquet(f *testing.F) {
	for _, name := range []string{pyarrow, pyarrow + "-v2", pyarrow + "-legacy"} {
		data, err := os.ReadFile(name + ".parquet")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := bench.OpenDataset(file(t, "d.parquet", string(data)))
		require.NoError(t, err)
		_ = d.Scan(t.Context(), func(e bench.Entry, in *bench.Instance) error {
			again, err := d.Read(e)
			require.NoError(t, err)
			require.Equal(t, *in, again)
			return nil
		})
		require.NoError(t, d.Close())
	})
}

// FuzzPredictions: the same for predictions.
func FuzzPredictions(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"p.json", "p.jsonl"} {
			p, err := bench.OpenPredictions(file(t, name, string(data)))
			if err != nil {
				continue
			}
			entries, _ := p.Index(t.Context())
			for _, e := range entries {
				got, err := p.Read(e)
				require.NoError(t, err)
				require.Equal(t, e.InstanceID, got.InstanceID)
				require.NoError(t, bench.WritePrediction(&bytes.Buffer{}, got))
			}
			require.NoError(t, p.Close())
		}
	})
}

// FuzzStore: for any content of the file, a store that opens it can be
// appended to, and then reads back.
func FuzzStore(f *testing.F) {
	f.Add([]byte("{\"task_digest\":\"d\"}\n{\"task_digest\":\"e\""))
	f.Add([]byte("{}\n\n  {}"))
	f.Add([]byte("\x00\x00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := file(t, "results.jsonl", string(data))
		s, err := bench.OpenStore(path)
		if err != nil {
			return
		}
		require.NoError(t, s.Append(result("m", "a", "fresh")))
		got, err := s.Read(s.Lookup("fresh")[0])
		require.NoError(t, err)
		require.Equal(t, "a", got.InstanceID)
		require.NoError(t, s.Close())
		s, err = bench.OpenStore(path)
		require.NoError(t, err)
		require.Empty(t, s.Note())
		require.Len(t, s.Lookup("fresh"), 1)
		require.NoError(t, s.Close())
	})
}
