package languages

import (
	"context"
	"strings"

	"assay/harness"
)

// Files are what a job on the environment is given so that its tree is a
// variant's: files to put in and absolute paths to remove. An *UnappliedError
// says that a patch does not apply.
func (t *Testbed) Files(ctx context.Context, v Variant) (put []harness.File, remove []string, err error) {
	if err := t.load(ctx, v); err != nil {
		return nil, nil, err
	}
	c, err := compose(t.base, v)
	if err != nil {
		return nil, nil, err
	}
	put, remove = files(t.Root(), c.changes)
	return put, remove, nil
}

// PrepareWith is Prepare with Debian packages on top.
func (t *Testbed) PrepareWith(ctx context.Context, packages ...string) (string, error) {
	r, err := t.recipe(ctx)
	if err != nil {
		return "", err
	}
	return t.machine.Preparer.Prepare(ctx, harness.Recipe{
		Name: t.instance.ID + " with " + strings.Join(packages, ", "), Parent: &r, Packages: packages, Limits: t.machine.Limits.setup(),
	})
}

// Vars are the variables of the instance's jobs, as KEY=VALUE, sorted.
func (t *Testbed) Vars() []string { return environ(t.env.Vars) }

// Shell is POSIX shell that makes a job's PATH that of the tests: it is for jobs
// that are to find the environment's interpreter.
func (t *Testbed) Shell() string { return pickIfPython(t.instance.Language) }

// Withheld lists the absolute paths at which the set-up of an environment leaves
// what was derived from gold or from hidden tests. Tests may need some of it, but
// an agent must not see it.
func (t *Testbed) Withheld() []string {
	if t.instance.Image != "" {
		return nil // nothing of it was set up by assay
	}
	out := t.withheldFromRuns()
	for _, name := range append(pythonPrograms(), "__pycache__") {
		out = append(out, pythonDir+"/"+name)
	}
	return out
}

// withheldFromRuns are those that no run of tests needs.
func (t *Testbed) withheldFromRuns() []string {
	if t.instance.Image != "" {
		return nil
	}
	return []string{
		"/assay",
		"/root/.gradle/daemon",               // logs of the build with gold
		"/root/.gradle/caches/build-cache-1", // classes that were compiled, by their sources' hashes
		"/root/.cache/pip",
		"/tmp", "/var/tmp",
		// The plan names what gold requires, and which tests run.
		pythonDir + "/plan.json", pythonDir + "/choices.jsonl",
	}
}
