package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Runner runs jobs.
//
// Run may be called from many goroutines at once; how many jobs run at the
// same time is the caller's affair. Every job sees a fresh
// file system: the environment, its files, nothing of any other job. The job
// and its slices stay the caller's and are not changed.
//
// A Result with a nil error is a fact about the script, also when it was
// killed for a limit. An error means that the job could not be run, or not to
// its end; it wraps *InfraError, which reports whether a retry makes sense,
// or the context's error. Once Run has returned, and also when ctx was
// cancelled, nothing of the job is left: no container, process, mount or
// directory. The driver's next start clears what a killed assay leaves.
type Runner interface {
	Run(ctx context.Context, job Job) (Result, error)
}

// Preparer makes environments.
//
// Prepare makes the environment that the recipe describes, its parents first,
// or finds it made, and returns its name, which holds a digest: the same name
// always means the same content. Equal recipes are prepared once, also when
// several goroutines or processes ask at the same moment; the others wait. A
// failed or half-made layer is never used and never found. A script of the
// recipe that fails is a *BuildError, also where it was ended for a limit:
// one that takes too long has the End TimedOut. A failure of the machine is
// an *InfraError.
type Preparer interface {
	Prepare(ctx context.Context, recipe Recipe) (name string, err error)
}

// Recipe describes one layer of an environment, as data. Its digest covers
// every field but Name, Limits and the openers of its archives, and its parent's digest.
type Recipe struct {
	// Name labels the layer for people.
	Name string
	// Parent is the layer below; nil for the lowest.
	Parent *Recipe
	// Base names the image of the lowest layer ("debian:bookworm", or any
	// image reference); read only where Parent is nil. Drivers without
	// images take "" and "debian:bookworm" to mean the host's tool chains and
	// refuse others. A recipe with a Base and nothing else resolves the
	// name to its digest.
	Base string
	// Packages are Debian packages to install. A driver over the host's
	// tool chains installs only those the host lacks, into the layer.
	Packages []string
	Archives []Archive
	Files    []File // as those of a Job
	// Script is run by /bin/sh -e after archives and files were put in.
	Script  string
	Workdir string
	// Env is set while Script runs and in all jobs on the layer.
	Env []string
	// Network opens the network to Script, together with the host's CA
	// bundle, proxies and package index settings, which jobs never see.
	Network bool
	Limits  Limits
}

// StampVariable is set by a driver that keeps equal files of several layers
// once, while a recipe's Script runs: a time in seconds since 1970, with a
// fraction. It is later than the files of the layers below and earlier than the
// script. Files count as equal only if their times are equal, too, so that a
// script may give it to what it made.
const StampVariable = "ASSAY_STAMP"

// Archive is a tar stream to unpack.
type Archive struct {
	Dest   string // absolute
	Digest string // identifies the content
	Open   func() (io.ReadCloser, error)
}

// InfraError is a failure of the machine: neither the submission's fault nor
// the dataset's.
type InfraError struct {
	Op        string // what was being done
	Retryable bool
	Err       error
}

func (e *InfraError) Error() string { return fmt.Sprintf("%s: %v", e.Op, e.Err) }
func (e *InfraError) Unwrap() error { return e.Err }

// Retryable reports whether running the same job again may succeed.
func Retryable(err error) bool {
	var e *InfraError
	return errors.As(err, &e) && e.Retryable
}

// BuildError says that a recipe's script failed: the environment cannot be
// made, for any submission.
type BuildError struct {
	Recipe string
	Result Result
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("environment %s: set-up ended by %s with code %d: %s", e.Recipe, e.Result.End, e.Result.ExitCode, lastLines(e.Result.Output))
}

// ErrUnavailable means that a driver cannot work on this machine; the error
// that wraps it explains why and what would fix it.
var ErrUnavailable = errors.New("executor not available")

// FileMode is what File.Mode means when zero.
const FileMode fs.FileMode = 0o644

func lastLines(o Output) string {
	b := o.Tail
	if len(b) == 0 {
		b = o.Head
	}
	if len(b) > 2000 {
		b = b[len(b)-2000:]
	}
	return string(b)
}
