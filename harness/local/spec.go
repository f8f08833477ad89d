//go:build linux

package local

import "assay/harness"

// spec is what the supervisor gets before it starts to build.
type spec struct {
	Root    root
	Process process
	Bounds  bounds
	Remove  []string
	Collect []string
	Tree    *harness.TreeQuery
	Relays  []int // ports to listen on before the script starts
}

// root describes the file system of a job. Paths are the host's.
type root struct {
	Mount  string   // empty directory to mount on; all jobs may share it
	Trees  []tree   // parents before children
	Links  []link   // symbolic links of the host's root, such as /bin
	Layers []string // directories of layers, topmost first
	Upper  string   // directory to keep what is written; "" for the job's tmpfs
	Work   string   // overlayfs' scratch directories; next to Upper
	Hide   []string
	Dirs   []directory // directories that the job's root owns
	Plain  []plain     // files that stand in for the host's
	Borrow []borrow
	Disk   int64
	User   bool // in a user namespace
	Weak   weakness
}

// weakness lists what Options.AllowWeak lets a job go without.
type weakness struct {
	Network bool // no network namespace of its own
	Seccomp bool // no filter of system calls
	Proc    bool // parts of /proc stay writable
}

// tree is a directory of the host that jobs see under a mount of its own, so
// that nothing next to it is visible.
type tree struct {
	Path string // "/usr"
	Key  string // name of the tree's directory in a layer: "usr"
	Mode uint32
}

type link struct{ Path, Target string }

type directory struct {
	Path string
	Mode uint32
}

type plain struct {
	Path string
	Data []byte
	Mode uint32
}

// borrow is a file or directory of the host that set-up steps may see. It is
// mounted read-only, or as a copy that may be written and is lost.
type borrow struct {
	Source, Target string
	Dir, Copy      bool

	// What the supervisor did.
	made []string // places to mount on
	lent bool
}

// process is the script.
type process struct {
	Script  string
	Strict  bool // sh -e
	Workdir string
	Env     []string
	User    string
	Network bool // shares the host's
}

// bounds are the limits that the supervisor itself enforces or watches.
type bounds struct {
	Memory    int64
	Processes int
	Collected int64
	FileSize  int64 // RLIMIT_FSIZE; 0 for none
	Cgroups   inherited
}

// inherited reports which open files of cgroups follow outputFD, in this
// order; -1 is not a file.
type inherited struct {
	Tasks  []int // "tasks" files that the starting thread enters (version 1)
	Enter  int   // cgroup.procs to enter (version 2)
	Leave  int   // cgroup.procs to go back to
	Pids   int   // pids.max
	Stat   int   // memory.stat
	Events int   // memory.oom_control or memory.events
}

// exit is how the script ended.
type exit struct {
	Reason   harness.End // why the supervisor killed it; "" when it ended by itself
	Code     int
	OOMKills int64
	TooMany  bool // killed by the watch on the number of processes
}

// failure is what the supervisor could not do.
type failure struct {
	Step string
	Text string
}

// fileHeader goes before the content of a file, either way.
type fileHeader struct {
	Path string
	Mode uint32
	Link string
	Size int64
}
