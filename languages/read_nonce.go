package languages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// oddity is a reason to suspect a run: kind is the same in every run of an
// instance that gives it, detail is for people.
type oddity struct{ kind, detail string }

// splitNonce removes the nonce tests that ran along with the suite's from a
// report.
func splitNonce(n *Nonce, report reports.Report) (reports.Report, []bench.Test) {
	if n == nil || !n.Beside && len(n.Copies) == 0 {
		return report, nil
	}
	var rest, ours []bench.Test
	for _, t := range report.Tests {
		if n.holds(t.ID) {
			ours = append(ours, t)
		} else {
			rest = append(rest, t)
		}
	}
	report.Tests = rest
	return report, ours
}

// holds reports whether a test is one of the nonce tests or of the copies.
func (n *Nonce) holds(id string) bool { return n.own(id) || n.copied(id) }

// own reports whether a test is one of the nonce tests and no copy.
func (n *Nonce) own(id string) bool {
	return id == n.Pass || id == n.Fail || slices.ContainsFunc(n.More, func(m NonceTest) bool { return m.ID == id })
}

// copied reports whether a test is one of the copies: that of a test with
// parameters has those of one case, and classes may inherit it. A nonce test may
// have the name of a copy, in a class of its own.
func (n *Nonce) copied(id string) bool {
	if n.own(id) {
		return false
	}
	bare, _, _ := strings.Cut(id, "[")
	at := strings.LastIndex(bare, "::")
	return slices.ContainsFunc(n.Copies, func(c NonceCopy) bool {
		return c.ID == bare || at >= 0 && strings.HasSuffix(c.ID, bare[at:])
	})
}

// withoutCopies are the nonce tests that are not copies.
func (n *Nonce) withoutCopies(ours []bench.Test) []bench.Test {
	return slices.DeleteFunc(slices.Clone(ours), func(t bench.Test) bool { return n.copied(t.ID) })
}

// swallowed are the tests whose copies passed or did not run, though they must
// fail. A copy of a test that itself does not pass says nothing, and neither do
// copies that were left out of the run.
func swallowed(n Nonce, tests, ours []bench.Test) []oddity {
	failing, passed, held := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, t := range ours {
		bare, _, _ := strings.Cut(t.ID, "[")
		failing[bare] = failing[bare] || t.Status.Failing()
		held[bare] = held[bare] || t.Status.OK()
	}
	for _, t := range tests {
		bare, _, _ := strings.Cut(t.ID, "[")
		passed[bare] = passed[bare] || t.Status.OK()
	}
	if leftOut(n, tests, ours) {
		return nil
	}
	var out []oddity
	for _, c := range n.Copies {
		switch {
		case c.Values && passed[c.Of] && held[c.ID] && !failing[c.ID]:
			out = append(out, oddity{"values " + c.Of, fmt.Sprintf("%s holds for other values than those it expects, too", c.Of)})
		case !c.Values && passed[c.Of] && !failing[c.ID]:
			out = append(out, oddity{"copy " + c.Of, fmt.Sprintf("a copy of %s that must fail does not", c.Of)})
		}
	}
	return out
}

// leftOut reports whether a run was repeated without copies because a test class
// did not compile, and still does not: it reports no copy, and nothing of a class
// that should hold some. Tests that decide are missing then, so that the run
// resolves nothing.
func leftOut(n Nonce, tests, ours []bench.Test) bool {
	if !n.retried || slices.ContainsFunc(ours, func(t bench.Test) bool { return n.copied(t.ID) }) {
		return false
	}
	return slices.ContainsFunc(n.Copies, func(c NonceCopy) bool {
		return !slices.ContainsFunc(tests, func(t bench.Test) bool { return outermost(t.ID) == outermost(c.Of) })
	})
}

// withoutOurs is the exit code that the runner would have left with, had our
// tests not run: they fail on purpose.
func withoutOurs(cmd Command, report reports.Report, ours []bench.Test, code int) int {
	if cmd.FailuresIgnored && cmd.OtherFailures {
		return code // which is not of failures
	}
	failing := func(t bench.Test) bool { return t.Status.Failing() }
	if code == 1 && report.Complete && slices.ContainsFunc(ours, failing) && !slices.ContainsFunc(report.Tests, failing) {
		return 0
	}
	return code
}

