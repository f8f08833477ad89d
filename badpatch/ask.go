package badpatch

import (
	"context"
	"errors"

	"assay/llm"
)

// maxAnswer bounds answers: whole files are long.
const maxAnswer = 32_000 // tokens

// FatalError is what would meet every instance: a model that cannot be asked,
// a budget that is spent.
type FatalError struct{ Err error }

func (e *FatalError) Error() string { return e.Err.Error() }
func (e *FatalError) Unwrap() error { return e.Err }

func (a Asker) ask(ctx context.Context, purpose, text string, sample int, temperature *float64) (llm.Response, error) {
	return a.Client.Complete(ctx, llm.Request{
		Model: a.Model, Messages: []llm.Message{{Role: llm.User, Text: text}},
		Temperature: temperature, MaxTokens: maxAnswer, Sample: sample, Purpose: purpose,
	})
}

// stops reports whether an error ends all asking: other errors are about one
// call only.
func stops(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	var e *llm.Error
	if ctx.Err() != nil || !errors.As(err, &e) {
		return true
	}
	switch e.Class {
	case llm.Refused, llm.TooLong, llm.Malformed:
		return false
	}
	return true
}
