package docker

import "context"

// Workdir is the folder that an image's maker set as its working directory; ""
// where there is none. Jobs do not start there.
func (d *Driver) Workdir(ctx context.Context, environment string) (string, error) {
	i, err := d.engine.ImageInspect(ctx, environment)
	if err != nil {
		return "", infra(ctx, "looking at image "+environment, err)
	}
	if i.Config == nil {
		return "", nil
	}
	return i.Config.WorkingDir, nil
}
