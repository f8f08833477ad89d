package docker

import (
	"context"
	"time"

	"assay/harness"
)

// Run runs a job in a container of its own; see harness.Runner.
func (d *Driver) Run(ctx context.Context, job harness.Job) (res harness.Result, err error) {
	if err := d.checkJob(job); err != nil {
		return harness.Result{}, broken("checking the job", err)
	}
	limits := job.Limits.OrDefault()
	began := time.Now()
	mounts, err := d.attach(ctx, job.Attach)
	if err != nil {
		return harness.Result{}, err
	}
	b, err := d.create(ctx, order{
		kind: "job", name: job.Name, image: job.Environment, env: job.Env, network: job.Network, limits: limits, mounts: mounts,
	})
	if err != nil {
		return harness.Result{}, err
	}
	defer func() {
		began := time.Now()
		if gone := b.remove(ctx); gone != nil && err == nil {
			err = gone
		}
		res.Timings.Remove = time.Since(began)
		if err != nil {
			res = harness.Result{}
		}
	}()
	if err := b.fill(ctx, job); err != nil {
		return res, err
	}
	res = harness.Result{End: harness.Exited}
	created := time.Since(began)
	if job.Script != "" {
		if res, err = b.execute(ctx, execution{limits: limits, given: sizeOf(job.Files), relays: job.Relays, stop: job.Stop}); err != nil {
			return res, err
		}
	}
	res.Timings.Create += created
	if res, err = b.gather(ctx, res, job.Collect, limits.Collected); err != nil || job.Tree == nil {
		return res, err
	}
	collected := time.Now()
	res.Tree, res.TreeCut, err = b.tree.snapshot(ctx, *job.Tree)
	res.Timings.Collect += time.Since(collected)
	return res, err
}

// checkJob reports what a job asks for that this driver cannot do.
func (d *Driver) checkJob(job harness.Job) error {
	if err := job.Validate(); err != nil || len(job.Relays) == 0 {
		return err
	}
	return d.relayable()
}

// fill removes and puts in what the job says, together with its script.
func (b *box) fill(ctx context.Context, job harness.Job) error {
	var own ownFiles
	if job.Script != "" {
		own = func(left []string) []harness.File {
			return launch{script: job.Script, workdir: job.Workdir, user: job.User, remove: left, init: b.d.engine.hasInit(), relays: job.Relays}.files()
		}
	}
	return b.tree.put(ctx, job.Remove, job.Files, own)
}

// gather adds the collected files to a result. What ended the script counts
// for more than files that are too large.
func (b *box) gather(ctx context.Context, res harness.Result, globs []string, limit int64) (harness.Result, error) {
	began := time.Now()
	defer func() { res.Timings.Collect = time.Since(began) }()
	if len(globs) == 0 {
		return res, nil
	}
	files, more, err := b.tree.collect(ctx, globs, limit)
	res.Files = files
	if more && res.End == harness.Exited {
		res.End = harness.CollectLimit
	}
	res.Timings.Collect = time.Since(began)
	return res, err
}

// sizeOf is what files take of a container's writable layer.
func sizeOf(files []harness.File) int64 {
	var n int64
	for _, f := range files {
		n += int64(len(f.Data))
	}
	return n
}
