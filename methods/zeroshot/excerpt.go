package zeroshot

import (
	"fmt"
	"strings"

	"assay/methods"
	"assay/methods/retrieve"
)

// Of the best files those that alone would take more than half of the context, and
// do not fit, are shown in part: how many of the best, and the share of the context
// that one of them may take.
const (
	mostExcerpts = 5
	excerptShare = 4
)

// excerpt is the functions of a file that share most words with a query, with the
// numbers of their lines and in the order of the file; "" if it finds no function,
// or none fits.
func excerpt(d *methods.Desk, path, text, query string, most int) (string, error) {
	if most <= 0 {
		return "", nil
	}
	functions, err := retrieve.Functions(d.Tree(), d.Parse, []string{path}, query)
	if err != nil {
		return "", fmt.Errorf("choosing functions: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	chosen := make([]bool, len(lines))
	left := most - len(gap(1, len(lines)))
	for _, f := range functions {
		from, to := max(f.Start, 1), min(f.End, len(lines))
		cost := len(gap(1, len(lines)))
		for n := from; n <= to; n++ {
			if !chosen[n-1] {
				cost += len(numbered(n, lines[n-1]))
			}
		}
		if cost > left {
			continue
		}
		left -= cost
		for n := from; n <= to; n++ {
			chosen[n-1] = true
		}
	}
	return render(lines, chosen), nil
}

// render writes the chosen lines, and notes which are left out between them; ""
// if no line is chosen.
func render(lines []string, chosen []bool) string {
	var b strings.Builder
	written, from := false, 1 // the first line that was not written
	for i, line := range lines {
		if !chosen[i] {
			continue
		}
		if from <= i {
			b.WriteString(gap(from, i))
		}
		b.WriteString(numbered(i+1, line))
		written, from = true, i+2
	}
	if !written {
		return ""
	}
	if from <= len(lines) {
		b.WriteString(gap(from, len(lines)))
	}
	return strings.ToValidUTF8(b.String(), "?")
}

func gap(from, to int) string { return fmt.Sprintf("(lines %d to %d are left out)\n", from, to) }

// numbered is a line with its number.
func numbered(n int, line string) string {
	return fmt.Sprintf("%d %s\n", n, strings.TrimRight(line, "\r\n"))
}
