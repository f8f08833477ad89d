package trajectory

// trajectory puts the conversations together.
func (b *builder) trajectory() Trajectory {
	main := b.main()
	if main == nil {
		return b.empty()
	}
	out := b.one(main)
	out.SessionID, out.Notes, out.Extra = b.meta.Session, b.meta.Notes, b.meta.Extra
	total := b.sum
	for _, t := range b.threads {
		total.include(t.sum)
		if t == main {
			continue
		}
		sub := b.one(t)
		sub.TrajectoryID = t.id
		sub.Extra = map[string]any{"kind": t.kind}
		out.Subagents = append(out.Subagents, sub)
		if t.parent != nil && t.parent.thread == main {
			refer(out.Steps, t.parent.id, t.id)
		}
	}
	out.FinalMetrics = total.metrics(len(out.Steps))
	return out
}

// refer links a subagent to the result of the call that started it.
func refer(steps []Step, callID, id string) {
	for i := range steps {
		for _, c := range steps[i].ToolCalls {
			if c.ID == callID {
				link(&steps[i], callID, SubagentRef{TrajectoryID: id})
				return
			}
		}
	}
}

func link(s *Step, callID string, ref SubagentRef) {
	if s.Observation == nil {
		s.Observation = &Observation{}
	}
	results := s.Observation.Results
	for i := range results {
		if results[i].SourceCallID == callID {
			results[i].Subagents = append(results[i].Subagents, ref)
			return
		}
	}
	s.Observation.Results = append(results, Result{SourceCallID: callID, Subagents: []SubagentRef{ref}})
}

// main is the first conversation with tools that no other started; where none
// has tools, the first.
func (b *builder) main() *thread {
	for _, t := range b.threads {
		if len(t.tools) > 0 && t.parent == nil {
			return t
		}
	}
	if len(b.threads) > 0 {
		return b.threads[0]
	}
	return nil
}

func (b *builder) one(t *thread) Trajectory {
	out := Trajectory{
		SchemaVersion: Version,
		Agent:         Agent{Name: orUnknown(b.meta.Agent), Version: orUnknown(b.meta.Version), ModelName: b.meta.Model, Tools: t.tools},
		Steps:         numbered(t.steps), FinalMetrics: t.sum.metrics(len(t.steps)),
	}
	return out
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

func numbered(steps []Step) []Step {
	for i := range steps {
		steps[i].StepID = i + 1
	}
	return steps
}

// empty is the trajectory of an agent that did not get to ask its model.
func (b *builder) empty() Trajectory {
	steps := b.failed
	if len(steps) == 0 {
		steps = []Step{{Source: System, Message: plain("The agent made no call of the model.")}}
	}
	return Trajectory{
		SchemaVersion: Version, SessionID: b.meta.Session, Notes: b.meta.Notes, Extra: b.meta.Extra,
		Agent: Agent{Name: orUnknown(b.meta.Agent), Version: orUnknown(b.meta.Version), ModelName: b.meta.Model},
		Steps: numbered(steps), FinalMetrics: b.sum.metrics(len(steps)),
	}
}

func (s *sums) include(more sums) {
	s.prompt += more.prompt
	s.completion += more.completion
	s.cached += more.cached
	s.calls += more.calls
	s.usd += more.usd
	s.estimated = s.estimated || more.estimated
}

func (s sums) metrics(steps int) *FinalMetrics {
	m := &FinalMetrics{PromptTokens: &s.prompt, CompletionTokens: &s.completion, CachedTokens: &s.cached, CostUSD: &s.usd, Steps: &steps}
	m.Extra = map[string]any{"model_calls": s.calls}
	if s.estimated {
		m.Extra["estimated"] = true
	}
	return m
}
