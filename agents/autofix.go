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
	"assay/tasks"
)

// Autofix is the name of the agent that applies a linter's own fixer.
const Autofix = "autofix"

// Fixers is the agent that applies, to a style task's files, the fixer that
// belongs to the task's linter.
type Fixers struct{ Linters *style.Linters }

// Name implements Agent.
func (Fixers) Name() string { return Autofix }

// Solves implements Agent: fixers fix style findings and nothing else.
func (Fixers) Solves(k tasks.Kind) bool { return k.Name() == tasks.Style{}.Name() }

// Solve implements Agent. It runs the fixer in the task's environment, without
// network. Nothing is submitted where the linter has no fixer or the fixer finds
// nothing to do.
func (f Fixers) Solve(ctx context.Context, w Work) (Outcome, error) {
	p, err := f.fix(ctx, w.Machine, w.Task)
	return Outcome{Patch: p, End: Done}, err
}

func (f Fixers) fix(ctx context.Context, m languages.Machine, t tasks.Task) (string, error) {
	inst, task := t.Instance, t.Style
	linter, err := f.Linters.Lookup(task.Linter)
	if err != nil {
		return "", err
	}
	fixer, ok := linter.(style.Fixer)
	if !ok {
		return "", nil
	}
	bed, err := m.Open(ctx, inst)
	if err != nil {
		return "", err
	}
	base := languages.Variant{Name: "autofix"}
	tree, _, err := bed.Tree(ctx, base, task.Files...)
	if err != nil {
		return "", err
	}
	req := style.Request{
		Files: task.Files, Rules: rulesOf(task, linter), Dir: bed.Dir("fix", base), Args: bed.Env().Args, Sources: map[string][]byte{},
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

// rulesOf are the rules that count: the task's, or the linter's own where it
// names none.
func rulesOf(t *bench.StyleTask, l style.Linter) style.Rules {
	file, err := style.DefaultRules(l)
	if err != nil {
		file = style.RuleFile{Linter: t.Linter}
	}
	return style.RulesOf(t, file.Rules())
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
