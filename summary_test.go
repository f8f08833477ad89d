package assay

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// verbose is what go test -v prints of a test with sub-tests, of which each is
// skipped for a reason of its own.
const verbose = `=== RUN   TestTools
=== RUN   TestTools/a
    tools_test.go:10: pylint is not installed
=== RUN   TestTools/b
    tools_test.go:10: pmd is not installed
=== RUN   TestTools/c
=== PAUSE TestTools/c
=== CONT  TestTools/c
    tools_test.go:12: c is told late
--- PASS: TestTools (0.00s)
    --- SKIP: TestTools/a (0.00s)
    --- SKIP: TestTools/b (0.00s)
    --- SKIP: TestTools/c (0.00s)
=== RUN   TestOther
    other_test.go:3: it broke
--- FAIL: TestOther (0.01s)
FAIL
FAIL	assay/some	0.012s
ok  	assay/other	0.003s
`

// TestSkipReasons: each skipped test is listed with its own message.
func TestSkipReasons(t *testing.T) {
	cmd := exec.Command("awk", "-f", "scripts/summary.awk")
	cmd.Stdin = strings.NewReader(verbose)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, `--- FAIL: TestOther (0.01s)
FAIL
FAIL	assay/some	0.012s
ok  	assay/other	0.003s

skipped:
  TestTools/a: pylint is not installed
  TestTools/b: pmd is not installed
  TestTools/c: c is told late

1 passed, 1 failed, 3 skipped
`, string(out))
}
