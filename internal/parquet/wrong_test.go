package parquet_test

import (
	"math"
	"testing"

	lib "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"assay/internal/parquet"
)

// TestWrongValues checks that a value which JSON cannot represent is reported
// with its column, and that the rows after it are read.
func TestWrongValues(t *testing.T) {
	for _, tt := range []struct {
		name        string
		node        lib.Node
		wrong, good lib.Value
		want        parquet.Wrong
		json        string
	}{
		{
			"text", lib.String(), lib.ValueOf("caf\xe9"), lib.ValueOf("x"),
			parquet.Wrong{Field: "a.b", Expected: "text in UTF-8", Got: "other bytes"}, `{"a":{"b":"x"}}`,
		},
		{
			"json", lib.JSON(), lib.ValueOf("{"), lib.ValueOf("{}"),
			parquet.Wrong{Field: "a.b", Expected: "JSON", Got: "broken JSON (unexpected end of JSON input)"}, `{"a":{"b":{}}}`,
		},
		{
			"json in other bytes", lib.JSON(), lib.ValueOf("\"\xff\""), lib.ValueOf("1"),
			parquet.Wrong{Field: "a.b", Expected: "JSON in UTF-8", Got: "other bytes"}, `{"a":{"b":1}}`,
		},
		{
			"time", lib.Timestamp(lib.Millisecond), lib.ValueOf(int64(math.MaxInt64)), lib.ValueOf(int64(0)),
			parquet.Wrong{Field: "a.b", Expected: "a time of the years 0 to 9999", Got: "year 292278994"}, `{"a":{"b":"1970-01-01T00:00:00Z"}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writeValues(t, lib.Group{"a": lib.Group{"b": tt.node}}, lib.Row{tt.wrong.Level(0, 0, 0)}, lib.Row{tt.good.Level(0, 0, 0)})
			var rows []string
			var wrong [][]parquet.Wrong
			require.NoError(t, parquet.Rows(t.Context(), path, func(r parquet.Row) error {
				rows, wrong = append(rows, string(r.JSON)), append(wrong, r.Wrong)
				return nil
			}))
			require.Equal(t, []string{`{"a":{"b":null}}`, tt.json}, rows)
			require.Equal(t, [][]parquet.Wrong{{tt.want}, nil}, wrong)
		})
	}
}

func TestLZ4IsRefused(t *testing.T) {
	path := writeValues(t, lib.Group{"a": lib.Group{"b": lib.Compressed(lib.String(), &lib.Lz4Raw)}}, lib.Row{lib.ValueOf("x").Level(0, 0, 0)})
	err := parquet.Rows(t.Context(), path, nil)
	require.ErrorContains(t, err, `column "a.b": compression LZ4_RAW can't be read: write the file with snappy, gzip, brotli, zstd or none`)
}
