package style

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestHostileSourcesTakeNoTime: a lot of what lexers and matchers dislike.
func TestHostileSourcesTakeNoTime(t *testing.T) {
	big := func(unit string) []byte { return []byte(strings.Repeat(unit, 1<<18/len(unit))) }
	start := time.Now()
	for _, unit := range []string{`f"{`, "f'''{(", "R\"(", "/*", "//\\\n", "{", "\\\n", "# pylint: disable=a;", "@SuppressWarnings(", "NOLINT", "'", "\"\"\"", "#if \\\n", "f\"{\"\n"} {
		for _, language := range []string{python, java, cpp} {
			Neutralise(language, "f", big(unit))
		}
	}
	var same, braces []string
	var before []bench.Finding
	for i := range 8000 {
		same = append(same, "return None", "}")
		braces = append(braces, "}", "return None", fmt.Sprint(i))
		before = append(before, bench.Finding{Tool: "t", Rule: "r", Path: "a", Message: "m", Range: bench.Range{Line: i + 1}})
	}
	change := Change{Before: tree("a", strings.Join(same, "\n")), After: tree("a", strings.Join(braces, "\n"))}
	m := Match(before, before, change)
	require.NoError(t, m.Check(before, before))
	require.Less(t, time.Since(start), 30*time.Second) // a few seconds; quadratic ones took minutes
}
