package reports_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// TestBuildTools reads what Meson (two versions), Automake and make left of
// small projects; the golden files were checked by hand.
func TestBuildTools(t *testing.T) {
	for file, format := range map[string]reports.Format{
		"meson-1.12.json": reports.MesonLog, "meson-1.12.xml": reports.Meson, "meson-1.0.json": reports.MesonLog, "meson-1.0.xml": reports.Meson,
		"automake.trs": reports.Automake, "make.log": reports.MakeText, "tap.log": reports.MakeText,
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join("testdata/build", file)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			got := render(reports.Read(format, data))
			if *update {
				require.NoError(t, os.WriteFile(path+".golden", []byte(got), 0o644))
			}
			want, err := os.ReadFile(path + ".golden")
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}
