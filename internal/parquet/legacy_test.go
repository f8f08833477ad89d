package parquet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	lib "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"
)

// marked is a group that is marked as a list, with any content.
type marked struct{ lib.Group }

func (marked) Type() lib.Type { return lib.List(lib.Int(64)).Type() }

// markedMap is a group that is marked as a map.
type markedMap struct{ lib.Group }

func (markedMap) Type() lib.Type { return lib.Map(lib.String(), lib.Int(64)).Type() }

// writeValues writes a file of one row group by its columns' values, which
// need levels and column index.
func writeValues(t testing.TB, schema lib.Node, rows ...lib.Row) string {
	var buf bytes.Buffer
	w := lib.NewWriter(&buf, lib.NewSchema("x", schema))
	_, err := w.WriteRows(rows)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	path := filepath.Join(t.TempDir(), "x.parquet")
	require.NoError(t, os.WriteFile(path, buf.Bytes(), 0o644))
	return path
}

// TestOlderLists reads the ways in which lists were stored before the format
// settled on one.
func TestOlderLists(t *testing.T) {
	n := func(v int64, rep, def, column int) lib.Value { return lib.ValueOf(v).Level(rep, def, column) }
	null := func(rep, def, column int) lib.Value { return lib.NullValue().Level(rep, def, column) }
	for _, tt := range []struct {
		name   string
		schema lib.Node
		row    lib.Row
		want   string
	}{
		{"repeated column", lib.Repeated(lib.Int(64)), lib.Row{n(1, 0, 1, 0), n(2, 1, 1, 0)}, `{"x":[1,2]}`},
		{"repeated column, empty", lib.Repeated(lib.Int(64)), lib.Row{null(0, 0, 0)}, `{"x":[]}`},
		{
			"list of two levels", lib.Optional(marked{lib.Group{"element": lib.Repeated(lib.Int(64))}}),
			lib.Row{n(1, 0, 2, 0), n(2, 1, 2, 0)}, `{"x":[1,2]}`,
		},
		{
			"list of two levels, null", lib.Optional(marked{lib.Group{"element": lib.Repeated(lib.Int(64))}}),
			lib.Row{null(0, 0, 0)}, `{"x":null}`,
		},
		{
			"array of a group", marked{lib.Group{"array": lib.Repeated(lib.Group{"a": lib.Int(64)})}},
			lib.Row{n(1, 0, 1, 0), n(2, 1, 1, 0)}, `{"x":[{"a":1},{"a":2}]}`,
		},
		{
			"tuple", marked{lib.Group{"x_tuple": lib.Repeated(lib.Group{"a": lib.Int(64)})}},
			lib.Row{n(1, 0, 1, 0)}, `{"x":[{"a":1}]}`,
		},
		{
			"repeated group of two", marked{lib.Group{"bag": lib.Repeated(lib.Group{"a": lib.Int(64), "b": lib.Optional(lib.Int(64))})}},
			lib.Row{n(1, 0, 1, 0), n(2, 1, 1, 0), n(3, 0, 2, 1), null(1, 1, 1)}, `{"x":[{"a":1,"b":3},{"a":2,"b":null}]}`,
		},
		{
			"repeated group of one", marked{lib.Group{"bag": lib.Repeated(lib.Group{"a": lib.Optional(lib.Int(64))})}},
			lib.Row{n(1, 0, 2, 0), null(1, 1, 0)}, `{"x":[1,null]}`,
		},
		{
			"marked without a list", marked{lib.Group{"a": lib.Int(64)}},
			lib.Row{n(1, 0, 0, 0)}, `{"x":{"a":1}}`,
		},
		{
			"map of keys alone", markedMap{lib.Group{"map": lib.Repeated(lib.Group{"key": lib.Int(64)})}},
			lib.Row{n(1, 0, 1, 0)}, `{"x":{"map":[{"key":1}]}}`,
		},
		{"unsigned", lib.Uint(8), lib.Row{lib.ValueOf(int32(7)).Level(0, 0, 0)}, `{"x":7}`},
		{"json", lib.JSON(), lib.Row{lib.ValueOf("{\"a\":\n [1]}").Level(0, 0, 0)}, `{"x":{"a":[1]}}`},
		{
			"uuid", lib.UUID(), lib.Row{lib.FixedLenByteArrayValue([]byte("0123456789abcdef")).Level(0, 0, 0)},
			`{"x":"30313233-3435-3637-3839-616263646566"}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writeValues(t, lib.Group{"x": tt.schema}, tt.row)
			require.Equal(t, tt.want+"\n", lines(t, path))
		})
	}
}
