package main

import (
	"fmt"
	"slices"

	"assay/agents"
	"assay/attempts"
	"assay/llm"
	"assay/proxy"
)

// agentModel is the model that an agent is given.
type agentModel struct {
	upstream proxy.Upstream
	model    string // as the provider calls it
	price    llm.Price
}

// agentModel finds key, base URL and price of the model that the agent is to
// use; nil where it is given none.
func (a *app) agentModel(o runFlags, agent agents.Agent) (*agentModel, error) {
	modeled, can := agent.(agents.Modeled)
	switch {
	case !can && o.model != "":
		return nil, fmt.Errorf("-m %s: %s uses no model", o.model, agent.Name())
	case o.model == "" && needsModel(agent):
		return nil, fmt.Errorf("no model: %s needs one, give it with -m PROVIDER/MODEL", agent.Name())
	case o.model == "":
		return nil, nil
	}
	provider, model, err := llm.ParseModel(o.model)
	if err != nil || o.method.replay != "" {
		return nil, err
	}
	protocol, ok := modeled.Protocol(provider)
	if !ok && slices.Contains(llm.ProviderNames(), provider) { // before a key is asked for, which would not help
		return nil, fmt.Errorf("-m %s: %s cannot talk to %s", o.model, agent.Name(), provider)
	}
	dotenv, err := llm.LoadDotenv(".env")
	if err != nil {
		return nil, err
	}
	settings, err := llm.Resolve(a.getenv, dotenv, o.model)
	if err != nil {
		return nil, err
	}
	if o.seed != 0 && !proxy.HasSeed(protocol) {
		return nil, fmt.Errorf("--seed: %s talks to %s by %s, which has no seeds", agent.Name(), provider, protocol)
	}
	for _, w := range settings.Warnings {
		fmt.Fprintf(a.stderr, "assay: %s\n", w)
	}
	prices, err := llm.LoadPrices(o.prices)
	if err != nil {
		return nil, err
	}
	m := &agentModel{upstream: proxy.UpstreamOf(settings), model: model, price: prices.Find(o.model)}
	if !m.price.Known && (o.budget > 0 || o.taskBudget > 0) {
		return nil, fmt.Errorf("no price for %s: add it to a file for --prices, or give --task-budget 0 and no --budget", o.model)
	}
	return m, nil
}

// needsModel reports whether an agent cannot do without a model.
func needsModel(agent agents.Agent) bool {
	if may, ok := agent.(interface{ NeedsModel() bool }); ok {
		return may.NeedsModel()
	}
	_, needs := agent.(agents.Modeled)
	return needs
}

// opener opens sessions that share the run's budget, of which a part may be
// spent already.
func (m *agentModel) opener(budget, spent float64) func(attempts.SessionOptions) (attempts.Session, error) {
	ledger := proxy.NewLedger(budget)
	ledger.Add(spent)
	return func(o attempts.SessionOptions) (attempts.Session, error) {
		s, err := proxy.Open(proxy.Options{
			Upstream: m.upstream, Model: m.model, Price: m.price, Limit: o.Limit, Seed: o.Seed, Ledger: ledger, Record: o.Record,
			Observe: func(t proxy.Totals) { o.Observe(totalsOf(t)) },
		})
		if err != nil {
			return nil, err
		}
		return session{s}, nil
	}
}

// session is a session of the proxy as attempts use it.
type session struct{ *proxy.Session }

// Close implements attempts.Session.
func (s session) Close() attempts.Totals { return totalsOf(s.Session.Close()) }

// totalsOf converts the sums; the ends of proxy and attempts have the same names.
func totalsOf(t proxy.Totals) attempts.Totals {
	return attempts.Totals{
		Calls: int(t.Calls), Input: int(t.Prompt), Cached: int(t.Cached), Output: int(t.Completion), USD: t.USD, Estimated: t.Estimated,
		End: attempts.SessionEnd(t.End), Cause: t.Cause,
	}
}
