package zeroshot

import (
	"context"
	"strings"

	"assay/llm/prompts"
	"assay/methods"
)

// ZeroShot asks for a unified diff, and submits it as it is.
type ZeroShot struct{ Given Given }

var _ methods.Rehearser = ZeroShot{}

// About implements methods.Method.
func (z ZeroShot) About() methods.About {
	return methods.About{
		Name: "zeroshot", Title: "ZeroShot (SWT-Bench, 4.3): one call, tests as a unified diff",
		Kinds: []string{kindTestgen}, Prompts: []string{prompts.ZeroShot}, Settings: []methods.Setting{contextBytes(), temperature(0)}, Source: z.Given.Source,
	}
}

// temperature is a setting; the paper's is 0 for single calls.
func temperature(usual float64) methods.Setting {
	return methods.Setting{Name: "temperature", Default: usual, Least: 0, Most: 2, What: "of the calls that write tests"}
}

// Solve implements methods.Method.
func (z ZeroShot) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	in, err := data(d, z.Given)
	if err != nil {
		return "", err
	}
	text, err := d.Template(prompts.ZeroShot, in)
	if err != nil {
		return "", err
	}
	answer, err := d.Ask(ctx, "write tests", methods.Say(text).At(d.Number("temperature")))
	if err != nil {
		return "", err
	}
	diff := diffIn(answer.Text)
	d.Note("take the diff", nil, diff)
	return diff, nil
}

// diffIn is the unified diff in an answer: that of its fences, or what follows
// the first line that begins one; "" where there is none.
func diffIn(answer string) string {
	answer = strings.ReplaceAll(answer, "\r\n", "\n")
	var inside, bare []string
	fenced, begun, found := false, false, false
	for line := range strings.Lines(answer) {
		mark := strings.HasPrefix(strings.TrimSpace(line), "```") || isTag(line)
		starts := strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff --git ")
		switch {
		case mark:
			fenced, begun = !fenced, false
		case fenced && (starts || begun):
			inside, begun, found = append(inside, line), true, true
		case !fenced && (starts || len(bare) > 0):
			bare = append(bare, line)
		}
	}
	text := strings.Join(inside, "")
	if !found {
		text = strings.Join(bare, "")
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func isTag(line string) bool {
	line = strings.TrimSpace(line)
	return line == "<patch>" || line == "</patch>"
}

// Rehearse implements methods.Rehearser.
func (ZeroShot) Rehearse() []string {
	return []string{"```diff\n--- /dev/null\n+++ b/tests/test_rehearsal.py\n@@ -0,0 +1,2 @@\n+def test_rehearsal():\n+    assert False\n```\n"}
}
