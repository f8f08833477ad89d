package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/attempts"
	"assay/engine"
	"assay/harness"
	"assay/languages"
	"assay/llm"
	"assay/llm/prompts"
	"assay/llm/scripted"
	"assay/methods"
	"assay/proxy"
	"assay/samples"
	"assay/tasks"
)

// checkInstance is the sample that agents are tried on, and checkFile what the
// scripted model has them change.
const (
	checkInstance = "assay-samples__layercake-12"
	checkFile     = "README.md"
	checkMark     = " (checked by assay)"
)

// checkFlags are the flags of assay agents check.
type checkFlags struct {
	agent    agentFlags
	executor executorFlags
	provider string
	script   string
	output   string
}

func (a *app) agentsCheckCommand() *cobra.Command {
	o := &checkFlags{}
	cmd := &cobra.Command{
		Use: "check AGENT", Short: "Install an agent, and try it on a sample with a scripted model", Args: cobra.ExactArgs(1),
		Long: `Installs an agent and lets it try a sample with a scripted model on this machine, which
costs nothing: the model has it list files, read one and change it. Ends with code 1 where
the agent does not start, the change is not in its patch, or what it used was not counted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.agent.name = args[0]
			return a.checkAgent(cmd.Context(), *o)
		},
	}
	o.agent.addFolder(cmd)
	o.agent.addCommand(cmd)
	o.executor.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.provider, "provider", "", "whose protocol the scripted model speaks: openai, anthropic or gemini (default: the first that the agent can use)")
	f.StringVar(&o.script, "script", "", "what the model does instead, as a YAML file: a list of acts such as {shell: ls}, {read: FILE}, {edit: {path: , old: , new: }}, {status: 529}, {final: TEXT}")
	secret(f, "script")
	f.StringVarP(&o.output, "output", "o", "", "keep the attempt in this folder")
	secret(f, "output")
	return cmd
}

func (a *app) checkAgent(ctx context.Context, o checkFlags) error {
	agent, err := a.agent(ctx, o.agent)
	if err != nil {
		return err
	}
	modeled, ok := agent.(agents.Modeled)
	if !ok || speaks(agent) == "-" {
		return fmt.Errorf("%s uses no model: there is nothing to check that a run does not show", agent.Name())
	}
	provider, protocol, err := checkProvider(modeled, o.provider)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "assay-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	paths, err := samples.Write(ctx, dir)
	if err != nil {
		return err
	}
	if o.output == "" {
		o.output = dir + "/out"
	}
	if err := linkAll(o.executor.repos, paths.Repos); err != nil {
		return err
	}
	o.executor.repos = paths.Repos
	m, err := a.openMachine(ctx, o.executor, dir)
	if err != nil {
		return err
	}
	defer m.Close()
	fmt.Fprintf(a.stdout, "%s %s, with a scripted model of %s (%s)\n", agent.Name(), versionOf(agent), provider, protocol)
	c := check{app: a, agent: agent, provider: provider, machine: m, mark: checkMark}
	return c.run(ctx, o, paths.Dataset)
}

// linkAll links what a user's folder of mirrors has into the folder of the
// sample's, for agents that are installed from their repository.
func linkAll(from, into string) error {
	if from == "" {
		return nil
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("reading --repos: %w", err)
	}
	if from, err = filepath.Abs(from); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(into, e.Name())); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// checkProvider chooses the provider whose protocol the model speaks.
func checkProvider(agent agents.Modeled, asked string) (provider, protocol string, err error) {
	for _, p := range []string{"openai", "anthropic", "gemini"} {
		if asked != "" && asked != p {
			continue
		}
		if protocol, ok := agent.Protocol(p); ok {
			return p, protocol, nil
		}
	}
	if asked != "" {
		return "", "", fmt.Errorf("--provider %s: %s cannot talk to it", asked, agent.Name())
	}
	return "", "", fmt.Errorf("%s cannot talk to openai, anthropic or gemini", agent.Name())
}

// check is one trial of an agent.
type check struct {
	app      *app
	agent    agents.Agent
	provider string
	machine  *engine.Machine
	mark     string // in the patch; "" where the user's script decides
	submits  bool   // there must be a patch
	wrong    int
}

// checkModels are models of known prices.
func checkModels() map[string]string {
	return map[string]string{"openai": "gpt-5", "anthropic": "claude-sonnet-4-5", "gemini": "gemini-2.5-pro"}
}

func (c *check) run(ctx context.Context, o checkFlags, dataset string) error {
	list, task, err := c.task(ctx, dataset)
	if err != nil {
		return err
	}
	defer list.Close()
	script, err := c.script(ctx, task, o.script)
	if err != nil {
		return err
	}
	server, err := scripted.New(script)
	if err != nil {
		return err
	}
	defer server.Close()
	name := c.provider + "/" + checkModels()[c.provider]
	who := attempts.Identity{Agent: c.agent.Name(), Model: name}
	folder, err := attempts.OpenFolder(o.output, who)
	if err != nil {
		return err
	}
	defer folder.Close()
	prices, err := llm.LoadPrices("")
	if err != nil {
		return err
	}
	model := &agentModel{upstream: c.upstream(server.URL), model: checkModels()[c.provider], price: prices.Find(name)}
	set, err := prompts.Load("")
	if err != nil {
		return err
	}
	show := c.app.newRunProgress(false, false)
	r := &attempts.Runner{
		Agent: c.agent, Model: name, Machine: c.machine.Machine, Limits: harness.Limits{Time: 10 * time.Minute}, Folder: folder, Attempts: 1, Jobs: 1,
		TaskBudget: paperBudget, Watch: show, Sleep: harness.Sleep, Visible: engine.VisibleDigest, Again: attempts.Ends(),
		Prompt: c.app.promptOf(c.agent, set),
		Open:   model.opener(0, 0), Trajectory: trajectoryOf,
	}
	counts, err := r.Run(ctx, tasksOf(list))
	show.finish(counts, folder.Spent())
	if err != nil {
		return err
	}
	if _, err := writeOutcome(folder, who, []string{c.kind()}); err != nil {
		return err
	}
	return c.report(folder, server, model.price)
}

// kind is the kind of the task that the agent is tried on.
func (c *check) kind() string {
	if m, ok := c.agent.(methods.Agent); ok {
		return m.Method.About().Kinds[0]
	}
	return tasks.BugFix{}.Name()
}

// rehearsal has the model give the answers that the method knows for the sample.
func (c *check) rehearsal(m methods.Agent) (scripted.Script, error) {
	c.mark, c.submits = "", true
	known, ok := m.Method.(methods.Rehearser)
	if !ok {
		return scripted.Script{}, fmt.Errorf("%s has no answers to try it with: give some with --script", m.Name())
	}
	s := scripted.Script{InOrder: true}
	for _, text := range known.Rehearse() {
		s.Acts = append(s.Acts, scripted.Act{Say: text})
	}
	return s, nil
}

// task is the sample's task, a bug fix for agents that solve these.
func (c *check) task(ctx context.Context, dataset string) (*engine.TaskList, tasks.Task, error) {
	kinds, err := engine.KindsOf(c.app.parts.Kinds, []string{c.kind()}, false)
	if err != nil {
		return nil, tasks.Task{}, err
	}
	list, err := engine.ListTasks(ctx, c.app.parts, engine.Selection{Name: dataset, Path: dataset, Include: []string{checkInstance}}, kinds)
	if err != nil {
		return nil, tasks.Task{}, err
	}
	task, err := list.Load(0)
	return list, task, err
}

// script has the agent change the first line of a file, unless a file describes
// what the model does.
func (c *check) script(ctx context.Context, task tasks.Task, file string) (scripted.Script, error) {
	if file != "" {
		c.mark = ""
		return readScript(file)
	}
	if m, ok := c.agent.(methods.Agent); ok {
		return c.rehearsal(m)
	}
	bed, err := c.machine.Open(ctx, task.Instance)
	if err != nil {
		return scripted.Script{}, err
	}
	tree, _, err := bed.Tree(ctx, languages.Variant{Name: "check"}, checkFile)
	if err != nil {
		return scripted.Script{}, err
	}
	readme, err := tree.Read(checkFile)
	if err != nil {
		return scripted.Script{}, err
	}
	first, _, _ := strings.Cut(string(readme.Data), "\n")
	return scripted.Script{Dir: bed.Root(), Acts: []scripted.Act{
		{Say: "I look around.", Shell: "ls"},
		{Read: checkFile},
		{Say: "I change a line.", Edit: &scripted.Edit{Path: checkFile, Old: first, New: first + c.mark}},
		{Final: "Done."},
	}}, nil
}

// readScript reads what the model does. Relative paths in it are the
// repository's.
func readScript(file string) (scripted.Script, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return scripted.Script{}, err
	}
	script, err := scripted.Parse(data)
	if err != nil {
		return script, fmt.Errorf("%s: %w", file, err)
	}
	if script.Dir == "" {
		script.Dir = languages.Root
	}
	return script, nil
}

func (c *check) upstream(url string) proxy.Upstream {
	for _, p := range llm.Providers() {
		if p.Name == c.provider {
			if p.Protocol == llm.ProtocolOpenAI {
				url += "/v1"
			}
			return proxy.Upstream{Provider: p.Name, Protocol: p.Protocol, BaseURL: url, Key: llm.NewKey("sk-of-the-scripted-model")}
		}
	}
	return proxy.Upstream{}
}

// report prints what the attempt showed.
func (c *check) report(folder *attempts.Folder, server *scripted.Server, price llm.Price) error {
	records := folder.Records()
	if len(records) == 0 {
		return &codedError{exitGate, errors.New("the agent could not be run")}
	}
	r := records[0]
	patch, err := r.Submission(folder.Dir)
	if err != nil {
		return err
	}
	c.line(r.End == agents.Done, "end", "%s %s (exit code %d)", r.End, r.Detail, r.ExitCode)
	c.line(r.Calls > 0, "calls", "%d calls, %d tokens in, %d out", r.Calls, r.Tokens.Input, r.Tokens.Output)
	c.line(strings.Contains(patch, c.mark) && (patch != "" || !c.submits), "patch", "%d bytes, %d other paths left out", r.Patch, r.LeftOut)
	billed := price.Cost(server.Billed())
	c.line(r.CostUSD >= billed-1e-9 && r.CostUSD <= billed+1e-9, "cost", "$%.6f counted, $%.6f billed", r.CostUSD, billed)
	c.line(r.Recorded, "trajectory", "%s", r.Trajectory())
	fmt.Fprintf(c.app.stdout, "%.1f s: %s\n", r.Seconds, phases(r.Phases))
	if c.wrong > 0 {
		return &codedError{exitGate, fmt.Errorf("%d checks of %s failed", c.wrong, c.agent.Name())}
	}
	return nil
}

func (c *check) line(ok bool, name, format string, args ...any) {
	mark := "ok    "
	if !ok {
		mark = "FAILED"
		c.wrong++
	}
	fmt.Fprintf(c.app.stdout, "  %s  %-10s  %s\n", mark, name, printable(fmt.Sprintf(format, args...)))
}

func phases(seconds map[string]float64) string {
	var out []string
	for _, name := range sortedKeys(seconds) {
		out = append(out, fmt.Sprintf("%s %.1f", name, seconds[name]))
	}
	return strings.Join(out, ", ")
}
