package tasks

import (
	"fmt"
	"strconv"
)

// Option is a setting of a kind that a run can give.
type Option struct {
	Name  string // as flags and settings spell it: min-score
	Type  string // for help: float, int, string
	Usage string // for help, one line
	// Default is what counts where the option is not given, for help.
	Default string
	// Bare is what counts where the option is given without a value; empty where
	// it needs one.
	Bare string
	// Value is what was given; nil where nothing was.
	Value any
}

// Configurable is a kind with settings of its own.
type Configurable interface {
	Kind
	// Options lists them, always in the same order.
	Options() []Option
	// Set returns the kind with one of them set. An error describes what is
	// wrong with the text.
	Set(name, text string) (Kind, error)
}

// Options implements Configurable.
func (k Style) Options() []Option {
	return []Option{
		{
			Name: "min-score", Type: "float", Default: "1", Value: valueOf(k.MinScore),
			Usage: "style tasks: the score from which one counts as resolved",
		},
		{
			Name: "max-remaining", Type: "int", Default: "0", Value: valueOf(k.MaxRemaining),
			Usage: "style tasks: how many findings may be left in one that counts as resolved",
		},
	}
}

// Options implements Configurable.
func (t TestGen) Options() []Option {
	o := Option{
		Name: "coverage", Type: "string", Default: string(CoverageOff), Bare: string(CoverageOn),
		Usage: "test generation: measure how much of the gold patch the tests execute: off, on, swt (also SWT-Bench's figure, for which the hidden tests are measured)",
	}
	if t.Coverage != "" {
		o.Value = string(t.Coverage)
	}
	q := Option{
		Name: "quality", Type: "int", Default: "0", Bare: "3",
		Usage: "test generation: run the tests so often on base and on gold, to find flaky ones, and the tests that exist on gold and the bad patches; 0 is off",
	}
	if t.Quality > 0 {
		q.Value = t.Quality
	}
	return []Option{o, q}
}

// Set implements Configurable.
func (t TestGen) Set(name, text string) (Kind, error) {
	switch name {
	case "coverage":
		mode := CoverageMode(text)
		if mode != CoverageOff && !mode.on() {
			return nil, fmt.Errorf("expected off, on or swt")
		}
		t.Coverage = mode
	case "quality":
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("expected a number of runs, 0 or more")
		}
		t.Quality = n
	default:
		return nil, fmt.Errorf("test generation has no option %q", name)
	}
	return t, nil
}

// valueOf is what a pointer points to; nil where it is nil.
func valueOf[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// Set implements Configurable.
func (k Style) Set(name, text string) (Kind, error) {
	switch name {
	case "min-score":
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		k.MinScore = &v
	case "max-remaining":
		v, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return nil, err
		}
		k.MaxRemaining = ptr(int(v))
	default:
		return nil, fmt.Errorf("style tasks have no option %q", name)
	}
	return k, nil
}
