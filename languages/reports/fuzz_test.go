package reports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/reports"
)

// FuzzRead reads arbitrary bytes in every format: no panic, and always a
// well-formed report.
func FuzzRead(f *testing.F) {
	for _, path := range toolFiles(f) {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(uint8(slices.Index(reports.Formats(), toolFormat(path))), data[:min(len(data), 8<<10)])
	}
	files, err := filepath.Glob("testdata/conformance/*/*.log")
	require.NoError(f, err)
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		if format, ok := reports.Sniff(data); ok {
			f.Add(uint8(slices.Index(reports.Formats(), format)), data[:min(len(data), 8<<10)])
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		all := reports.Formats()
		format := all[int(which)%len(all)]
		reports.Sniff(data)
		r, err := reports.Read(format, data)
		if err != nil {
			require.ErrorIs(t, err, reports.ErrNoReport)
			return
		}
		checkReport(t, r)
		again, err := reports.Read(format, data)
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

func checkReport(t *testing.T, r reports.Report) {
	t.Helper()
	known := []bench.Status{bench.Passed, bench.Failed, bench.Error, bench.Skipped, bench.XFail, bench.XPass}
	for i, test := range r.Tests {
		require.Contains(t, known, test.Status)
		require.True(t, utf8.ValidString(test.ID))
		require.True(t, utf8.ValidString(test.Message))
		require.LessOrEqual(t, len(test.Message), 2048)
		if i > 0 {
			require.Less(t, r.Tests[i-1].ID, test.ID)
		}
	}
	_, err := json.Marshal(r)
	require.NoError(t, err)
}
