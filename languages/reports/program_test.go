package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgramMessage(t *testing.T) {
	passing := strings.Repeat("[pass] Error [none][none]\n", 40)
	for name, tt := range map[string]struct{ output, want string }{
		"nothing":                                {" \n", ""},
		"a short output":                         {"begin\n[fail] a\n", "begin\n[fail] a"},
		"a long output":                          {passing + "[fail] names [a][b]\nmore\nand more\nno more\n" + passing + "done\n", "[fail] names [a][b]\nmore\nand more\n" + strings.Repeat("[pass] Error [none][none]\n", 3) + "done"},
		"no line complains":                      {passing, strings.TrimSpace(passing)},
		"complaints overlap":                     {passing + "t.cc:4: Failure\nExpected: 1\n  Actual: 2\nbelow\n" + passing, "t.cc:4: Failure\nExpected: 1\n  Actual: 2\nbelow\n" + strings.TrimSpace(strings.Repeat("[pass] Error [none][none]\n", 4))},
		"a count of no failures is no complaint": {passing + "0 failures\n" + passing + "1 failed\n", strings.TrimSpace(passing + "0 failures\n" + passing + "1 failed")},
		"long lines":                             {passing + "error: " + strings.Repeat("x", 500) + "\n" + passing, "error: " + strings.Repeat("x", 293) + "\n" + strings.Repeat("[pass] Error [none][none]\n", 2) + strings.TrimSpace(strings.Repeat("[pass] Error [none][none]\n", 4))},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, programMessage(tt.output))
		})
	}
}

// TestProgramsSay: of a program that prints a lot, each reader's message has what
// failed.
func TestProgramsSay(t *testing.T) {
	output := strings.Repeat("[pass] fine\n", 3000) + "[fail] sizes [1][2]\n" + strings.Repeat("[pass] fine\n", 30)
	logged := ":assay-log: " + strings.ReplaceAll(strings.TrimSpace(output), "\n", "\n:assay-log: ") + "\n"
	for format, data := range map[Format]string{
		CTest:    `<testsuite><testcase name="all" status="fail"><failure message=""/><system-out>` + output + `</system-out></testcase></testsuite>`,
		MesonLog: fmt.Sprintf(`{"name": "all", "result": "FAIL", "stdout": %q}`+"\n", output),
		Automake: ":assay-test: all\n:test-result: FAIL\n:global-test-result: FAIL\n" + logged,
	} {
		r, err := Read(format, []byte(data))
		require.NoError(t, err)
		require.Len(t, r.Tests, 1, format)
		require.Contains(t, r.Tests[0].Message, "[fail] sizes [1][2]\n", format)
	}
}
