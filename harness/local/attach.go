//go:build linux

package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/harness"
)

// attach finds the folders of other environments that a job sees. The
// environments are held until release is called.
func (d *Driver) attach(ctx context.Context, list []harness.Attachment) (found []borrow, release func(), err error) {
	var held []*environment
	release = func() {
		for _, e := range held {
			e.release()
		}
	}
	for _, a := range list {
		e, err := d.hold(ctx, a.Environment)
		if err != nil {
			release()
			return nil, nil, infra("finding the environment of "+a.Dir, err)
		}
		held = append(held, e)
		source, err := d.layerWith(e, a.Dir)
		if err != nil {
			release()
			return nil, nil, &harness.InfraError{Op: "attaching " + a.Dir, Err: err}
		}
		found = append(found, borrow{Source: source, Target: a.Dir, Dir: true})
	}
	return found, release, nil
}

// layerWith is where a folder is in the one layer that makes it.
func (d *Driver) layerWith(e *environment, dir string) (string, error) {
	place := filepath.Join(rootTree, dir)
	for _, t := range d.trees { // parents come before children
		if rest, ok := strings.CutPrefix(dir, t.Path+"/"); ok {
			place = filepath.Join(t.Key, rest)
		}
	}
	var found []string
	for _, layer := range e.dirs {
		p := filepath.Join(layer, place)
		if info, err := os.Lstat(p); err == nil && info.IsDir() {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d layers of the environment have that folder, and one is expected", len(found))
	}
	return found[0], nil
}
