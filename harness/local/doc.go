// Package local is the driver that needs no engine: it runs jobs in Linux
// namespaces over the host's own tool chains.
//
// The program starts itself again (see IsChild) as process 1 of new pid,
// mount, network, IPC and UTS namespaces, and of a user namespace where it is
// not root. That supervisor assembles overlay mounts from prepared layers and
// from the host's /usr, /etc and /opt, puts files in, starts the script with
// few rights in the job's cgroups, and when the script has ended kills
// everything else and sends the collected files back. Everything else of the
// host, homes and data above all, is not part of the new root: the root is
// built from a list of what is let in, not of what is kept out.
//
// What a job writes is in a tmpfs of the size of Limits.Disk. It ends with
// the mount namespace, so that a job leaves nothing on the disk even when the
// whole program is killed. A tmpfs rather than a loop-mounted image because
// it takes 2 ms instead of 16 (and 15 more to format), and ordinary users may
// mount it.
//
// The isolation is weaker than a virtual machine's: jobs share the host's
// kernel and read its tool chains.
package local
