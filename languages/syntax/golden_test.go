package syntax

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// samples lists the files of testdata that are source.
func samples(t testing.TB) map[string]string {
	out := map[string]string{}
	for pattern, language := range map[string]string{"*.py": "python", "*.java": "java", "*.cpp": "cpp", "*.cc": "cpp"} {
		files, err := filepath.Glob(filepath.Join("testdata", pattern))
		require.NoError(t, err)
		for _, f := range files {
			out[f] = language
		}
	}
	require.NotEmpty(t, out)
	return out
}

func TestGolden(t *testing.T) {
	for path, language := range samples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			f, err := Parse(language, src)
			require.NoError(t, err)
			got := describe(f, Tests(language, filepath.Base(path), f))
			golden := path + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// describe writes a file's structure, a line for each thing.
func describe(f *File, tests []Test) string {
	var b strings.Builder
	fmt.Fprintf(&b, "errors %d\nimports %v\n\n", f.Errors, f.Imports)
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%d-%d %s %q in %q", s.Start, s.End, s.Kind, s.Name, s.Parents)
		if s.HeadEnd > 0 {
			fmt.Fprintf(&b, " head to %d", s.HeadEnd)
		}
		if len(s.Bases) > 0 {
			fmt.Fprintf(&b, " of %q", s.Bases)
		}
		if len(s.Annotations) > 0 {
			fmt.Fprintf(&b, " as %q", s.Annotations)
		}
		if s.Suite != "" {
			fmt.Fprintf(&b, " suite %s", s.Suite)
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, t := range tests {
		fmt.Fprintf(&b, "%d-%d %q", t.Start, t.End, t.ID)
		if t.Parametrized {
			fmt.Fprintf(&b, " parametrized %v", t.Params)
		}
		if t.Abstract {
			b.WriteString(" abstract")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