// oddities are the reasons to suspect a run that ended. left is the runner's
// own exit code.
func oddities(cmd Command, report reports.Report, ours []bench.Test, left int, files map[string][]byte) []oddity {
	var out []oddity
	for _, name := range report.Shadowed {
		out = append(out, oddity{"shadow " + name, fmt.Sprintf("the submission's %s stands in for a module of that name of the environment", name)})
	}
	// What was found changed says more than a call that can change something.
	isCall := func(name string) bool { return strings.HasPrefix(name, "call.") }
	drift := slices.Clone(report.Drifted)
	slices.SortStableFunc(drift, func(a, b string) int {
		switch {
		case isCall(a) == isCall(b):
			return 0
		case isCall(b):
			return -1
		}
		return 1
	})
	for _, name := range drift {
		out = append(out, oddity{"drift " + name, drifted(name)})
	}
	if n := cmd.Nonce; n == nil || !n.Empty && n.Pass == "" {
		return out
	}
	statuses := nonceStatuses(*cmd.Nonce, cmd.Nonce.withoutCopies(ours), files)
	if odd := disagreement(cmd, reports.Report{Tests: ours}, left); odd != "" && left == 0 {
		out = append(out, oddity{"exit code", odd})
	}
	unbuilt := cmd.Nonce.unbuilt
	if len(statuses) == 0 && unbuilt != nil && unbuilt(report) {
		return out
	}
	out = append(out, swallowed(*cmd.Nonce, report.Tests, ours)...)
	if odd := hooked(*cmd.Nonce, statuses); odd != "" {
		return append(out, oddity{DoubtNonce, odd})
	}
	for _, m := range cmd.Nonce.More {
		if s := statuses[m.ID]; !s.Failing() {
			out = append(out, oddity{"assertion " + m.Form, fmt.Sprintf("a nonce test that must fail by %s is %s", m.Form, orMissing(s))})
		}
	}
	return out
}

// drifted describes what became another thing while the runner ran.
func drifted(name string) string {
	switch name {
	case "tests.source":
		return "the source of tests is not what their files held before the run"
	case "tests.outcome":
		return "a test that failed is reported as passed"
	case "tests.expectations":
		return "code under test says that the test which calls it is expected to fail"
	case "reporter":
		return "what the reporter works with was changed"
	}
	if what, ok := strings.CutPrefix(name, "call."); ok {
		return fmt.Sprintf("code under test uses %s, by which it can change what the runner does", what)
	}
	if what, ok := strings.CutPrefix(name, "tests."); ok {
		return fmt.Sprintf("the %s of tests became another one after they were collected", what)
	}
	return fmt.Sprintf("the runner's own %s was put out of its place", name)
}

func orMissing(s bench.Status) bench.Status {
	if s == "" {
		return bench.Missing
	}
	return s
}

// nonceStatuses are what is reported of the nonce tests, by id. A report with
// a broken seal is ignored.
func nonceStatuses(n Nonce, ours []bench.Test, files map[string][]byte) map[string]bench.Status {
	statuses := statusByID(ours)
	for p, data := range files {
		if len(ours) > 0 || !matchesAny(n.Reports, p) {
			continue
		}
		plain, broken := unseal(n.Key, data)
		if broken != "" {
			return nil
		}
		maps.Copy(statuses, statusesIn(n.Format, plain))
	}
	return statuses
}

// hooked describes what is wrong with the nonce tests' outcome; "" when
// nothing is.
func hooked(n Nonce, statuses map[string]bench.Status) string {
	if n.Empty {
		return answered(statuses)
	}
	pass, fail := statuses[n.Pass], statuses[n.Fail]
	switch {
	case pass == bench.Passed && fail.Failing():
		return ""
	case fail.OK():
		return "the runner reports a test that must fail as passed"
	case pass == "" && fail == "":
		return "the runner does not report two nonce tests"
	}
	return fmt.Sprintf("the runner gives a test that must pass as %q and one that must fail as %q", pass, fail)
}

// answered describes what is wrong with a runner's answer to a name that no
// test has. doctest lists what it skips.
func answered(statuses map[string]bench.Status) string {
	for id, s := range statuses {
		if s != bench.Skipped {
			return fmt.Sprintf("asked for a test that does not exist, the runner reports %s as %s", id, s)
		}
	}
	return ""
}
