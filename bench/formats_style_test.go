package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestOmniCodeStyle(t *testing.T) {
	in := parse(t, minimal(map[string]any{
		"instance_id": "acme__widgets-1_13", "original_instance_id": "acme__widgets-1",
		"style_review": map[string]any{"total_files": 1, "total_messages": 2, "files": map[string]any{
			"w/core.py": map[string]any{"message_count": 2, "messages": []any{
				map[string]any{"line": 34, "column": 0, "symbol": "redefined-builtin", "message": "Redefining built-in 'id'", "type": "warning"},
				map[string]any{"line": 7, "column": 4, "symbol": "no-member", "message": "m", "type": "error"},
			}},
		}},
	}))
	require.Len(t, in.Style, 1)
	s := in.Style[0]
	require.Equal(t, "pylint", s.Linter)
	require.Equal(t, []string{"w/core.py"}, s.Files)
	require.Equal(t, bench.Finding{
		Tool: "pylint", Rule: "no-member", Path: "w/core.py", Message: "m", Severity: bench.SeverityError,
		Range: bench.Range{Line: 7, Column: 5},
	}, s.Findings[0])
	require.Equal(t, "redefined-builtin", s.Findings[1].Rule)
	require.Equal(t, bench.FormatOmniCode, in.Provenance.Format)
	again := parse(t, write(t, in))
	require.Equal(t, in, again)
}

func TestStyleInstanceNeedsNoTests(t *testing.T) {
	in := parse(t, minimal(map[string]any{
		"patch": "", "test_patch": "", "style": []any{map[string]any{"linter": "pmd", "files": []any{"A.java"}}},
	}))
	require.Empty(t, in.Check())
	in.Style = nil
	require.Len(t, in.Check(), 2)
}
