// Package methods holds what agents that are written in Go share: methods that
// ask a model and run tests in a fixed order, as papers propose them. Each
// method is a package below this one; it works with a Desk, and Agent makes an
// agent of assay run of it.
package methods

import "context"

// Method is one way to solve tasks. Its methods are safe for concurrent use.
type Method interface {
	// About describes the method.
	About() About
	// Solve returns the submission: a patch on the task's start, "" for none. An
	// error of the desk (an EndError, or the context's) is returned as it is,
	// with the best submission so far. A useless answer of the model is not an
	// error: the method continues, or gives up.
	Solve(ctx context.Context, d *Desk) (string, error)
}

// Rehearser is a method that assay agents check can try.
type Rehearser interface {
	Method
	// Rehearse are answers of a model, in the order of the method's calls, with
	// which it submits a patch for the sample that agents are tried on
	// (assay-samples__layercake-12).
	Rehearse() []string
}

// About describes a method.
type About struct {
	Name  string   // on the command line: zeroshotplus, otter++
	Title string   // one line for people
	Kinds []string // of tasks that it solves
	// Prompts are the names of the prompts that it uses (llm/prompts). The desk has
	// no others, since an attempt is made again if their texts change.
	Prompts  []string
	Settings []Setting
	// Runs says that it runs tests: their environment is then made before the
	// time of the attempt begins.
	Runs bool
	// Source identifies what else the method was given, such as a file; "" for
	// nothing.
	Source string
}

// Setting is a figure of a method that a user may change by --set NAME=VALUE.
type Setting struct {
	Name        string
	Default     float64
	Least, Most float64
	Whole       bool // has no fraction
	What        string
}
