package parquet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/parquet"
)

var update = flag.Bool("update", false, "write the golden files anew")

// lines reads a file as JSON Lines.
func lines(t testing.TB, path string) string {
	var out bytes.Buffer
	n := 0
	require.NoError(t, parquet.Rows(t.Context(), path, func(r parquet.Row) error {
		n++
		require.Equal(t, n, r.Number)
		require.Empty(t, r.Wrong)
		require.True(t, json.Valid(r.JSON), "%s", r.JSON)
		fmt.Fprintf(&out, "%s\n", r.JSON)
		return nil
	}))
	return out.String()
}

// TestRows reads files of pyarrow's (testdata/make.py). The rows of instances
// are the same in each of the ways in which they are stored.
func TestRows(t *testing.T) {
	for name, golden := range map[string]string{
		"instances": "instances", "instances-pages": "instances", "instances-v2": "instances", "instances-legacy": "instances",
		"values": "values", "values-int96": "values-int96", "empty": "empty",
	} {
		t.Run(name, func(t *testing.T) {
			got := lines(t, filepath.Join("testdata", name+".parquet"))
			path := filepath.Join("testdata", golden+".jsonl")
			if *update && name == golden {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func TestRowsStop(t *testing.T) {
	path := "testdata/instances.parquet"
	stop := errors.New("stop")
	require.ErrorIs(t, parquet.Rows(t.Context(), path, func(parquet.Row) error { return stop }), stop)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, parquet.Rows(ctx, path, nil), context.Canceled)
	require.ErrorIs(t, parquet.Rows(t.Context(), "testdata/nowhere.parquet", nil), os.ErrNotExist)
}

// TestBrokenFiles damages a file in many places: each is an error or reads to
// valid JSON, and there is no panic.
func TestBrokenFiles(t *testing.T) {
	sound, err := os.ReadFile("testdata/instances.parquet")
	require.NoError(t, err)
	read := func(data []byte) error {
		path := filepath.Join(t.TempDir(), "x.parquet")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return parquet.Rows(t.Context(), path, func(r parquet.Row) error {
			require.True(t, json.Valid(r.JSON))
			return nil
		})
	}
	require.NoError(t, read(sound))
	for _, part := range [][]byte{nil, []byte("PAR1"), []byte("PAR1\xff\xff\xff\xffPAR1"), sound[:len(sound)/2], sound[:len(sound)-1], sound[4:]} {
		require.ErrorContains(t, read(part), "the Parquet file is broken")
	}
	failed := 0
	for at := 4; at < len(sound)-8; at += 37 {
		data := bytes.Clone(sound)
		data[at] ^= 0x55
		if err := read(data); err != nil {
			failed++
		}
	}
	require.Positive(t, failed)
	damaged := bytes.Clone(sound)
	copy(damaged[4:], strings.Repeat("\xff", 64))
	require.ErrorContains(t, read(damaged), `row 1, column "instance_id": the Parquet file is broken`)
}
