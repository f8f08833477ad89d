package languages

import (
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
)

// Root is where the repository is in the environment. In an image it is known
// once the testbed has run anything in it.
func (t *Testbed) Root() string {
	if t.root == "" {
		return Root
	}
	return t.root
}

// The script of Multi-SWE-bench's images that applies the gold patch and the
// hidden tests and runs them.
const multiScript = "/home/fix-run.sh"

// copier copies the files that match globs out of an image.
type copier func(ctx context.Context, globs []string) (map[string][]byte, error)

// lookIn finds out what an image's name does not show: where the repository
// is, and the command of Multi-SWE-bench's scripts. It returns what it
// copied, with the files that are wanted of the repository: one copy does for
// both where the repository is in a likely place.
func (t *Testbed) lookIn(ctx context.Context, copyOut copier, wanted func(root string) []string) (map[string][]byte, error) {
	likely := []string{t.instance.Root}
	if t.instance.Root == "" {
		workdir, err := t.workdir(ctx)
		if err != nil {
			return nil, err
		}
		likely = slices.Compact([]string{workdir, Root})
	}
	globs := []string{multiScript}
	for _, dir := range likely {
		globs = append(append(globs, harness.EscapeGlob(headOf(dir))), wanted(dir)...)
	}
	found, err := copyOut(ctx, globs)
	if err != nil {
		return nil, err
	}
	if err := t.settleRoot(ctx, likely, found); err != nil {
		return nil, err
	}
	if !slices.Contains(likely, t.root) {
		more, err := copyOut(ctx, wanted(t.root))
		if err != nil {
			return nil, err
		}
		maps.Copy(found, more)
	}
	return found, t.settleCommand(found[multiScript])
}

// settleRoot takes the first likely place that holds a repository, and looks
// further where none does.
func (t *Testbed) settleRoot(ctx context.Context, likely []string, found map[string][]byte) error {
	if t.instance.Root != "" {
		t.root = t.instance.Root
		return nil
	}
	for _, dir := range likely {
		if found[headOf(dir)] != nil {
			t.root = dir
			return nil
		}
	}
	var err error
	t.root, err = t.findRoot(ctx)
	return err
}

// settleCommand takes the instance's command, or that of Multi-SWE-bench's
// script.
func (t *Testbed) settleCommand(script []byte) error {
	if err := t.readMulti(script); err != nil {
		return err
	}
	switch {
	case t.own != nil && len(t.own.script.Tests) > 0:
	case t.own == nil && (t.env.Framework != "" || t.env.Test != ""):
	case t.instance.Language == Python:
		t.own = nil // pytest over the test files
	default:
		return fmt.Errorf("the instance names no command (eval_script, test_cmds, env.framework, env.test), and the image has no %s", multiScript)
	}
	return nil
}

// workdir is the folder in which a container of the image starts; "/" where
// that is unknown.
func (t *Testbed) workdir(ctx context.Context) (string, error) {
	name, err := t.Prepare(ctx)
	if err != nil || t.machine.Images == nil {
		return "/", err
	}
	dir, err := t.machine.Images.Workdir(ctx, name)
	return path.Clean("/" + dir), err
}

// headOf is a file that every repository has.
func headOf(dir string) string { return path.Join(dir, ".git/HEAD") }

// findRepositories lists the folders that hold a repository, in the usual places
// of images; /testbed counts without one, too.
const findRepositories = `for d in /testbed /workspace /workspace/* /app /app/* /repo /repos/* /src /home/* /home/*/* /root/* /opt/* /*; do
  if [ -e "$d/.git" ]; then echo "$d"; fi
done > /assay-roots
if [ ! -s /assay-roots ] && [ -d /testbed ]; then echo /testbed > /assay-roots; fi
`

// findRoot looks for the repository: the only one, or the only one of the
// instance's name.
func (t *Testbed) findRoot(ctx context.Context) (string, error) {
	env, err := t.Prepare(ctx)
	if err != nil {
		return "", err
	}
	res, err := t.machine.Runner.Run(ctx, harness.Job{
		Name: "look into " + t.instance.ID, Environment: env, Script: findRepositories, Collect: []string{"/assay-roots"},
	})
	if err != nil {
		return "", err
	}
	roots := strings.Fields(string(res.Files["/assay-roots"]))
	slices.Sort(roots)
	return chooseRoot(slices.Compact(roots), t.instance.Repo)
}

func chooseRoot(roots []string, repo string) (string, error) {
	named := slices.DeleteFunc(slices.Clone(roots), func(r string) bool {
		return !strings.EqualFold(path.Base(r), strings.TrimSuffix(path.Base(repo), ".git"))
	})
	switch {
	case len(roots) == 1:
		return roots[0], nil
	case len(named) == 1:
		return named[0], nil
	case len(roots) == 0:
		return "", fmt.Errorf("the image holds no git repository in the usual places: name its folder in the instance's root")
	}
	return "", fmt.Errorf("the image holds %d repositories (%s): name the instance's in its root", len(roots), strings.Join(roots, ", "))
}

// readMulti takes the test command out of Multi-SWE-bench's script, where the
// instance has none.
func (t *Testbed) readMulti(script []byte) error {
	if t.instance.EvalScript != "" || len(t.instance.TestCmds) > 0 || t.instance.Env != nil || len(script) == 0 {
		return nil
	}
	parser := t.instance.LogParser
	if parser == "" {
		parser = parserOfCommand(string(script))
	}
	if err := t.setOwn(string(script), parser); err != nil {
		return fmt.Errorf("%s: %w", multiScript, err)
	}
	t.own.hidden = []string{"/home/fix.patch", "/home/test.patch"} // code under test could apply the first
	return nil
}

// parserOfCommand derives a script's log parser from the runner that it
// starts; "" where it cannot.
func parserOfCommand(script string) string {
	for _, r := range []struct{ command, parser string }{
		{`mvnw?`, "maven-text"}, {`gradlew?`, "gradle-text"}, {`ctest`, "ctest-text"}, {`go test`, "gotest"}, {`cargo test`, "cargo"},
	} {
		if regexp.MustCompile(`(?m)(?:^|[\s/;&(])` + r.command + `(?:[\s;)&|]|$)`).MatchString(script) {
			return r.parser
		}
	}
	return ""
}
