package review

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestLeaks(t *testing.T) {
	for _, test := range []struct {
		name string
		of   string
		text string
		want []Class
	}{
		{"what an author may read", "python-schedule", "`Schedule.delay` in mailqueue/schedule.py still grows; only `delays` is capped.", nil},
		{"a name of gold", "python-schedule", "Put the limit into MAX_BACKOFF and use it.", []Class{LeakIdentifier}},
		{"the same name by another convention", "python-schedule", "Introduce maxBackoff for that.", []Class{LeakIdentifier}},
		{"a word of English that gold uses as a name", "python-schedule", "The delay has grown too far.", nil},
		{"that word as code", "python-schedule", "Keep the delay in `grown` first.", []Class{LeakIdentifier}},
		{"that word in quotes", "python-schedule", "Keep the delay in 'grown' first.", []Class{LeakIdentifier}},
		{"that word as a call", "python-schedule", "A helper grown() would do.", []Class{LeakIdentifier}},
		{"that word with an underscore", "python-schedule", "A variable _grown would do.", []Class{LeakIdentifier}},
		{"that word at the end of a sentence", "python-schedule", "So it has grown. The rest is fine.", nil},
		{"a number of gold", "python-schedule", "No delay may be above 60 of them.", []Class{LeakNumber}},
		{"a number that the bad patch has", "python-schedule", "The limit of 12 attempts is fine.", nil},
		{"a line number is no number of gold", "python-schedule", "Look at line 60.", nil},
		{"a string of gold", "python-schedule", `Join with " then " instead.`, []Class{LeakLiteral}},
		{"a value that a failing test shows", "python-schedule", "That is more than 3600 of them.", nil},
		{"that string between other strings", "python-schedule", `First "this" then "that".`, nil},
		{"that string as a plain word", "python-schedule", "First run it, then look again.", nil},
		{"a run of code", "python-schedule", "Compute self.first * self.factor ** attempt and return min(grown, limit) of it.", []Class{LeakCopy}},
		{"code of the bad patch", "python-schedule", "`min(self.delay(n), timedelta(hours=1))` is applied too late.", nil},
		{"a run of code across lines", "java-basket", "Call counts\n.merge\n(item,\nnumber, with a sum.", []Class{LeakCopy, LeakIdentifier}},
		{"a call of gold", "java-basket", "Use `counts.getOrDefault(item, 0)`.", []Class{LeakIdentifier, LeakCopy, LeakCode}},
		{"gold's capitalised name within a sentence", "java-basket", "Use an Integer Or Default.", nil},
		{"a comment of gold is no code", "cpp-ring", "Values should come with the oldest first.", nil},
		{"a hunk header", "cpp-ring", "@@ -12,3 +12,5 @@ is where to look.", []Class{LeakDiff}},
		{"a changed line", "cpp-ring", "Do it so:\n\n```diff\n- return data_;\n+ return other;\n```\n", []Class{LeakDiff}},
		{"a list", "cpp-ring", "Two things:\n\n- the order is wrong\n+ the file is wrong\n", nil},
		{"words that tell of an answer", "cpp-ring", "The correct patch leaves this file alone.", []Class{LeakAnswer}},
		{"more of them", "cpp-ring", "Compared with the reference solution, this does more. The expected fix is elsewhere.", []Class{LeakAnswer, LeakAnswer}},
		{"a reference of C++", "cpp-ring", "Take the ring by const reference; the expected order is from old to new.", nil},
		{"empty", "cpp-ring", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, classes(subject(t, test.of), test.text))
		})
	}
}

func TestReasonsDoNotLeak(t *testing.T) {
	s := subject(t, "python-schedule")
	text := "Use MAX_BACKOFF, which is 60: `min(grown, MAX_BACKOFF)`, joined by \" then \". The gold patch does so."
	report := s.Check(text)
	require.NotEmpty(t, report.Leaks)
	require.True(t, report.Checkable)
	for _, reason := range report.Leaks {
		require.Empty(t, s.Leaks(reason), reason)
		require.NotContains(t, reason, "BACKOFF")
	}
	require.Equal(t, "identifier (word 2)", report.Leaks[0])
}

