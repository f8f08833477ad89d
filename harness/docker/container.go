package docker

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"

	"assay/harness"
)

// order is what a container is made from.
type order struct {
	kind    string // job or setup
	name    string
	image   string
	env     []string
	network bool
	limits  harness.Limits // without zeros
	trusted bool           // set-up of our own: the engine's usual rights
	mounts  []mount.Mount  // attachments
}

// box is one container, from creation to removal.
type box struct {
	d     *Driver
	id    string
	tree  tree
	upper string // directory of its writable layer, where we can read it
}

// createTimeout bounds the calls that must not be cut by a cancelled job, as
// a container whose id is unknown could not be removed.
const createTimeout = 2 * time.Minute

// create makes a container. Where it fails nothing is left.
func (d *Driver) create(ctx context.Context, o order) (*box, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("creating a container: %w", err)
	}
	name := containerName(o.name)
	calm, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTimeout)
	defer cancel()
	made, err := d.engine.ContainerCreate(calm, d.config(o), d.hostConfig(o), nil, nil, name)
	if err != nil {
		if transient(err) {
			d.logged("removing a container that may be", d.removeContainer(calm, name))
		}
		return nil, infra(ctx, "creating a container from "+o.image, err)
	}
	b := &box{d: d, id: made.ID}
	if err := b.open(calm, len(o.mounts)); err != nil {
		d.logged("removing a container", d.removeContainer(calm, b.id))
		return nil, infra(ctx, "opening a container", err)
	}
	return b, nil
}

// open finds the way to the container's files. attached is how many of its
// mounts the driver added.
func (b *box) open(ctx context.Context, attached int) error {
	b.tree = archiveTree{engine: b.d.engine, id: b.id, now: time.Now}
	if !b.d.direct {
		return nil
	}
	state, err := b.d.engine.ContainerInspect(ctx, b.id)
	if err != nil {
		return err
	}
	// Where the image declares volumes, only the engine joins them.
	if layers, ok := layersOf(state); ok && len(state.Mounts) == attached {
		b.tree = overlayTree{layers: layers, point: filepath.Join(b.d.dir, "mnt"), fallback: b.tree}
		b.upper = layers.upper
	}
	return nil
}

func (b *box) remove(ctx context.Context) error { return b.d.removeContainer(ctx, b.id) }

func (d *Driver) config(o order) *container.Config {
	labels := d.owner.labels()
	labels[labelKind] = o.kind
	if d.run != "" {
		labels[labelRun] = d.run
	}
	return &container.Config{
		// A name that resolves without a network: the JVM asks for it.
		Hostname:     "localhost",
		User:         "0:0",
		AttachStdout: true,
		AttachStderr: true,
		Env:          lastOfEach(o.env),
		Image:        o.image,
		WorkingDir:   "/",
		Entrypoint:   []string{"/bin/sh", runFile},
		Healthcheck:  &container.HealthConfig{Test: []string{"NONE"}},
		Labels:       labels,
	}
}

func (d *Driver) hostConfig(o order) *container.HostConfig {
	h := &container.HostConfig{
		NetworkMode: "none",
		LogConfig:   container.LogConfig{Type: "none"},
		ShmSize:     min(o.limits.Memory, 64<<20),
		Resources:   resources(o.limits),
		IpcMode:     container.IPCModePrivate,
	}
	if d.engine.hasInit() {
		yes := true
		h.Init = &yes
	}
	if d.engine.podman {
		// Where no limit of a user's processes is named Podman names one,
		// which it may have no right to set; this one it has itself. The
		// job's own limit is its cgroup's.
		h.Ulimits = append(h.Ulimits, &container.Ulimit{Name: "nproc", Soft: 32768, Hard: 32768})
	}
	if o.network {
		// The host's own network, and not the engine's bridge: proxies and
		// mirrors that listen on loopback, name servers and routes are then
		// those that the host's tools are set up for, and no firewall rules
		// are needed.
		h.NetworkMode = "host"
	}
	h.Mounts = o.mounts
	if !o.trusted {
		h.CapDrop = []string{"ALL"}
		h.CapAdd = []string{"CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"}
		h.SecurityOpt = []string{"no-new-privileges"}
	}
	return h
}

// fileSlack is by how much a file may outgrow Limits.Disk, so that the watch
// sees the limit exceeded and not just reached.
const fileSlack = 1 << 20

// openFiles is the limit of open files. An engine without the right to raise
// its own limit cannot give more than it has, which may be 20000.
const openFiles = 16384

func resources(l harness.Limits) container.Resources {
	processes := int64(l.Processes)
	return container.Resources{
		Memory:     l.Memory,
		MemorySwap: l.Memory, // together with swap: none
		NanoCPUs:   int64(l.CPUs * 1e9),
		PidsLimit:  &processes,
		Ulimits: []*container.Ulimit{
			{Name: "core"},
			{Name: "fsize", Soft: l.Disk + fileSlack, Hard: l.Disk + fileSlack},
			{Name: "nofile", Soft: openFiles, Hard: openFiles},
		},
	}
}

// containerName makes a name that no other container has, from a job's,
// which need not be unique and may hold anything.
func containerName(job string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, job)
	return fmt.Sprintf("assay-%d-%s-%s", os.Getpid(), strings.ToLower(rand.Text()[:10]), clean[:min(len(clean), 60)])
}

// lastOfEach keeps the last of several settings of one variable, in the
// order in which the variables first occur.
func lastOfEach(env []string) []string {
	value := make(map[string]string, len(env))
	var names []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if _, seen := value[name]; !seen {
			names = append(names, name)
		}
		value[name] = kv
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = value[name]
	}
	return out
}

// with returns labels together with more.
func with(labels map[string]string, more map[string]string) map[string]string {
	out := maps.Clone(labels)
	maps.Copy(out, more)
	return out
}
