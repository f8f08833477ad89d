package trajectory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Read reads a trajectory of any version of ATIF. A field that the format does
// not know is an error, and so is what Validate reports.
func Read(r io.Reader) (Trajectory, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var t Trajectory
	if err := d.Decode(&t); err != nil {
		return Trajectory{}, fmt.Errorf("trajectory: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Trajectory{}, errors.New("trajectory: something follows the object")
	}
	return t, t.Validate()
}

// JSON is the trajectory with indentation and a line end.
func (t Trajectory) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(t); err != nil {
		return nil, fmt.Errorf("trajectory: %w", err)
	}
	return b.Bytes(), nil
}

// Validate checks what the format demands. The error names the place.
func (t Trajectory) Validate() error {
	if err := t.check(); err != nil {
		return fmt.Errorf("trajectory: %w", err)
	}
	return nil
}

func (t Trajectory) check() error {
	if !knownVersion(t.SchemaVersion) {
		return fmt.Errorf("schema_version: %q is not known, want ATIF-v1.0 to %s", t.SchemaVersion, Version)
	}
	if t.Agent.Name == "" || t.Agent.Version == "" {
		return errors.New("agent: name and version must be given")
	}
	if len(t.Steps) == 0 {
		return errors.New("steps: there must be one at least")
	}
	for i, s := range t.Steps {
		if err := s.check(i + 1); err != nil {
			return fmt.Errorf("steps[%d]: %w", i, err)
		}
	}
	return t.checkSubagents()
}

func knownVersion(v string) bool {
	minor, found := strings.CutPrefix(v, "ATIF-v1.")
	return found && len(minor) == 1 && minor[0] >= '0' && minor[0] <= '8'
}

func (t Trajectory) checkSubagents() error {
	seen := map[string]bool{}
	for i, sub := range t.Subagents {
		switch {
		case sub.TrajectoryID == "":
			return fmt.Errorf("subagent_trajectories[%d]: trajectory_id must be given", i)
		case seen[sub.TrajectoryID]:
			return fmt.Errorf("subagent_trajectories[%d]: trajectory_id %q is there twice", i, sub.TrajectoryID)
		}
		seen[sub.TrajectoryID] = true
		if err := sub.check(); err != nil {
			return fmt.Errorf("subagent_trajectories[%d]: %w", i, err)
		}
	}
	return nil
}

func (s Step) check(id int) error {
	if s.StepID != id {
		return fmt.Errorf("step_id: %d, want %d", s.StepID, id)
	}
	if _, err := time.Parse(time.RFC3339, s.Timestamp); s.Timestamp != "" && err != nil && !localTime(s.Timestamp) {
		return fmt.Errorf("timestamp: %q is not in ISO 8601", s.Timestamp)
	}
	if !slices.Contains([]Source{System, User, AgentOwn}, s.Source) {
		return fmt.Errorf("source: %q, want system, user or agent", s.Source)
	}
	if s.Source != AgentOwn && (s.ModelName != "" || s.ReasoningEffort != nil || s.ReasoningContent != "" || s.ToolCalls != nil || s.Metrics != nil) {
		return fmt.Errorf("model_name, reasoning_effort, reasoning_content, tool_calls and metrics are for steps of the agent, this is the %s's", s.Source)
	}
	if n := s.LLMCallCount; n != nil && (*n < 0 || *n == 0 && s.Source == AgentOwn && (s.Metrics != nil || s.ReasoningContent != "")) {
		return errors.New("llm_call_count: negative, or 0 for a step with metrics or reasoning_content")
	}
	if err := s.Message.check(); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return s.checkCalls()
}

// localTime is a time without a zone, which the format allows.
func localTime(text string) bool {
	_, err := time.Parse("2006-01-02T15:04:05", text)
	return err == nil
}

func (s Step) checkCalls() error {
	ids := map[string]bool{}
	for i, c := range s.ToolCalls {
		if c.ID == "" || c.Function == "" || c.Arguments == nil {
			return fmt.Errorf("tool_calls[%d]: tool_call_id, function_name and arguments must be given", i)
		}
		ids[c.ID] = true
	}
	if s.Observation == nil {
		return nil
	}
	for i, r := range s.Observation.Results {
		if r.SourceCallID != "" && !ids[r.SourceCallID] {
			return fmt.Errorf("observation.results[%d]: source_call_id %q is no call of this step", i, r.SourceCallID)
		}
		for j, ref := range r.Subagents {
			if ref.TrajectoryID == "" && ref.TrajectoryPath == "" {
				return fmt.Errorf("observation.results[%d].subagent_trajectory_ref[%d]: trajectory_id or trajectory_path must be given", i, j)
			}
		}
		if r.Content != nil {
			if err := r.Content.check(); err != nil {
				return fmt.Errorf("observation.results[%d].content: %w", i, err)
			}
		}
	}
	return nil
}

func (c Content) check() error {
	for i, p := range c.Parts {
		switch p.Type {
		case "text":
			if p.Text == nil || p.Source != nil {
				return fmt.Errorf("[%d]: a text has text and no source", i)
			}
		case "image", "audio":
			if p.Text != nil || p.Source == nil || !strings.HasPrefix(p.Source.MediaType, p.Type+"/") || p.Source.Path == "" {
				return fmt.Errorf("[%d]: %s has a source of its media type, with a path, and no text", i, p.Type)
			}
		default:
			return fmt.Errorf("[%d]: type %q, want text, image or audio", i, p.Type)
		}
	}
	return nil
}
