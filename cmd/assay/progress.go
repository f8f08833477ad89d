package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"assay/harness"
)

// progress shows how a batch goes and what is under way: lines that are
// rewritten on a terminal, plain lines elsewhere, events with --json.
type progress struct {
	w    io.Writer
	mode progressMode

	mu       sync.Mutex
	screen   screen
	started  time.Time
	said     time.Time // when something was last written
	total    int
	already  int // finished by an earlier part of the run
	finished int
	counts   map[string]int // of what was finished now and before, by verdict
	tail     string         // of the status' first line: what the work has cost
	estimate float64        // seconds of all tasks, from earlier runs; 0 if unknown
	jobs     int
	running  []*piece // in the order in which they began
	stop     chan struct{}
	stopped  sync.WaitGroup
}

// piece is one thing that is being worked on.
type piece struct {
	name  string
	of    string // the instance
	began time.Time
	phase harness.Phase
	about string // what the phase is about
	since time.Time
	line  string // last printed
	// figures are what the work came to so far; nil where there are none.
	figures *figures
}

type progressMode int

const (
	plainLines progressMode = iota
	liveLines
	jsonEvents
	silent
)

const (
	// quietest is how long a run that is not a terminal's says nothing; the
	// tick comes on top.
	quietest = 25 * time.Second
	tick     = time.Second
	// liveTick is how often lines on a terminal are rewritten.
	liveTick = 200 * time.Millisecond
)

// newProgress shows a batch of total things of which todo are left.
func newProgress(w io.Writer, mode progressMode, total, todo, jobs int) *progress {
	p := &progress{
		w: w, mode: mode, started: now(), said: now(), total: total, already: total - todo, finished: total - todo,
		jobs: jobs, counts: map[string]int{}, stop: make(chan struct{}),
	}
	if mode == plainLines && isTerminal(w) {
		p.mode = liveLines
	}
	p.screen = screen{w: w}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// run keeps what is shown up to date until end is called.
func (p *progress) run() {
	every := tick
	switch p.mode {
	case silent:
		return
	case liveLines:
		every = liveTick
	}
	p.stopped.Go(func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				p.tick()
			case <-p.stop:
				return
			}
		}
	})
}

// end clears what is not to stay. Nothing is under way any more.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.clear()
}

// tick rewrites the lines of a terminal; elsewhere it speaks when nothing was
// said for long.
func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.mode == liveLines:
		p.screen.draw(p.status())
	case now().Sub(p.said) < quietest:
	case p.mode == jsonEvents:
		p.event(p.statusEvent())
	default:
		p.write(p.status())
	}
}

// begin says that something is being worked on. What is done under the
// context that it returns is shown until ended is called.
func (p *progress) begin(ctx context.Context, name, of string) (work context.Context, ended func()) {
	return p.beginPiece(ctx, &piece{name: name, of: of, began: now(), since: now()})
}

func (p *progress) beginPiece(ctx context.Context, x *piece) (work context.Context, ended func()) {
	p.mu.Lock()
	p.running = append(p.running, x)
	p.mu.Unlock()
	work = harness.Observe(ctx, func(e harness.Event) { p.observe(x, e) })
	return work, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i := range p.running {
			if p.running[i] == x {
				p.running = append(p.running[:i], p.running[i+1:]...)
				return
			}
		}
	}
}

// observe notes what is being done. That an environment is made takes long,
// and is said at once; other phases are in the events only.
func (p *progress) observe(x *piece, e harness.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Phase == "" {
		x.line = e.Line
		return
	}
	x.phase, x.about, x.since, x.line = e.Phase, e.Name, now(), ""
	switch {
	case p.mode == jsonEvents:
		p.event(map[string]any{"event": "phase", "name": x.name, "instance_id": x.of, "phase": x.phase, "about": x.about})
	case p.mode == plainLines && (e.Phase == harness.Installing || e.Phase == harness.Building):
		p.write([]string{"  " + x.name + ": " + x.doing()})
	}
}

// count notes that one more is finished, and as what; "" where that is all
// there is to say.
func (p *progress) count(as string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished++
	if as != "" {
		p.counts[as]++
	}
}

// say writes lines that stay, or with --json the event that means the same.
func (p *progress) say(event map[string]any, lines ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.mode {
	case jsonEvents:
		p.event(event)
	case plainLines, liveLines:
		p.write(lines)
	}
}

// aside lets something else write to the terminal.
func (p *progress) aside(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.clear()
	do()
	p.said = now()
}

func (p *progress) write(lines []string) {
	p.screen.clear()
	for _, l := range lines {
		fmt.Fprintln(p.w, l)
	}
	p.said = now()
}

func (p *progress) event(fields map[string]any) {
	if data, err := json.Marshal(fields); err == nil {
		fmt.Fprintf(p.w, "%s\n", data)
	}
	p.said = now()
}

// statusEvent is what status says.
func (p *progress) statusEvent() map[string]any {
	e := map[string]any{"event": "status", "finished": p.finished, "total": p.total, "verdicts": maps.Clone(p.counts)}
	if left, ok := p.left(); ok {
		e["seconds_left"] = left.Seconds()
	}
	running := []map[string]any{}
	for _, x := range p.running {
		one := map[string]any{
			"name": x.name, "instance_id": x.of, "phase": x.phase, "about": x.about, "line": x.line,
			"seconds": now().Sub(x.began).Seconds(), "phase_seconds": now().Sub(x.since).Seconds(),
		}
		x.figures.addTo(one)
		running = append(running, one)
	}
	e["running"] = running
	return e
}
