//go:build !linux

package local

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"assay/harness"
)

// Options are what a Driver needs to know, on Linux.
type Options struct {
	Dir       string
	Hide      []string
	Log       *slog.Logger
	AllowWeak bool
}

// Driver cannot be made on this system.
type Driver struct{}

// Check is one thing that the driver needs of the machine.
type Check struct {
	Name   string
	OK     bool
	Detail string
	Fix    string
}

// Layer is a prepared layer on disk.
type Layer struct {
	Name, Label, Parent string
	Size                int64
	Created             time.Time
}

// Pythons finds none on this system.
func Pythons() map[string]string { return nil }

// IsChild is false: no supervisor is ever started.
func IsChild() bool { return false }

// ChildMain does nothing.
func ChildMain() {}

// New always returns an error that wraps harness.ErrUnavailable.
func New(Options) (*Driver, error) { return nil, errLinux() }

func errLinux() error {
	return fmt.Errorf("%w: it needs Linux namespaces; use --executor docker", harness.ErrUnavailable)
}

// Run always fails.
func (*Driver) Run(context.Context, harness.Job) (harness.Result, error) {
	return harness.Result{}, &harness.InfraError{Op: "running a job", Err: errLinux()}
}

// Prepare always fails.
func (*Driver) Prepare(context.Context, harness.Recipe) (string, error) {
	return "", &harness.InfraError{Op: "preparing an environment", Err: errLinux()}
}

// Probe explains why the driver is not there.
func (*Driver) Probe(context.Context) []Check {
	return []Check{{Name: "sandbox", Detail: errLinux().Error()}}
}

// Layers lists nothing.
func (*Driver) Layers() ([]Layer, error) { return nil, nil }

// RemoveLayer has nothing to remove.
func (*Driver) RemoveLayer(context.Context, string) error { return nil }

// SweepShared has nothing to remove.
func (*Driver) SweepShared() error { return nil }

// Close has nothing to close.
func (*Driver) Close() error { return nil }
