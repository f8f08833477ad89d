package languages

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
)

// Prepare makes the environment, or waits until another caller has made it,
// and returns its name, which holds a digest. A *harness.BuildError means
// that the dataset's set-up fails.
func (t *Testbed) Prepare(ctx context.Context) (string, error) {
	t.once.Do(func() {
		var r harness.Recipe
		if r, t.prepErr = t.recipe(ctx); t.prepErr == nil {
			t.name, t.prepErr = t.machine.Preparer.Prepare(ctx, r)
		}
	})
	return t.name, t.prepErr
}

// Name is the name that Prepare would return, without making the environment;
// "" where that is unknown.
func (t *Testbed) Name(ctx context.Context) (string, error) {
	if t.machine.Names == nil {
		return "", nil
	}
	r, err := t.recipe(ctx)
	if err != nil {
		return "", err
	}
	return t.machine.Names.Name(ctx, r)
}

// recipe describes the layers: tool chain, dependencies (shared by all
// instances that need the same), and the instance with its warm build.
func (t *Testbed) recipe(ctx context.Context) (harness.Recipe, error) {
	limits := t.machine.Limits.setup()
	if t.instance.Image != "" {
		return t.withTools(harness.Recipe{Name: t.instance.Image, Base: t.instance.Image}, limits)
	}
	vars, below := environ(t.env.Vars), environ(t.sharedVars())
	top := harness.Recipe{Name: t.instance.Language, Base: t.env.Base, Packages: sorted(t.env.Packages), Env: below, Limits: limits}
	top, err := t.withTools(top, limits)
	if err != nil {
		return harness.Recipe{}, err
	}
	if len(t.env.Dependencies) > 0 {
		parent := top
		top = harness.Recipe{
			Name: t.instance.Language + " dependencies", Parent: &parent,
			Script: strings.Join(t.env.Dependencies, "\n") + "\n", Workdir: "/", Network: true, Env: below, Limits: limits,
		}
	}
	warm, files, err := t.warm()
	if err != nil {
		return harness.Recipe{}, err
	}
	archives, fetched, err := t.sources(ctx)
	if err != nil {
		return harness.Recipe{}, err
	}
	parent := top
	return harness.Recipe{
		Name: t.instance.ID, Parent: &parent,
		Archives: append([]harness.Archive{{Dest: Root, Digest: t.archive.Digest, Open: t.archive.Open}}, archives...),
		Files:    files,
		Script:   fetched + strings.Join(t.env.Setup, "\n") + "\n" + warm, Workdir: Root, Network: true, Env: vars, Limits: limits,
	}, nil
}

// sharedVars are the variables of the layers that instances share. What was
// inferred from one instance, such as its version, is set above them only,
// unless commands written by hand may count on it.
func (t *Testbed) sharedVars() map[string]string {
	given := t.instance.Env
	switch {
	case given == nil:
		return nil
	case given.Dependencies != nil:
		return t.env.Vars
	}
	return given.Vars
}

// withTools adds the instance's linters to the tool chain, where all
// instances with the same tool chain share them.
func (t *Testbed) withTools(top harness.Recipe, limits harness.Limits) (harness.Recipe, error) {
	for _, name := range sorted(t.env.Linters) {
		tool, ok := t.machine.Tools[name]
		if !ok {
			return harness.Recipe{}, fmt.Errorf("env.linters: %q is not known", name)
		}
		parent := top
		tool.Parent, tool.Limits = &parent, limits
		top = tool
	}
	return top, nil
}

// warm is the script of the warm build, with the files that it needs: the
// instance's own, or the language's for what will be run, as it is at base: the
// hidden tests' files and those that hold published tests.
func (t *Testbed) warm() (string, []harness.File, error) {
	if t.env.Build != nil {
		return strings.Join(t.env.Build, "\n") + "\n", nil, nil
	}
	if t.env.Test != "" {
		return "", nil, nil
	}
	tests, err := patch.Parse([]byte(t.instance.TestPatch))
	if err != nil {
		return "", nil, fmt.Errorf("test_patch: %w", err)
	}
	repo := newListing(t.base, &patch.Changes{})
	files := t.withPublished(t.testFiles(repo, tests.Paths()), repo)
	suite := Suite{Files: files, Hidden: tests.Paths(), Repo: repo, Published: t.published(), Nonce: "warm"}
	var needed []harness.File
	if t.instance.Language == Java {
		if suite.Gold, needed = t.solution(); !goldBuild(t.env, suite) {
			suite.Gold, needed = nil, nil
		}
	}
	script := t.language.Warm(t.env, suite)
	if script == "" {
		return "", nil, nil
	}
	return "set +e\nmkdir -p /assay/warm/reports\n(" + script + ")\ncode=$?\nrm -rf /assay\nexit $code\n", needed, nil
}

func environ(vars map[string]string) []string {
	out := make([]string, 0, len(vars))
	for k, v := range vars {
		out = append(out, k+"="+v)
	}
	sort.Strings(out)
	return out
}

// Env is the instance's environment with the language's defaults filled in.
func (t *Testbed) Env() bench.Env { return t.env }
