package bench

// Prediction is what an agent submits for one task: a patch, in SWE-bench's
// form.
type Prediction struct {
	InstanceID string  `json:"instance_id"`
	Model      string  `json:"model_name_or_path"`
	Patch      string  `json:"model_patch"` // null is read as empty
	Task       string  `json:"task,omitempty"`
	CostUSD    float64 `json:"cost_usd,omitempty"`
	Trajectory string  `json:"trajectory,omitempty"`
}
