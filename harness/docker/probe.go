package docker

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Check is one finding about the machine.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Fix    string // a command that fixes it; empty where nothing is needed or known
}

// Probe reports whether jobs can run in containers here, and how well. host
// is as in Options.
func Probe(ctx context.Context, host string) []Check {
	e, err := connect(ctx, host)
	if err != nil {
		return []Check{{Name: "engine", Detail: err.Error(), Fix: fixFor(err)}}
	}
	defer e.Close()
	return append([]Check{e.checkVersion()}, e.checkParts()...)
}

func (e *engine) checkVersion() Check {
	name := "Docker"
	if e.podman {
		name = "Podman"
	}
	return Check{
		Name: "engine", OK: true,
		Detail: fmt.Sprintf("%s %s at %s, API %s, storage %s, cgroup v%s", name, e.info.ServerVersion, e.host, e.ClientVersion(), e.info.Driver, e.info.CgroupVersion),
	}
}

func (e *engine) checkParts() []Check {
	return []Check{
		e.checkLimits(),
		choose("init", e.hasInit(),
			"the engine's init reaps orphaned processes", "no docker-init: the shell of each job reaps orphans instead", "sudo apt-get install tini"),
		choose("files", overlayReachable(e),
			"container files are reached directly", "container files are reached by the engine's archive calls, about 0.1 s a job (direct: as root, on the engine's machine, with overlay2)", ""),
		checkDebootstrap(),
	}
}

func choose(name string, ok bool, good, bad, fix string) Check {
	if ok {
		return Check{Name: name, OK: true, Detail: good}
	}
	return Check{Name: name, Detail: bad, Fix: fix}
}

// checkLimits names the limits that the engine cannot keep.
func (e *engine) checkLimits() Check {
	var missing []string
	for _, l := range []struct {
		name string
		ok   bool
	}{
		{"memory", e.info.MemoryLimit},
		{"processes", e.info.PidsLimit},
		{"CPU", e.info.CPUCfsQuota},
	} {
		if !l.ok {
			missing = append(missing, l.name)
		}
	}
	return choose("limits", len(missing) == 0,
		"memory, processes and CPU of a job can be limited", "the engine cannot limit: "+strings.Join(missing, ", "),
		"run a rootful engine, or delegate the cgroup controllers to this user (systemd: Delegate=yes)")
}

func checkDebootstrap() Check {
	_, err := exec.LookPath("debootstrap")
	return choose("base image", err == nil,
		"debootstrap is there, to make a base image where no registry answers",
		"no debootstrap: base images must be on the engine or come from a registry", "sudo apt-get install debootstrap")
}
