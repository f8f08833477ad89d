package review

import (
	"context"
	"fmt"
	"strings"

	"assay/bench"
	"assay/llm"
	"assay/llm/prompts"
)

// defaultStatementWords is how long a problem statement is asked to be.
const defaultStatementWords = 250

// Untold is an instance that has no issue.
type Untold struct {
	// Instance has, as its problem statement, the change's own text: its message
	// and its lines of the changelog.
	Instance *bench.Instance
	// Failing are hidden tests that fail at base, with their messages.
	Failing []bench.Test
	// Names are used by hidden tests and introduced by gold: a solution that
	// calls something else fails, so that a statement must mention them.
	Names []string
	Base  func(path string) ([]byte, error) // as in Input
	// QuoteTests lets the statement quote what hidden tests expect.
	QuoteTests bool
}

// Statement is a problem statement that a model wrote. Text is "" where no
// draft could be taken; Leak has the reasons.
type Statement struct {
	Text string
	Leak bench.LeakReport
}

// WriteStatement asks a model for a problem statement, from the failing tests'
// messages and the change's own text; it does not show it the gold patch. Drafts
// are checked for leaks as reviews are. After a draft that fails the checks, the
// model is asked again with all reasons so far. Failures of the model that are
// not about this instance are errors.
func WriteStatement(ctx context.Context, client llm.Client, set Renderer, in Untold, o Options) (Statement, error) {
	if o.MaxWords <= 0 {
		o.MaxWords = defaultStatementWords
	}
	// What the change says may give the solution away: only the names are known.
	known := *in.Instance
	known.ProblemStatement = strings.Join(in.Names, "\n")
	s, err := Study(Input{Instance: &known, Base: in.Base, FailToPass: in.Failing, QuoteTests: in.QuoteTests})
	if err != nil {
		return Statement{}, err
	}
	w := statementWriter{subject: s, in: in, words: o.MaxWords}
	d := drafting{
		client: client, set: set, options: o.withDefaults(), prompt: prompts.StatementWrite, purpose: "statement/" + in.Instance.ID,
		data: w.data, judge: w.judge,
	}
	text, err := d.write(ctx)
	if err != nil {
		return Statement{}, fmt.Errorf("writing the problem statement of %s: %w", in.Instance.ID, err)
	}
	return Statement{text, bench.LeakReport{Checkable: s.Checkable(), Refused: d.refused}}, nil
}

// statementWriter knows what a statement must be like.
type statementWriter struct {
	subject *Subject
	in      Untold
	words   int
}

// judge implements drafting.judge: a statement must mention the names that a
// solution must have.
func (w *statementWriter) judge(text string) (public string, faults []string) {
	if leaks := w.subject.Leaks(text); len(leaks) > 0 {
		return explained(leaks)
	}
	for _, name := range w.in.Names {
		if !strings.Contains(text, name) {
			faults = append(faults, fmt.Sprintf("it does not mention the name %q", name))
		}
	}
	if len(faults) > 0 {
		public = fmt.Sprintf("%d names that a solution must have are not mentioned", len(faults))
	}
	return public, faults
}

// Bounds of what a model is shown of failing tests.
const (
	shownFailures = 8
	shownMessage  = 800 // bytes of each
)

func (w *statementWriter) data(faults []string) any {
	d := prompts.StatementWriteData{
		Language: w.subject.language, Message: w.in.Instance.ProblemStatement, Names: w.in.Names, MaxWords: w.words,
		Retry: faults, HideTests: !w.in.QuoteTests,
	}
	for _, t := range w.in.Failing[:min(len(w.in.Failing), shownFailures)] {
		message := strings.TrimSpace(t.Message)
		if len(message) > shownMessage {
			message = strings.ToValidUTF8(message[:shownMessage], "") + " ..."
		}
		d.Failures = append(d.Failures, prompts.Failure{Test: t.ID, Message: message})
	}
	return d
}
