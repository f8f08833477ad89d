package main

import (
	"context"
	"fmt"

	"assay/bench"
	"assay/report"
	"assay/tasks"
)

// evalProgress shows how judging goes.
type evalProgress struct{ *progress }

func (a *app) newEvalProgress(o evalOptions, total, todo int, estimate float64) evalProgress {
	mode := plainLines
	switch {
	case o.quiet:
		mode = silent
	case o.json:
		mode = jsonEvents
	}
	p := evalProgress{newProgress(a.stderr, mode, total, todo, o.jobs)}
	p.estimate = estimate
	return p
}

// start says what is to be judged, and from then on what is under way.
func (p evalProgress) start(executor, dir string) {
	line := fmt.Sprintf("%d submissions on %s, %d at a time", p.total, executor, p.jobs)
	if p.finished > 0 {
		line += fmt.Sprintf("; %d are judged already", p.finished)
	}
	p.say(map[string]any{"event": "start", "total": p.total, "finished": p.finished, "executor": executor, "run": dir}, line)
	p.run()
}

// watch shows an item while it is being judged.
func (p evalProgress) watch(ctx context.Context, i tasks.Item) (context.Context, func()) {
	name := i.Name
	if i.Model != "" {
		name += " (" + i.Model + ")"
	}
	return p.begin(ctx, name, i.Instance)
}

// known counts the results of an earlier part of the run.
func (p evalProgress) known(s *report.Summary) {
	for verdict, n := range s.Total.Verdicts {
		p.counts[string(verdict)] += n
	}
}

// done tells of one result.
func (p evalProgress) done(name string, r bench.Result) {
	p.count(string(r.Verdict))
	seconds := 0.0
	if r.Timing != nil {
		seconds = r.Timing.Seconds
	}
	line := fmt.Sprintf("[%*d/%d] %-13s %s (%s) %.1fs", len(fmt.Sprint(p.total)), p.finished, p.total, r.Verdict, name, r.Model, seconds)
	if p.mode != liveLines {
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
func (p evalProgress) finish() {
	p.end()
	if p.mode == jsonEvents {
		p.say(map[string]any{"event": "end", "finished": p.finished, "resolved": p.counts[string(bench.Resolved)], "verdicts": p.counts,
			"seconds": now().Sub(p.started).Seconds()})
	}
}
