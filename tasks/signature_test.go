package tasks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestSignatureIsOfWhatTheTestSaw(t *testing.T) {
	sign := func(language, message string) string {
		return Signature(language, bench.RunDone, []bench.Test{{ID: "t", Status: bench.Failed, Message: message}})
	}
	const pytest = "KeyError: 2\ndef test():\n>   assert get({}, 1)\n\nt.py:3: \n_ _ _\n\nd = {}, k = 1\n\n    def get(d, k):\n        NAME = k + 1\n>       return d[NAME]\nE       KeyError: 2\n\nlib.py:4: KeyError"
	const trace = "KeyError: 2\nTraceback (most recent call last):\n  File \"/src/lib.py\", line 4, in get\n    return d[NAME]\nKeyError: 2"
	const java = "java.lang.IllegalStateException: NAME\n\tat a.B.get(B.java:12)\n\tat a.BTest.f(BTest.java:3)\n\t... 12 more"
	for name, c := range map[string]struct {
		language, a, b string
		alike          bool
	}{
		"quoted source":                    {languages.Python, pytest, renamed(pytest, "y"), true},
		"source of a trace":                {languages.Python, trace, renamed(trace, "y"), true},
		"a report that only quotes":        {languages.Python, pytest[len("KeyError: 2\n"):], renamed(pytest[len("KeyError: 2\n"):], "y"), true},
		"another error in the same source": {languages.Python, pytest, "KeyError: 3" + pytest[len("KeyError: 2"):], false},
		"Java's own words":                 {languages.Java, java, renamed(java, "y"), false},
		"Java, one call deeper":            {languages.Java, java, java[:50] + "\n\tat a.B.again(B.java:99)" + java[50:], true},
		"lines of an assertion's reason":   {languages.Python, "assert 1 == 3\n +  where 1 = f(1)", "assert 1 == 3\n +  where 1 = f(2)", false},
		"an address":                       {languages.Python, "<A at 0x7f12ab34>", "<A at 0x7f12ab99>", true},
		"short hex numbers":                {languages.Python, "assert 0x1F == 1", "assert 0x2F == 1", false},
		"a moment":                         {languages.Cpp, "[01:19:08 2026-11-21] x", "[01:20:09 2026-11-22] x", true},
		"days":                             {languages.Java, "expected 2020-01-01 but was 2020-01-02", "expected 2020-01-01 but was 2020-01-03", false},
		"what a text of seconds says":      {languages.Python, "assert '5s' == '10s'", "assert '6s' == '10s'", false},
		"how long it took":                 {languages.Python, "failed after 5 s", "failed after 6 s", true},
		"how long GoogleTest says it took": {languages.Cpp, "[  FAILED  ] A.B (3 ms)\n1 test from A (3 ms total)", "[  FAILED  ] A.B (14 ms)\n1 test from A (15 ms total)", true},
		"lines of the test's own input":    {languages.Python, "cannot parse line 3", "cannot parse line 4", false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.alike, sign(c.language, c.a) == sign(c.language, c.b))
		})
	}
}

func renamed(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }

// Some part of any runner's message is kept.
func FuzzSaid(f *testing.F) {
	f.Add(languages.Python, "\n> ")
	f.Add(languages.Python, "KeyError: 2\ndef f():\n>  x")
	f.Add(languages.Java, "\tat a.b(C.java:1)")
	f.Fuzz(func(t *testing.T, language, message string) {
		if strings.TrimSpace(message) != "" {
			require.NotEmpty(t, strings.TrimSpace(said(language, message)))
		}
	})
}

func TestMasked(t *testing.T) {
	for message, want := range map[string]string{
		"<A object at 0x7f12ab> != 3":        "<A object at @> != 3",
		"a.B@1b2c3d4e expected":              "a.B@ expected",
		"lib/a.py:12: in f, line 44":         "lib/a.py:#: in f, :#",
		"took 0.31s at 2026-11-21 01:19:08":  "took # at #",
		"no /tmp/pytest-of-root/x-1/out.txt": "no /tmp",
		"expected 41\n but   was 42":         "expected 41 but was 42",
	} {
		require.Equal(t, want, masked(message))
	}
}
