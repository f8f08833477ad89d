package main

import (
	"context"
	"fmt"
	"io"

	"assay/bench"
	"assay/engine"
	"assay/tasks"
)

// evalProgress shows how judging goes. It implements engine.Progress.
type evalProgress struct {
	*progress // nil until Start
	w         io.Writer
	mode      progressMode
}

func (a *app) newEvalProgress(o evalFlags) *evalProgress {
	p := &evalProgress{w: a.stderr, mode: plainLines}
	switch {
	case o.quiet:
		p.mode = silent
	case o.json:
		p.mode = jsonEvents
	}
	return p
}

// Start describes what is to be judged, and from then on what is under way.
func (p *evalProgress) Start(s engine.Start) {
	p.prepare(s)
	p.announce(s)
}

// prepare counts the results of an earlier part of the run.
func (p *evalProgress) prepare(s engine.Start) {
	p.progress = newProgress(p.w, p.mode, s.Total, s.Todo, s.Jobs)
	p.estimate = s.Estimate
	for verdict, n := range s.Known.Total.Verdicts {
		p.counts[string(verdict)] += n
	}
}

func (p *evalProgress) announce(s engine.Start) {
	line := fmt.Sprintf("%d submissions on %s, %d at a time", p.total, s.Executor, p.jobs)
	if p.finished > 0 {
		line += fmt.Sprintf("; %d are already judged", p.finished)
	}
	p.say(map[string]any{"event": "start", "total": p.total, "finished": p.finished, "executor": s.Executor, "run": s.Folder}, line)
	p.run()
}

// Begin shows an item while it is being judged.
func (p *evalProgress) Begin(ctx context.Context, i tasks.Item) (context.Context, func()) {
	name := i.Name
	if i.Model != "" {
		name += " (" + i.Model + ")"
	}
	return p.begin(ctx, name, i.Instance)
}

// Result shows one result.
func (p *evalProgress) Result(name string, r bench.Result) {
	p.count(string(r.Verdict))
	seconds := 0.0
	if r.Timing != nil {
		seconds = r.Timing.Seconds
	}
	line := fmt.Sprintf("[%*d/%d] %-13s %s (%s) %.1fs", len(fmt.Sprint(p.total)), p.finished, p.total, r.Verdict, name, r.Model, seconds)
	if p.progress.mode != liveLines {
		line += p.leftText()
	}
	lines := []string{line}
	if !r.Verdict.Judged() {
		lines = append(lines, "      "+r.Reason)
	}
	p.say(map[string]any{"event": "result", "task": r.Task, "instance_id": r.InstanceID, "model_name_or_path": r.Model,
		"verdict": r.Verdict, "reason": r.Reason, "seconds": seconds, "finished": p.finished, "total": p.total}, lines...)
}

// finish says that the batch is over.
func (p *evalProgress) finish() {
	if p.progress == nil {
		return
	}
	p.end()
	if p.progress.mode == jsonEvents {
		p.say(map[string]any{"event": "end", "finished": p.finished, "resolved": p.counts[string(bench.Resolved)], "verdicts": p.counts,
			"seconds": now().Sub(p.started).Seconds()})
	}
}
