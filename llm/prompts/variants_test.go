package prompts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVariants: the prompts of SWT-Bench's agents replace that of test
// generation, and no other; the one of SWE-agent+ asks to run the tests.
func TestVariants(t *testing.T) {
	require.Equal(t, []string{"swt:autocoderover", "swt:swe-agent", "swt:swe-agent+"}, Variants())
	own := load(t)
	for _, name := range Variants() {
		s, err := Load(name)
		require.NoError(t, err, name)
		for _, p := range Names() {
			require.Equal(t, p == Testgen, own.DigestOf(p) != s.DigestOf(p), "%s: %s", name, p)
		}
		got, err := s.Render(Testgen, TestgenData{Dir: "/testbed", Language: "C++", Problem: problem, Framework: "ctest"})
		require.NoError(t, err)
		for _, text := range []string{"/testbed", "C++", problem, "(ctest)"} {
			require.Contains(t, got, text, name)
		}
		require.Equal(t, name == "swt:swe-agent+", strings.Contains(got, "check that they *fail*"), name)
	}
	_, err := Load("swt:moatless")
	require.EqualError(t, err, "prompts swt:moatless are not known; there are swt:autocoderover, swt:swe-agent, swt:swe-agent+")
}
