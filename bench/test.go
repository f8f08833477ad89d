package bench

// Status is the outcome of one test in one run.
type Status string

// The statuses. Missing is never reported by a runner: it is given to a test
// that was expected and is in no report.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Error   Status = "error" // not built, set-up or tear-down failed, crashed while running
	Skipped Status = "skipped"
	XFail   Status = "xfail" // failed, as its author expects
	XPass   Status = "xpass" // passed, though its author expects a failure (not strict)
	Missing Status = "missing"
)

// OK reports whether a test with this status counts as passed: it ran and
// ended as its author wants.
func (s Status) OK() bool { return s == Passed || s == XFail || s == XPass }

// Failing reports whether a test with this status ended as its author does not
// want: it failed or is an error. One that is skipped or missing is neither OK
// nor failing.
func (s Status) Failing() bool { return s == Failed || s == Error }

// Test is one test's outcome in one run, by its canonical id:
//
//	Python  path/to/test_x.py::Class::test_name[param]
//	Java    package.Class$Nested::method[index or parameters]
//	C++     Suite.Test/param (GoogleTest); case/section (Catch2, doctest);
//	        the CTest name where a binary tells no more
type Test struct {
	ID      string  `json:"id"`
	Status  Status  `json:"status"`
	Message string  `json:"message,omitempty"` // first lines of what the runner says about a failure
	Seconds float64 `json:"seconds,omitempty"`
	File    string  `json:"file,omitempty"` // source file, where the report names it
	// Alias is what published lists call the test, where a log parser made
	// them and that is not the id: a docstring, for example.
	Alias string `json:"alias,omitempty"`
}
