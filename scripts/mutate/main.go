// Command mutate changes the judging core in small ways, one at a time, and
// reports which changes the unit tests do not notice. It runs in the
// repository's root:
//
//	go run ./scripts/mutate [-list FILE] [-only TEXT] [-jobs N]
//
// It changes no file: go test -overlay replaces the file by each mutant.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"assay/internal/pool"
)

func main() {
	list := flag.String("list", "scripts/mutate/mutants.txt", "file of mutants")
	only := flag.String("only", "", "try only mutants whose file name holds this text")
	jobs := flag.Int("jobs", 1, "mutants tried at once")
	flag.Parse()
	data, err := os.ReadFile(*list)
	if err != nil {
		fail(err)
	}
	all, err := parse(string(data))
	if err != nil {
		fail(fmt.Errorf("%s:%w", *list, err))
	}
	var chosen []mutant
	for _, m := range all {
		if strings.Contains(m.file, *only) {
			chosen = append(chosen, m)
		}
	}
	if !tryAll(chosen, *jobs) {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "mutate:", err)
	os.Exit(2)
}

// tryAll tries the mutants and prints those that are not killed, in the order
// of the list, and the score. It reports whether all were killed.
func tryAll(mutants []mutant, jobs int) bool {
	fates, errs := make([]fate, len(mutants)), make([]error, len(mutants))
	pool.Each(context.Background(), jobs, pool.Indices(len(mutants)), func(_ context.Context, i int) {
		fates[i], errs[i] = mutants[i].try()
		fmt.Fprintf(os.Stderr, "%s %s:%d\n", fates[i], mutants[i].file, mutants[i].line)
	})
	count := map[fate]int{}
	for i, m := range mutants {
		count[fates[i]]++
		if fates[i] == killed {
			continue
		}
		fmt.Printf("%s %s (line %d of the list)\n", fates[i], m.file, m.line)
		if errs[i] != nil {
			fmt.Printf("  %v\n", errs[i])
		}
		fmt.Printf("  - %s\n  + %s\n", strings.ReplaceAll(m.old, "\n", "\n    "), strings.ReplaceAll(m.now, "\n", "\n    "))
	}
	valid := count[killed] + count[survived]
	fmt.Printf("%d of %d mutants killed; %d do not compile, %d no longer fit the code\n", count[killed], valid, count[broken], count[stale])
	return count[killed] == len(mutants)
}
