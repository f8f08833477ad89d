package main

import (
	"fmt"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"assay/languages"
)

// leastMemory is below what any test runner needs; less is most likely a
// number without its unit.
const leastMemory = 16 << 20

// limitFlags are the flags that bound what is run.
func limitFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Duration("timeout", 0, "time of one run, such as 90s or 10m (default: the instance's env.timeout_seconds, else 30m)")
	f.String("memory", "", "memory of one run, such as 512m or 8g (default: the instance's env.memory_mb, else 4g)")
	f.Float64("cpus", 0, "processor cores of one run or set-up step, such as 1.5 (default: no limit)")
	f.Duration("setup-timeout", 0, "time for making one layer of an environment (default: 1h)")
}

// limitsOf reads them; what is not given is zero.
func limitsOf(cmd *cobra.Command) (languages.Limits, error) {
	var l languages.Limits
	f := cmd.Flags()
	l.Time, _ = f.GetDuration("timeout")
	l.Setup, _ = f.GetDuration("setup-timeout")
	l.CPUs, _ = f.GetFloat64("cpus")
	memory, _ := f.GetString("memory")
	switch {
	case l.Time < 0:
		return l, fmt.Errorf("--timeout %s: expected a time above 0", l.Time)
	case l.Setup < 0:
		return l, fmt.Errorf("--setup-timeout %s: expected a time above 0", l.Setup)
	case !(l.CPUs >= 0 && l.CPUs <= 1<<16): // not a number fails, too
		return l, fmt.Errorf("--cpus %g: expected a number of cores above 0", l.CPUs)
	case memory == "":
		return l, nil
	}
	var err error
	if l.Memory, err = units.RAMInBytes(memory); err != nil {
		return l, fmt.Errorf("--memory %q: expected a size such as 512m or 8g", memory)
	}
	if l.Memory < leastMemory {
		return l, fmt.Errorf("--memory %q: expected at least 16m (is the unit missing?)", memory)
	}
	return l, nil
}
