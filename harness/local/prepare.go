//go:build linux

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// Prepare makes the layers of a recipe, or finds them made. Packages that the
// host or a layer below has already are not installed again.
func (d *Driver) Prepare(ctx context.Context, r harness.Recipe) (string, error) {
	if err := checkRecipe(r); err != nil {
		return "", &harness.InfraError{Op: "preparing " + r.Name, Err: err}
	}
	parent := ""
	if r.Parent != nil {
		var err error
		if parent, err = d.Prepare(ctx, *r.Parent); err != nil {
			return "", err
		}
	}
	name := d.layerName(r)
	return name, d.ensure(ctx, r, name, parent)
}

// ensure makes a layer, unless it is made. Looking takes no lock, since a
// layer comes to its place in whole: jobs on a layer hold its lock, and
// preparing must not wait for them. Only who makes or removes a layer holds
// the lock alone.
func (d *Driver) ensure(ctx context.Context, r harness.Recipe, name, parent string) error {
	made := func() (bool, error) { return d.made(name) }
	looks := 0
	waiting := func() (bool, error) {
		if looks++; looks == 2 {
			harness.Notify(ctx, harness.Waiting, r.Name)
		}
		return made()
	}
	lock, err := lockUnless(ctx, d.lockName(name), unix.LOCK_EX, waiting)
	if err != nil {
		return infra("waiting for the layer of "+r.Name, err)
	}
	if lock == nil {
		return nil
	}
	defer lock.Close()
	// Another may have made it between the last look and the lock.
	if done, err := made(); err != nil {
		return infra("looking for the layer of "+r.Name, err)
	} else if done {
		return nil
	}
	return d.makeLayer(ctx, r, name, parent)
}

// made reports whether a layer is in its place.
func (d *Driver) made(name string) (bool, error) {
	_, err := d.readMeta(name)
	if errors.Is(err, errUnknown) {
		return false, nil
	}
	return err == nil, err
}

// checkRecipe looks at what no layer can be made of. The host's tool chains
// stand for Debian's image only.
func checkRecipe(r harness.Recipe) error {
	if r.Parent == nil && r.Base != "" && r.Base != "host" && r.Base != "debian:bookworm" {
		return fmt.Errorf("image %s: images need --executor docker: %w", r.Base, harness.ErrUnavailable)
	}
	job := harness.Job{Workdir: r.Workdir, Files: r.Files}
	for _, a := range r.Archives {
		job.Collect = append(job.Collect, a.Dest)
	}
	return checkPaths(job)
}

// makeLayer makes a layer next to its place and moves it there when it is
// whole. What fails on the way is removed.
func (d *Driver) makeLayer(ctx context.Context, r harness.Recipe, name, parent string) error {
	e, err := d.hold(ctx, parent)
	if err != nil {
		return infra("finding the environment below "+r.Name, err)
	}
	defer e.release()
	dir, err := d.scratch.newDir()
	if err != nil {
		return infra("making a layer", err)
	}
	defer func() {
		if err := removeAll(dir); err != nil {
			d.log.Warn("removing a half-made layer", "directory", dir, "error", err)
		}
	}()
	harness.NotifyLayer(ctx, r)
	l := &layerMaker{driver: d, recipe: r, env: e, dir: dir, limits: r.Limits.OrDefault()}
	if l.stamp, err = d.stamp(parent); err != nil {
		return infra("finding the environment below "+r.Name, err)
	}
	if err := l.make(ctx); err != nil {
		return err
	}
	if err := d.share(filepath.Join(dir, "fs")); err != nil {
		return infra("keeping the layer of "+r.Name, err)
	}
	if err := d.finish(dir, name, layerMeta{Label: r.Name, Parent: parent, Env: r.Env}); err != nil {
		return infra("keeping the layer of "+r.Name, err)
	}
	return nil
}

// finish writes the description, syncs everything to disk and moves the layer
// to its place, in this order: a machine that stops in between leaves no half
// of a layer.
func (d *Driver) finish(dir, name string, m layerMeta) error {
	m.Size, m.Created = diskUsage(filepath.Join(dir, "fs")), time.Now().UTC()
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "meta.json"), data, 0o644); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Syncfs(int(f.Fd())); err != nil {
		return fmt.Errorf("syncing: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	// A layer without a description, were there one, would not be found.
	if err := removeAll(d.layerDir(name)); err != nil {
		return err
	}
	return os.Rename(dir, d.layerDir(name))
}

// layerMaker runs the steps of one recipe over the same upper directory.
type layerMaker struct {
	driver *Driver
	recipe harness.Recipe
	env    *environment
	dir    string
	limits harness.Limits
	stamp  []string // variables of the script that hold the layer below's time
	steps  int
}

func (l *layerMaker) make(ctx context.Context) error {
	if err := os.Mkdir(filepath.Join(l.dir, "fs"), 0o755); err != nil {
		return infra("making a layer", err)
	}
	script, err := l.packages()
	if err != nil {
		return &harness.InfraError{Op: "installing packages for " + l.recipe.Name, Err: err}
	}
	if script != "" {
		if err := l.step(ctx, execution{}, process{Script: script, Workdir: "/", Network: true}); err != nil {
			return err
		}
	}
	r := l.recipe
	if r.Script == "" && len(r.Files) == 0 && len(r.Archives) == 0 {
		return nil
	}
	p := process{Script: r.Script, Workdir: workdir(r.Workdir), Network: r.Network}
	return l.step(ctx, execution{files: r.Files, archives: r.Archives}, p)
}

// step runs a script in the layer. Scratch directories of overlayfs serve
// one mount only.
func (l *layerMaker) step(ctx context.Context, x execution, p process) error {
	l.steps++
	work := filepath.Join(l.dir, fmt.Sprintf("work%d", l.steps))
	if err := os.Mkdir(work, 0o700); err != nil {
		return infra("making a layer", err)
	}
	x.spec.Root = l.driver.root(l.env, l.limits.Disk)
	x.spec.Root.Upper, x.spec.Root.Work = filepath.Join(l.dir, "fs"), work
	var hostEnv []string
	if p.Network {
		home, _ := os.UserHomeDir() // without one there is nothing to mount
		hostEnv, x.spec.Root.Borrow = lent(l.driver.trees, os.Environ(), home)
	}
	p.Strict, p.Env = true, environ(hostEnv, l.stamp, l.env.env, l.recipe.Env)
	x.spec.Process, x.spec.Bounds.FileSize = p, l.limits.Disk
	x.limits, x.began = l.limits, time.Now()
	watching, stop := context.WithCancel(ctx)
	defer stop()
	x.diskFull = watchDisk(watching, filepath.Join(l.dir, "fs"), l.limits.Disk)
	res, err := l.driver.execute(ctx, x)
	if err != nil {
		return err
	}
	if res.End != harness.Exited || res.ExitCode != 0 {
		return &harness.BuildError{Recipe: l.recipe.Name, Result: res}
	}
	return removeAll(work)
}

// watchDisk closes its channel when a directory has grown beyond a limit: a
// layer must come to be on the disk, where there are no quotas. Looking may
// take a while, and takes a twentieth of the time at most.
func watchDisk(ctx context.Context, dir string, limit int64) <-chan struct{} {
	full := make(chan struct{})
	go func() {
		wait := time.Second
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			began := time.Now()
			if diskUsage(dir) > limit {
				close(full)
				return
			}
			wait = max(time.Second, 20*time.Since(began))
		}
	}()
	return full
}
