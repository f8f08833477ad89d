package badpatch

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// saw is a run with the given statuses by id; all that fail say the same.
func saw(state bench.RunState, statuses map[string]bench.Status, words string) languages.Outcome {
	o := languages.Outcome{Run: bench.Run{State: state}, Said: map[string]string{}}
	for _, id := range slices.Sorted(maps.Keys(statuses)) {
		o.Tests = append(o.Tests, bench.Test{ID: id, Status: statuses[id]})
		if !statuses[id].OK() {
			o.Said[id] = words
		}
	}
	return o
}

func TestDecideOfRunsThatHardlyRan(t *testing.T) {
	const pass, fail, broke = bench.Passed, bench.Failed, bench.Error
	type statuses = map[string]bench.Status
	python := &bench.Instance{Language: languages.Python, FailToPass: []string{"t.py::f1", "t.py::f2"}, PassToPass: []string{"t.py::p1", "u.py::p2"}}
	java := &bench.Instance{Language: languages.Java, FailToPass: []string{"a.B::f1"}}
	base := saw(bench.RunDone, statuses{"t.py::f1": fail, "t.py::f2": fail, "t.py::p1": pass, "u.py::p2": pass}, "as base")
	lame := saw(bench.RunDone, statuses{"t.py": broke, "u.py::p2": pass}, "ImportError: no f")
	javaBase := saw(bench.RunDone, statuses{"a.B::f1": fail}, "expected 1")
	each := func(f1, f2 bench.Status) languages.Outcome {
		return saw(bench.RunDone, statuses{"t.py::f1": f1, "t.py::f2": f2, "t.py::p1": fail, "u.py::p2": pass}, "x")
	}
	for name, c := range map[string]struct {
		inst    *bench.Instance
		base    languages.Outcome
		runs    []languages.Outcome
		verdict Verdict
		cause   Cause
	}{
		"no run":                                   {python, base, nil, Rejected, Unmeasured},
		"hangs before the first test":              {python, base, []languages.Outcome{saw(bench.RunTimeout, nil, "")}, Rejected, Endless},
		"runs out of memory at once":               {python, base, []languages.Outcome{saw(bench.RunLimit, nil, "")}, Rejected, Endless},
		"one of two test files cannot be imported": {python, base, []languages.Outcome{lame}, Rejected, Unbuilt},
		"nor can it on base":                       {python, lame, []languages.Outcome{lame}, Rejected, LikeBaseRun},
		"another fail-to-pass test each time, and always an old one": {python, base, []languages.Outcome{each(fail, pass), each(pass, fail)}, Rejected, Unsteady},
		"the only test ends by an exception":                         {java, javaBase, []languages.Outcome{saw(bench.RunDone, statuses{"a.B::f1": broke}, "java.lang.NullPointerException")}, Bad, ""},
		"the only test's class cannot be loaded":                     {java, javaBase, []languages.Outcome{saw(bench.RunDone, statuses{"a.B::f1": broke}, "java.lang.ExceptionInInitializerError")}, Rejected, Unbuilt},
	} {
		t.Run(name, func(t *testing.T) {
			got := Decide(c.inst, c.base, c.runs)
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.Equal(t, c.cause, got.Cause)
		})
	}
}

func TestSignatureIsOfWhatTheTestSaw(t *testing.T) {
	sign := func(language, message string) string {
		return signature(language, bench.RunDone, []bench.Test{{ID: "t", Status: bench.Failed, Message: message}})
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
		"lines of the test's own input":    {languages.Python, "cannot parse line 3", "cannot parse line 4", false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.alike, sign(c.language, c.a) == sign(c.language, c.b))
		})
	}
}

func renamed(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }

// Whatever a runner says, something of it is kept.
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
