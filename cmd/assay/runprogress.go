package main

import (
	"context"
	"fmt"
	"io"

	"github.com/docker/go-units"

	"assay/attempts"
)

// figures are what an attempt came to so far.
type figures struct{ attempts.Totals }

// text is nothing before the first call.
func (f *figures) text() string {
	if f == nil || f.Calls == 0 {
		return ""
	}
	return fmt.Sprintf(", %d steps, $%.4f, %s tokens in, %s out", f.Calls, f.USD, shortNumber(f.Input), shortNumber(f.Output))
}

// addTo adds the figures to an event.
func (f *figures) addTo(event map[string]any) {
	if f == nil {
		return
	}
	event["steps"], event["cost_usd"] = f.Calls, f.USD
	event["tokens"] = map[string]int{"input": f.Input, "cached": f.Cached, "output": f.Output}
}

// shortNumber writes a number of tokens as people do: 950, 12.3k, 1.5M.
func shortNumber(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return units.CustomSize("%.4g%s", float64(n), 1000, []string{"", "k", "M", "G"})
}

// runProgress shows how attempts go. It implements attempts.Progress.
type runProgress struct {
	*progress // nil until Start
	w         io.Writer
	mode      progressMode
	budget    float64
	spent     float64             // by tries that have ended
	running   map[*figures]string // of those under way
}

func (a *app) newRunProgress(json, quiet bool) *runProgress {
	p := &runProgress{w: a.stderr, mode: plainLines, running: map[*figures]string{}}
	switch {
	case quiet:
		p.mode = silent
	case json:
		p.mode = jsonEvents
	}
	return p
}

// Start implements attempts.Progress.
func (p *runProgress) Start(s attempts.Start) {
	p.progress = newProgress(p.w, p.mode, s.Total, s.Todo, s.Jobs)
	p.budget, p.spent = s.Budget, s.Spent
	for end, n := range s.Ends {
		p.counts[string(end)] = n
	}
	p.sumUp()
	line := fmt.Sprintf("%d attempts, %d at a time", s.Total, s.AtOnce())
	if s.AtOnce() < s.Jobs {
		line += fmt.Sprintf(" (of -j %d: the budget pays for no more, at $%g each)", s.Jobs, s.TaskBudget)
	}
	if s.Total > s.Todo {
		line += fmt.Sprintf("; %d are already finished", s.Total-s.Todo)
	}
	if s.Spent > 0 {
		line += fmt.Sprintf("; $%.4f was spent before", s.Spent)
	}
	p.say(map[string]any{"event": "start", "total": s.Total, "finished": s.Total - s.Todo, "spent_usd": s.Spent, "budget_usd": s.Budget}, line)
	p.run()
}

// Begin implements attempts.Progress.
func (p *runProgress) Begin(ctx context.Context, attempt, instance string) (context.Context, func(attempts.Totals), func()) {
	f := &figures{}
	ctx, ended := p.beginPiece(ctx, &piece{name: attempt, of: instance, began: now(), since: now(), figures: f})
	p.mu.Lock()
	p.running[f] = attempt
	p.mu.Unlock()
	show := func(t attempts.Totals) {
		p.mu.Lock()
		defer p.mu.Unlock()
		f.Totals = t
		p.sumUp()
	}
	return ctx, show, func() {
		ended()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, f)
	}
}

// sumUp writes what all attempts have spent, those under way included.
func (p *runProgress) sumUp() {
	usd := p.spent
	for f := range p.running {
		usd += f.USD
	}
	switch {
	case p.budget > 0:
		p.tail = fmt.Sprintf("; $%.4f of $%.4f", usd, p.budget)
	case usd > 0:
		p.tail = fmt.Sprintf("; $%.4f", usd)
	}
}

// Tried implements attempts.Progress.
func (p *runProgress) Tried(r attempts.Record, again bool) {
	p.mu.Lock()
	p.spent += r.CostUSD
	p.sumUp()
	p.mu.Unlock()
	if !again && r.Finished {
		p.count(string(r.End))
	}
	name := r.Task + "/" + r.InstanceID
	if r.Attempt > 1 {
		name += fmt.Sprintf("#%d", r.Attempt)
	}
	line := fmt.Sprintf("[%*d/%d] %-14s %s %.1fs", len(fmt.Sprint(p.total)), p.done(), p.total, r.End, name, r.Seconds)
	if r.Calls > 0 {
		line += fmt.Sprintf(", %d steps, $%.4f, %s tokens in, %s out", r.Steps, r.CostUSD, shortNumber(r.Tokens.Input), shortNumber(r.Tokens.Output))
	}
	line += fmt.Sprintf(", patch of %d bytes", r.Patch)
	lines := []string{line}
	if r.Detail != "" { // also of one that is done: its patch may be unusable
		lines = append(lines, "      "+snippet(r.Detail))
	}
	if again {
		lines = append(lines, "      it is tried again")
	}
	p.say(map[string]any{
		"event": "attempt", "task": r.Task, "instance_id": r.InstanceID, "attempt": r.Attempt, "finished_attempt": r.Finished, "end": r.End, "detail": r.Detail,
		"again": again, "steps": r.Steps, "cost_usd": r.CostUSD, "tokens": r.Tokens, "seconds": r.Seconds, "patch_bytes": r.Patch, "finished": p.done(), "total": p.total,
	}, lines...)
}

// Left implements attempts.Progress. How many were left is said at the end.
func (p *runProgress) Left(attempt string) {
	p.say(map[string]any{"event": "left", "attempt": attempt})
}

// Broken implements attempts.Progress.
func (p *runProgress) Broken(task string, err error) {
	p.say(map[string]any{"event": "broken", "task": task, "detail": err.Error()}, "      "+task+" cannot be given to the agent: "+snippet(err.Error()))
}

// done is how many attempts are finished.
func (p *runProgress) done() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.finished
}

// finish says that the run is over.
func (p *runProgress) finish(c attempts.Counts, spent float64) {
	if p.progress == nil {
		return
	}
	p.end()
	if p.progress.mode == jsonEvents {
		p.say(map[string]any{"event": "end", "finished": c.Finished, "failed": c.Failed, "left": c.Left, "total": c.Total, "ends": p.counts,
			"spent_usd": spent, "seconds": now().Sub(p.started).Seconds()})
	}
}
