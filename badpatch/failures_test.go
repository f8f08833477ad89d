package badpatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestReadTrace(t *testing.T) {
	for name, c := range map[string]struct {
		language, text string
		want           Failure
	}{
		"pytest":              {languages.Python, "lib/a.py:12: \n_ _ _\nE   KeyError: 'x'\nlib/b.py:7: KeyError\n", Failure{"KeyError", "lib/b.py", 7}},
		"pytest, in the test": {languages.Python, "E   AssertionError: no\ntests/test_a.py:9: AssertionError\n", Failure{Exception: "AssertionError"}},
		"traceback": {languages.Python, "Traceback (most recent call last):\n  File \"/testbed/lib/a.py\", line 3, in f\n    g()\n  File \"/usr/lib/python3/json/x.py\", line 9, in g\njson.decoder.JSONDecodeError: bad\n",
			Failure{"json.decoder.JSONDecodeError", "lib/a.py", 3}},
		"surefire": {languages.Java, "java.lang.IllegalStateException: no\n\tat java.base/java.util.X.y(X.java:1)\n\tat org.example.io.Reader.peek(Reader.java:88)\n\tat org.example.io.ReaderTest.test(ReaderTest.java:5)\n",
			Failure{"java.lang.IllegalStateException", "src/main/java/org/example/io/Reader.java", 88}},
		"nothing known":    {languages.Java, "expected: <1> but was: <2>", Failure{}},
		"no frames in C++": {languages.Cpp, "a.cc:3: Failure\nstd::out_of_range", Failure{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := readTrace(c.language, c.text)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want.Exception != "", ok)
		})
	}
}

// A message may be the first lines only: the frames are then in the output.
func TestFailuresOf(t *testing.T) {
	inst := &bench.Instance{Language: languages.Python, FailToPass: []string{"tests/test_a.py::test_f"}}
	o := languages.Outcome{Run: bench.Run{State: bench.RunDone, Tests: []bench.Test{{ID: "tests/test_a.py::test_f", Status: bench.Failed}}}}
	o.Log = []byte("=== FAILURES ===\n____ test_e ____\nlib/no.py:1: TypeError\n____ test_f ____\nE   ValueError: x\nlib/a.py:4: ValueError\n=== short ===\n")
	require.Equal(t, []Failure{{"ValueError", "lib/a.py", 4}}, FailuresOf(inst, o))
}

func FuzzReadTrace(f *testing.F) {
	f.Add("python", "E   KeyError: 'x'\nlib/b.py:7: KeyError\n")
	f.Add("java", "java.lang.Error\n\tat a.b.C.d(C.java:12)\n")
	f.Fuzz(func(t *testing.T, language, text string) {
		got, ok := readTrace(language, text)
		require.Equal(t, ok, got.Exception != "")
		require.GreaterOrEqual(t, got.Line, 0)
	})
}
