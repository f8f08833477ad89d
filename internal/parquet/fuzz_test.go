package parquet_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/parquet"
)

// FuzzRows: for any file, its rows are objects on one line, numbered from 1,
// or there is an error.
func FuzzRows(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.parquet")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "x.parquet")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		n := 0
		_ = parquet.Rows(t.Context(), path, func(r parquet.Row) error {
			n++
			require.Equal(t, n, r.Number)
			var row map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(r.JSON, &row), "%s", r.JSON)
			require.NotContains(t, string(r.JSON), "\n")
			return nil
		})
	})
}
