package docker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/client"

	"assay/harness"
)

// infra wraps an error of the engine: as the context's own error where the
// caller gave up, as an *InfraError otherwise.
func infra(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		return fmt.Errorf("%s: %w", op, cause)
	}
	var known *harness.InfraError
	if errors.As(err, &known) {
		return err
	}
	return &harness.InfraError{Op: op, Retryable: transient(err), Err: err}
}

// broken is an error that the same request would get again.
func broken(op string, err error) error {
	return &harness.InfraError{Op: op, Err: err}
}

// transient reports whether the same request may succeed later. An engine
// answers 500 to most failures, also to requests that are plainly wrong, so
// these cases are recognised by their text.
func transient(err error) bool {
	switch {
	case client.IsErrConnectionFailed(err), cerrdefs.IsUnavailable(err):
		return true
	case cerrdefs.IsNotFound(err), cerrdefs.IsInvalidArgument(err), cerrdefs.IsNotImplemented(err),
		cerrdefs.IsPermissionDenied(err), cerrdefs.IsUnauthorized(err):
		return false
	}
	text := err.Error()
	for _, lasting := range []string{
		"not a directory", "is a directory", "file exists", "file name too long", "too many levels of symbolic links",
		"executable file not found", "no such file or directory", "unable to find user", "exec format error",
	} {
		if strings.Contains(text, lasting) {
			return false
		}
	}
	return true
}
