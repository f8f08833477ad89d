package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/bench"
	"assay/llm"
	"assay/llm/prompts"
	"assay/methods"
	"assay/methods/fixer"
	"assay/tasks"
)

// methodFlags are for agents that are methods: they are part of assay, and their
// calls of the model are assay's own.
type methodFlags struct {
	settings       []string
	tests          []string
	fixes, shown   []string
	record, replay string
}

func (o *methodFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.settings, "set", nil, "a setting of the agent, as NAME=VALUE (assay agents show AGENT); may be repeated")
	f.StringSliceVar(&o.tests, "tests", nil, "with -a fixer: files of predictions for test generation, by which its samples are filtered")
	secret(f, "tests")
	f.StringSliceVar(&o.fixes, "fixes", nil, "with -a zeroshot, zeroshotplus or libro: files of predictions for bug fixing, one for an instance, which the prompt shows as a proposed fix")
	secret(f, "fixes")
	f.StringSliceVar(&o.shown, "test-files", nil, "with -a zeroshot, zeroshotplus or libro: files of predictions for test generation; the prompt shows the test files that they change")
	secret(f, "test-files")
	f.StringVar(&o.record, "record", "", "folder to record the agent's calls in")
	secret(f, "record")
	f.StringVar(&o.replay, "replay", "", "folder of recorded calls to answer the agent from; no model is asked")
	secret(f, "replay")
}

// set gives a method its prompts, settings, and predictions to work with. Other
// agents have none.
func (o methodFlags) set(ctx context.Context, agent agents.Agent, set prompts.Set) (agents.Agent, error) {
	m, ok := agent.(methods.Agent)
	switch {
	case !ok && (len(o.settings)+len(o.tests)+len(o.fixes)+len(o.shown) > 0 || o.record != "" || o.replay != ""):
		return nil, fmt.Errorf("--set, --tests, --fixes, --test-files, --record and --replay are for agents whose calls are assay's own; %s is none of them", agent.Name())
	case !ok:
		return agent, nil
	case o.record != "" && o.replay != "":
		return nil, errors.New("give --record or --replay, not both")
	}
	if len(o.tests) > 0 {
		var err error
		if m.Method, err = withTests(ctx, m.Method, o.tests); err != nil {
			return nil, err
		}
	}
	if len(o.fixes)+len(o.shown) > 0 {
		var err error
		if m.Method, err = withGiven(ctx, m.Method, o); err != nil {
			return nil, err
		}
	}
	settings, err := methods.ReadSettings(m.Method.About(), o.settings)
	m.Options = methods.Options{Prompts: set, Settings: settings, Replayed: o.replay != ""}
	return m, err
}

// withTests gives the fixer generated tests.
func withTests(ctx context.Context, m methods.Method, files []string) (methods.Method, error) {
	f, ok := m.(fixer.Fixer)
	if !ok {
		return nil, fmt.Errorf("--tests is for -a %s only", fixer.Fixer{}.About().Name)
	}
	suites, err := readAllSubmitted(ctx, files, tasks.TestGen{}.Name())
	if err != nil {
		return nil, err
	}
	f.Suites = map[string][]fixer.Suite{}
	h := sha256.New()
	for _, s := range suites {
		id := bench.NormaliseID(s.InstanceID)
		f.Suites[id] = append(f.Suites[id], fixer.Suite{Model: s.Model, Patch: s.Patch})
		fmt.Fprintf(h, "%q %q %q\n", id, s.Model, s.Patch)
	}
	if len(f.Suites) == 0 {
		return nil, fmt.Errorf("--tests %s: there is no prediction for test generation in it", strings.Join(files, ","))
	}
	f.Source = hex.EncodeToString(h.Sum(nil))
	return f, nil
}

// remembering puts cache, record or replay around a method's calls.
func (a *app) remembering(o methodFlags, agent agents.Agent, model *agentModel) (agents.Agent, error) {
	m, ok := agent.(methods.Agent)
	if !ok {
		return agent, nil
	}
	if o.replay != "" {
		m.Options.Around = func(llm.Client) llm.Client { return llm.Replay(o.replay) }
		return m, nil
	}
	dir, err := a.cacheDir()
	if err != nil {
		return nil, err
	}
	m.Options.Around = func(c llm.Client) llm.Client {
		c = llm.Cache(c, llm.CacheOptions{Dir: filepath.Join(dir, "llm"), BaseURL: model.upstream.BaseURL, WholeOnly: true})
		if o.record != "" { // also what the cache knows: the folder is to be whole
			c = llm.Record(c, o.record)
		}
		return c
	}
	return m, nil
}

// promptOf is what an agent is asked. Methods write their own prompts.
func (a *app) promptOf(agent agents.Agent, set prompts.Set) func(tasks.Task) (string, error) {
	return func(t tasks.Task) (string, error) {
		if _, ok := agent.(methods.Agent); ok {
			return "", nil
		}
		return a.parts.Prompt(set, t)
	}
}

// showMethod prints what a user can change of a method.
func (a *app) showMethod(about methods.About) {
	for _, s := range about.Settings {
		fmt.Fprintf(a.stdout, "--set %s=%g  # %g to %g: %s\n", s.Name, s.Default, s.Least, s.Most, s.What)
	}
	for _, p := range about.Prompts {
		fmt.Fprintf(a.stdout, "# --prompts FOLDER may have %s.tmpl\n", p)
	}
}
