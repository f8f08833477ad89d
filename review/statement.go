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

// Untold is an instance for which nobody wrote an issue.
type Untold struct {
	// Instance has, as its problem statement, what the change says of itself.
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
// messages and what the change says of itself; it is not shown the gold patch.
// Drafts are checked for leaks as reviews are, and a draft that is not taken is
// asked for again with all reasons so far. Failures of the model that are not
// about this instance are errors.
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
	w := statementWriter{subject: s, in: in, client: client, set: set, options: o.withDefaults()}
	text, err := w.write(ctx)
	if err != nil {
		return Statement{}, fmt.Errorf("writing the problem statement of %s: %w", in.Instance.ID, err)
	}
	return Statement{text, bench.LeakReport{Checkable: s.Checkable(), Refused: w.refused}}, nil
}

// statementWriter is the making of one statement.
type statementWriter struct {
	subject         *Subject
	in              Untold
	client          llm.Client
	set             Renderer
	options         Options
	refused, faults []string // why drafts were refused: for the data set, and for the model
}

func (w *statementWriter) write(ctx context.Context) (string, error) {
	for range w.options.Attempts {
		prompt, err := w.set.Render(prompts.StatementWrite, w.data())
		if err != nil {
			return "", err
		}
		answer, err := w.client.Complete(ctx, llm.Request{
			Model: w.options.Model, Messages: []llm.Message{{Role: llm.User, Text: prompt}}, MaxTokens: maxTokens, Purpose: "statement/" + w.in.Instance.ID,
		})
		if reason, final := ownTrouble(err); final {
			w.refused = append(w.refused, reason)
			return "", nil
		}
		if err != nil {
			return "", err
		}
		text := draft(answer.Text)
		public, faults := w.judge(text, answer.Stop)
		if public == "" {
			return text, nil
		}
		w.refused = append(w.refused, public)
		w.faults = append(w.faults, faults...)
	}
	return "", nil
}

// judge explains why a draft cannot be taken: in public without what leaked,
// and for the model in full. Both are empty for a good one.
func (w *statementWriter) judge(text string, stop llm.Stop) (public string, faults []string) {
	words := len(strings.Fields(text))
	switch {
	case stop == llm.StopLength:
		return "cut off by the token limit", []string{"it was cut off by the token limit: write less"}
	case proseWords(text) < minWords:
		return "no prose", []string{"it had hardly any sentences: explain the problem"}
	case words > 2*w.options.MaxWords:
		public = fmt.Sprintf("%d words, %d were asked for", words, w.options.MaxWords)
		return public, []string{"it was too long: " + public}
	}
	if leaks := w.subject.Leaks(text); len(leaks) > 0 {
		var open []string
		for _, l := range leaks {
			open = append(open, l.String())
			faults = append(faults, l.explain())
		}
		return "leaks: " + strings.Join(open, ", "), faults
	}
	missing := 0
	for _, name := range w.in.Names {
		if !strings.Contains(text, name) {
			missing++
			faults = append(faults, fmt.Sprintf("it does not mention the name %q", name))
		}
	}
	if missing > 0 {
		return fmt.Sprintf("%d names that a solution must have are not mentioned", missing), faults
	}
	return "", nil
}

// Bounds of what a model is shown of failing tests.
const (
	shownFailures = 8
	shownMessage  = 800 // bytes of each
)

func (w *statementWriter) data() prompts.StatementWriteData {
	d := prompts.StatementWriteData{
		Language: w.subject.language, Message: w.in.Instance.ProblemStatement, Names: w.in.Names, MaxWords: w.options.MaxWords,
		Retry: w.faults, HideTests: !w.in.QuoteTests,
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
