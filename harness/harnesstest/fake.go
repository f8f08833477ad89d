package harnesstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/harness"
)

// Fake is a driver for tests. It starts nothing and touches no file of the
// machine.
//
// With Handle set it is scripted: Run answers what Handle answers. Without,
// it simulates: scripts in a small part of the shell's language (simple
// commands joined by ";", "&&" and "||", redirections, variables, and
// the commands that call and fileCommand know) run over a file system in memory, under the same
// limits as real ones. A script beyond that is an error, never a guess. It
// cannot connect to relays; Handle can call their Serve. All
// methods may be called from many goroutines.
type Fake struct {
	// Handle answers a job. It may be called from many goroutines.
	Handle func(ctx context.Context, job harness.Job) (harness.Result, error)

	mu      sync.Mutex
	jobs    []harness.Job
	recipes []harness.Recipe
	envs    map[string]*simEnv
	making  sync.Mutex // locked by the Prepare that works
}

// simEnv is a prepared environment.
type simEnv struct {
	fs  *simFS
	env []string
}

var _ Driver = (*Fake)(nil)

// Jobs returns the jobs that Run was given, in the order of the calls.
func (f *Fake) Jobs() []harness.Job {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.jobs)
}

// Recipes returns the recipes that Prepare was given, in the order of the
// calls, without the parents that came with them.
func (f *Fake) Recipes() []harness.Recipe {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.recipes)
}

// Run records the job and answers or simulates it.
func (f *Fake) Run(ctx context.Context, job harness.Job) (harness.Result, error) {
	f.mu.Lock()
	f.jobs = append(f.jobs, job)
	f.mu.Unlock()
	if f.Handle != nil {
		return f.Handle(ctx, job)
	}
	if err := job.Validate(); err != nil {
		return harness.Result{}, &harness.InfraError{Op: "checking " + job.Name, Err: err}
	}
	env := f.env(job.Environment)
	if env == nil {
		return harness.Result{}, &harness.InfraError{Op: "running " + job.Name, Err: fmt.Errorf("no environment %q", job.Environment)}
	}
	res, _, err := simulate(ctx, env, job, false)
	return res, err
}

// Prepare records the recipe and, where jobs are simulated, makes its
// layers.
func (f *Fake) Prepare(ctx context.Context, recipe harness.Recipe) (string, error) {
	f.mu.Lock()
	f.recipes = append(f.recipes, recipe)
	f.mu.Unlock()
	if f.Handle != nil {
		return "fake:" + harness.Digest(recipe), ctx.Err()
	}
	f.making.Lock()
	defer f.making.Unlock()
	return f.layer(ctx, recipe)
}

// Name returns the name that Prepare gives the environment of a recipe.
func (f *Fake) Name(_ context.Context, r harness.Recipe) (string, error) {
	return "fake:" + harness.Digest(r), nil
}

// layer makes the environment of a recipe and its parents, unless that was
// done. One Prepare works at a time; the others wait, regardless of their
// context.
func (f *Fake) layer(ctx context.Context, r harness.Recipe) (string, error) {
	parent := &simEnv{fs: newSimFS()}
	if r.Parent != nil {
		name, err := f.layer(ctx, *r.Parent)
		if err != nil {
			return "", err
		}
		parent = f.env(name)
	}
	name := "fake:" + harness.Digest(r)
	if f.env(name) != nil {
		return name, nil
	}
	harness.NotifyLayer(ctx, r)
	made, err := build(ctx, parent, r)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.envs == nil {
		f.envs = map[string]*simEnv{}
	}
	f.envs[name] = made
	return name, nil
}

func (f *Fake) env(name string) *simEnv {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.envs[name]
}

// build makes one layer.
func build(ctx context.Context, parent *simEnv, r harness.Recipe) (*simEnv, error) {
	fs := parent.fs.clone()
	for _, a := range r.Archives {
		if err := fs.unpack(a); err != nil {
			return nil, &harness.InfraError{Op: "unpacking " + a.Digest, Err: err}
		}
	}
	env := append(slices.Clone(parent.env), r.Env...)
	job := harness.Job{Files: r.Files, Script: r.Script, Workdir: r.Workdir, Limits: r.Limits}
	res, fs, err := simulate(ctx, &simEnv{fs, env}, job, true)
	if err != nil {
		return nil, err
	}
	if res.End != harness.Exited || res.ExitCode != 0 {
		return nil, &harness.BuildError{Recipe: r.Name, Result: res}
	}
	return &simEnv{fs, env}, nil
}

// simulate runs a job over a copy of its environment.
func simulate(ctx context.Context, env *simEnv, job harness.Job, errexit bool) (harness.Result, *simFS, error) {
	limits := job.Limits.OrDefault()
	fs := env.fs.clone()
	for _, p := range job.Remove {
		fs.remove(p)
	}
	for _, f := range job.Files {
		fs.put(f)
	}
	sh, cancel := newSimShell(ctx, fs, append(slices.Clone(env.env), job.Env...), job, limits)
	defer cancel()
	res := sh.runScript(job.Script, errexit)
	if err := ctx.Err(); err != nil {
		return harness.Result{}, nil, fmt.Errorf("simulating %s: %w", job.Name, err)
	}
	if errors.Is(sh.trouble, errBeyond) {
		return harness.Result{}, nil, &harness.InfraError{Op: "simulating " + job.Name, Err: sh.trouble}
	}
	res.Output = sh.out.Output()
	fs.collect(&res, job.Collect, limits.Collected)
	if job.Tree != nil {
		res.Tree = fs.tree(*job.Tree)
	}
	return res, fs, nil
}

// userID returns the number of the users that every system has.
func userID(name string) string {
	switch strings.TrimSpace(name) {
	case "", "root":
		return "0"
	case "nobody":
		return "65534"
	}
	return name
}
