package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/collect"
	"assay/engine"
	"assay/internal/mirror"
	"assay/llm"
	"assay/tasks"
)

// collectFlags are collect's flags.
type collectFlags struct {
	list, at, to  string
	since, until  string
	issues        string
	filter        collect.Filter
	output        string
	executor      executorFlags
	repeat        repeatFlags
	limit, giveUp int
	permissive    bool
	api           bool
	apiURL        string
	model         modelFlags
	quoteTests    bool
}

func (a *app) collectCommand() *cobra.Command {
	o := &collectFlags{}
	cmd := &cobra.Command{
		Use:   "collect REPO... -o DIR",
		Short: "Turn repositories into base instances",
		Long: `Finds changes that resolve an issue and touch source and tests in the history of each
repository (owner/name, a folder or a clone URL), divides them into gold and test patch, sets
each up by inference, and validates it: --runs times without and with gold. Links to issues
come from closing words, trailers, changelogs, news fragments and names of tests. No service
is asked, unless --api has GitHub asked for merged pull requests and the issues that they
closed (with the token in GITHUB_TOKEN).

With --llm a model makes environments where inference fails (at most four repairs of each), and
writes the problem statement of valid instances that have no issue, from
what their failing tests say and the change's message; statements are checked for leaks.

DIR gets a file for each stage (candidates.jsonl, split.jsonl, setup.jsonl, validated.jsonl),
in which every change that goes no further has its reason, instances.jsonl, and the dataset's
card (card.md, card.json: its characteristics with their distributions). The same
command continues where it was; a repository that has new commits adds what is new.

` + exitHelp,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.collect(cmd.Context(), *o, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "folder for what is collected")
	secret(f, "output")
	f.StringVar(&o.list, "list", "", "file of repositories, one a line (# begins a comment)")
	secret(f, "list")
	f.StringVar(&o.at, "at", "HEAD", "commit, tag or branch up to which the history counts")
	f.StringVar(&o.to, "to", "validate", "the last stage: split or validate")
	f.StringVar(&o.since, "since", "", "only changes that came to the main line on this day (2006-01-02) or later")
	f.StringVar(&o.until, "until", "", "only changes that came to the main line before this day")
	f.StringVar(&o.issues, "issues", "", "export of issues (JSON Lines: number, title, body, created_at, labels; repo (owner/name) too where several repositories are collected)")
	secret(f, "issues")
	f.BoolVar(&o.filter.Unlinked, "unlinked", false, "also changes that name no issue")
	f.IntVar(&o.filter.MaxFiles, "max-files", 15, "at most so many source files in a change (0: any number)")
	f.IntVar(&o.filter.MaxLines, "max-lines", 1000, "at most so many added and removed source lines in a change (0: any number)")
	f.IntVar(&o.filter.MinShare, "min-share", 0, "only changes in a language that at least so many percent of the repository's code are in")
	f.BoolVar(&o.permissive, "permissive", false, "only repositories whose licence is known and asks for no more than a notice (MIT, Apache-2.0, BSD, ...)")
	f.IntVar(&o.limit, "limit", 0, "at most so many valid instances of a repository, the newest ones (0: all); those of earlier commits given with --at stay")
	f.IntVar(&o.giveUp, "give-up", 5, "leave a repository after so many set-ups in a row that fail (0: never)")
	f.BoolVar(&o.api, "api", false, "ask GitHub for merged pull requests and the text of issues (token in GITHUB_TOKEN)")
	f.StringVar(&o.apiURL, "api-url", "", "GitHub's GraphQL interface (default $GITHUB_GRAPHQL_URL, or https://api.github.com/graphql)")
	f.BoolVar(&o.quoteTests, "quote-tests", false, "let statements that a model writes quote what hidden tests expect")
	o.model.add(cmd)
	o.executor.add(cmd)
	o.repeat.add(cmd, 3, "how often the hidden tests run without and with gold")
	cmd.AddCommand(a.funnelCommand())
	return cmd
}

func (a *app) collect(ctx context.Context, o collectFlags, args []string) error {
	names, err := o.check(args)
	if err != nil {
		return err
	}
	issues, err := readIssues(o.issues, len(names))
	if err != nil {
		return err
	}
	hub, err := a.openGitHub(o)
	if err != nil {
		return err
	}
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	sources, err := a.collectSources(ctx, engine.Sources(o.executor.repos, cache), names, o)
	if err != nil {
		return err
	}
	folder, err := collect.OpenFolder(o.output, o.filter)
	if err != nil {
		return err
	}
	var kept []collect.Source
	for _, s := range sources {
		started := now()
		left, err := a.gather(ctx, folder, s, issues, hub, o)
		if err != nil {
			return err
		}
		if left {
			continue
		}
		kept = append(kept, s)
		fmt.Fprintf(a.stderr, "%s: searched up to %.12s in %.1fs\n", s.Name, s.Head, now().Sub(started).Seconds())
	}
	if o.to == stageSplit {
		return a.showFunnel(folder)
	}
	err = a.collectValid(ctx, o, folder, kept)
	if ctx.Err() == nil {
		err = errors.Join(err, a.writeCard(ctx, folder, kept))
	}
	return errors.Join(err, a.showFunnel(folder))
}

// The values of --to.
const (
	stageSplit    = "split"
	stageValidate = "validate"
)

// collectValid sets up and validates what was found.
func (a *app) collectValid(ctx context.Context, o collectFlags, folder *collect.Folder, sources []collect.Source) (err error) {
	w, err := a.openAuthor(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	m, err := a.openMachine(ctx, o.executor)
	if err != nil {
		return err
	}
	defer m.Close()
	v := collect.Validator{Judge: tasks.Judge{Machine: m.Machine, Now: now}, Runs: o.repeat.runs, Now: now, Fitter: w.fitter()}
	plan := collect.Plan{Limit: o.limit, GiveUp: o.giveUp, Jobs: o.repeat.jobs, Short: w != nil, Begin: func(ctx context.Context, id string) (context.Context, func(string)) {
		fmt.Fprintf(a.stderr, "%s: begins\n", id)
		return ctx, a.statusLine
	}}
	err = folder.Complete(ctx, v, sources, plan)
	var refused *llm.Error
	if errors.As(err, &refused) && !refused.Retryable() {
		return overBudget(err)
	}
	if err != nil {
		return &codedError{exitNotJudged, fmt.Errorf("some instances could not be run; run the same command again to retry them: %w", err)}
	}
	if w != nil {
		return unwritten(folder.WriteStatements(ctx, w, sources))
	}
	return nil
}

// check reads the arguments, so that nothing is begun with wrong ones.
func (o *collectFlags) check(args []string) (names []string, err error) {
	if o.output == "" {
		return nil, errors.New("no output: give a folder with -o")
	}
	if o.to != stageSplit && o.to != stageValidate {
		return nil, fmt.Errorf("--to: expected split or validate, got %q", o.to)
	}
	if o.limit < 0 || o.giveUp < 0 {
		return nil, errors.New("--limit and --give-up: expected 0 or more")
	}
	if err := o.repeat.check(); err != nil {
		return nil, err
	}
	for _, day := range []struct {
		flag, text string
		at         *time.Time
	}{{"--since", o.since, &o.filter.Since}, {"--until", o.until, &o.filter.Until}} {
		if day.text == "" {
			continue
		}
		if *day.at, err = time.Parse(time.DateOnly, day.text); err != nil {
			return nil, fmt.Errorf("%s: expected a day (2006-01-02), got %q", day.flag, day.text)
		}
	}
	if o.filter.MinShare < 0 || o.filter.MinShare > 100 {
		return nil, errors.New("--min-share: expected 0 to 100")
	}
	if o.filter.MaxFiles < 0 || o.filter.MaxLines < 0 {
		return nil, errors.New("--max-files and --max-lines: expected 0 or more")
	}
	if o.list != "" {
		if args, err = withList(args, o.list); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, errors.New("no repository: give owner/name, a folder or a clone URL, or a list with --list")
	}
	seen := map[string]bool{}
	for _, arg := range args {
		name, err := repositoryName(arg)
		if err != nil {
			return nil, err
		}
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names, nil
}

// withList adds the repositories of a file.
func withList(names []string, path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--list: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			names = append(names, line)
		}
	}
	return names, lines.Err()
}

// repositoryName is a repository as instances name it: a folder by its
// absolute path.
func repositoryName(arg string) (string, error) {
	local := strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "/")
	if info, err := os.Stat(arg); local || err == nil && info.IsDir() {
		if err != nil {
			return "", err
		}
		return filepath.Abs(arg)
	}
	if !strings.Contains(arg, "/") {
		return "", fmt.Errorf("repository %q: expected owner/name, a folder or a clone URL", arg)
	}
	return arg, nil
}

