package main

import (
	"fmt"
	"strings"
	"time"

	"assay/harness"
)

// mostShown bounds the pieces of work that status lists.
const mostShown = 16

// status describes how far the batch is, and in a line each what is under
// way.
func (p *progress) status() []string {
	var counts []string
	for _, verdict := range sortedKeys(p.counts) {
		counts = append(counts, fmt.Sprintf("%d %s", p.counts[verdict], verdict))
	}
	head := fmt.Sprintf("%d of %d done", p.finished, p.total)
	if len(counts) > 0 {
		head += ": " + strings.Join(counts, ", ")
	}
	lines := []string{head + p.leftText() + p.tail}
	for i, x := range p.running {
		if i == mostShown {
			return append(lines, fmt.Sprintf("  and %d more", len(p.running)-i))
		}
		lines = append(lines, x.text())
	}
	return lines
}

// text is a piece of work in one line, with the time that its phase has taken.
func (x *piece) text() string {
	text := fmt.Sprintf("%8s  %s: %s%s", shortly(now().Sub(x.since)), x.name, x.doing(), x.figures.text())
	if x.line != "" {
		text += " | " + x.line
	}
	return text
}

// doing names the phase.
func (x *piece) doing() string {
	switch {
	case x.phase == "":
		return "starting"
	case x.about == "" || x.about == x.of:
		return string(x.phase)
	case x.phase == harness.Waiting:
		return "waiting for " + x.about
	}
	return string(x.phase) + " " + x.about
}

// shortly writes a time in whole seconds.
func shortly(d time.Duration) string { return d.Truncate(time.Second).String() }

// left estimates the time to go: from what these tasks took before, where
// that is known, else from the pace so far. It is not known before the first
// is finished.
func (p *progress) left() (time.Duration, bool) {
	rest := p.total - p.finished
	switch {
	case rest == 0:
		return 0, false
	case p.estimate > 0:
		seconds := p.estimate * float64(rest) / float64(p.total) / float64(max(p.jobs, 1))
		return time.Duration(seconds * float64(time.Second)), true
	case p.finished == p.already:
		return 0, false
	}
	each := now().Sub(p.started) / time.Duration(p.finished-p.already)
	return each * time.Duration(rest), true
}

func (p *progress) leftText() string {
	left, ok := p.left()
	if !ok {
		return ""
	}
	return fmt.Sprintf(", about %s left", left.Round(time.Second))
}
