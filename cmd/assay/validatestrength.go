package main

import (
	"fmt"
	"io"
	"strings"

	"assay/bench"
	"assay/tasks"
)

// listStrengths prints what was measured of the hidden tests.
func listStrengths(w io.Writer, found []tasks.Validation) {
	for _, v := range found {
		if v.HiddenTests == nil {
			continue
		}
		for _, line := range strengthLines(*v.HiddenTests) {
			fmt.Fprintf(w, "hidden tests: %s: %s\n", v.InstanceID, line)
		}
	}
}

func strengthLines(s tasks.Strength) []string {
	var lines []string
	if c := s.Coverage; c != nil {
		lines = append(lines, fmt.Sprintf("cover %d of %d executable lines of the gold patch", c.Removed.Covered+c.Added.Covered, c.Removed.Executable+c.Added.Executable))
		if len(c.Missed) > 0 {
			lines = append(lines, "never run "+shortened(c.Missed))
		}
	}
	if s.Problem != "" {
		lines = append(lines, s.Problem)
	}
	lines = append(lines, fmt.Sprintf("kill %d of %d eligible bad patches", len(s.Killed), len(s.Eligible)))
	for _, b := range s.Survivors {
		lines = append(lines, survivorLine(b))
	}
	return lines
}

func survivorLine(b bench.Survivor) string {
	switch {
	case b.Reached == nil:
		return fmt.Sprintf("bad patch %d survives: whether they run what it changes was not measured", b.Index)
	case len(b.Reached) == 0:
		return fmt.Sprintf("bad patch %d survives: they do not run what it changes", b.Index)
	}
	return fmt.Sprintf("bad patch %d survives though they run %s: no assertion sees it", b.Index, shortened(b.Reached))
}

// shortened joins the first of a list.
func shortened(list []string) string {
	if len(list) <= shownDifferences {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:shownDifferences], ", "), len(list)-shownDifferences)
}
