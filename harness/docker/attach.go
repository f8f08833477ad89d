package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/mount"
	"github.com/docker/docker/api/types/volume"

	"assay/harness"
)

// attach returns the mounts of a job's attachments. Each is a volume that the
// engine filled from the image once; all jobs share it.
func (d *Driver) attach(ctx context.Context, list []harness.Attachment) ([]mount.Mount, error) {
	var out []mount.Mount
	for _, a := range list {
		name := volumeName(a)
		if err := d.fillVolume(ctx, a, name); err != nil {
			return nil, err
		}
		out = append(out, mount.Mount{
			Type: mount.TypeVolume, Source: name, Target: a.Dir, ReadOnly: true, VolumeOptions: &mount.VolumeOptions{NoCopy: true},
		})
	}
	return out, nil
}

// volumeName is made of what is in the volume: environments' names hold digests.
func volumeName(a harness.Attachment) string {
	sum := sha256.Sum256([]byte(a.Environment + "\x00" + a.Dir))
	return "assay-attached-" + hex.EncodeToString(sum[:16])
}

// fillVolume makes a volume, unless it is made. The engine copies the image's
// folder into a new volume while it creates a container with it. A second, empty
// volume says that the copy is whole.
func (d *Driver) fillVolume(ctx context.Context, a harness.Attachment, name string) error {
	unlock, err := d.lock(ctx, name, a.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	whole := name + "-whole"
	if _, err := d.engine.VolumeInspect(ctx, whole); err == nil {
		return nil
	} else if !cerrdefs.IsNotFound(err) {
		return infra(ctx, "looking for the volume of "+a.Dir, err)
	}
	if err := d.engine.VolumeRemove(ctx, name, true); err != nil && !cerrdefs.IsNotFound(err) {
		return infra(ctx, "removing half a volume", err)
	}
	labels := with(d.owner.labels(), map[string]string{labelAttached: a.Environment})
	b, err := d.create(ctx, order{
		kind: "setup", name: "attach " + a.Dir, image: a.Environment, limits: harness.DefaultLimits(),
		mounts: []mount.Mount{{Type: mount.TypeVolume, Source: name, Target: a.Dir, VolumeOptions: &mount.VolumeOptions{Labels: labels}}},
	})
	if err != nil {
		return err
	}
	if err := b.remove(ctx); err != nil {
		return err
	}
	_, err = d.engine.VolumeCreate(ctx, volume.CreateOptions{Name: whole, Labels: labels})
	return infra(ctx, "keeping the volume of "+a.Dir, err)
}

// detach removes the volumes that were filled from an environment, which no job
// may use any more.
func (d *Driver) detach(ctx context.Context, environment string) error {
	list, err := d.engine.VolumeList(ctx, volume.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelAttached+"="+environment))})
	if err != nil {
		return infra(ctx, "looking for volumes of "+environment, err)
	}
	// The mark of a whole copy goes first: its name is the longer one.
	slices.SortFunc(list.Volumes, func(a, b *volume.Volume) int { return len(b.Name) - len(a.Name) })
	for _, v := range list.Volumes {
		if err := d.engine.VolumeRemove(ctx, v.Name, false); err != nil && !cerrdefs.IsNotFound(err) {
			return infra(ctx, "removing a volume of "+environment, err)
		}
	}
	return nil
}
