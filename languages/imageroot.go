package languages

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/harness"
)

// Root is where the repository stands in the environment. In an image it is
// known once the testbed has run anything in it.
func (t *Testbed) Root() string {
	if t.root == "" {
		return Root
	}
	return t.root
}

// The script of Multi-SWE-bench's images that lays the gold patch and the
// hidden tests on the tree and runs them.
const multiScript = "/home/fix-run.sh"

// lookIn finds out what an image does not say by its name: where the
// repository stands, and the command of Multi-SWE-bench's scripts.
func (t *Testbed) lookIn(ctx context.Context, copyOut func(context.Context, []string) (map[string][]byte, error)) error {
	globs := []string{multiScript}
	if t.instance.Root == "" {
		globs = append(globs, Root+"/.git/HEAD")
	}
	found, err := copyOut(ctx, globs)
	if err != nil {
		return err
	}
	switch _, here := found[Root+"/.git/HEAD"]; {
	case t.instance.Root != "":
		t.root = t.instance.Root
	case here:
		t.root = Root
	default:
		if t.root, err = t.findRoot(ctx); err != nil {
			return err
		}
	}
	if err := t.readMulti(found[multiScript]); err != nil {
		return err
	}
	if t.own == nil || len(t.own.script.Tests) > 0 {
		return nil
	}
	if t.instance.Language != Python {
		return fmt.Errorf("the instance names no command (eval_script, test_cmds), and the image has no %s", multiScript)
	}
	t.own = nil // pytest over the test files
	return nil
}

// findRepositories lists the folders that hold a repository, in the places
// where images have theirs; /testbed serves without one, too.
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
// instance brings none.
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
	return nil
}

// parserOfCommand tells a script's log parser from the runner that it starts;
// "" where it cannot.
func parserOfCommand(script string) string {
	for _, r := range []struct{ word, parser string }{
		{"mvn", "maven-text"}, {"mvnw", "maven-text"}, {"gradle", "gradle-text"}, {"gradlew", "gradle-text"},
		{"ctest", "ctest-text"}, {"go test", "gotest"}, {"cargo test", "cargo"},
	} {
		if strings.Contains(script, r.word+" ") {
			return r.parser
		}
	}
	return ""
}
