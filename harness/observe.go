package harness

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Phase is what is being done for a caller.
type Phase string

// The phases that drivers report. Callers may report more.
const (
	Waiting    Phase = "waiting"    // for another that makes the same layer
	Installing Phase = "installing" // makes a layer of tools
	Building   Phase = "building"   // makes a layer that holds sources
)

// Event is what an observer receives.
type Event struct {
	// Phase began; where it is empty, a line was printed in the present one.
	Phase Phase
	Name  string // what the phase is about: a layer, a repository, a run
	Line  string // the last line printed: printable characters only
}

type observerKey struct{}

// Observe returns a context whose observer receives what is done under it, in
// addition to observers that ctx has already. It is called by many goroutines
// at once and must return soon.
func Observe(ctx context.Context, observer func(Event)) context.Context {
	if above := observerOf(ctx); above != nil {
		own := observer
		observer = func(e Event) { above(e); own(e) }
	}
	return context.WithValue(ctx, observerKey{}, observer)
}

func observerOf(ctx context.Context) func(Event) {
	observer, _ := ctx.Value(observerKey{}).(func(Event))
	return observer
}

// Notify passes an event to the context's observer, if there is one.
func Notify(ctx context.Context, phase Phase, name string) {
	if observer := observerOf(ctx); observer != nil {
		observer(Event{Phase: phase, Name: name})
	}
}

// NotifyLayer reports that a layer is being made.
func NotifyLayer(ctx context.Context, r Recipe) {
	phase := Installing
	if len(r.Archives) > 0 {
		phase = Building
	}
	Notify(ctx, phase, r.Name)
}

// Lines returns a writer that passes the last line written to it to the
// context's observer. It never fails.
func Lines(ctx context.Context) io.Writer {
	observer := observerOf(ctx)
	if observer == nil {
		return io.Discard
	}
	return &lines{observer: observer, escapes: escapes()}
}

// lineBytes bounds what is reported of a line.
const lineBytes = 512

// escapes matches the sequences that terminals act on.
func escapes() *regexp.Regexp {
	return regexp.MustCompile(`\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-_])`)
}

type lines struct {
	observer func(Event)
	escapes  *regexp.Regexp
	mu       sync.Mutex
	recent   []byte
	said     string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(p) >= lineBytes {
		l.recent = append(l.recent[:0], p[len(p)-lineBytes:]...)
	} else {
		l.recent = append(l.recent, p...)
		l.recent = l.recent[max(0, len(l.recent)-lineBytes):]
	}
	if line := l.last(); line != "" && line != l.said {
		l.said = line
		l.observer(Event{Line: line})
	}
	return len(p), nil
}

// last returns the last line with visible text. A carriage return begins a
// line too, as tools rewrite lines with it.
func (l *lines) last() string {
	for b := l.recent; len(b) > 0; {
		cut := bytes.LastIndexAny(b, "\r\n")
		if line := l.printable(b[cut+1:]); line != "" {
			return line
		}
		b = b[:max(cut, 0)]
	}
	return ""
}

// printable drops what would move a terminal's cursor or change its colors.
func (l *lines) printable(b []byte) string {
	b = l.escapes.ReplaceAll(b, nil)
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, strings.ToValidUTF8(string(b), ""))
	return strings.TrimSpace(text)
}
