package zeroshot

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/methods"
)

// Given is what prompts show in addition to the issue: the variants of
// SWT-Bench's table 5. Files of these patches are shown in place of those that
// retrieval finds.
type Given struct {
	// Fixes are patches that may resolve the issue, right or wrong, by normalised
	// id of the instance. The prompt shows the patch, and the files that it
	// changes as they are without it.
	Fixes map[string]string
	// Tests are patches of tests, by normalised id. The prompt shows the files that
	// they change, as they are without them, and nothing of the patch.
	Tests map[string]string
	// Source identifies where all of it is from; "" where nothing is given.
	Source string
}

// Taker is a method whose prompts can show what is given.
type Taker interface {
	methods.Method
	With(g Given) methods.Method
}

var _, _, _ Taker = ZeroShot{}, ZeroShotPlus{}, Libro{}

// With implements Taker.
func (z ZeroShot) With(g Given) methods.Method { z.Given = g; return z }

// With implements Taker.
func (z ZeroShotPlus) With(g Given) methods.Method { z.Given = g; return z }

// With implements Taker.
func (l Libro) With(g Given) methods.Method { l.Given = g; return l }

// fix is the patch that the prompt of a task shows; "" for none.
func (g Given) fix(d *methods.Desk) string {
	return strings.TrimRight(g.Fixes[bench.NormaliseID(d.Task().Instance)], "\n")
}

// files are those that are given to a task and that the repository has: the test
// files first, since they are what is to be changed.
func (g Given) files(d *methods.Desk) []string {
	there := d.Tree().Paths()
	var out []string
	for _, text := range []string{g.Tests[bench.NormaliseID(d.Task().Instance)], g.fix(d)} {
		p, err := patch.Parse([]byte(text + "\n"))
		if err != nil {
			continue // a model's fix may not be a patch; it is still shown
		}
		for _, name := range p.Paths() {
			_, found := slices.BinarySearch(there, name)
			if found && d.Task().Language.About().IsCode(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// Read takes patches of predictions into a map by normalised id. Two for one
// instance are an error, since a prompt shows one; empty ones are left out.
func Read(predictions []bench.Prediction) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range predictions {
		id := bench.NormaliseID(p.InstanceID)
		if p.Patch == "" {
			continue
		}
		if _, twice := out[id]; twice {
			return nil, fmt.Errorf("instance %s: expected one prediction, found two", p.InstanceID)
		}
		out[id] = p.Patch
	}
	return out, nil
}
