//go:build linux

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// extraMemory is what the cgroup allows beyond memory and disk: page tables
// and other tables of the kernel.
const extraMemory = 64 << 20

// Run runs a job. The environment "" is the host's tool chains alone.
func (d *Driver) Run(ctx context.Context, job harness.Job) (harness.Result, error) {
	if err := d.checkJob(job); err != nil {
		return harness.Result{}, &harness.InfraError{Op: "checking the job", Err: err}
	}
	began := time.Now()
	e, err := d.hold(ctx, job.Environment)
	if err != nil {
		return harness.Result{}, infra("finding the environment", err)
	}
	defer e.release()
	limits := job.Limits.OrDefault()
	root := d.root(e, limits.Disk)
	attached, release, err := d.attach(ctx, job.Attach)
	if err != nil {
		return harness.Result{}, err
	}
	defer release()
	root.Borrow = attached
	return d.execute(ctx, execution{
		spec: spec{
			Root:    root,
			Process: process{job.Script, false, workdir(job.Workdir), environ(nil, e.env, job.Env), job.User, job.Network},
			Remove:  job.Remove, Collect: job.Collect, Tree: job.Tree, Relays: ports(job.Relays),
		},
		files: job.Files, limits: limits, began: began, relays: job.Relays, stop: job.Stop,
	})
}

// execution is one run of a supervisor: a job, or a step of a preparation.
type execution struct {
	spec     spec
	files    []harness.File
	archives []harness.Archive
	limits   harness.Limits
	began    time.Time
	diskFull <-chan struct{} // closed when a watch finds the disk full
	relays   []harness.Relay
	stop     <-chan struct{} // as Job.Stop
}

func (d *Driver) execute(ctx context.Context, x execution) (res harness.Result, err error) {
	if err := ctx.Err(); err != nil {
		return res, err
	}
	if x.spec.Process.Network {
		x.spec.Root.Borrow = lend(lend(x.spec.Root.Borrow, "/etc/resolv.conf", "/etc/resolv.conf"), "/etc/hosts", "/etc/hosts")
	}
	g, err := newGroup(d.hierarchies, fmt.Sprint(d.jobs.Add(1)), x.limits, x.limits.Disk+extraMemory)
	if err != nil {
		return res, infra("preparing the sandbox", err)
	}
	x.spec.Bounds = bounds{
		Memory: x.limits.Memory, Processes: x.limits.Processes, Collected: x.limits.Collected,
		FileSize: x.spec.Bounds.FileSize, Cgroups: g.fds,
	}
	created := time.Now()
	s, err := startSession(g, d.user, x.spec.Process.Network || d.weak.Network)
	if err != nil {
		return res, infra("starting the sandbox", errors.Join(err, g.remove()))
	}
	res, err = s.run(ctx, x)
	if cerr := s.close(); cerr != nil {
		d.log.Warn("a job left something behind", "error", cerr)
	}
	if err != nil {
		return harness.Result{}, infra("running the sandbox", err)
	}
	res.Timings.Create = created.Sub(x.began)
	res.Timings.Start -= created.Sub(x.began)
	return res, nil
}

// run sends the job, follows it and puts the result together.
func (s *session) run(ctx context.Context, x execution) (harness.Result, error) {
	overflow := make(chan struct{})
	c := harness.NewCapture(x.limits.Output, func() { close(overflow) })
	drained := s.capture(io.MultiWriter(c, harness.Lines(ctx)))
	unsent := context.AfterFunc(ctx, func() { s.control.Close() }) // ends a send that hangs
	serr := s.send(x)
	if !unsent() {
		return harness.Result{}, ctx.Err()
	}
	if serr != nil && !hungUp(serr) {
		return harness.Result{}, serr
	}
	o, err := s.follow(ctx, x, overflow)
	if err != nil {
		_ = s.close() // the job ends before what it is still served does
	}
	o.relays.Close()
	if err != nil && serr != nil && !errors.As(err, new(*stepError)) {
		err = serr // what the supervisor says about it is worth more
	}
	if err != nil {
		return harness.Result{}, err
	}
	done := time.Now()
	_ = s.close() // nothing holds the output any more
	<-drained
	removed := time.Now()
	res := harness.Result{Output: c.Output(), Files: o.files, Tree: o.tree, TreeCut: o.treeCut}
	res.End, res.ExitCode = o.judge(c.Exceeded())
	res.Timings = harness.Timings{Start: o.began.Sub(x.began), Run: o.ended.Sub(o.began), Collect: done.Sub(o.ended), Remove: removed.Sub(done)}
	return res, nil
}

