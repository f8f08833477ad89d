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
)

// shownTrajectory is what is shown of a trajectory in ATIF.
type shownTrajectory struct {
	Agent struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Model   string `json:"model_name"`
	} `json:"agent"`
	Steps     []shownStep       `json:"steps"`
	Subagents []shownTrajectory `json:"subagent_trajectories"`
	Final     struct {
		Prompt     int     `json:"total_prompt_tokens"`
		Completion int     `json:"total_completion_tokens"`
		USD        float64 `json:"total_cost_usd"`
	} `json:"final_metrics"`
}

type shownStep struct {
	ID        int             `json:"step_id"`
	Source    string          `json:"source"`
	Message   json.RawMessage `json:"message"`
	Reasoning string          `json:"reasoning_content"`
	Calls     []struct {
		Function  string          `json:"function_name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"tool_calls"`
	Observation struct {
		Results []struct {
			Content json.RawMessage `json:"content"`
		} `json:"results"`
	} `json:"observation"`
	Metrics struct {
		Prompt     int     `json:"prompt_tokens"`
		Completion int     `json:"completion_tokens"`
		USD        float64 `json:"cost_usd"`
	} `json:"metrics"`
}

func readTrajectory(file string) (shownTrajectory, error) {
	var t shownTrajectory
	data, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("%s: expected a trajectory in ATIF: %w", file, err)
	}
	if len(t.Steps) == 0 {
		return t, fmt.Errorf("%s: expected a trajectory in ATIF, and it has no steps", file)
	}
	return t, nil
}

// part is a text of a step, with what it is.
type part struct{ what, text string }

// parts are the texts of a step in their order, without terminal escapes.
func (s shownStep) parts() []part {
	var out []part
	add := func(what, text string) {
		if text = strings.TrimSpace(printable(text)); text != "" {
			out = append(out, part{what, text})
		}
	}
	add("thinks", s.Reasoning)
	add("says", contentText(s.Message))
	for _, c := range s.Calls {
		add("calls "+printable(c.Function), argumentsText(c.Arguments))
	}
	for _, r := range s.Observation.Results {
		add("sees", contentText(r.Content))
	}
	return out
}

// contentText is a text, or the texts of a list of parts; images are named.
func contentText(raw json.RawMessage) string {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		return plain
	}
	var list []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return string(raw)
	}
	var out []string
	for _, p := range list {
		if p.Type != "text" {
			p.Text = "[" + p.Type + "]"
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n")
}

// argumentsText writes a call's arguments as people read them: a single text as
// it is, else a line for each.
func argumentsText(raw json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return string(raw)
	}
	var lines []string
	for _, name := range sortedKeys(fields) {
		value := string(fields[name])
		var plain string
		if json.Unmarshal(fields[name], &plain) == nil {
			value = plain
		}
		if len(fields) == 1 {
			return value
		}
		lines = append(lines, name+": "+value)
	}
	return strings.Join(lines, "\n")
}

// print writes the steps; texts longer than most bytes are shortened, 0 for none.
func (t shownTrajectory) print(w io.Writer, most int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %s, %d steps\n", printable(t.Agent.Name), printable(t.Agent.Version), printable(t.Agent.Model), len(t.Steps))
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "\n%d %s%s\n", s.ID, printable(s.Source), s.figures())
		for _, p := range s.parts() {
			fmt.Fprintf(&b, "  %s\n%s\n", p.what, indent(shorten(p.text, most)))
		}
	}
	for i, sub := range t.Subagents {
		fmt.Fprintf(&b, "\nsubagent %d: ", i+1)
		if err := sub.print(&b, most); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (s shownStep) figures() string {
	if s.Metrics.Prompt+s.Metrics.Completion == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s tokens in, %s out, $%.4f)", shortNumber(s.Metrics.Prompt), shortNumber(s.Metrics.Completion), s.Metrics.USD)
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

// search finds a pattern line by line, and names the place of each line.
func (t shownTrajectory) search(pattern *regexp.Regexp) []string {
	var out []string
	for _, s := range t.Steps {
		for _, p := range s.parts() {
			for line := range strings.Lines(p.text) {
				if pattern.MatchString(line) {
					out = append(out, fmt.Sprintf("step %d %s %s: %s", s.ID, printable(s.Source), p.what, text.Snip(strings.TrimSpace(line), 200, "…")))
				}
			}
		}
	}
	for _, sub := range t.Subagents {
		out = append(out, sub.search(pattern)...)
	}
	return out
}
