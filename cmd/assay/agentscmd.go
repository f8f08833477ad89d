package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"assay/agents"
	"assay/methods"
)

func (a *app) agentsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List agents, show what is known of one, and try one",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.agentsListCommand(), a.agentsShowCommand(), a.agentsCheckCommand())
	return cmd
}

func (a *app) agentsListCommand() *cobra.Command {
	o := &agentFlags{}
	cmd := &cobra.Command{
		Use: "list", Short: "List the agents that assay run knows", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.listAgents(*o) },
	}
	o.addFolder(cmd)
	return cmd
}

func (a *app) listAgents(o agentFlags) error {
	known, err := a.agents(o)
	if err != nil {
		return err
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"agent", "version", "models by", "kinds", "what it is"})
	for _, agent := range known.All() {
		t.AppendRow(table.Row{agent.Name(), versionOf(agent), speaks(agent), a.kindsText(agent), titleOf(agent)})
	}
	t.AppendRow(table.Row{commandAgent, "", "chat, messages, generate, or none", "all", "a shell command of yours (--command)"})
	t.AppendRow(table.Row{replayAgent, "", "-", "all", titleOf(agents.Replay{})})
	fmt.Fprintln(a.stdout, t.Render())
	return nil
}

func versionOf(agent agents.Agent) string {
	if c, ok := agent.(agents.CLI); ok {
		return c.Adapter.Version
	}
	return ""
}

// speaks are the protocols in which an agent talks to models.
func speaks(agent agents.Agent) string {
	if _, ok := agent.(methods.Agent); ok {
		return "chat, messages, generate"
	}
	c, ok := agent.(agents.CLI)
	if !ok || len(c.Adapter.Speaks) == 0 {
		return "-"
	}
	var names []string
	for _, s := range c.Adapter.Speaks {
		if !slices.Contains(names, s.Protocol) {
			names = append(names, s.Protocol)
		}
	}
	return strings.Join(names, ", ")
}

// kindsText names the kinds of task that an agent solves.
func (a *app) kindsText(agent agents.Agent) string {
	var names []string
	for _, k := range a.parts.Kinds.All() {
		if agent.Solves(k) {
			names = append(names, k.Name())
		}
	}
	if len(names) == len(a.parts.Kinds.Names()) {
		return "all"
	}
	return strings.Join(names, ", ")
}

// titleOf describes an agent.
func titleOf(agent agents.Agent) string {
	switch c := agent.(type) {
	case agents.CLI:
		return c.Adapter.Title
	case methods.Agent:
		return c.Title()
	}
	return map[string]string{
		agents.Autofix: "the linters' own fixers", "gold": "the tasks' own answers", "empty": "no answer", replayAgent: "what was submitted before (--from)",
	}[agent.Name()]
}

func (a *app) agentsShowCommand() *cobra.Command {
	o := &agentFlags{}
	cmd := &cobra.Command{
		Use: "show AGENT", Short: "Print the description of an agent", Args: cobra.ExactArgs(1),
		Long: "Prints how an agent is installed and called, in the form of a file for --agents:\na copy with changes is an agent of your own.",
		RunE: func(_ *cobra.Command, args []string) error { return a.showAgent(*o, args[0]) },
	}
	o.addFolder(cmd)
	return cmd
}

func (a *app) showAgent(o agentFlags, name string) error {
	agent, err := a.described(o, name)
	if err != nil {
		return err
	}
	c, ok := agent.(agents.CLI)
	if !ok {
		fmt.Fprintf(a.stdout, "# %s is part of assay: %s\n", name, titleOf(agent))
		if m, ok := agent.(methods.Agent); ok {
			a.showMethod(m.Method.About())
		}
		return nil
	}
	out, err := yaml.MarshalWithOptions(c.Adapter, yaml.OmitEmpty(), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(out)
	return err
}

// described is an agent of the list by its name. Agents that depend on other flags
// are listed without them.
func (a *app) described(o agentFlags, name string) (agents.Agent, error) {
	switch name {
	case commandAgent:
		return agents.Command("the shell command of --command", "")
	case replayAgent:
		return agents.Replay{}, nil
	}
	known, err := a.agents(o)
	if err != nil {
		return nil, err
	}
	return known.Lookup(name)
}
