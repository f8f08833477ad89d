package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/llm"
)

// drafting is the dialogue with a model about one text: drafts are asked for
// until one can be taken.
type drafting struct {
	client  llm.Client
	set     Renderer
	options Options
	prompt  string // name of the prompt
	purpose string
	// data fills the prompt in, with what was wrong with the drafts so far.
	data func(faults []string) any
	// judge explains why a draft of good form cannot be taken: in public without
	// what leaked, and for the model in full. Both are empty for a good one.
	judge   func(text string) (public string, faults []string)
	refused []string // why drafts were refused, for the data set
	faults  []string // the same in full, for the model
}

// write returns a draft that can be taken, or "" where there is none.
func (d *drafting) write(ctx context.Context) (string, error) {
	for range d.options.Attempts {
		prompt, err := d.set.Render(d.prompt, d.data(d.faults))
		if err != nil {
			return "", err
		}
		answer, err := d.client.Complete(ctx, llm.Request{
			Model: d.options.Model, Messages: []llm.Message{{Role: llm.User, Text: prompt}}, MaxTokens: maxTokens, Purpose: d.purpose,
		})
		if reason, final := ownTrouble(err); final {
			d.refused = append(d.refused, reason)
			return "", nil
		}
		if err != nil {
			return "", err
		}
		text := draft(answer.Text)
		public, faults := d.form(text, answer.Stop)
		if public == "" {
			public, faults = d.judge(text)
		}
		if public == "" {
			return text, nil
		}
		d.refused = append(d.refused, public)
		d.faults = append(d.faults, faults...)
	}
	return "", nil
}

// form explains, as judge does, what is wrong with a draft. It checks the rules
// that do not depend on the draft's subject.
func (d *drafting) form(text string, stop llm.Stop) (public string, faults []string) {
	words := len(strings.Fields(text))
	switch {
	case text == "":
		return "empty", []string{"it was empty"}
	case stop == llm.StopLength:
		return "cut off by the token limit", []string{"it was cut off by the token limit: write less"}
	case proseWords(text) < minWords:
		return "no prose", []string{"it had hardly any sentences: explain what is wrong"}
	case words > 2*d.options.MaxWords:
		public = fmt.Sprintf("%d words, %d were asked for", words, d.options.MaxWords)
		return public, []string{"it was too long: " + public}
	}
	return "", nil
}

// explained lists leaks in public, and for the model in full.
func explained(leaks []Leak) (public string, faults []string) {
	if len(leaks) == 0 {
		return "", nil
	}
	var open []string
	for _, l := range leaks {
		open = append(open, l.String())
		faults = append(faults, l.explain())
	}
	return "leaks: " + strings.Join(open, ", "), faults
}

// ownTrouble reports whether an error is this instance's own: they end the
// dialogue, but not the build.
func ownTrouble(err error) (reason string, final bool) {
	var e *llm.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Class {
	case llm.Refused:
		return "the model refused to answer", true
	case llm.TooLong:
		return "the request is too long for the model", true
	}
	return "", false
}
