package bench

// Decision is one choice that was inferred for an instance's environment, with
// what it rests on. The instance's env overrides each.
type Decision struct {
	Field string `json:"field"` // of env: framework, packages, python, jdk, args, ...
	Value string `json:"value"`
	Why   string `json:"why"`            // one clause, for people
	File  string `json:"file,omitempty"` // of the repository
	Line  int    `json:"line,omitempty"` // from 1
}
