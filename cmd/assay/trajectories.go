package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"assay/agents"
	"assay/attempts"
)

func (a *app) trajectoriesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trajectories",
		Short: "List, show, search and convert what agents did",
		Long: `Reads the folder of assay run. A trajectory is what an attempt said to the model, and got:
a file trajectory.json in ATIF. Text of agents is shown without terminal escapes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trajectoriesListCommand(), a.trajectoriesShowCommand(), a.trajectoriesSearchCommand(), a.trajectoriesConvertCommand())
	return cmd
}

// attemptFlags choose attempts of a folder.
type attemptFlags struct{ include, ends []string }

func (o *attemptFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVarP(&o.include, "include", "i", nil, "only attempts whose name or instance matches one of these patterns (bugfix/owner__name-*, owner__name-*)")
	f.StringSliceVar(&o.ends, "end", nil, "only attempts that ended so: "+endNames())
}

// endNames are the ends of finished attempts.
func endNames() string {
	var names []string
	for _, e := range attempts.Ends() {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// records reads a folder's attempts that are meant.
func (o attemptFlags) records(dir string) ([]attempts.Record, error) {
	for _, e := range o.ends {
		if !slices.Contains(attempts.Ends(), agents.End(e)) {
			return nil, fmt.Errorf("--end %q: expected some of %s", e, endNames())
		}
	}
	all, err := attempts.ReadRecords(dir)
	if err != nil {
		return nil, err
	}
	var out []attempts.Record
	for _, r := range all {
		ok, err := o.takes(r)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

func (o attemptFlags) takes(r attempts.Record) (bool, error) {
	meant := len(o.include) == 0
	for _, p := range o.include {
		for _, name := range []string{r.Name(), r.InstanceID} {
			ok, err := path.Match(p, name)
			if err != nil {
				return false, fmt.Errorf("--include %q: %w", p, err)
			}
			meant = meant || ok
		}
	}
	ended := len(o.ends) == 0
	for _, e := range o.ends {
		ended = ended || string(r.End) == e
	}
	return meant && ended, nil
}

func (a *app) trajectoriesListCommand() *cobra.Command {
	o := &attemptFlags{}
	cmd := &cobra.Command{
		Use: "list FOLDER", Short: "List a run's attempts", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			records, err := o.records(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, attemptTable(records))
			fmt.Fprintf(a.stdout, "%d attempts\n", len(records))
			return nil
		},
	}
	o.add(cmd)
	return cmd
}

func attemptTable(records []attempts.Record) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"attempt", "end", "steps", "$", "tokens in", "out", "s", "patch", "trajectory"})
	for _, r := range records {
		file := "-"
		if r.Recorded {
			file = r.Trajectory()
		}
		t.AppendRow(table.Row{r.Name(), r.End, r.Steps, fmt.Sprintf("%.4f", r.CostUSD), r.Tokens.Input, r.Tokens.Output, fmt.Sprintf("%.1f", r.Seconds), r.Patch, file})
	}
	return t.Render()
}

func (a *app) trajectoriesShowCommand() *cobra.Command {
	full := false
	cmd := &cobra.Command{
		Use: "show FOLDER ATTEMPT | FILE", Short: "Print a trajectory step by step", Args: cobra.RangeArgs(1, 2),
		Long: "Prints a trajectory: that of an attempt, as assay trajectories list names it\n(bugfix/owner__name-12, or bugfix/owner__name-12#2), or that of a file.",
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := trajectoryNamed(args)
			if err != nil {
				return err
			}
			t, err := readTrajectory(file)
			if err != nil {
				return err
			}
			width := 2000
			if full {
				width = 0
			}
			return printTrajectory(a.stdout, t, width)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "do not shorten long texts")
	return cmd
}

// trajectoryNamed is the file that the arguments name: itself, or by folder and
// attempt.
func trajectoryNamed(args []string) (string, error) {
	if len(args) == 2 {
		return trajectoryFileOf(args[0], args[1])
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder: name an attempt, too (assay trajectories list %[1]s)", args[0])
	}
	return args[0], nil
}

// trajectoryFileOf finds an attempt's trajectory by its name.
func trajectoryFileOf(dir, name string) (string, error) {
	records, err := attempts.ReadRecords(dir)
	if err != nil {
		return "", err
	}
	for _, r := range records {
		switch {
		case r.Name() != name && !(r.InstanceID == name && r.Attempt == 1):
		case !r.Recorded && r.Calls > 0:
			return "", fmt.Errorf("%s has no trajectory: it could not be made, see %s.error", r.Name(), filepath.Join(dir, r.Trajectory()))
		case !r.Recorded:
			return "", fmt.Errorf("%s has no trajectory: it made no call of a model", r.Name())
		default:
			return filepath.Join(dir, r.Trajectory()), nil
		}
	}
	return "", fmt.Errorf("%s has no attempt %q (assay trajectories list %s)", dir, name, dir)
}

func (a *app) trajectoriesSearchCommand() *cobra.Command {
	o := &attemptFlags{}
	cmd := &cobra.Command{
		Use: "search FOLDER PATTERN", Short: "Find a regular expression in a run's trajectories", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			pattern, err := regexp.Compile(args[1])
			if err != nil {
				return fmt.Errorf("pattern %q: %w", args[1], err)
			}
			return a.searchTrajectories(args[0], *o, pattern)
		},
	}
	o.add(cmd)
	return cmd
}

func (a *app) searchTrajectories(dir string, o attemptFlags, pattern *regexp.Regexp) error {
	records, err := o.records(dir)
	if err != nil {
		return err
	}
	found, in := 0, 0
	for _, r := range records {
		if !r.Recorded {
			continue
		}
		t, err := readTrajectory(filepath.Join(dir, r.Trajectory()))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		lines := searchTrajectory(t, pattern)
		for _, l := range lines {
			fmt.Fprintf(a.stdout, "%s %s\n", r.Name(), l)
		}
		if found += len(lines); len(lines) > 0 {
			in++
		}
	}
	fmt.Fprintf(a.stdout, "%d lines in %d of %d attempts\n", found, in, len(records))
	return nil
}
