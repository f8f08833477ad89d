package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/attempts"
	"assay/bench"
	"assay/trajectory"
)

// trajectoryForms are what trajectories can be converted to, with the ending
// of their files.
func trajectoryForms() map[string]string {
	return map[string]string{"atif": ".json", "sweagent": ".traj", "inspect": ".json"}
}

func (a *app) trajectoriesConvertCommand() *cobra.Command {
	o := &attemptFlags{}
	var to, out string
	cmd := &cobra.Command{
		Use: "convert FOLDER --to sweagent -o FOLDER", Short: "Write a run's trajectories in another form", Args: cobra.ExactArgs(1),
		Long: `Writes the trajectories of a run's attempts in another form, a file for each:
KIND/TASK/N.traj (SWE-agent) or N.json (atif; inspect: a sample of an eval log).`,
		RunE: func(_ *cobra.Command, args []string) error {
			if trajectoryForms()[to] == "" {
				return fmt.Errorf("--to %q: expected atif, inspect or sweagent", to)
			}
			if out == "" {
				return errors.New("no output: give a folder with -o")
			}
			return a.convertTrajectories(args[0], out, to, *o)
		},
	}
	o.add(cmd)
	cmd.Flags().StringVar(&to, "to", "", "the form: atif, inspect or sweagent")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the folder to write to")
	secret(cmd.Flags(), "output")
	return cmd
}

func (a *app) convertTrajectories(dir, out, to string, o attemptFlags) error {
	records, err := o.records(dir)
	if err != nil {
		return err
	}
	n := 0
	for _, r := range records {
		if !r.Recorded {
			continue
		}
		data, err := converted(dir, r, to)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
		file := filepath.Join(out, r.Task, r.InstanceID, fmt.Sprint(r.Attempt)+trajectoryForms()[to])
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := bench.WriteAtomic(file, data); err != nil {
			return err
		}
		n++
	}
	fmt.Fprintf(a.stdout, "%d of %d attempts: %s\n", n, len(records), out)
	return nil
}

// converted is an attempt's trajectory in a form.
func converted(dir string, r attempts.Record, to string) ([]byte, error) {
	t, err := readTrajectory(filepath.Join(dir, r.Trajectory()))
	if err != nil {
		return nil, err
	}
	switch to {
	case "atif":
		return t.JSON()
	case "inspect":
		prompt, err := r.Prompt(dir)
		if err != nil {
			return nil, err
		}
		return t.Inspect(trajectory.Sample{
			ID: r.Task + "/" + r.InstanceID, Epoch: r.Attempt, Input: prompt, Metadata: map[string]any{"end": r.End, "agent": r.Agent, "version": r.Version},
		})
	}
	patch, err := r.Submission(dir)
	if err != nil {
		return nil, err
	}
	status := string(r.End)
	if r.End == "done" {
		status = "submitted"
	}
	return t.SWEAgent(trajectory.Ending{ExitStatus: status, Patch: patch})
}
