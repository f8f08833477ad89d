package languages

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/internal/mirror"
	"assay/internal/patch"
)

// Machine is what testbeds run on.
type Machine struct {
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *Registry
	Runner    harness.Runner
	Preparer  harness.Preparer
	Sources   *mirror.Store
	// Secret keys the names that submissions must not guess. The same
	// secret gives the same names, so that outcomes can be cached.
	Secret []byte
	// Tools are the layers that an instance's env.linters can name, each a
	// recipe without parent.
	Tools map[string]harness.Recipe
	// Names predicts environments' names; it may be nil.
	Names Namer
	// Images returns what images declare about themselves; it may be nil.
	Images Images
	// Pythons are the interpreters that environments can be made with.
	Pythons []Interpreter
	// Limits are the user's, above those of the instances.
	Limits Limits
}

// Namer predicts which name a Preparer would give the environment of a
// recipe, without making it; "" where that is unknown.
type Namer interface {
	Name(ctx context.Context, recipe harness.Recipe) (string, error)
}

// Images returns the folder that the maker of an image set as its working
// directory; "" for none.
type Images interface {
	Workdir(ctx context.Context, environment string) (string, error)
}

// Testbed is an instance that is ready to run tests: its repository at base,
// its language, and its environment, which is prepared when the first run
// needs it. It is safe for concurrent use.
type Testbed struct {
	machine  Machine
	instance *bench.Instance
	language Language
	env      bench.Env
	chosen   []bench.Decision
	base     baseTree
	root     string          // of the repository in an image; empty until looked for
	own      *ownCommand     // of an instance with an image; nil where the language's is used
	archive  *mirror.Archive // nil for an instance with an image

	learning sync.Mutex
	learned  []bench.Decision // what the set-up decided; nil until a run reported it

	once    sync.Once
	name    string
	prepErr error
}

// baseTree is the repository at base.
type baseTree interface {
	patch.Tree
	Paths() []string
	// Has reports whether there is a file that can be read.
	Has(path string) bool
	// load makes the files readable; only trees inside images need it.
	load(ctx context.Context, paths []string) error
}

// Open reads what the instance's runs need. It starts nothing.
func (m Machine) Open(ctx context.Context, inst *bench.Instance) (*Testbed, error) {
	lang, err := m.Languages.of(inst)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	t := &Testbed{machine: m, instance: inst, language: lang}
	if inst.Image != "" {
		t.base = &imageTree{testbed: t, files: map[string]patch.Entry{}}
	} else if err := t.openSources(ctx); err != nil {
		return nil, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	env, chosen, err := t.defaults()
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	t.env, t.chosen = env, append(t.chosen, chosen...)
	if err := t.openOwn(); err != nil {
		return nil, fmt.Errorf("instance %s: %w", inst.ID, err)
	}
	return t, nil
}

func (t *Testbed) openSources(ctx context.Context) error {
	harness.Notify(ctx, Cloning, t.instance.Repo)
	repo, err := t.machine.Sources.Open(ctx, t.instance.Repo, t.instance.BaseCommit)
	var missing *mirror.NotFoundError
	if errors.As(err, &missing) && missing.Commit == "" {
		return &harness.InfraError{Op: "fetching the repository", Err: err}
	}
	if err != nil {
		return err
	}
	tree, err := repo.Tree(ctx, t.instance.BaseCommit)
	if err != nil {
		return err
	}
	var sparse []string
	if t.instance.Env != nil {
		sparse = t.instance.Env.Sparse
	}
	if len(sparse) == 0 {
		if sparse, err = t.present(ctx, tree); err != nil {
			return err
		}
	}
	archive, err := repo.Archive(ctx, t.instance.BaseCommit, sparse)
	if err != nil {
		return err
	}
	at, err := repo.Time(ctx, t.instance.BaseCommit)
	if err != nil {
		return err
	}
	t.base, t.archive = mirrorTree{tree, at}, &archive
	return nil
}

// present are sparse patterns that leave out what the mirror lacks, which are
// files too large for it. Tests that need one of them fail, with gold as well.
func (t *Testbed) present(ctx context.Context, base *mirror.Tree) ([]string, error) {
	missing, err := base.Missing(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range missing {
		t.chosen = append(t.chosen, bench.Decision{Field: "sparse", Value: "!/" + f, Why: "the mirror lacks its content", File: f})
	}
	return mirror.Without(missing), nil
}

// mirrorTree is base in a mirror, with the date of its commit.
type mirrorTree struct {
	*mirror.Tree
	at time.Time
}

func (mirrorTree) load(context.Context, []string) error { return nil }

// testFiles are those of the paths that hold tests a runner can be given.
func (t *Testbed) testFiles(repo *listing, paths []string) []string {
	var out []string
	for _, p := range paths {
		if repo.exists(p) && runnable(t.language, p, repo) {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

// holder is a language in which a file's name does not show whether it
// contains tests that a runner can be given.
type holder interface {
	HoldsTests(path string, repo Repository) bool
}

// runnable distinguishes test sources from fixtures and data next to them.
func runnable(l Language, p string, repo Repository) bool {
	if !IsTest(l, p) || !l.About().IsRunnable(p) {
		return false
	}
	h, ok := l.(holder)
	return !ok || h.HoldsTests(p, repo)
}

// listing is a tree with changes on it, as languages look at it.
type listing struct {
	tree  patch.Tree
	paths []string
	set   map[string]bool
}

func newListing(base baseTree, changes *patch.Changes) *listing {
	set := map[string]bool{}
	for _, p := range base.Paths() {
		set[p] = true
	}
	for _, p := range changes.Remove {
		delete(set, p)
	}
	for p := range changes.Write {
		set[p] = true
	}
	return &listing{tree: changes.Over(base), paths: sortedKeys(set), set: set}
}

func (l *listing) Paths() []string { return l.paths }

func (l *listing) exists(p string) bool { return l.set[p] }

// Text returns "" for what is absent or cannot be read.
func (l *listing) Text(p string) string {
	if !l.set[p] {
		return ""
	}
	e, err := l.tree.Read(p)
	if err != nil {
		return ""
	}
	return string(e.Data)
}
