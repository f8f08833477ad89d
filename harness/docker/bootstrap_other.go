//go:build !linux

package docker

import (
	"context"
	"fmt"

	"assay/harness"
)

func bootstrapTag(suite string) string { return baseRepository + ":" + suite }

func bootstrapReady() error {
	return fmt.Errorf("%w: base images are made on Linux only", harness.ErrUnavailable)
}

func (d *Driver) bootstrap(context.Context, string) (string, error) { return "", bootstrapReady() }
