package harness

import (
	"io/fs"
	"time"
)

// Job is one script to run in a fresh copy of an environment.
type Job struct {
	// Name labels the job for people and in the names of containers. It need
	// not be unique and is not part of the job's identity.
	Name string
	// Environment is a name that Preparer.Prepare returned.
	Environment string
	// Remove lists absolute paths to delete (recursively; absent ones are not
	// error) before Files are put in.
	Remove []string
	// Files are put in before Script starts, in order, as root. Parent
	// directories are made, with mode 0755. An existing symlink at a File's
	// path is replaced, never followed. They get the present time, so that
	// build tools see them as newer than what the environment holds.
	Files []File
	// Script is run by /bin/sh. When it is empty nothing is started: the
	// job only collects, and ends as Exited with code 0.
	Script string
	// Workdir is where Script starts; "/" when empty.
	Workdir string
	// Env holds KEY=VALUE pairs, in addition to those of the environment.
	Env []string
	// User runs the script ("root" when empty; otherwise a name or uid).
	User string
	// Network opens the host's network to the job. Tests run without.
	Network bool
	Limits  Limits
	// Collect lists absolute glob patterns (path.Match syntax, a "**" element
	// matching any number of directories). Regular files that match after the
	// script ended are returned, regardless of how it ended; links and
	// devices never are.
	Collect []string
	// Attempt distinguishes repetitions of the same job; it is part of the
	// job's identity.
	Attempt int
	// Attach lists folders of other environments that the job sees, too.
	Attach []Attachment
	// Relays give the job loopback ports that this program serves, also where
	// it has no network. They exclude Network. A job with relays is never
	// answered from a cache.
	Relays []Relay
	// Tree asks for the entries of a directory as they are when every process
	// of the job has ended, regardless of how it ended. Such a job is never
	// answered from a cache.
	Tree *TreeQuery
	// Stop, when it is closed, ends the job as a limit does: its End is
	// Stopped, and files and tree are collected. Nil never stops. A job with
	// a Stop is never answered from a cache.
	Stop <-chan struct{}
}

// File is one file to put in.
type File struct {
	Path string // absolute
	Data []byte
	Mode fs.FileMode // permission bits; 0 means 0644
	Link string      // when set, a symlink to this target is made and Data ignored
}

// Limits bound a job. Zero values mean the defaults of DefaultLimits.
type Limits struct {
	Time      time.Duration
	Memory    int64   // bytes
	CPUs      float64 // cores; 0 means no bound
	Processes int
	Disk      int64 // bytes that the job may write
	Output    int64 // bytes of output kept (head and tail); ten times as much ends the job
	Collected int64 // bytes of collected files together
}

// DefaultLimits are the limits of a job that sets none.
func DefaultLimits() Limits {
	return Limits{
		Time:      30 * time.Minute,
		Memory:    4 << 30,
		Processes: 1024,
		Disk:      4 << 30,
		Output:    4 << 20,
		Collected: 64 << 20,
	}
}

// OrDefault fills zero fields from DefaultLimits.
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	if l.Time == 0 {
		l.Time = d.Time
	}
	if l.Memory == 0 {
		l.Memory = d.Memory
	}
	if l.Processes == 0 {
		l.Processes = d.Processes
	}
	if l.Disk == 0 {
		l.Disk = d.Disk
	}
	if l.Output == 0 {
		l.Output = d.Output
	}
	if l.Collected == 0 {
		l.Collected = d.Collected
	}
	return l
}

// End describes what ended a job.
type End string

// The ends of a job.
const (
	Exited       End = "exited"        // by itself: ExitCode counts
	TimedOut     End = "timeout"       // Limits.Time; the whole process tree was killed
	OutOfMemory  End = "out_of_memory" // the kernel or the watch killed a process of it for Limits.Memory, regardless of what the script then did
	OutputLimit  End = "output_limit"  // it printed more than ten times Limits.Output
	DiskLimit    End = "disk_limit"    // a watch killed it for Limits.Disk (a size-limited mount gives ENOSPC instead)
	Stopped      End = "stopped"       // Job.Stop was closed
	CollectLimit End = "collect_limit" // it ended, but its files were too large to collect; ExitCode is the script's
)

// Result is the outcome of a job.
type Result struct {
	End      End
	ExitCode int // 128+n after signal n; -1 where End is TimedOut and no code is known
	Output   Output
	// Files holds the collected files by absolute path.
	Files map[string][]byte
	// Tree holds the entries that Job.Tree asks for, sorted by Path. It is
	// empty if the directory is absent, or is not a directory.
	Tree []Entry
	// TreeCut says that the tree has more entries than are ever returned
	// (400,000, or 64 MiB of names): Tree holds only a part of them.
	TreeCut bool
	Timings Timings
	Cached  bool // the outcome came from a cache
}

// Output is what the script printed, standard output and error as they came.
type Output struct {
	Head    []byte
	Tail    []byte // empty when Head holds everything
	Omitted int64  // bytes between Head and Tail that were not kept
}

// Timings of the phases of a job. What the harness itself costs is
// everything but Run.
type Timings struct {
	Create, Start, Run, Collect, Remove time.Duration
}
