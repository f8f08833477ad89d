package review

import (
	"slices"
	"strings"

	"assay/bench"
)

// The categories of reviews (OmniCode, appendix A).
const (
	Functional    = "A" // functional correctness: logic, control flow, edge cases
	Scope         = "B" // scope control and change isolation
	Contract      = "C" // API and data contract adherence
	Design        = "D" // design, architecture and plumbing
	ErrorHandling = "E" // error and exception handling
	Security      = "F" // security and standards
)

// Category sorts a review of the bad patch by rule, from what is wrong with
// it. The category of the bad patch comes first, where it has one: it is of
// another list of the same letters (wrong layer, partial fix, undisciplined,
// contract violation, guard removal, edge cases). Security is never assigned
// by rule.
func (s *Subject) Category() string {
	switch strings.ToUpper(strings.TrimSpace(s.in.Bad.Category)) {
	case "A":
		return Design
	case "B", "F":
		return Functional
	case "C":
		return Scope
	case "D":
		return Contract
	case "E":
		return ErrorHandling
	}
	return s.guess()
}

// guess uses the places and the failing tests.
func (s *Subject) guess() string {
	kinds := map[Divergence]bool{}
	var missed, spurious []string
	for _, p := range s.places {
		kinds[p.Kind] = true
		switch p.Kind {
		case Missed:
			missed = append(missed, p.Path)
		case Spurious:
			spurious = append(spurious, p.Path)
		}
	}
	switch {
	case len(s.places) > 0 && !kinds[Missed] && !kinds[Different]:
		return Scope
	case kinds[Missed] && !kinds[Different] && len(spurious) > 0 && disjoint(missed, spurious):
		return Design
	case s.crashes():
		return ErrorHandling
	}
	return Functional
}

func disjoint(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// crashes reports whether every failing test ends in an exception rather than
// a failed assertion.
func (s *Subject) crashes() bool {
	n := 0
	for _, list := range [][]bench.Test{s.in.FailToPass, s.in.PassToPass} {
		for _, t := range list {
			if readFailure(s.language, t).exception == "" {
				return false
			}
			n++
		}
	}
	return n > 0 && !s.unbuilt()
}

// categoryAdvice is L3's last sentence.
func categoryAdvice(category string) string {
	switch category {
	case Functional:
		return "What is left is a matter of logic: check conditions, boundaries and return values, and the cases at their edges."
	case Scope:
		return "Keep the patch to what the issue is about, and leave everything else as it was."
	case Contract:
		return "Mind the contract with the callers: what goes in, what comes out and what it means must stay as they rely on it."
	case Design:
		return "Ask whether this is the layer where the problem comes from, rather than where it shows."
	case ErrorHandling:
		return "Take care of the failure itself: which errors can come up here, who should handle them, and which checks guard against them."
	case Security:
		return "Look at it from the side of security and of the standards that apply."
	}
	return ""
}
