package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// screen keeps the last lines of a terminal up to date.
type screen struct {
	w     io.Writer
	drawn int // lines below which the cursor is
}

// eraseBelow erases from the cursor to the end of the screen.
const eraseBelow = "\x1b[J"

// draw replaces the lines. Each is cut to the terminal's width, and there are
// never more than it is high: what has scrolled away cannot be rewritten.
func (s *screen) draw(lines []string) {
	width, height := s.size()
	lines = lines[:min(len(lines), max(height-1, 1))]
	var b strings.Builder
	b.WriteString(s.back())
	for _, l := range lines {
		fmt.Fprintln(&b, text.Snip(l, max(width-1, 1), "…"))
	}
	s.drawn = len(lines)
	_, _ = io.WriteString(s.w, b.String())
}

// clear takes the lines away.
func (s *screen) clear() {
	if s.drawn > 0 {
		_, _ = io.WriteString(s.w, s.back())
		s.drawn = 0
	}
}

func (s *screen) back() string {
	if s.drawn == 0 {
		return ""
	}
	return text.CursorUp.Sprintn(s.drawn) + "\r" + eraseBelow
}

// size is the terminal's, or a usual one where it does not report it.
func (s *screen) size() (width, height int) {
	if f, ok := s.w.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}
