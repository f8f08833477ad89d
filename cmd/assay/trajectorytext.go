package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"assay/trajectory"
)

func readTrajectory(file string) (trajectory.Trajectory, error) {
	f, err := os.Open(file)
	if err != nil {
		return trajectory.Trajectory{}, err
	}
	defer f.Close()
	t, err := trajectory.Read(f)
	if err != nil {
		return t, fmt.Errorf("%s: expected a trajectory in ATIF: %w", file, err)
	}
	return t, nil
}

// part is a text of a step, with what it is.
type part struct{ what, text string }

// partsOf are the texts of a step in their order, without terminal escapes.
func partsOf(s trajectory.Step) []part {
	var out []part
	add := func(what, text string) {
		if text = strings.TrimSpace(printable(text)); text != "" {
			out = append(out, part{what, text})
		}
	}
	add("thinks", s.ReasoningContent)
	add("says", s.Message.String())
	for _, c := range s.ToolCalls {
		add("calls "+printable(c.Function), argumentsText(c.Arguments))
	}
	if s.Observation == nil {
		return out
	}
	for _, r := range s.Observation.Results {
		if r.Content != nil {
			add("sees", r.Content.String())
		}
	}
	return out
}

// argumentsText writes a call's arguments as people read them: a single text as
// it is, else a line for each.
func argumentsText(fields map[string]any) string {
	var lines []string
	for _, name := range sortedKeys(fields) {
		value, plain := fields[name].(string)
		if !plain {
			text, err := json.Marshal(fields[name])
			if err != nil {
				continue // cannot be: it was read from JSON
			}
			value = string(text)
		}
		if len(fields) == 1 {
			return value
		}
		lines = append(lines, name+": "+value)
	}
	return strings.Join(lines, "\n")
}

// printTrajectory writes the steps; texts longer than most bytes are shortened,
// 0 for none.
func printTrajectory(w io.Writer, t trajectory.Trajectory, most int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %s, %d steps\n", printable(t.Agent.Name), printable(t.Agent.Version), printable(t.Agent.ModelName), len(t.Steps))
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "\n%d %s%s\n", s.StepID, printable(string(s.Source)), stepFigures(s))
		for _, p := range partsOf(s) {
			fmt.Fprintf(&b, "  %s\n%s\n", p.what, indent(shorten(p.text, most)))
		}
	}
	for i, sub := range t.Subagents {
		fmt.Fprintf(&b, "\nsubagent %d: ", i+1)
		if err := printTrajectory(&b, sub, most); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// stepFigures are nothing for a step without a call of the model.
func stepFigures(s trajectory.Step) string {
	m := s.Metrics
	if m == nil || m.PromptTokens == nil || m.CompletionTokens == nil {
		return ""
	}
	out := fmt.Sprintf(" (%s tokens in, %s out", shortNumber(int(*m.PromptTokens)), shortNumber(int(*m.CompletionTokens)))
	if m.CostUSD != nil {
		out += fmt.Sprintf(", $%.4f", *m.CostUSD)
	}
	return out + ")"
}

// shorten keeps both ends of a long text.
func shorten(s string, most int) string {
	if most == 0 || len(s) <= most {
		return s
	}
	head, tail := s[:most/2], s[len(s)-most/2:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n[%d bytes are not shown; see --full]\n", len(s)-most) + strings.ToValidUTF8(tail, "")
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// searchTrajectory finds a pattern line by line, and names the place of each
// line.
func searchTrajectory(t trajectory.Trajectory, pattern *regexp.Regexp) []string {
	var out []string
	for _, s := range t.Steps {
		for _, p := range partsOf(s) {
			for line := range strings.Lines(p.text) {
				if pattern.MatchString(line) {
					out = append(out, fmt.Sprintf("step %d %s %s: %s", s.StepID, printable(string(s.Source)), p.what, text.Snip(strings.TrimSpace(line), 200, "…")))
				}
			}
		}
	}
	for _, sub := range t.Subagents {
		out = append(out, searchTrajectory(sub, pattern)...)
	}
	return out
}
