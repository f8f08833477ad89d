package docker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
)

// Image is an environment, or a base image of our making, on the engine.
type Image struct {
	Name    string // what Prepare returns for it; of a base image, its tag
	Recipe  string // the recipe's label for people
	Size    int64  // bytes, with everything below it
	Own     int64  // bytes that it adds to the image below, or Size where that is not assay's
	Created time.Time
}

// Images lists environments and bootstrapped base images, sorted by name.
func (d *Driver) Images(ctx context.Context) ([]Image, error) {
	list, err := d.engine.ImageList(ctx, image.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", labelKind))})
	if err != nil {
		return nil, infra(ctx, "listing images", err)
	}
	size := map[string]int64{}
	for _, i := range list {
		size[bareID(i.ID)] = i.Size
	}
	var out []Image
	for _, i := range list {
		for _, tag := range i.RepoTags {
			// Podman puts a registry in front, or its name for none.
			tag = strings.TrimPrefix(strings.TrimPrefix(tag, "localhost/"), "docker.io/")
			if !strings.HasPrefix(tag, layerRepository+":") && !strings.HasPrefix(tag, baseRepository+":") {
				continue
			}
			out = append(out, Image{
				Name: tag, Recipe: i.Labels[labelRecipe], Size: i.Size, Own: i.Size - size[bareID(i.ParentID)],
				Created: time.Unix(i.Created, 0).UTC(),
			})
		}
	}
	slices.SortFunc(out, func(a, b Image) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// bareID is an id without its scheme, which Podman leaves out at times.
func bareID(id string) string { return strings.TrimPrefix(id, "sha256:") }

// Remove removes an environment, by a name that Images or Prepare gave.
// Layers below others keep their space on the disk until those are removed
// too. Names that are not assay's are rejected.
func (d *Driver) Remove(ctx context.Context, name string) error {
	known, err := d.Images(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(known, func(i Image) bool { return i.Name == name }) {
		return fmt.Errorf("removing %s: not an environment of assay", name)
	}
	if err := d.detach(ctx, name); err != nil {
		return err
	}
	_, err = d.engine.ImageRemove(ctx, name, image.RemoveOptions{PruneChildren: true})
	return infra(ctx, "removing "+name, err)
}
