// Package agents makes submissions. What is here needs no model: the linters'
// own fixers, as the baseline of style tasks.
package agents

import (
	"context"
	"fmt"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
	"assay/languages"
	"assay/style"
)

// Autofix is the name of the agent that applies a linter's own fixer.
const Autofix = "autofix"

// Fixers is the agent that applies, to a style task's files, the fixer that
// belongs to the task's linter.
type Fixers struct {
	Machine languages.Machine
	Linters map[string]style.Linter
	// Rules are the lists that count where a task names none.
	Rules func(linter string) style.Rules
}

// Solve runs the fixer in the task's environment, without network, and
// returns what it changed as a patch; empty where the linter has no fixer or
// the fixer finds nothing to do. An error means that it could not be run.
func (f Fixers) Solve(ctx context.Context, inst *bench.Instance, task *bench.StyleTask) (string, error) {
	linter, ok := f.Linters[task.Linter]
	if !ok {
		return "", fmt.Errorf("linter %q is not known", task.Linter)
	}
	fixer, ok := linter.(style.Fixer)
	if !ok {
		return "", nil
	}
	bed, err := f.Machine.Open(ctx, inst)
	if err != nil {
		return "", err
	}
	base := languages.Variant{Name: "autofix"}
	tree, _, err := bed.Tree(ctx, base, task.Files...)
	if err != nil {
		return "", err
	}
	req := style.Request{
		Files: task.Files, Rules: style.RulesOf(task, f.Rules(task.Linter)), Dir: bed.Dir("fix", base), Args: bed.Env().Args, Sources: map[string][]byte{},
	}
	for _, p := range task.Files {
		e, err := tree.Read(p)
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", p, err)
		}
		req.Sources[p] = e.Data
	}
	cmd, err := fixer.Fix(req)
	if err != nil {
		return "", err
	}
	for _, p := range task.Files {
		cmd.Collect = append(cmd.Collect, harness.EscapeGlob(bed.Root()+"/"+p))
	}
	out, err := bed.RunTool(ctx, base, languages.Tool{
		Script: cmd.Script, Files: cmd.Files, Env: cmd.Env, Collect: cmd.Collect,
	})
	if err != nil {
		return "", err
	}
	if out.State != bench.RunDone || out.Result.ExitCode != 0 {
		return "", &harness.InfraError{Op: "running the fixer of " + task.Linter, Err: fmt.Errorf("%s, code %d: %s", out.State, out.Result.ExitCode, tail(out.Log()))}
	}
	return diff(bed.Root(), task.Files, req.Sources, out.Result.Files), nil
}

// diff is the patch from the old texts to what was collected.
func diff(root string, paths []string, old, collected map[string][]byte) string {
	var out strings.Builder
	for _, p := range paths {
		if text, ok := collected[root+"/"+p]; ok {
			out.Write(patch.Between(p, old[p], text))
		}
	}
	return out.String()
}

func tail(log []byte) string {
	if len(log) > 1000 {
		log = log[len(log)-1000:]
	}
	return strings.TrimSpace(string(log))
}
