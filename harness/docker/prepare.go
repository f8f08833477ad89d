package docker

import (
	"context"
	"fmt"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"

	"assay/harness"
)

// layerRepository holds the tags of finished layers, each a recipe's digest.
const layerRepository = "assay/env"

// Prepare makes the image of a recipe; see harness.Preparer. The name is
// assay/env:<digest of the recipe>, and of a recipe with nothing but a base
// the base image's id.
func (d *Driver) Prepare(ctx context.Context, r harness.Recipe) (string, error) {
	if r.Parent == nil && blank(r) {
		return d.base(ctx, r.Base)
	}
	digest := harness.Digest(r)
	name := layerRepository + ":" + digest
	if have, err := d.has(ctx, name); have || err != nil {
		return name, err
	}
	below, err := d.below(ctx, r)
	if err != nil {
		return "", err
	}
	unlock, err := d.lock(ctx, digest, r.Name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if have, err := d.has(ctx, name); have || err != nil {
		return name, err
	}
	d.log.Info("preparing an environment", "recipe", r.Name, "digest", digest[:12])
	harness.NotifyLayer(ctx, r)
	if err := d.build(ctx, r, below, digest); err != nil {
		return "", fmt.Errorf("preparing %s: %w", r.Name, err)
	}
	return name, nil
}

// Name returns the name that Prepare gives the environment of a recipe,
// without making it; "" where that is unknown, as the base image is not
// there.
func (d *Driver) Name(ctx context.Context, r harness.Recipe) (string, error) {
	if r.Parent != nil || !blank(r) {
		return layerRepository + ":" + harness.Digest(r), nil
	}
	ref := r.Base
	if ref == "" {
		ref = defaultBase
	}
	return d.localBase(ctx, ref, debianSuite(ref))
}

// blank reports whether a recipe adds nothing to what is below it.
func blank(r harness.Recipe) bool {
	return len(r.Packages) == 0 && content(r) == 0
}

// content counts what a recipe adds in addition to packages.
func content(r harness.Recipe) int {
	return len(r.Archives) + len(r.Files) + len(r.Script) + len(r.Workdir) + len(r.Env)
}

// below makes what a recipe is on. Its packages are a layer of their own:
// that is kept when only the script changes, and opens the network to the
// packages alone.
func (d *Driver) below(ctx context.Context, r harness.Recipe) (string, error) {
	switch {
	case len(r.Packages) > 0 && content(r) > 0:
		return d.Prepare(ctx, harness.Recipe{
			Name: r.Name + " (packages)", Parent: r.Parent, Base: r.Base, Packages: r.Packages, Network: true, Limits: r.Limits,
		})
	case r.Parent != nil:
		return d.Prepare(ctx, *r.Parent)
	}
	return d.base(ctx, r.Base)
}

// has reports whether an image is there.
func (d *Driver) has(ctx context.Context, name string) (bool, error) {
	_, err := d.engine.ImageInspect(ctx, name)
	if cerrdefs.IsNotFound(err) {
		return false, nil
	}
	return err == nil, infra(ctx, "looking for image "+name, err)
}

// build makes one layer: a container from the image below, filled, run and,
// once that went well, committed. The commit gives the tag; nothing
// half-made ever has one.
func (d *Driver) build(ctx context.Context, r harness.Recipe, below, digest string) (err error) {
	s, err := d.steps(r)
	if err != nil {
		return err
	}
	limits := r.Limits.OrDefault()
	b, err := d.create(ctx, order{
		kind: "setup", name: "setup-" + r.Name, image: below, env: r.Env, network: s.network, limits: limits, trusted: true,
	})
	if err != nil {
		return err
	}
	defer func() {
		if gone := b.remove(ctx); gone != nil && err == nil {
			err = gone
		}
	}()
	for _, a := range r.Archives {
		if err := b.unpack(ctx, a); err != nil {
			return err
		}
	}
	if err := b.tree.put(ctx, nil, append(s.files, r.Files...), nil); err != nil {
		return err
	}
	if s.run {
		if err := b.setUp(ctx, r, limits); err != nil {
			return err
		}
	}
	return b.commit(ctx, r, digest)
}

// setUp runs what was put in and judges how that went.
func (b *box) setUp(ctx context.Context, r harness.Recipe, l harness.Limits) error {
	res, err := b.execute(ctx, execution{limits: l, given: sizeOf(r.Files)})
	switch {
	case err != nil:
		return err
	case res.End == harness.Exited && res.ExitCode == 0:
		return nil
	case content(r) == 0 && unreachable(res):
		return &harness.InfraError{Op: "installing packages", Retryable: true, Err: &harness.BuildError{Recipe: r.Name, Result: res}}
	}
	return &harness.BuildError{Recipe: r.Name, Result: res}
}

// commit makes an image of the container, which has been set up.
func (b *box) commit(ctx context.Context, r harness.Recipe, digest string) error {
	labels := with(b.d.owner.labels(), map[string]string{labelKind: "layer", labelLayer: digest, labelRecipe: r.Name})
	options := container.CommitOptions{
		Reference: layerRepository + ":" + digest,
		Comment:   r.Name,
		Config:    &container.Config{Entrypoint: []string{}, Cmd: []string{"/bin/sh"}, Env: lastOfEach(r.Env), Labels: labels},
	}
	if b.d.engine.podman {
		// Podman 4.3 reads no configuration here, but instructions.
		options.Changes = append(labelChanges(labels), "ENTRYPOINT []", `CMD ["/bin/sh"]`)
	}
	_, err := b.d.engine.ContainerCommit(ctx, b.id, options)
	return infra(ctx, "committing a layer", err)
}
