package review

import (
	"slices"
	"strings"

	"assay/llm/prompts"
)

// data is what the prompt for the next draft is filled with.
func (w *writer) data(faults []string) any {
	s := w.subject
	return prompts.ReviewWriteData{
		Problem: s.in.Instance.ProblemStatement, Gold: marked(s.in.Instance.Patch, w.canary, s.firstDialect()),
		BadPatch: s.in.Bad.Patch, FailingTests: s.failing(), MaxWords: w.words, Retry: slices.Clone(faults), HideTests: !s.in.QuoteTests,
	}
}

func (s *Subject) categoriseData(text string) prompts.ReviewCategoriseData {
	return prompts.ReviewCategoriseData{
		Problem: s.in.Instance.ProblemStatement, Gold: s.in.Instance.Patch, BadPatch: s.in.Bad.Patch, Review: text,
	}
}

// Bounds of what a prompt contains about failing tests.
const (
	maxFailing = 10
	maxMessage = 300 // bytes
)

// failing are the failing tests with their messages, a line each.
func (s *Subject) failing() []string {
	var out []string
	for _, t := range slices.Concat(sortedTests(s.in.FailToPass), sortedTests(s.in.PassToPass)) {
		if len(out) == maxFailing {
			break
		}
		line := t.ID
		if message := strings.Join(strings.Fields(t.Message), " "); message != "" {
			line += ": " + clip(message, maxMessage)
		}
		out = append(out, line)
	}
	return out
}
