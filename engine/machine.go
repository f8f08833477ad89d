package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/internal/mirror"
	"assay/languages"
)

// Driver is what an executor offers. One that also implements languages.Images
// can run instances with images.
type Driver interface {
	harness.Runner
	harness.Preparer
	languages.Namer
	io.Closer
}

// MachineOptions configure a machine.
type MachineOptions struct {
	// Executor is the driver's name, for the run's records: docker, local.
	Executor string
	// Cache is the folder for outcomes, clones and the installation's secret.
	Cache string
	// Repos is a folder of local mirrors; "" for none.
	Repos string
	// Fresh runs everything again: no outcome comes from the cache.
	Fresh bool
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
	// Tools are the layers that an instance's env.linters can name.
	Tools   map[string]harness.Recipe
	Limits  languages.Limits
	Pythons []languages.Interpreter
	// Now returns the time; nil means time.Now.
	Now func() time.Time
}

// Machine is an opened executor with everything around it.
type Machine struct {
	languages.Machine
	Executor string
	driver   Driver
}

// OpenMachine puts a cache, retries and sources around a driver. The machine
// closes the driver, also where OpenMachine fails.
func OpenMachine(d Driver, o MachineOptions) (*Machine, error) {
	secret, err := secretOf(o.Cache)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	var runner harness.Runner = harness.Retry(d, 3, harness.Sleep)
	if !o.Fresh {
		runner = harness.Cached(runner, harness.NewCache(filepath.Join(o.Cache, "outcomes")))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	sources := Sources(o.Repos, o.Cache)
	if err := sources.Sweep(o.Now()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	images, _ := d.(languages.Images)
	return &Machine{
		Machine: languages.Machine{
			Runner: runner, Preparer: harness.Remember(d), Names: d, Secret: secret, Sources: sources,
			Languages: o.Languages, Tools: o.Tools, Limits: o.Limits, Pythons: o.Pythons, Images: images,
		},
		driver: d, Executor: o.Executor,
	}, nil
}

// Close closes the driver.
func (m *Machine) Close() error { return m.driver.Close() }

// Name is the name that the driver would give to the environment of a recipe.
func (m *Machine) Name(ctx context.Context, r harness.Recipe) (string, error) {
	return m.driver.Name(ctx, r)
}

// Sources are the repositories of instances: those of a folder of local mirrors
// ("" for none), else clones in the cache ("" for none).
func Sources(repos, cache string) *mirror.Store {
	if cache != "" {
		cache = filepath.Join(cache, "mirrors")
	}
	return &mirror.Store{Dir: repos, Cache: cache}
}

// secretOf returns this installation's secret, made when first needed. Only
// names of test files depend on it.
func secretOf(cache string) ([]byte, error) {
	path := filepath.Join(cache, "secret")
	data, err := os.ReadFile(path)
	if err == nil && len(data) == 32 {
		return data, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, fmt.Errorf("making the cache: %w", err)
	}
	return secret, bench.WriteAtomic(path, secret)
}
