package review

import (
	"context"
	"fmt"
	"strings"

	"assay/bench"
	"assay/llm"
	"assay/llm/prompts"
)

// Renderer fills in a prompt by its name; prompts.Set is one.
type Renderer interface {
	Render(name string, data any) (string, error)
}

// Defaults of Options.
const (
	DefaultMaxWords = 150
	DefaultAttempts = 3
)

// maxTokens bounds an answer, with room for models that think in tokens. A
// budget reserves it for every call.
const maxTokens = 8192

// Options are the settings of Write. Only Model must be set.
type Options struct {
	Model    string      // provider/model
	MaxWords int         // length that is asked for; 0 means DefaultMaxWords
	Attempts int         // drafts at most; 0 means DefaultAttempts
	Level    DetailLevel // of the deterministic review that replaces it; "" means DefaultLevel
	Seed     int64       // of the canary
}

func (o Options) withDefaults() Options {
	if o.MaxWords <= 0 {
		o.MaxWords = DefaultMaxWords
	}
	if o.Attempts <= 0 {
		o.Attempts = DefaultAttempts
	}
	if o.Level == "" {
		o.Level = DefaultLevel
	}
	return o
}

// Write asks a model for a review. A draft that leaks, is cut, empty, without
// prose or far too long is rejected, and the model is asked again with all
// reasons so far, up to Attempts drafts; then the deterministic review takes
// its place. So it does where the model refuses, or the instance is too long
// for it. Refused of the review's leak report has the reason for each draft,
// without what leaked. All other failures of the model are returned as
// errors.
func (s *Subject) Write(ctx context.Context, client llm.Client, set Renderer, o Options) (bench.Review, error) {
	o = o.withDefaults()
	w := writer{subject: s, words: o.MaxWords, canary: s.canary(o.Seed)}
	d := drafting{client: client, set: set, options: o, prompt: prompts.ReviewWrite, purpose: "review/" + s.in.Instance.ID, data: w.data, judge: w.judge}
	text, err := d.write(ctx)
	if err != nil {
		return bench.Review{}, fmt.Errorf("reviewing bad patch %d of %s: %w", s.in.Bad.Index, s.in.Instance.ID, err)
	}
	if text == "" {
		r := s.Deterministic(o.Level)
		r.Leak.Refused = d.refused
		return r, nil
	}
	report := s.Check(text)
	report.Refused = d.refused
	return bench.Review{
		BadPatch: s.in.Bad.Index, Text: text, Source: o.Model, Category: s.Category(), Leak: &report, QuotesTests: s.in.QuoteTests,
	}, nil
}

// writer knows what a review must be like.
type writer struct {
	subject *Subject
	words   int // that are asked for
	canary  string
}

// judge implements drafting.judge.
func (w *writer) judge(text string) (public string, faults []string) {
	leaks := w.subject.Leaks(text)
	if strings.Contains(strings.ToLower(text), w.canary) {
		leaks = append(leaks, read(text).leak(LeakCanary, max(0, strings.Index(text, w.canary)), w.canary))
	}
	return explained(leaks)
}

// explain lists for a model what it must not say.
func (l Leak) explain() string {
	switch l.Class {
	case LeakIdentifier:
		return fmt.Sprintf("the name %q is in the confidential patch or tests only", l.Token)
	case LeakNumber:
		return fmt.Sprintf("the number %s is in the confidential patch or tests only", l.Token)
	case LeakLiteral:
		return fmt.Sprintf("the text %q is in the confidential patch or tests only", l.Token)
	case LeakCopy:
		return fmt.Sprintf("%q is copied from the confidential patch or tests", l.Token)
	case LeakCode:
		return fmt.Sprintf("the quoted code (%s) is nearly that of the confidential patch or tests", l.Token)
	case LeakLine:
		return fmt.Sprintf("%q is a line of the confidential patch", l.Token)
	case LeakDiff:
		return fmt.Sprintf("%q is a part of a diff", l.Token)
	case LeakAnswer:
		return fmt.Sprintf("%q reveals that such a patch exists", l.Token)
	}
	return fmt.Sprintf("%q is copied from a comment of the confidential patch", l.Token)
}

// Categorise asks a model for the category of a review, A to F. An answer that
// is not one of them gives "".
func (s *Subject) Categorise(ctx context.Context, client llm.Client, set Renderer, model, text string) (string, error) {
	prompt, err := set.Render(prompts.ReviewCategorise, s.categoriseData(text))
	if err == nil {
		var answer llm.Response
		answer, err = client.Complete(ctx, llm.Request{
			Model: model, Messages: []llm.Message{{Role: llm.User, Text: prompt}}, MaxTokens: maxTokens, Purpose: "category/" + s.in.Instance.ID,
		})
		if reason, final := ownTrouble(err); final && reason != "" {
			return "", nil
		}
		if err == nil {
			category, err := prompts.ReadCategory(answer.Text)
			if err != nil {
				return "", nil
			}
			return category, nil
		}
	}
	return "", fmt.Errorf("categorising the review of bad patch %d of %s: %w", s.in.Bad.Index, s.in.Instance.ID, err)
}
