package reports_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

var update = flag.Bool("update", false, "write the golden files anew")

// toolFormat returns the format of a file of testdata/tools by its folder and
// extension.
func toolFormat(path string) reports.Format {
	folder, ext := filepath.Base(filepath.Dir(path)), filepath.Ext(path)
	switch {
	case ext == ".jsonl":
		return reports.PytestJSON
	case folder == "maven" && ext == ".xml":
		return reports.Surefire
	case folder == "unittest":
		return reports.Unittest
	case ext == ".log":
		return reports.Format(folder + "-text")
	}
	return reports.Format(folder)
}

// toolFiles lists the recorded output of real tools.
func toolFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/tools/*/*")
	require.NoError(t, err)
	var out []string
	for _, f := range files {
		if filepath.Ext(f) != ".golden" {
			out = append(out, f)
		}
	}
	require.NotEmpty(t, out)
	return out
}

// render writes a report for people to check.
func render(r reports.Report, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, t := range r.Tests {
		fmt.Fprintf(&b, "%-7s %q", t.Status, t.ID)
		if first, _, _ := strings.Cut(t.Message, "\n"); first != "" {
			fmt.Fprintf(&b, " %.60q", first)
		}
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note    %s\n", n)
	}
	fmt.Fprintf(&b, "complete %v, running %q\n", r.Complete, r.Running)
	return b.String()
}

// TestTools reads what real tools wrote; the golden files were checked by
// hand against what the suites in them do.
func TestTools(t *testing.T) {
	for _, path := range toolFiles(t) {
		t.Run(strings.TrimPrefix(path, "testdata/tools/"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			got := render(reports.Read(toolFormat(path), data))
			if *update {
				require.NoError(t, os.WriteFile(path+".golden", []byte(got), 0o644))
			}
			want, err := os.ReadFile(path + ".golden")
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func TestSniffTools(t *testing.T) {
	for _, path := range toolFiles(t) {
		t.Run(strings.TrimPrefix(path, "testdata/tools/"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			got, ok := reports.Sniff(data)
			if len(data) == 0 { // the process died before it wrote anything
				require.False(t, ok)
				return
			}
			require.True(t, ok)
			require.Equal(t, toolFormat(path), got)
		})
	}
}
