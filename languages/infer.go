package languages

import (
	"fmt"
	"slices"
	"time"

	"assay/bench"
	"assay/internal/patch"
)

// defaults completes the instance's env from the repository with the hidden
// tests on it, since these show the framework, and from the instance's date.
func (t *Testbed) defaults() (bench.Env, []bench.Decision, error) {
	env := bench.Env{}
	if t.instance.Env != nil {
		env = *t.instance.Env
	}
	if t.instance.Image != "" {
		// The image is complete; nothing is detected and nothing installed.
		if env.Framework == "" && t.instance.Language == Python {
			env.Framework = "pytest"
		}
		return env, nil, nil
	}
	facts, err := t.facts()
	if err != nil {
		return env, nil, err
	}
	return t.language.Defaults(env, facts)
}

// facts collects what the environment is inferred from.
func (t *Testbed) facts() (Facts, error) {
	tests, err := patch.Parse([]byte(t.instance.TestPatch))
	if err != nil {
		return Facts{}, fmt.Errorf("test_patch: %w", err)
	}
	changes, err := patch.Apply(t.base, tests)
	if err != nil {
		return Facts{}, fmt.Errorf("test_patch: %w", err)
	}
	repo := newListing(t.base, changes)
	return Facts{
		Gold: t.gold(repo), Pythons: t.machine.Pythons,
		Repo: repo, Files: t.withPublished(t.testFiles(repo, tests.Paths()), repo),
		Published: t.published(), Touched: patch.PathsIn(t.instance.Patch), Links: t.links(),
		Created: t.date(), Version: t.instance.Version,
	}, nil
}

// links are the commits of submodules; trees inside images have none.
func (t *Testbed) links() map[string]string {
	if tree, ok := t.base.(mirrorTree); ok {
		return tree.Links()
	}
	return nil
}

// gold is the tree with the whole solution on it; base with the tests alone
// where the gold patch does not apply, which its run will report.
func (t *Testbed) gold(base Repository) Repository {
	// What it names without its content can be left out here.
	code, _, err := patch.ParseTolerant([]byte(t.instance.Patch), func(string) bool { return true })
	if err != nil {
		return base
	}
	c, err := compose(t.base, Variant{Code: string(code.Bytes()), Tests: t.instance.TestPatch})
	if err != nil {
		return base
	}
	return newListing(t.base, c.changes)
}

// date is the instance's date. A base commit made after it counts, since its
// files may name what was released in between.
func (t *Testbed) date() time.Time {
	at := created(t.instance.CreatedAt)
	if tree, ok := t.base.(mirrorTree); ok && tree.at.After(at) {
		at = tree.at
	}
	return at
}

// created reads an instance's date in the forms that datasets have; the zero
// time where there is none.
func created(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// published are the instance's ids, fail-to-pass first.
func (t *Testbed) published() []string {
	return slices.Concat([]string(t.instance.FailToPass), []string(t.instance.PassToPass))
}

// Decisions are the choices that were inferred for the environment, in the
// order in which they were made; none for what the instance's env says itself.
// After a run on base or gold they hold those that its set-up made.
func (t *Testbed) Decisions() []bench.Decision {
	t.learning.Lock()
	defer t.learning.Unlock()
	return slices.Concat(t.chosen, t.learned)
}
