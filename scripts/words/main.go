// Command words counts words that this repository's comments should not use,
// per 1,000 comment lines of Go:
//
//	go run ./scripts/words [-show] [-max N] [PATH ...]
//
// It prints the figure and the files with the most hits; -show prints every
// hit with what to write in its place. With -max it fails if the figure is
// higher. Files below testdata are not read.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	list := flag.String("list", "scripts/words/words.txt", "file of words to avoid")
	show := flag.Bool("show", false, "print every hit")
	limit := flag.Float64("max", 0, "fail above this many hits per 1,000 comment lines (0: never)")
	flag.Parse()
	paths := flag.Args()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	rate, err := run(os.Stdout, *list, paths, *show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(2)
	}
	if *limit > 0 && rate > *limit {
		fmt.Fprintf(os.Stderr, "words: %.1f per 1,000 comment lines, expected at most %.1f\n", rate, *limit)
		os.Exit(1)
	}
}

// run counts the words of the list in the Go files below the paths, prints
// the counts, and returns the hits per 1,000 comment lines.
func run(w io.Writer, list string, paths []string, show bool) (float64, error) {
	l, err := readList(list)
	if err != nil {
		return 0, err
	}
	files, err := goFiles(paths)
	if err != nil {
		return 0, err
	}
	var all []fileCount
	for _, f := range files {
		c, err := countFile(l, f)
		if err != nil {
			return 0, err
		}
		all = append(all, c)
	}
	return printCounts(w, all, show), nil
}

// goFiles lists the Go files below the paths, sorted, without testdata and
// hidden directories.
func goFiles(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(path string, d os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != p && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
				return filepath.SkipDir
			case !d.IsDir() && strings.HasSuffix(path, ".go"):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("listing Go files: %w", err)
		}
	}
	sort.Strings(files)
	return files, nil
}

// printCounts prints the total and the ten files with the most hits, and
// returns the hits per 1,000 comment lines.
func printCounts(w io.Writer, all []fileCount, show bool) float64 {
	lines, hits := 0, 0
	for _, c := range all {
		lines, hits = lines+c.lines, hits+len(c.hits)
	}
	rate := 0.0
	if lines > 0 {
		rate = 1000 * float64(hits) / float64(lines)
	}
	fmt.Fprintf(w, "%.1f per 1,000 comment lines (%d hits, %d lines, %d files)\n", rate, hits, lines, len(all))
	sort.SliceStable(all, func(i, j int) bool { return len(all[i].hits) > len(all[j].hits) })
	for i, c := range all {
		if len(c.hits) == 0 || i >= 10 && !show {
			break
		}
		fmt.Fprintf(w, "%5d  %s\n", len(c.hits), c.path)
		for _, h := range c.hits {
			if show {
				fmt.Fprintf(w, "         %d: %q: write %s\n", h.line, h.word, h.instead)
			}
		}
	}
	return rate
}
