package docker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/docker/docker/api/types/system"
	"github.com/docker/docker/api/types/versions"
	"github.com/docker/docker/client"

	"assay/harness"
)

// minimumAPI is the oldest version of the API that is spoken: Docker 20.10,
// Podman 3.
const minimumAPI = "1.41"

// engine is a connection with what is known of its other end.
type engine struct {
	*client.Client
	host   string
	info   system.Info
	podman bool
	local  bool // shares this machine's file system
}

// connect returns the first engine that answers.
func connect(ctx context.Context, host string) (*engine, error) {
	var troubles []error
	for _, host := range candidates(host) {
		e, err := dial(ctx, host)
		if err == nil {
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("looking for an engine: %w", ctx.Err())
		}
		if !errors.Is(err, fs.ErrNotExist) {
			troubles = append(troubles, err)
		}
	}
	if len(troubles) > 0 {
		return nil, fmt.Errorf("%w: %w; %s", harness.ErrUnavailable, troubles[0], fixFor(troubles[0]))
	}
	return nil, fmt.Errorf("%w: no container engine's socket on this machine; %s", harness.ErrUnavailable, fixFor(nil))
}

// candidates lists where an engine may listen. One that is named, by option
// or DOCKER_HOST, is the only one.
func candidates(host string) []string {
	if host == "" {
		host = os.Getenv(client.EnvOverrideHost)
	}
	if host != "" {
		return []string{host}
	}
	docker, podman := []string{"/var/run/docker.sock"}, []string{}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		docker = append(docker, filepath.Join(dir, "docker.sock"))
		podman = append(podman, filepath.Join(dir, "podman/podman.sock"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		docker = append(docker, filepath.Join(home, ".docker/run/docker.sock"))
	}
	sockets := append(docker, append(podman, "/run/podman/podman.sock")...)
	for i, s := range sockets {
		sockets[i] = "unix://" + s
	}
	return sockets
}

func dial(ctx context.Context, host string) (*engine, error) {
	path, local := strings.CutPrefix(host, "unix://")
	if local {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("engine's socket: %w", err)
		}
	}
	c, err := client.NewClientWithOpts(client.WithTLSClientConfigFromEnv(), client.WithHost(host), client.WithAPIVersionNegotiation())
	if err != nil {
		return nil, fmt.Errorf("engine at %s: %w", host, err)
	}
	e := &engine{Client: c, host: host, local: local}
	if err := e.greet(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("engine at %s: %w", host, err)
	}
	return e, nil
}

// greet settles the version and learns what the engine is.
func (e *engine) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	v, err := e.ServerVersion(ctx)
	if err != nil {
		return err
	}
	if versions.LessThan(v.APIVersion, minimumAPI) {
		return fmt.Errorf("version %s has API %s, older than %s", v.Version, v.APIVersion, minimumAPI)
	}
	for _, c := range v.Components {
		e.podman = e.podman || strings.Contains(c.Name, "Podman")
	}
	e.info, err = e.Info(ctx)
	return err
}

// hasInit reports whether the engine has the small init that reaps orphans.
// Docker says N/A for the commit of one that it cannot run; Podman reports
// nothing, and ships it.
func (e *engine) hasInit() bool {
	return e.podman || e.info.InitCommit.ID != "N/A"
}

// secured reports whether the engine has a security option ("userns",
// "rootless", "selinux").
func (e *engine) secured(name string) bool {
	for _, o := range e.info.SecurityOptions {
		if o == name || strings.HasPrefix(o, "name="+name) {
			return true
		}
	}
	return false
}

// fixFor describes how to get an engine.
func fixFor(err error) string {
	switch {
	case err == nil:
		return "install one with: sudo apt-get install docker.io"
	case errors.Is(err, fs.ErrPermission), strings.Contains(err.Error(), "permission denied"):
		return "allow this user with: sudo usermod -aG docker $USER, and log in again"
	case strings.Contains(err.Error(), "older than"):
		return "install Docker 20.10 or later"
	}
	return "start it with: sudo systemctl start docker (or point DOCKER_HOST at one that runs)"
}
