// Command ownkind is a program around assay's packages with parts of its own: a
// language (shell.go), a kind of task (shorten.go), a linter (todo.go) and an
// agent (tidy.go). It writes a small benchmark and judges four sorts of
// submission to it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"assay/engine"
	"assay/harness/local"
	"assay/report"
	"assay/tasks"
)

func main() {
	// The local executor starts this program again as the first process of a
	// sandbox.
	if local.IsChild() {
		local.ChildMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ownkind:", err)
		os.Exit(1)
	}
}

// parts are assay's, and four of this module.
func parts() (engine.Parts, error) {
	p := engine.Default()
	return p, errors.Join(p.Languages.Register(Shell{}), p.Kinds.Register(Shorten{}), p.Linters.Register(Todo{}), p.Agents.Register(Tidy{}))
}

// run writes the benchmark into a folder, judges, and prints the figures.
func run(ctx context.Context, args []string, w io.Writer) error {
	p, err := parts()
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("ownkind", flag.ContinueOnError)
	dir := flags.String("dir", "ownkind", "where the benchmark and the runs go")
	cache := flags.String("cache", filepath.Join(os.TempDir(), "ownkind-cache"), "where environments are kept")
	addOptions(flags, &p.Kinds)
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := writeSample(ctx, *dir)
	if err != nil {
		return err
	}
	m, err := open(s, p, *cache)
	if err != nil {
		return err
	}
	defer m.Close()
	for _, o := range []engine.Options{
		{Gold: true, Tasks: []string{"bugfix", "shorten"}},
		{Empty: true, Tasks: []string{"shorten", "style"}},
		{Agent: Tidy{}.Name()},
		{Predictions: []string{s.predictions}},
	} {
		o.Selection = engine.Selection{Name: s.dataset, Path: s.dataset}
		summary, err := judge(ctx, p, o, m, *cache, *dir)
		if err != nil {
			return err
		}
		if err := summary.Text(w); err != nil {
			return err
		}
	}
	return nil
}

// addOptions makes flags of the kinds' own options.
func addOptions(flags *flag.FlagSet, kinds **tasks.Registry) {
	for _, k := range (*kinds).All() {
		c, ok := k.(tasks.Configurable)
		if !ok {
			continue
		}
		for _, option := range c.Options() {
			flags.Func(option.Name, option.Usage, func(text string) error {
				now, err := (*kinds).Lookup(k.Name())
				if err != nil {
					return err
				}
				if now, err = now.(tasks.Configurable).Set(option.Name, text); err != nil {
					return err
				}
				*kinds, err = (*kinds).With(now)
				return err
			})
		}
	}
}

// open puts a machine around the local executor.
func open(s sample, p engine.Parts, cache string) (*engine.Machine, error) {
	d, err := local.New(local.Options{Dir: filepath.Join(cache, "local")})
	if err != nil {
		return nil, err
	}
	return engine.OpenMachine(d, engine.MachineOptions{Executor: "local", Cache: cache, Repos: s.repos, Languages: p.Languages, Tools: p.Tools()})
}

// judge judges one sort of submission, in a folder named for it.
func judge(ctx context.Context, p engine.Parts, o engine.Options, m *engine.Machine, cache, dir string) (*report.Summary, error) {
	o.Jobs, o.Output = 2, filepath.Join(dir, "runs", folderOf(o))
	ev, err := engine.Read(ctx, p, o)
	if err != nil {
		return nil, err
	}
	defer ev.Close()
	folder, err := ev.OpenFolder(ctx, m, cache)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return ev.Judge(ctx, m, folder, nil)
}

func folderOf(o engine.Options) string {
	switch {
	case o.Gold:
		return "gold"
	case o.Empty:
		return "empty"
	case o.Agent != "":
		return o.Agent
	}
	return "predictions"
}
