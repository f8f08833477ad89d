package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestAntNonce: the nonce class is next to the tests, unless its failures
// would stop the build.
func TestAntNonce(t *testing.T) {
	file := "test/com/x/ATest.java"
	for name, c := range map[string]struct {
		build string
		runs  bool
	}{
		"plain":                       {`<project><target name="test"><junit failureproperty="f"/></target></project>`, true},
		"does not stop":               {`<junit haltonfailure="no" haltonerror="false"/>`, true},
		"stops":                       {`<junit haltonfailure="yes"/>`, false},
		"stops at errors":             {`<batchtest haltonerror = 'true'/>`, false},
		"stops where a property says": {`<junit haltonfailure="${halt}"/>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := Suite{Repo: javaRepo{"build.xml": c.build, file: jupiterTest("ATest")}, Files: []string{file}, Nonce: "n0123456789"}
			n := javaLanguage{}.Command(bench.Env{Framework: "ant"}, s).Nonce
			require.Equal(t, c.runs, n != nil)
			if n == nil {
				return
			}
			ours, _, _ := strings.Cut(n.Pass, "::")
			require.True(t, n.Beside)
			require.Equal(t, "/testbed/test/"+strings.ReplaceAll(ours, ".", "/")+".java", n.Files[0].Path)
			require.Empty(t, n.Script)
		})
	}
}
