//go:build linux

package local

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay/harness"
)

// Check is one thing that the driver needs of the machine, or does without.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Fix    string // the command that would fix it; "" where nothing need be
}

// Probe looks at what the driver has on this machine. It runs an empty job
// and takes as long as that, some tens of milliseconds.
func (d *Driver) Probe(ctx context.Context) []Check {
	return []Check{d.probeJob(ctx), d.probeIsolation(), d.probeUser(), d.probeCgroups(), d.probeDisk()}
}

func (d *Driver) probeJob(ctx context.Context) Check {
	began := time.Now()
	_, err := d.Run(ctx, harness.Job{Name: "probe", Script: "true"})
	if err != nil {
		return Check{"sandbox", false, err.Error(), fixFor(err)}
	}
	return Check{Name: "sandbox", OK: true, Detail: fmt.Sprintf("an empty job takes %v", time.Since(began).Round(time.Millisecond))}
}

func (d *Driver) probeIsolation() Check {
	if len(d.weakened) == 0 {
		return Check{Name: "isolation", OK: true, Detail: "namespaces for mounts, processes, network, IPC; system call filter"}
	}
	var missing []string
	for _, err := range d.weakened {
		missing = append(missing, err.Error())
	}
	return Check{"isolation", false, "weak: " + strings.Join(missing, "; "), fixFor(d.weakened[0])}
}

func (d *Driver) probeUser() Check {
	if !d.user {
		return Check{Name: "user", OK: true, Detail: "root"}
	}
	return Check{"user", true, "ordinary user: packages cannot be installed into environments, and jobs have one user only",
		"run as root to lift both"}
}

func (d *Driver) probeCgroups() Check {
	missing := missingControllers(d.hierarchies)
	if len(missing) == 0 {
		return Check{Name: "cgroups", OK: true, Detail: describe(d.hierarchies)}
	}
	detail := "without " + strings.Join(missing, ", ") + ": memory and processes are watched, with some slack; CPUs are not limited"
	if len(d.hierarchies) > 0 {
		detail = describe(d.hierarchies) + "; " + detail
	}
	return Check{"cgroups", false, detail, "systemd-run --user --scope -p Delegate=yes assay ... (or run as root)"}
}

func (d *Driver) probeDisk() Check {
	const little = 10 << 30
	var st unix.Statfs_t
	if err := unix.Statfs(d.dir, &st); err != nil {
		return Check{"layers", false, err.Error(), ""}
	}
	free := int64(st.Bavail) * st.Bsize
	c := Check{Name: "layers", OK: free > little, Detail: fmt.Sprintf("%s, %d GB free", d.dir, free>>30)}
	if !c.OK {
		c.Fix = "choose a directory on a larger disk"
	}
	return c
}
