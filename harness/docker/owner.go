package docker

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Labels of what belongs to assay on an engine.
const (
	labelKind     = "assay.kind" // job, setup, layer or base
	labelRun      = "assay.run"
	labelHost     = "assay.host"
	labelBoot     = "assay.boot"
	labelPID      = "assay.pid"
	labelStart    = "assay.start"
	labelAttached = "assay.attached" // the environment that a volume was filled from
	labelLayer    = "assay.layer"    // a layer's digest
	labelRecipe   = "assay.recipe"   // a layer's name
)

// owner identifies one process, also after its id was given again, and when
// an engine serves several machines.
type owner struct {
	host  string // machine and process-id namespace, hashed
	boot  string
	pid   int
	start string // in clock ticks since boot
}

func self() owner {
	name, _ := os.Hostname()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	sum := sha256.Sum256([]byte(read("/etc/machine-id") + "\n" + name + "\n" + namespace))
	pid := os.Getpid()
	return owner{
		host:  fmt.Sprintf("%x", sum[:8]),
		boot:  read("/proc/sys/kernel/random/boot_id"),
		pid:   pid,
		start: startOf(pid),
	}
}

// labels are what the owner's things carry.
func (o owner) labels() map[string]string {
	return map[string]string{
		labelHost:  o.host,
		labelBoot:  o.boot,
		labelPID:   strconv.Itoa(o.pid),
		labelStart: o.start,
	}
}

// bereft reports whether the process that the labels name is known to be
// dead. Of a process on another machine nothing is known.
func (o owner) bereft(labels map[string]string) bool {
	if labels[labelHost] != o.host {
		return false
	}
	if labels[labelBoot] != o.boot {
		return true
	}
	pid, err := strconv.Atoi(labels[labelPID])
	return err != nil || startOf(pid) != labels[labelStart]
}

// startOf returns when a process started, "" when there is none: the 22nd
// field of stat (proc(5)), counted from the end of the command's name, which
// may hold anything.
func startOf(pid int) string {
	stat := read(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[19]
}

func read(path string) string {
	b, _ := os.ReadFile(path)
	return strings.TrimSpace(string(b))
}
