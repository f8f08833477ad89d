// Package trajectory converts the record of the metering proxy to the steps of an
// agent, in ATIF (Agent Trajectory Interchange Format, version 1.8), for any
// agent and protocol. The result is complete even where the agent's own log is
// not. Other forms are made from it.
package trajectory

// Version is the version of ATIF that this package writes.
const Version = "ATIF-v1.8"

// Trajectory is what one agent did.
type Trajectory struct {
	SchemaVersion string `json:"schema_version"`
	// SessionID names the attempt, TrajectoryID this trajectory among the
	// Subagents of one.
	SessionID    string         `json:"session_id,omitempty"`
	TrajectoryID string         `json:"trajectory_id,omitempty"`
	Agent        Agent          `json:"agent"`
	Steps        []Step         `json:"steps"`
	Notes        string         `json:"notes,omitempty"`
	FinalMetrics *FinalMetrics  `json:"final_metrics,omitempty"`
	Continued    string         `json:"continued_trajectory_ref,omitempty"`
	Extra        map[string]any `json:"extra,omitempty"`
	Subagents    []Trajectory   `json:"subagent_trajectories,omitempty"`
}

// Agent is which program and model.
type Agent struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	ModelName string `json:"model_name,omitempty"`
	// Tools have OpenAI's form of a function.
	Tools []map[string]any `json:"tool_definitions,omitempty"`
	Extra map[string]any   `json:"extra,omitempty"`
}

// Source is whose a step is.
type Source string

// The sources.
const (
	System   Source = "system"
	User     Source = "user"
	AgentOwn Source = "agent"
)

// Step is one turn. What the environment answered to its calls is part of it.
type Step struct {
	StepID           int            `json:"step_id"` // from 1
	Timestamp        string         `json:"timestamp,omitempty"`
	Source           Source         `json:"source"`
	ModelName        string         `json:"model_name,omitempty"`
	ReasoningEffort  any            `json:"reasoning_effort,omitempty"` // text or number
	Message          Content        `json:"message"`
	ReasoningContent string         `json:"reasoning_content,omitempty"`
	ToolCalls        []ToolCall     `json:"tool_calls,omitempty"`
	Observation      *Observation   `json:"observation,omitempty"`
	Metrics          *Metrics       `json:"metrics,omitempty"`
	IsCopiedContext  bool           `json:"is_copied_context,omitempty"`
	LLMCallCount     *int           `json:"llm_call_count,omitempty"`
	Extra            map[string]any `json:"extra,omitempty"`
}

// ToolCall is a call of a tool by the model.
type ToolCall struct {
	ID        string         `json:"tool_call_id"`
	Function  string         `json:"function_name"`
	Arguments map[string]any `json:"arguments"`
	Extra     map[string]any `json:"extra,omitempty"`
}

// Observation is what came back.
type Observation struct {
	Results []Result `json:"results"`
}

// Result is the answer to one call; without SourceCallID to none of them.
type Result struct {
	SourceCallID string         `json:"source_call_id,omitempty"`
	Content      *Content       `json:"content,omitempty"`
	Subagents    []SubagentRef  `json:"subagent_trajectory_ref,omitempty"`
	Extra        map[string]any `json:"extra,omitempty"`
}

// SubagentRef names one of Trajectory.Subagents, or a file.
type SubagentRef struct {
	TrajectoryID   string         `json:"trajectory_id,omitempty"`
	SessionID      string         `json:"session_id,omitempty"`
	TrajectoryPath string         `json:"trajectory_path,omitempty"`
	Extra          map[string]any `json:"extra,omitempty"`
}

// Metrics are the figures of the model call that made a step.
type Metrics struct {
	PromptTokens     *int64         `json:"prompt_tokens,omitempty"` // with cached ones
	CompletionTokens *int64         `json:"completion_tokens,omitempty"`
	CachedTokens     *int64         `json:"cached_tokens,omitempty"`
	CostUSD          *float64       `json:"cost_usd,omitempty"`
	PromptTokenIDs   []int64        `json:"prompt_token_ids,omitempty"`
	CompletionIDs    []int64        `json:"completion_token_ids,omitempty"`
	LogProbs         []float64      `json:"logprobs,omitempty"`
	Extra            map[string]any `json:"extra,omitempty"`
}

// FinalMetrics are sums; the cost is with subagents.
type FinalMetrics struct {
	PromptTokens     *int64         `json:"total_prompt_tokens,omitempty"`
	CompletionTokens *int64         `json:"total_completion_tokens,omitempty"`
	CachedTokens     *int64         `json:"total_cached_tokens,omitempty"`
	CostUSD          *float64       `json:"total_cost_usd,omitempty"`
	Steps            *int           `json:"total_steps,omitempty"`
	Extra            map[string]any `json:"extra,omitempty"`
}