// readIssues reads an export for so many repositories.
func readIssues(path string, repositories int) (collect.Issues, error) {
	if path == "" {
		return collect.Issues{}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return collect.Issues{}, fmt.Errorf("--issues: %w", err)
	}
	defer f.Close()
	issues, err := collect.ReadIssues(path, f)
	if err != nil {
		return issues, err
	}
	return issues, issues.Check(repositories)
}

// collectSources opens the repositories, each at the commit up to which it counts.
func (a *app) collectSources(ctx context.Context, store *mirror.Store, names []string, o collectFlags) ([]collect.Source, error) {
	var sources []collect.Source
	for _, name := range names {
		if err := store.Refresh(ctx, name); err != nil {
			return nil, err
		}
		repo, err := store.Open(ctx, name, o.at)
		if err != nil {
			return nil, err
		}
		head, err := repo.Resolve(ctx, o.at)
		if err != nil {
			return nil, err
		}
		licence, err := collect.Licence(ctx, repo, head)
		if err != nil {
			return nil, err
		}
		if o.permissive && !collect.IsPermissive(licence) && (licence != "" || !o.api) {
			a.leftOut(name, licence)
			continue
		}
		sources = append(sources, collect.Source{Repo: repo, Name: name, Head: head, Licence: licence, Languages: a.parts.Languages})
	}
	return sources, nil
}
