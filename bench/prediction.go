package bench

import "encoding/json"

// Prediction is what an agent submits for one task: a patch, in SWE-bench's
// form.
type Prediction struct {
	InstanceID string  `json:"instance_id"`
	Model      string  `json:"model_name_or_path"`
	Patch      string  `json:"model_patch"` // null is read as empty
	Task       string  `json:"task,omitempty"`
	CostUSD    float64 `json:"cost_usd,omitempty"`
	Trajectory string  `json:"trajectory,omitempty"` // path, relative to the predictions' file
	// Attempt numbers the attempts at one task, from 1; 0 where that is not known.
	Attempt int `json:"attempt,omitempty"`
	// Seed is the one that the model was asked with; 0 for none.
	Seed int64 `json:"seed,omitempty"`
	// End describes what ended the attempt: done, gave_up, budget, time, limit,
	// context_window, refused.
	End     string  `json:"end,omitempty"`
	Steps   int     `json:"steps,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Tokens  Tokens  `json:"tokens,omitzero"`
}

// Tokens counts what a model read and wrote.
type Tokens struct {
	Input  int `json:"input"`  // with the cached ones
	Cached int `json:"cached"` // read from the provider's prompt cache
	Output int `json:"output"` // with reasoning
}

// measured takes what was measured of an attempt. Other programs write other
// things under these names; what has another form is skipped.
func (r *record) measured(p *Prediction) {
	peek := func(name string, into any) {
		if r.has(name) {
			_ = json.Unmarshal(r.fields[name], into)
		}
	}
	attempt, end, steps, seconds, tokens, seed := 0, "", 0, 0.0, Tokens{}, int64(0)
	peek("attempt", &attempt)
	peek("end", &end)
	peek("steps", &steps)
	peek("seconds", &seconds)
	peek("tokens", &tokens)
	peek("seed", &seed)
	p.Attempt, p.End, p.Steps, p.Seconds, p.Tokens, p.Seed = attempt, end, steps, seconds, tokens, seed
}