func TestCheckable(t *testing.T) {
	base := "def f(a, b):\n    if a:\n        return b\n    return a\n"
	for _, test := range []struct {
		name, gold, bad string
		want            bool
	}{
		{"a new name", "def f(a, b):\n    if a:\n        return b\n    return fallback\n", base, true},
		{"only a removal", "def f(a, b):\n    return a\n", base, false},
		{"a new order of old names", "def f(a, b):\n    if b or a:\n        return b\n    return a\n", base, true},
		{"what the bad patch has as well", "def f(a, b):\n    return fallback(a)\n", "def f(a, b):\n    return fallback(a)\n\n\nX = 1\n", false},
		{"only a comment", "def f(a, b):\n    # brand new remark with many words in it\n    if a:\n        return b\n    return a\n", base, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			bad := test.bad
			if bad == base {
				bad = base + "\n\nX = 1\n"
			}
			s := small(t, "f is wrong", base, test.gold, bad)
			require.Equal(t, test.want, s.Checkable())
			require.Equal(t, test.want, s.Check("Fine.").Checkable)
		})
	}
}

// TestKnownToTests checks that, where tests may be quoted, what they demand
// is not a leak, but is masked by the deterministic reviewer.
func TestKnownToTests(t *testing.T) {
	in := smallInput("f is wrong", "def f(a):\n    return a\n", "def f(a):\n    raise TooOldError(a)\n", "def f(a):\n    return -a\n")
	in.FailToPass = []bench.Test{{ID: "tests/test_f.py::test_f", Status: bench.Failed, Message: "ImportError: cannot import name 'TooOldError'"}}
	in.QuoteTests = true
	s := study(t, in)
	require.Empty(t, s.Leaks("There is no TooOldError yet."))
	require.Equal(t, "no …", s.mask("no TooOldError"))
	in.FailToPass = nil
	require.Equal(t, []Class{LeakIdentifier}, classes(study(t, in), "There is no TooOldError yet."))
	in.Instance.TestPatch = "--- a/t.py\n+++ b/t.py\n@@ -1 +1 @@\n-x\n+TooOldError\n"
	require.Empty(t, study(t, in).Leaks("There is no TooOldError yet."))
}

func TestLineLeaks(t *testing.T) {
	line := func(n int) string { return strings.Repeat("x = 1\n", n) }
	base := line(40)
	gold := line(10) + strings.Repeat("total += step\n", 30) + line(30)
	s := small(t, "x", base, gold, base+"y = 2\n")
	for text, want := range map[string][]Class{
		"Line 25 is off.":                  {LeakLine},
		"See lines 20-30 of it.":           {LeakLine, LeakLine},
		"See mod.py:28 for that.":          {LeakLine},
		"See L28 for that.":                {LeakLine},
		"Something is missing at line 11.": nil, // the agent's file has that place, too
		"Line 41 is not needed.":           nil, // the bad patch adds it
		"Line 60 is off.":                  nil,
		"Line 99999999999 is off.":         nil,
		"The 25 is no line.":               nil,
	} {
		require.Equal(t, want, classes(s, text), text)
	}
}

func TestGoldOutsideOfCodeIsNoSecret(t *testing.T) {
	in := caseInput(t, "python-schedule")
	in.Instance.Patch += "diff --git a/docs/changes.md b/docs/changes.md\nnew file mode 100644\n--- /dev/null\n+++ b/docs/changes.md\n@@ -0,0 +1 @@\n+Delays have a ceiling_of_one_hour.\n"
	require.Empty(t, study(t, in).Leaks("A ceiling_of_one_hour is missing."))
}

func TestUnappliedBadPatch(t *testing.T) {
	in := caseInput(t, "python-schedule")
	in.Bad.Patch = "--- a/mailqueue/schedule.py\n+++ b/mailqueue/schedule.py\n@@ -1,2 +1,2 @@\n not there\n-old\n+MAX_BACKOFF\n"
	s := study(t, in)
	require.Empty(t, s.Places())
	require.Empty(t, s.Leaks("Use MAX_BACKOFF."), "the bad patch has it")
	require.Contains(t, s.Deterministic(L3).Text, "does not apply")
	in.Bad.Patch = "no diff at all"
	require.Contains(t, study(t, in).Deterministic(L0).Text, "does not apply")
}
