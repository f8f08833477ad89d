package languages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"sync"

	"assay/harness"
	"assay/internal/mirror"
	"assay/internal/patch"
)

// imageTree reads the repository that is in an image. Its list of files, with
// their modes, is that of the repository's git index; without one only what
// was loaded is known.
type imageTree struct {
	testbed *Testbed

	mu     sync.Mutex
	files  map[string]patch.Entry
	modes  map[string]uint32
	loaded map[string]bool
}

// Paths implements Repository.
func (t *imageTree) Paths() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	set := map[string]bool{}
	for p := range t.modes {
		set[p] = true
	}
	for p := range t.files {
		set[p] = true
	}
	return sortedKeys(set)
}

// Read implements patch.Tree for files that were loaded.
func (t *imageTree) Read(p string) (patch.Entry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.files[p]; ok {
		return e, nil
	}
	if t.modes[p] == patch.ModeSymlink {
		return patch.Entry{}, fmt.Errorf("%s is a symbolic link in the image, which cannot be read", p)
	}
	return patch.Entry{}, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

// Has implements baseTree for files that were loaded.
func (t *imageTree) Has(p string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.files[p]
	return ok
}

// indexOf is git's list of the files of a repository.
func indexOf(root string) string { return path.Join(root, ".git/index") }

// load copies files out of the image; nothing is started for that.
func (t *imageTree) load(ctx context.Context, paths []string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	wanted := func(root string) []string {
		var globs []string
		if t.loaded == nil {
			globs = append(globs, harness.EscapeGlob(indexOf(root)))
		}
		for _, p := range paths {
			if !t.loaded[p] {
				globs = append(globs, harness.EscapeGlob(path.Join(root, p)))
			}
		}
		return globs
	}
	var found map[string][]byte
	var err error
	if t.loaded == nil {
		if found, err = t.testbed.lookIn(ctx, t.copyOut, wanted); err != nil {
			return fmt.Errorf("looking into the image: %w", err)
		}
		t.loaded, t.modes = map[string]bool{}, map[string]uint32{}
	} else if globs := wanted(t.testbed.Root()); len(globs) > 0 {
		if found, err = t.copyOut(ctx, globs); err != nil {
			return fmt.Errorf("reading the image: %w", err)
		}
	}
	root := t.testbed.Root()
	if data, ok := found[indexOf(root)]; ok {
		if t.modes, err = mirror.ReadIndex(ctx, data); err != nil {
			return fmt.Errorf("reading the image's git index: %w", err)
		}
	}
	for _, p := range paths {
		if t.loaded[p] {
			continue
		}
		t.loaded[p] = true
		if data, ok := found[path.Join(root, p)]; ok {
			t.files[p] = patch.Entry{Data: data, Mode: t.modes[p]}
		}
	}
	return nil
}

func (t *imageTree) copyOut(ctx context.Context, globs []string) (map[string][]byte, error) {
	name, err := t.testbed.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	sort.Strings(globs)
	res, err := t.testbed.machine.Runner.Run(ctx, harness.Job{Name: "read " + t.testbed.instance.ID, Environment: name, Collect: globs})
	if err != nil {
		return nil, err
	}
	if res.End != harness.Exited {
		return nil, errors.New("its files are too large to copy")
	}
	return res.Files, nil
}
