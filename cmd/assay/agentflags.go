package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/internal/registry"
)

// agentFlags name an agent.
type agentFlags struct{ name, dir, command, folder, from string }

// commandAgent is the agent that is a command of the user's, replayAgent the one
// that submits again what was submitted before.
const (
	commandAgent = "command"
	replayAgent  = "replay"
)

func (o *agentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.name, "agent", "a", "", "the agent (assay agents list)")
	o.addFolder(cmd)
	o.addCommand(cmd)
	cmd.Flags().StringVar(&o.from, "from", "", "with -a replay: a file of predictions, the folder of a run, or a folder of trajectories (*.traj)")
	secret(cmd.Flags(), "from")
}

func (o *agentFlags) addCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.command, "command", "", "with -a command: the agent is this shell command, with the prompt as standard input")
	f.StringVar(&o.folder, "command-folder", "", "with -a command: a folder that the command finds at $ASSAY_AGENT")
	secret(f, "command-folder")
}

func (o *agentFlags) addFolder(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.dir, "agents", "", "folder of descriptions of further agents (*.yaml); one of a known name replaces it")
	secret(cmd.Flags(), "agents")
}

// agents are all that the flags make known: those of the program, and those of
// the folder.
func (a *app) agents(o agentFlags) (*agents.Registry, error) {
	if o.dir == "" {
		return a.parts.Agents, nil
	}
	users, err := agents.Load(o.dir)
	if err != nil {
		return nil, err
	}
	all := a.parts.Agents.All()
	for _, c := range users {
		if i := slices.IndexFunc(all, func(have agents.Agent) bool { return have.Name() == c.Name() }); i >= 0 {
			all[i] = c
			continue
		}
		all = append(all, c)
	}
	return registry.New("agent", agents.Agent.Name, all...), nil
}

// agent is the one that the flags name.
func (a *app) agent(ctx context.Context, o agentFlags) (agents.Agent, error) {
	if o.name == "" && o.command != "" {
		o.name = commandAgent
	}
	switch {
	case o.name == "":
		return nil, errors.New("no agent: give one with -a (assay agents list)")
	case o.name != commandAgent && (o.command != "" || o.folder != ""):
		return nil, errors.New("--command and --command-folder are for -a command only")
	case o.name != replayAgent && o.from != "":
		return nil, errors.New("--from is for -a replay only")
	case o.name == commandAgent && o.command == "":
		return nil, errors.New("-a command: give the command with --command")
	case o.name == replayAgent && o.from == "":
		return nil, errors.New("-a replay: give the predictions or trajectories with --from")
	case o.name == commandAgent:
		return agents.Command(o.command, o.folder)
	case o.name == replayAgent:
		return agents.OpenReplay(ctx, o.from)
	}
	known, err := a.agents(o)
	if err != nil {
		return nil, err
	}
	return known.Lookup(o.name)
}
