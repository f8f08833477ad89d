// Package modelsource has a model make bad patches, as search/replace blocks or as a
// whole file, and put them into categories.
package modelsource

import (
	"cmp"
	"context"
	"errors"

	"assay/badpatch/searchreplace"
	"assay/llm"
	"assay/llm/prompts"
)

// Asker asks a model on behalf of an instance.
type Asker struct {
	Client  llm.Client
	Model   string // provider/model
	Prompts prompts.Set
}

// FatalError is an error that would affect every instance: a model that
// cannot be asked, a budget that is spent.
type FatalError struct{ Err error }

func (e *FatalError) Error() string { return e.Err.Error() }

func (e *FatalError) Unwrap() error { return e.Err }

// Why answers are refused, for counting.
const (
	noBlock    = "no search/replace blocks"
	likeGold   = "same code as gold"
	likeBase   = "same code as base"
	noSyntax   = "does not parse"
	truncated  = "cut short"
	noFile     = "prose in place of the file"
	byModel    = "refused by the model"
	tooLong    = "too long for the model"
	unreadable = "unreadable response"
)

// refusal is why an answer cannot be used.
type refusal = searchreplace.Refusal

// defaultTokens bounds an answer, with room for models that think in tokens. A
// budget reserves it for every call.
const defaultTokens = 8192

// maxTries keeps the samples of a question distinct: see question.sample.
const maxTries = 100

// question is what a model is asked until it gives an answer that can be used.
type question struct {
	purpose     string
	prompt      string
	data        func(whys []string) any // why earlier answers were refused
	sample      int
	tries       int
	temperature *float64 // nil: the provider's
	tokens      int      // longest answer; 0 means defaultTokens
	read        func(llm.Response) *refusal
	refused     func(cause string) // may be nil
}

// insist asks until read takes an answer; not ok means that none was taken. An
// error means that there is no sense in asking anything else.
func (a Asker) insist(ctx context.Context, q question) (ok bool, err error) {
	var whys []string
	for try := range min(q.tries, maxTries) {
		text, err := a.Prompts.Render(q.prompt, q.data(whys))
		if err != nil {
			return false, err
		}
		answer, err := a.Client.Complete(ctx, llm.Request{
			Model: a.Model, Messages: []llm.Message{{Role: llm.User, Text: text}}, Purpose: q.purpose, Temperature: q.temperature,
			MaxTokens: cmp.Or(q.tokens, defaultTokens), Sample: q.sample*maxTries + try,
		})
		if cause, mine := aboutOne(err); mine {
			q.count(cause)
			return false, nil
		}
		if err != nil {
			return false, err
		}
		no := q.read(answer)
		if no == nil {
			return true, nil
		}
		q.count(no.Cause)
		whys = append(whys, no.Why)
	}
	return false, nil
}

func (q question) count(cause string) {
	if q.refused != nil {
		q.refused(cause)
	}
}

// aboutOne recognises errors that are about one question only: others may
// still be asked.
func aboutOne(err error) (cause string, ok bool) {
	var e *llm.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Class {
	case llm.Refused:
		return byModel, true
	case llm.TooLong:
		return tooLong, true
	case llm.Malformed:
		return unreadable, true
	}
	return "", false
}
