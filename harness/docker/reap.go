package docker

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
)

// reap removes the containers, untagged images and directories of processes
// that no longer live. What cannot be removed is left to the next start.
func (d *Driver) reap(ctx context.Context) error {
	ours := filters.NewArgs(filters.Arg("label", labelHost+"="+d.owner.host))
	list, err := d.engine.ContainerList(ctx, container.ListOptions{All: true, Filters: ours})
	if err != nil {
		return infra(ctx, "listing containers", err)
	}
	for _, c := range list {
		if ownContainer(c.Labels) && d.owner.bereft(c.Labels) {
			d.log.Info("removing a container that a dead process left", "container", c.ID[:12])
			d.logged("removing a left container", d.removeContainer(ctx, c.ID))
		}
	}
	d.reapImages(ctx, ours.Clone())
	d.reapDirs()
	return nil
}

// ownContainer reports whether a container is one that a driver made. One that
// somebody started from a base or a layer has that image's labels.
func ownContainer(labels map[string]string) bool {
	return labels[labelKind] == "job" || labels[labelKind] == "setup"
}

// reapImages removes layers whose commit was cut before they got their tag.
func (d *Driver) reapImages(ctx context.Context, ours filters.Args) {
	ours.Add("dangling", "true")
	list, err := d.engine.ImageList(ctx, image.ListOptions{Filters: ours})
	d.logged("listing images", err)
	for _, i := range list {
		if d.owner.bereft(i.Labels) && len(i.RepoTags) == 0 {
			_, err := d.engine.ImageRemove(ctx, i.ID, image.RemoveOptions{})
			d.logged("removing a left image", err)
		}
	}
}

// scratch is where a process keeps what it is making, one directory each.
func (d *Driver) scratch(name string) string {
	return filepath.Join(d.dir, "scratch", strconv.Itoa(d.owner.pid)+"-"+d.owner.start, name)
}

func (d *Driver) reapDirs() {
	root := filepath.Join(d.dir, "scratch")
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		id, start, _ := strings.Cut(e.Name(), "-")
		if pid, err := strconv.Atoi(id); err != nil || startOf(pid) != start {
			d.logged("removing a left directory", os.RemoveAll(filepath.Join(root, e.Name())))
		}
	}
}

const (
	// removePatience bounds the attempts to remove a container: a file
	// system may be busy for a while.
	removePatience = 2 * time.Minute
	// restartPatience is how long an engine may be away meanwhile.
	restartPatience = 10 * time.Second
)

// removeContainer kills and removes a container with its volumes, in any
// state. It returns once the container is gone, also when the caller's
// context is cancelled.
func (d *Driver) removeContainer(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removePatience)
	defer cancel()
	began := time.Now()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := d.engine.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
		if err == nil || cerrdefs.IsNotFound(err) {
			return nil
		}
		if client.IsErrConnectionFailed(err) && time.Since(began) > restartPatience {
			return infra(context.Background(), "removing a container", err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return infra(context.Background(), "removing a container", err)
		}
	}
}

// logged logs an error that needs no action.
func (d *Driver) logged(doing string, err error) {
	if err != nil {
		d.log.Warn(doing, "error", err)
	}
}
