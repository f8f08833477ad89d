// Command assay builds and judges tasks for coding agents.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"assay/engine"
	"assay/harness"
	"assay/harness/local"
)

func main() {
	// The local executor starts this program again as the first process of
	// a sandbox.
	if local.IsChild() {
		local.ChildMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks for an orderly end; the next one ends at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// The exit codes, as the README and --help describe them.
const (
	exitDone        = 0
	exitGate        = 1
	exitUsage       = 2
	exitNotJudged   = 3
	exitBudget      = 4
	exitNoExecutor  = 5
	exitInterrupted = 130
)

// app is what every command shares.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	parts          engine.Parts

	config, cache string         // the flags of all commands
	flags         *pflag.FlagSet // of the command that runs; nil before one does
}

// run is the whole program except for the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, parts: engine.Default()}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, context.Canceled) && err.Error() != "" {
		fmt.Fprintf(stderr, "assay: %v\n", err)
	}
	return exitCode(ctx, err)
}

// codedError carries the exit code that an error stands for.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// exitCode maps errors to codes. An error without a code is one of usage,
// configuration or input: everything else is a verdict, not an error.
func exitCode(ctx context.Context, err error) int {
	var coded *codedError
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return exitInterrupted
	case err == nil:
		return exitDone
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, harness.ErrUnavailable):
		return exitNoExecutor
	}
	return exitUsage
}
