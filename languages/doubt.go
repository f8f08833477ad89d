package languages

import (
	"fmt"
	"slices"

	"assay/bench"
)

// Settings are the parts of a run's effective configuration that decide how
// much its results say: by subject (a test, an executable, a module), then by
// property.
type Settings map[string]map[string]string

// configuredAsBase is a subject that says that the tree changes nothing by
// which the build is configured: gold may well configure it in another way.
// What the build itself changed still counts.
const configuredAsBase = "the build is configured as base's"

// Subjects that count however the build is configured.
const (
	subjectMachine   = "the machine"
	subjectTestFiles = "test files"
)

// Set notes one property of a subject.
func (s Settings) Set(subject, property, value string) {
	if s[subject] == nil {
		s[subject] = map[string]string{}
	}
	s[subject][property] = value
}

// Unlike names the first property of these settings that the reference has
// otherwise or not at all; "" where there is none. Subjects that the reference
// lacks do not count: what a submission adds decides no published test.
func (s Settings) Unlike(reference Settings) string {
	for _, subject := range sortedKeys(s) {
		known, ok := reference[subject]
		if _, same := s[configuredAsBase]; !ok || same && subject != subjectMachine && subject != subjectTestFiles {
			continue
		}
		for _, property := range sortedKeys(s[subject]) {
			value := s[subject][property]
			if was, ok := known[property]; !ok || was != value {
				return fmt.Sprintf("%s: %s is %q, and %s with the gold patch", subject, property, cut(value), orNothing(was, ok))
			}
		}
	}
	return ""
}

func orNothing(value string, set bool) string {
	if !set {
		return "is not set"
	}
	return fmt.Sprintf("%q", cut(value))
}

func cut(text string) string {
	if len(text) > 120 {
		return text[:117] + "..."
	}
	return text
}

// DoubtNonce is the kind of suspicion against a run whose nonce tests got a
// wrong answer.
const DoubtNonce = "nonce"

// doubt makes a run that ended suspect for a reason that may be the
// instance's own: kind is the same in every such run of the instance.
func (o *Outcome) doubt(kind, detail string) {
	o.Doubts = append(o.Doubts, kind)
	if o.State == bench.RunDone {
		o.State, o.Detail = bench.RunSuspect, detail
	}
}

// Cleared removes the reasons to suspect a run where the gold patch's run has
// all of them too: these do not count against a submission. Where nonce tests
// are among them, nothing proves that the runner reports honestly.
func (o Outcome) Cleared(known []string) Outcome {
	if len(o.Doubts) == 0 {
		return o
	}
	for _, d := range o.Doubts {
		if !slices.Contains(known, d) {
			return o
		}
	}
	o.Unguarded = o.Unguarded || slices.Contains(o.Doubts, DoubtNonce)
	o.Doubts = nil
	if o.State == bench.RunSuspect {
		o.State, o.Detail = bench.RunDone, ""
	}
	return o
}

// ClearAll removes what the gold patch's runs show from them and from other runs
// of the instance, and returns it.
func ClearAll(gold []Outcome, others ...[]Outcome) []string {
	var known []string
	for _, g := range gold {
		known = append(known, g.Doubts...)
	}
	for _, runs := range slices.Concat(others, [][]Outcome{gold}) {
		for i, o := range runs {
			runs[i] = o.Cleared(known)
		}
	}
	return known
}
