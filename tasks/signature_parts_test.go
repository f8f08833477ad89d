package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestSignatureParts: everything that distinguishes ways of failing is in it.
func TestSignatureParts(t *testing.T) {
	failing := func(id string, s bench.Status, message string) []bench.Test {
		return []bench.Test{{ID: id, Status: s, Message: message}}
	}
	one := failing("t", bench.Failed, "m")
	plain := Signature(languages.Python, bench.RunDone, one)
	require.Len(t, plain, 16)
	for name, other := range map[string]string{
		"state":   Signature(languages.Python, bench.RunCrashed, one),
		"id":      Signature(languages.Python, bench.RunDone, failing("u", bench.Failed, "m")),
		"status":  Signature(languages.Python, bench.RunDone, failing("t", bench.Error, "m")),
		"message": Signature(languages.Python, bench.RunDone, failing("t", bench.Failed, "n")),
		"none":    Signature(languages.Python, bench.RunDone, nil),
		"twice":   Signature(languages.Python, bench.RunDone, append(one, one...)),
	} {
		require.NotEqual(t, plain, other, name)
	}
}

// TestSaidParts: what is kept of a message.
func TestSaidParts(t *testing.T) {
	for name, c := range map[string]struct{ language, message, want string }{
		"Python, before its source":          {languages.Python, "KeyError: 2\nmore\ndef f():\n    x\nE   KeyError: 2", "KeyError: 2\nmore"},
		"Python, source at once":             {languages.Python, "def f():\n    x\nE   KeyError: 2\nlib.py:4: KeyError\nKeyError: x", "E   KeyError: 2\nKeyError: x"},
		"Python, a second trace":             {languages.Python, "Traceback (most recent call last):\n  a\nKeyError: 1\nTraceback (most recent call last):\n  b\nValueError: 2", "KeyError: 1\nValueError: 2"},
		"Python, nothing that is spoken":     {languages.Python, "def f():\n    x", "def f():\n    x"},
		"Java, its frames":                   {languages.Java, "E: x\n\tat a.B.c(D.java:1)\n\t... 3 more\nCaused by: F", "E: x\nCaused by: F"},
		"Java, what Python calls an excerpt": {languages.Java, "E: x\ndef f():\n  x\ny", "E: x\ndef f():\n  x\ny"},
		"C++, what Java calls a frame":       {languages.Cpp, "a\n\tat a.B.c(D.java:1)", "a\n\tat a.B.c(D.java:1)"},
		"Windows' ends of lines":             {languages.Java, "E: x\r\n\tat a.B.c(D.java:1)\r\ny", "E: x\ny"},
	} {
		require.Equal(t, c.want, said(c.language, c.message), name)
	}
}
