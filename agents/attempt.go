package agents

import (
	"io"
	"net"

	"assay/agents/worktree"
	"assay/harness"
	"assay/languages"
	"assay/tasks"
)

// Work is one attempt at a task.
type Work struct {
	Task    tasks.Task
	Attempt int    // from 1
	Model   string // provider/model; "" where the agent needs none
	// Seed is that of the attempt's calls of the model; 0 for none. The session
	// puts it into requests that have none.
	Seed    int64
	Prompt  string
	Machine languages.Machine
	// Session is where the agent's calls to the model go; nil where it needs none.
	Session Session
	Limits  harness.Limits
	// Log receives what the agent printed, when it has ended; nil discards it.
	Log io.Writer
}

// Session is what one attempt may use of a model.
type Session interface {
	// Serve answers the calls of one connection, and closes it.
	Serve(c net.Conn)
	// Key is the key that the agent is given. It is good for this attempt only.
	Key() string
	// Spent is closed when the attempt must end, as its budget is spent.
	Spent() <-chan struct{}
}

// Outcome is the result of an attempt.
type Outcome struct {
	// Patch is the submission, on top of the task's start (see
	// tasks.Task.StartPatch); "" where there is none.
	Patch string
	// LeftOut are changes in the tree that are not in the patch, sorted by path.
	LeftOut []LeftOut
	End     End
	// Detail explains End; "" where there is nothing to say.
	Detail string
	// Steps are the agent's turns, as far as its own log shows them; 0 where they
	// are not known.
	Steps    int
	Version  string // the agent's
	ExitCode int
	// Files are the agent's own logs, by name.
	Files map[string][]byte
	// Journal is what an agent that is part of assay notes of its steps
	// (trajectory.Event, one a line); nil for others.
	Journal []byte
	// Seconds are the durations of the phases: prepare, run and take.
	Seconds map[string]float64
}

// LeftOut is a change that is not part of the submission.
type LeftOut = worktree.LeftOut

// End describes what ended an attempt. It says nothing about the patch.
type End string

// The ends of an attempt.
const (
	Done   End = "done"    // the agent ended by itself
	GaveUp End = "gave_up" // the agent ended with an error of its own, or at a limit of its own
	// Budget means that the session was spent. What exactly was spent, only the
	// session's owner knows.
	Budget         End = "budget"
	Time           End = "time"
	Limit          End = "limit" // memory, disk or output
	ContextWindow  End = "context_window"
	Refused        End = "refused"        // by the model, or by a filter of its provider's
	Denied         End = "denied"         // by the provider: a wrong key, or a model that it does not have
	Infrastructure End = "infrastructure" // the provider could not be reached, or the sandbox failed
)
