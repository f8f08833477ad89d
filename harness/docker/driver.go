package docker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"assay/harness"
)

// Options describe how a Driver is made.
type Options struct {
	// Dir holds locks and half-made base images; required. Processes that
	// share an engine should share it, so that none prepares what another
	// is preparing.
	Dir string
	// Host is the engine's address ("unix:///run/podman/podman.sock");
	// empty means DOCKER_HOST, then the usual sockets of Docker, Docker
	// rootless and Podman.
	Host string
	// RunID labels containers with the run they belong to; may be empty.
	RunID string
	Log   *slog.Logger // nil discards
}

// Driver runs jobs in containers and prepares images for them. It is safe
// for concurrent use.
type Driver struct {
	engine *engine
	dir    string
	run    string
	owner  owner
	log    *slog.Logger
	direct bool // container file systems are reached without the engine

	mu   sync.Mutex
	host *hostSettings // read once, by the first layer that needs it
}

var (
	_ harness.Runner   = (*Driver)(nil)
	_ harness.Preparer = (*Driver)(nil)
)

// New connects to an engine and removes what dead processes left on it. The
// error wraps harness.ErrUnavailable where no engine answers, and describes
// what would fix that.
func New(ctx context.Context, o Options) (*Driver, error) {
	if err := os.MkdirAll(filepath.Join(o.Dir, "locks"), 0o755); err != nil {
		return nil, fmt.Errorf("making the driver's directory: %w", err)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("making the driver's directory: %w", err)
	}
	e, err := connect(ctx, o.Host)
	if err != nil {
		return nil, err
	}
	d := &Driver{engine: e, dir: dir, run: o.RunID, owner: self(), log: o.Log}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	d.direct = overlayReachable(e)
	if err := d.reap(ctx); err != nil {
		e.Close()
		return nil, err
	}
	return d, nil
}

// Close drops the connections to the engine. Jobs must have ended.
func (d *Driver) Close() error { return d.engine.Close() }
