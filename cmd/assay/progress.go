package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"assay/bench"
)

// progress tells how a batch goes: one line that is rewritten on a terminal,
// plain lines elsewhere, events with --json.
type progress struct {
	w         io.Writer
	mode      progressMode
	mu        sync.Mutex
	started   time.Time
	total     int
	already   int // judged by an earlier part of the run
	finished  int
	resolved  int
	estimate  float64 // seconds of all tasks, from earlier runs; 0 if unknown
	jobs      int
	lastWidth int
}

type progressMode int

const (
	plainLines progressMode = iota
	liveLine
	jsonEvents
	silent
)

func (a *app) newProgress(o evalOptions, total, todo int, estimate float64) *progress {
	p := &progress{w: a.stderr, started: now(), total: total, already: total - todo, finished: total - todo, estimate: estimate, jobs: o.jobs}
	switch {
	case o.quiet:
		p.mode = silent
	case o.json:
		p.mode = jsonEvents
	case isTerminal(a.stderr):
		p.mode = liveLine
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (p *progress) start(executor, dir string) {
	switch p.mode {
	case jsonEvents:
		p.event(map[string]any{"event": "start", "total": p.total, "finished": p.finished, "executor": executor, "run": dir})
	case plainLines, liveLine:
		fmt.Fprintf(p.w, "%d submissions on %s, %d at a time", p.total, executor, p.jobs)
		if p.finished > 0 {
			fmt.Fprintf(p.w, "; %d are judged already", p.finished)
		}
		fmt.Fprintf(p.w, "\n")
	}
}

// done tells of one result; it is called by one goroutine at a time.
func (p *progress) done(name string, r bench.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished++
	if r.Verdict == bench.Resolved {
		p.resolved++
	}
	seconds := 0.0
	if r.Timing != nil {
		seconds = r.Timing.Seconds
	}
	line := fmt.Sprintf("[%*d/%d] %-13s %s (%s) %.1fs", len(fmt.Sprint(p.total)), p.finished, p.total, r.Verdict, name, r.Model, seconds)
	switch p.mode {
	case jsonEvents:
		p.event(map[string]any{"event": "result", "task": r.Task, "instance_id": r.InstanceID, "model_name_or_path": r.Model,
			"verdict": r.Verdict, "reason": r.Reason, "seconds": seconds, "finished": p.finished, "total": p.total})
	case plainLines:
		fmt.Fprintf(p.w, "%s%s\n", line, p.left())
	case liveLine:
		line += p.left()
		fmt.Fprintf(p.w, "\r%-*s", p.lastWidth, line)
		p.lastWidth = len(line)
	}
	if p.mode != jsonEvents && p.mode != silent && !r.Verdict.Judged() {
		fmt.Fprintf(p.w, "\n      %s\n", r.Reason)
	}
}

// left estimates the time to go: from what these tasks took before, where
// that is known, else from the pace so far.
func (p *progress) left() string {
	rest := p.total - p.finished
	if rest == 0 {
		return ""
	}
	seconds := now().Sub(p.started).Seconds() / float64(max(p.finished-p.already, 1)) * float64(rest)
	if p.estimate > 0 {
		seconds = p.estimate * float64(rest) / float64(p.total) / float64(max(p.jobs, 1))
	}
	return fmt.Sprintf(", about %s left", time.Duration(seconds*float64(time.Second)).Round(time.Second))
}

func (p *progress) end() {
	switch p.mode {
	case liveLine:
		fmt.Fprintln(p.w)
	case jsonEvents:
		p.event(map[string]any{"event": "end", "finished": p.finished, "resolved": p.resolved, "seconds": now().Sub(p.started).Seconds()})
	}
}

func (p *progress) event(fields map[string]any) {
	if data, err := json.Marshal(fields); err == nil {
		fmt.Fprintf(p.w, "%s\n", data)
	}
}
