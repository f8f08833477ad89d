package mirror

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// ResolveAt returns the full id of the commit that a name stood for at a time:
// of a branch, or HEAD, the last commit made until then. Tags and commits do
// not move; a zero time, and one before the branch, mean its end.
func (r *Repo) ResolveAt(ctx context.Context, name string, at time.Time) (string, error) {
	if at.IsZero() || name != "HEAD" && !r.branch(ctx, name) {
		return r.Resolve(ctx, name)
	}
	out, err := r.git(ctx, "rev-list", "-1", "--first-parent", fmt.Sprintf("--before=%d", at.Unix()), name)
	if err != nil {
		return "", fmt.Errorf("looking for %s at %s: %w", name, at.Format(time.DateOnly), err)
	}
	if id := strings.TrimSpace(string(out)); id != "" {
		return id, nil
	}
	return r.Resolve(ctx, name)
}

func (r *Repo) branch(ctx context.Context, name string) bool {
	_, err := r.git(ctx, "show-ref", "--verify", "--quiet", "refs/heads/"+name)
	return err == nil
}
