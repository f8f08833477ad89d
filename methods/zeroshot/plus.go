package zeroshot

import (
	"context"

	"assay/llm/prompts"
	"assay/methods"
	"assay/methods/tolerant"
)

// ZeroShotPlus asks for tests in the fault-tolerant format.
type ZeroShotPlus struct{ Given Given }

var _ methods.Rehearser = ZeroShotPlus{}

// About implements methods.Method.
func (z ZeroShotPlus) About() methods.About {
	return methods.About{
		Name: "zeroshotplus", Title: "ZeroShotPlus (SWT-Bench, 4.3): one call, tests in the fault-tolerant diff format",
		Kinds: []string{kindTestgen}, Prompts: []string{prompts.ZeroShotPlus}, Settings: []methods.Setting{contextBytes(), temperature(0)}, Source: z.Given.Source,
	}
}

// Solve implements methods.Method.
func (z ZeroShotPlus) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	text, err := plusPrompt(d, z.Given)
	if err != nil {
		return "", err
	}
	answer, err := d.Ask(ctx, "write tests", methods.Say(text).At(d.Number("temperature")))
	if err != nil {
		return "", err
	}
	return applied(d, "apply", answer)
}

// plusPrompt is what the model is asked.
func plusPrompt(d *methods.Desk, g Given) (string, error) {
	in, err := data(d, g)
	if err != nil {
		return "", err
	}
	return d.Template(prompts.ZeroShotPlus, in)
}

// applied is the patch that an answer gives; "" where nothing of it can be
// applied.
func applied(d *methods.Desk, step string, answer methods.Answer) (string, error) {
	blocks, wrong, err := tolerant.Read(answer.Text, answer.Cut)
	if err != nil {
		d.Note(step, nil, map[string]any{"refused": err.Error()})
		return "", nil
	}
	result, err := tolerant.Apply(d.Task().Language.About().Name, d.Tree(), blocks)
	if err != nil {
		return "", err
	}
	patch, err := d.Patch(result.Files)
	said := map[string]any{"blocks": result.Blocks, "patch": patch}
	var left []string
	for _, w := range wrong {
		left = append(left, w.Error())
	}
	if left != nil {
		said["left_out"] = left
	}
	d.Note(step, nil, said)
	return patch, err
}

// Rehearse implements methods.Rehearser.
func (ZeroShotPlus) Rehearse() []string { return []string{rehearsal("rehearsal")} }

func rehearsal(name string) string {
	return "diff\ntests/test_" + name + ".py\ninsert\nEOF\ndef test_" + name + "():\n    assert False\nend diff\n"
}