// judge describes what ended the job. What killed it comes first.
func (o outcome) judge(exceeded bool) (harness.End, int) {
	end, code := o.exit.Reason, o.exit.Code
	switch {
	case end != "":
	case o.exit.OOMKills > 0:
		end = harness.OutOfMemory
	case exceeded:
		end = harness.OutputLimit
	case o.tooMuch:
		end = harness.CollectLimit
	default:
		end = harness.Exited
	}
	return end, code
}

// hungUp reports whether the supervisor gave up before all was sent.
func hungUp(err error) bool { return errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) }

// send sends all that the supervisor needs. A supervisor that gives up
// closes the connection; why, follow will read.
func (s *session) send(x execution) error {
	if err := s.wire.sendValue(frameSpec, x.spec); err != nil {
		return fmt.Errorf("sending the job: %w", err)
	}
	for _, a := range x.archives {
		if err := s.sendArchive(a); err != nil {
			return fmt.Errorf("sending the archive for %s: %w", a.Dest, err)
		}
	}
	for _, f := range x.files {
		if err := s.sendFile(f); err != nil {
			return fmt.Errorf("sending %s: %w", f.Path, err)
		}
	}
	return s.wire.send(frameGo, nil)
}

func (s *session) sendArchive(a harness.Archive) error {
	r, err := a.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	if err := s.wire.send(frameArchive, []byte(a.Dest)); err != nil {
		return err
	}
	return s.wire.sendStream(r)
}

func (s *session) sendFile(f harness.File) error {
	h := fileHeader{Path: path.Clean(f.Path), Mode: uint32(f.Mode.Perm()), Link: f.Link}
	if f.Mode == 0 {
		h.Mode = uint32(harness.FileMode)
	}
	if err := s.wire.sendValue(frameFile, h); err != nil {
		return err
	}
	if f.Link != "" {
		f.Data = nil
	}
	return s.wire.sendStream(bytes.NewReader(f.Data))
}

// root describes the file system over an environment.
func (d *Driver) root(e *environment, disk int64) root {
	hide := slices.DeleteFunc(slices.Clone(d.hide), func(p string) bool {
		return slices.ContainsFunc(d.plain, func(f plain) bool { return f.Path == p })
	})
	return root{
		Mount: filepath.Join(d.dir, "mnt"), Trees: d.trees, Links: d.links, Layers: e.dirs,
		Hide: hide, Dirs: d.dirs, Plain: d.plain, Disk: disk, User: d.user, Weak: d.weak,
	}
}

func (d *Driver) checkJob(job harness.Job) error {
	if len(job.Relays) > 0 && d.weak.Network {
		return fmt.Errorf("relays need a network of the job's own, which this machine does not allow: %w", harness.ErrUnavailable)
	}
	if err := job.Validate(); err != nil {
		return err
	}
	return checkPaths(job)
}

func ports(relays []harness.Relay) []int {
	var out []int
	for _, r := range relays {
		out = append(out, r.Port)
	}
	return out
}

func checkPaths(job harness.Job) error {
	paths := append([]string{workdir(job.Workdir)}, job.Remove...)
	for _, f := range job.Files {
		paths = append(paths, f.Path)
	}
	for _, p := range append(paths, job.Collect...) {
		if !path.IsAbs(p) || strings.ContainsRune(p, 0) {
			return fmt.Errorf("%q is not an absolute path", p)
		}
	}
	for _, p := range job.Remove {
		if path.Clean(p) == "/" {
			return errors.New("the whole file system cannot be removed")
		}
	}
	return nil
}

func workdir(dir string) string {
	if dir == "" {
		return "/"
	}
	return path.Clean(dir)
}

// environ puts variables together; of equal names the last counts.
func environ(parts ...[]string) []string {
	all := []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "TZ=UTC"}
	for _, p := range parts {
		all = append(all, p...)
	}
	last := map[string]int{}
	for i, kv := range all {
		name, _, _ := strings.Cut(kv, "=")
		last[name] = i
	}
	var out []string
	for i, kv := range all {
		if name, _, _ := strings.Cut(kv, "="); last[name] == i {
			out = append(out, kv)
		}
	}
	return out
}

// infra wraps a failure of the machine. A context's error stays as it is;
// lasting failures are distinguished from passing ones.
func infra(op string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", op, err)
	}
	var known *harness.InfraError
	if errors.As(err, &known) {
		return err
	}
	return &harness.InfraError{Op: op, Retryable: passing(err), Err: err}
}

// passing reports whether a failure may be gone the next time: a resource
// that was short, or a supervisor that was killed.
func passing(err error) bool {
	for _, e := range []error{unix.EAGAIN, unix.ENOMEM, unix.EMFILE, unix.ENFILE, unix.EBUSY, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, e) {
			return true
		}
	}
	return strings.Contains(err.Error(), "the supervisor died") || strings.Contains(err.Error(), "the job did not stop")
}
