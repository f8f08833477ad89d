package languages

import (
	"fmt"
	"strings"
	"time"

	"assay/harness"
)

// Limits are those of a whole call. They are above an instance's own and the
// defaults; zero fields leave these as they are.
type Limits struct {
	Time   time.Duration // of one run
	Memory int64         // bytes, of one run; set-up steps get at least as much
	CPUs   float64       // cores, of one run or set-up step
	Setup  time.Duration // of one layer of an environment; an hour where zero
}

// String names what can change a verdict, and is empty where nothing is set.
// Setup is left out: an environment that cannot be made in time gives no
// verdict.
func (l Limits) String() string {
	var parts []string
	if l.Time > 0 {
		parts = append(parts, "timeout "+l.Time.String())
	}
	if l.Memory > 0 {
		parts = append(parts, fmt.Sprintf("memory %d", l.Memory))
	}
	if l.CPUs > 0 {
		parts = append(parts, fmt.Sprintf("cpus %g", l.CPUs))
	}
	return strings.Join(parts, ", ")
}

// over puts the limits that are set in place of others.
func (l Limits) over(h harness.Limits) harness.Limits {
	if l.Time > 0 {
		h.Time = l.Time
	}
	if l.Memory > 0 {
		h.Memory = l.Memory
	}
	if l.CPUs > 0 {
		h.CPUs = l.CPUs
	}
	return h
}

// setup bounds one layer of an environment.
func (l Limits) setup() harness.Limits {
	h := harness.Limits{Time: time.Hour, Memory: max(8<<30, l.Memory), CPUs: l.CPUs, Disk: 16 << 30, Processes: 4096}
	if l.Setup > 0 {
		h.Time = l.Setup
	}
	return h
}

// limits bound one test run: those of the call, else the instance's.
func (t *Testbed) limits() harness.Limits {
	l := harness.Limits{}
	if t.env.TimeoutSeconds > 0 {
		l.Time = time.Duration(t.env.TimeoutSeconds) * time.Second
	}
	if t.env.MemoryMB > 0 {
		l.Memory = int64(t.env.MemoryMB) << 20
	}
	return t.machine.Limits.over(l)
}
