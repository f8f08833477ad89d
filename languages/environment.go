package languages

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
)

// Prepare makes the environment, or waits for whoever makes it, and returns
// its name, which holds a digest. A *harness.BuildError means that the
// dataset's set-up fails.
func (t *Testbed) Prepare(ctx context.Context) (string, error) {
	t.once.Do(func() {
		var r harness.Recipe
		if r, t.prepErr = t.recipe(); t.prepErr == nil {
			t.name, t.prepErr = t.machine.Preparer.Prepare(ctx, r)
		}
	})
	return t.name, t.prepErr
}

// recipe lays out the layers: tool chain, dependencies (shared by all
// instances that need the same), and the instance with its warm build.
func (t *Testbed) recipe() (harness.Recipe, error) {
	if t.instance.Image != "" {
		return harness.Recipe{Name: t.instance.Image, Base: t.instance.Image}, nil
	}
	limits := harness.Limits{Time: time.Hour, Memory: 8 << 30, Disk: 16 << 30, Processes: 4096}
	vars := environ(t.env.Vars)
	top := harness.Recipe{Name: t.instance.Language, Base: t.env.Base, Packages: sorted(t.env.Packages), Env: vars, Limits: limits}
	if len(t.env.Dependencies) > 0 {
		parent := top
		top = harness.Recipe{
			Name: t.instance.Language + " dependencies", Parent: &parent,
			Script: strings.Join(t.env.Dependencies, "\n") + "\n", Workdir: "/", Network: true, Env: vars, Limits: limits,
		}
	}
	warm, err := t.warm()
	if err != nil {
		return harness.Recipe{}, err
	}
	parent := top
	return harness.Recipe{
		Name: t.instance.ID, Parent: &parent,
		Archives: []harness.Archive{{Dest: Root, Digest: t.archive.Digest, Open: t.archive.Open}},
		Script:   strings.Join(t.env.Setup, "\n") + "\n" + warm, Workdir: Root, Network: true, Env: vars, Limits: limits,
	}, nil
}

// warm is the script of the warm build: the instance's own, or the language's
// for the hidden tests' files as they are at base.
func (t *Testbed) warm() (string, error) {
	if t.env.Build != nil {
		return strings.Join(t.env.Build, "\n") + "\n", nil
	}
	if t.env.Test != "" {
		return "", nil
	}
	tests, err := patch.Parse([]byte(t.instance.TestPatch))
	if err != nil {
		return "", fmt.Errorf("test_patch: %w", err)
	}
	repo := newListing(t.base, &patch.Changes{})
	script := t.language.Warm(t.env, Suite{Files: t.testFiles(repo, tests.Paths()), Repo: repo, Nonce: "warm"})
	if script == "" {
		return "", nil
	}
	return "set +e\nmkdir -p /assay/warm/reports\n(" + script + ")\ncode=$?\nrm -rf /assay\nexit $code\n", nil
}

func environ(vars map[string]string) []string {
	out := make([]string, 0, len(vars))
	for k, v := range vars {
		out = append(out, k+"="+v)
	}
	sort.Strings(out)
	return out
}

func sorted(in []string) []string {
	out := append([]string(nil), in...)
	sort.Strings(out)
	return out
}

// imageTree reads the repository that stands in an image.
type imageTree struct {
	testbed *Testbed
	files   map[string]patch.Entry
	loaded  map[string]bool
}

// Paths knows only what was loaded: nothing is detected inside an image.
func (t *imageTree) Paths() []string {
	out := make([]string, 0, len(t.files))
	for p := range t.files {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

func (t *imageTree) Read(p string) (patch.Entry, error) { return patch.MapTree(t.files).Read(p) }

// load copies the files out of the image; nothing is started for that.
func (t *imageTree) load(ctx context.Context, paths []string) error {
	var globs []string
	for _, p := range paths {
		if !t.loaded[p] {
			globs = append(globs, path.Join(Root, escapeGlob(p)))
		}
	}
	if len(globs) == 0 {
		return nil
	}
	name, err := t.testbed.Prepare(ctx)
	if err != nil {
		return err
	}
	res, err := t.testbed.machine.Runner.Run(ctx, harness.Job{Name: "read " + t.testbed.instance.ID, Environment: name, Collect: globs})
	if err != nil {
		return err
	}
	files := map[string]patch.Entry{}
	loaded := map[string]bool{}
	for p, e := range t.files {
		files[p] = e
	}
	for p := range t.loaded {
		loaded[p] = true
	}
	for _, p := range paths {
		loaded[p] = true
		if data, ok := res.Files[path.Join(Root, p)]; ok {
			files[p] = patch.Entry{Data: data, Mode: 0o100644}
		}
	}
	t.files, t.loaded = files, loaded
	return nil
}

func escapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}

// defaultLimits bound one test run.
func (t *Testbed) limits() harness.Limits {
	l := harness.Limits{}
	if t.env.TimeoutSeconds > 0 {
		l.Time = time.Duration(t.env.TimeoutSeconds) * time.Second
	}
	if t.env.MemoryMB > 0 {
		l.Memory = int64(t.env.MemoryMB) << 20
	}
	return l
}

// Env is the instance's environment with the language's defaults filled in.
func (t *Testbed) Env() bench.Env { return t.env }
