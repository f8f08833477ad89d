package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/pkg/jsonmessage"

	"assay/harness"
)

// defaultBase is what an empty Recipe.Base means.
const defaultBase = "debian:bookworm"

// baseRepository holds the tags of base images that we made ourselves.
const baseRepository = "assay/base"

// pullPatience bounds how long a registry may be silent. Where there is
// none at all it is what the first Prepare waits.
const pullPatience = 20 * time.Second

// base returns the id of a base image: one that is there, else one from a
// registry, else, for Debian, one made of its packages.
func (d *Driver) base(ctx context.Context, ref string) (string, error) {
	if ref == "" {
		ref = defaultBase
	}
	suite := debianSuite(ref)
	if id, err := d.localBase(ctx, ref, suite); id != "" || err != nil {
		return id, err
	}
	unlock, err := d.lock(ctx, "base-"+strings.NewReplacer("/", "_", ":", "_", "@", "_").Replace(ref), ref)
	if err != nil {
		return "", err
	}
	defer unlock()
	if id, err := d.localBase(ctx, ref, suite); id != "" || err != nil {
		return id, err
	}
	harness.Notify(ctx, harness.Installing, "image "+ref)
	pulled := d.pull(ctx, ref)
	switch {
	case pulled == nil:
		return d.imageID(ctx, ref)
	case ctx.Err() != nil:
		return "", fmt.Errorf("pulling %s: %w", ref, ctx.Err())
	case suite == "":
		return "", &harness.InfraError{
			Op: "finding base image " + ref, Retryable: !cerrdefs.IsNotFound(pulled) && transient(pulled),
			Err: fmt.Errorf("it is not on the engine and no registry gives it (load it with: docker load -i FILE): %w", pulled),
		}
	}
	d.log.Info("bootstrapping a base image, as no registry gives it", "image", ref, "registry", pulled)
	return d.bootstrap(ctx, suite)
}

// localBase looks for an image under its own name and under assay's.
func (d *Driver) localBase(ctx context.Context, ref, suite string) (string, error) {
	id, err := d.imageID(ctx, ref)
	if err == nil || !cerrdefs.IsNotFound(err) {
		return id, infra(ctx, "looking for base image "+ref, err)
	}
	if suite == "" {
		return "", nil
	}
	id, err = d.imageID(ctx, bootstrapTag(suite))
	if cerrdefs.IsNotFound(err) {
		return "", nil
	}
	return id, infra(ctx, "looking for base image "+ref, err)
}

func (d *Driver) imageID(ctx context.Context, ref string) (string, error) {
	i, err := d.engine.ImageInspect(ctx, ref)
	return i.ID, err
}

// debianSuite returns the release of Debian that an image name means, ""
// where it means anything else.
func debianSuite(ref string) string {
	name, tag, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(ref, "docker.io/"), "library/"), ":")
	tag = strings.TrimSuffix(tag, "-slim")
	if name != "debian" {
		return ""
	}
	switch tag {
	case "bullseye", "bookworm", "trixie":
		return tag
	}
	return ""
}

// errSilent is why a pull was given up.
var errSilent = errors.New("the registry does not answer")

// pull asks a registry for an image, as long as it says something.
func (d *Driver) pull(ctx context.Context, ref string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(pullPatience, func() { cancel(errSilent) })
	defer alarm.Stop()
	stream, err := d.engine.ImagePull(ctx, ref, image.PullOptions{})
	if err == nil {
		defer stream.Close()
		_, err = lastStatus(stream, func() { alarm.Reset(pullPatience) })
	}
	if errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

// lastStatus reads the engine's progress reports to their end, calling each
// after every one, and returns the status of the last: after an import the
// image's id.
func lastStatus(stream io.Reader, each func()) (string, error) {
	status := ""
	for dec := json.NewDecoder(stream); ; each() {
		var m jsonmessage.JSONMessage
		switch err := dec.Decode(&m); {
		case err == io.EOF:
			return status, nil
		case err != nil:
			return "", err
		case m.Error != nil:
			return "", m.Error
		}
		status = m.Status
	}
}

// labelChanges are labels as instructions of a Dockerfile.
func labelChanges(labels map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		value := strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune(`"\$`, r) {
				return '_' // would be read as syntax, or expanded
			}
			return r
		}, labels[name])
		out = append(out, "LABEL "+name+`="`+value+`"`)
	}
	return out
}
