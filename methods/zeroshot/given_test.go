package zeroshot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/methods"
)

const (
	fixDiff  = "diff --git a/cake.py b/cake.py\n--- a/cake.py\n+++ b/cake.py\n@@ -1,2 +1,2 @@\n def layers(n):\n-    return n\n+    return n + 1\n"
	testDiff = "diff --git a/tests/test_new.py b/tests/test_new.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/test_new.py\n@@ -0,0 +1 @@\n+secret = 1\n" +
		"diff --git a/tests/test_cake.py b/tests/test_cake.py\n--- a/tests/test_cake.py\n+++ b/tests/test_cake.py\n@@ -1,2 +1,2 @@\n def test_layers():\n-    assert layers(1) == 1\n+    assert layers(1) == 2\n"
)

// TestGiven: the prompt shows the fix, and the files of what is given in place of
// those that retrieval finds; of test patches it shows the names of files alone.
func TestGiven(t *testing.T) {
	const (
		code, test, other = "[start of cake.py]\n1 def layers(n):", "[start of tests/test_cake.py]\n1 def test_layers", "[start of other.py]"
		proposed          = "has been proposed"
	)
	for name, tt := range map[string]struct {
		given         Given
		want, without []string
	}{
		"nothing":          {Given{}, []string{code, test, other}, []string{proposed}},
		"of another task":  {Given{Fixes: map[string]string{"o__r-2": fixDiff}}, []string{other}, []string{proposed}},
		"a fix":            {Given{Fixes: map[string]string{"o__r-1": fixDiff}}, []string{proposed, fixDiff, code}, []string{test, other}},
		"test files":       {Given{Tests: map[string]string{"o__r-1": testDiff}}, []string{test}, []string{proposed, code, other, "secret", "test_new", "== 2"}},
		"both":             {Given{Fixes: map[string]string{"o__r-1": fixDiff}, Tests: map[string]string{"o__r-1": testDiff}}, []string{proposed, code, test}, []string{other, "secret"}},
		"a fix that is no": {Given{Fixes: map[string]string{"o__r-1": "return n + 1"}}, []string{proposed, "return n + 1", other}, nil},
	} {
		for _, m := range []Taker{ZeroShot{}, ZeroShotPlus{}, Libro{}} {
			w := repositories()[0].world("")
			w.Task.Instance = "o__r-1"
			w.Files = map[string]string{"cake.py": w.Files["cake.py"], "tests/test_cake.py": w.Files["tests/test_cake.py"], "other.py": "layers = 3\n"}
			w.Settings = map[string]float64{"samples": 1}
			if m.About().Name != "libro" {
				w.Settings = nil
			}
			_, _, err := w.Solve(t.Context(), m.With(tt.given))
			require.NoError(t, err, name)
			prompt := w.Requests()[0].Messages[0].Text
			for _, text := range tt.want {
				require.Contains(t, prompt, text, "%s, %s", m.About().Name, name)
			}
			for _, text := range tt.without {
				require.NotContains(t, prompt, text, "%s, %s", m.About().Name, name)
			}
		}
	}
}

// TestGivenDigest: an attempt is made again if what is given differs.
func TestGivenDigest(t *testing.T) {
	for _, m := range []Taker{ZeroShot{}, ZeroShotPlus{}, Libro{}} {
		a, b := methods.Agent{Method: m}, methods.Agent{Method: m.With(Given{Source: "x"})}
		require.NotEqual(t, a.Digest(), b.Digest())
	}
}

func TestRead(t *testing.T) {
	got, err := Read([]bench.Prediction{{InstanceID: "o/r:pr-1", Patch: "a"}, {InstanceID: "o__r-2"}})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"o__r-1": "a"}, got)
	_, err = Read([]bench.Prediction{{InstanceID: "o__r-1", Patch: "a"}, {InstanceID: "o__r_1", Patch: "b"}})
	require.ErrorContains(t, err, "instance o__r_1: expected one prediction, found two")
}
