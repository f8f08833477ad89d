package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// quickstartTable is what a short quickstart shows of the samples.
const quickstartTable = `
┌──────────┬──────────────┬────────┬────────┬────────┐
│ language │ kind of task │ gold   │ flawed │ empty  │
├──────────┼──────────────┼────────┼────────┼────────┤
│ python   │ bugfix       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ python   │ testgen      │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ python   │ review       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ python   │ style        │ -      │ 0 of 1 │ 0 of 1 │
│ cpp      │ bugfix       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ cpp      │ testgen      │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ cpp      │ review       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ cpp      │ style        │ -      │ 0 of 1 │ 0 of 1 │
│ java     │ bugfix       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ java     │ testgen      │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ java     │ review       │ 1 of 1 │ 0 of 1 │ 0 of 1 │
│ java     │ style        │ -      │ 0 of 1 │ 0 of 1 │
└──────────┴──────────────┴────────┴────────┴────────┘
`

// TestQuickstart runs the short quickstart: 33 submissions to tasks of all four
// kinds, of which gold ones alone are resolved.
func TestQuickstart(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(t.TempDir(), "quick")
	code, out := w.assay(t, "quickstart", "--dir", dir, "--executor", w.executor, "--cache-dir", w.cache, "-j", "2")
	require.Equal(t, exitDone, code, out)
	require.Contains(t, out, strings.TrimSpace(quickstartTable))
	require.Contains(t, out, "All 33 verdicts are right")
	require.NotContains(t, out, "unexpected:")
}
