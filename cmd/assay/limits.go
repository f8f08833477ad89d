package main

import (
	"fmt"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"assay/languages"
)

// leastMemory is below what any test runner needs; less is most likely a
// number without its unit.
const leastMemory = 16 << 20

// limitFlags are the flags that bound what is run.
type limitFlags struct {
	time, setup time.Duration
	memory      string
	cpus        float64
}

func (o *limitFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.time, "timeout", 0, "time of one run, such as 90s or 10m (default: the instance's env.timeout_seconds, else 30m)")
	f.StringVar(&o.memory, "memory", "", "memory of one run, such as 512m or 8g (default: the instance's env.memory_mb, else 4g)")
	f.Float64Var(&o.cpus, "cpus", 0, "processor cores of one run or set-up step, such as 1.5 (default: no limit)")
	f.DurationVar(&o.setup, "setup-timeout", 0, "time for making one layer of an environment (default: 1h)")
}

// limits checks them; what is not given is zero.
func (o limitFlags) limits() (languages.Limits, error) {
	l := languages.Limits{Time: o.time, Setup: o.setup, CPUs: o.cpus}
	switch {
	case l.Time < 0:
		return l, fmt.Errorf("--timeout %s: expected a time above 0", l.Time)
	case l.Setup < 0:
		return l, fmt.Errorf("--setup-timeout %s: expected a time above 0", l.Setup)
	case !(l.CPUs >= 0 && l.CPUs <= 1<<16): // not a number fails, too
		return l, fmt.Errorf("--cpus %g: expected a number of cores above 0", l.CPUs)
	case o.memory == "":
		return l, nil
	}
	var err error
	if l.Memory, err = units.RAMInBytes(o.memory); err != nil {
		return l, fmt.Errorf("--memory %q: expected a size such as 512m or 8g", o.memory)
	}
	if l.Memory < leastMemory {
		return l, fmt.Errorf("--memory %q: expected at least 16m (is the unit missing?)", o.memory)
	}
	return l, nil
}
