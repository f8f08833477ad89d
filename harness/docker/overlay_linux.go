package docker

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docker/docker/api/types/container"
	"golang.org/x/sys/unix"
)

// layers are the directories that Docker's overlay2 driver joins to a
// container's file system.
type layers struct {
	lower              []string // topmost first
	upper, work, under string   // under holds all of them
}

// overlayReachable reports whether the file systems of an engine's
// containers can be mounted by us: the engine runs on this machine, with
// overlay2 and without a mapping of users or labels on files.
func overlayReachable(e *engine) bool {
	if !e.local || e.podman || os.Geteuid() != 0 || e.info.Driver != "overlay2" {
		return false
	}
	for _, option := range []string{"userns", "rootless", "selinux"} {
		if e.secured(option) {
			return false
		}
	}
	return runtime.GOOS == e.info.OSType
}

// layersOf reads the layers of a container, if they are where we can see
// them: an engine in another mount namespace names paths that are not valid
// here.
func layersOf(state container.InspectResponse) (layers, bool) {
	if state.ContainerJSONBase == nil || state.GraphDriver.Name != "overlay2" {
		return layers{}, false
	}
	data := state.GraphDriver.Data
	l := layers{upper: data["UpperDir"], work: data["WorkDir"]}
	if l.upper == "" || l.work == "" || data["LowerDir"] == "" {
		return layers{}, false
	}
	l.lower = strings.Split(data["LowerDir"], ":")
	l.under = filepath.Dir(filepath.Dir(l.upper))
	for _, dir := range append([]string{l.upper, l.work}, l.lower...) {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || !within(dir, l.under) {
			return layers{}, false
		}
	}
	return l, true
}

// options are overlayfs mount options, by paths relative to under: all must
// fit on one page.
func (l layers) options(writable bool) string {
	rel := func(dir string) string { return strings.TrimPrefix(dir, l.under+"/") }
	lower := make([]string, len(l.lower))
	for i, dir := range l.lower {
		lower[i] = rel(dir)
	}
	const same = ",index=off,metacopy=off"
	if writable {
		return "lowerdir=" + strings.Join(lower, ":") + ",upperdir=" + rel(l.upper) + ",workdir=" + rel(l.work) + same
	}
	return "lowerdir=" + rel(l.upper) + ":" + strings.Join(lower, ":") + same
}

// mounted is a directory whose mount no one else sees, and that ends with the
// last descriptor in it.
type mounted struct{ *os.File }

// mount joins the layers. It happens in a mount namespace of a thread of its
// own, so that neither a crash nor another process's view keeps the mount.
// The container must not be running.
func (l layers) mount(point string, writable bool) (mounted, error) {
	if err := os.MkdirAll(point, 0o700); err != nil {
		return mounted{}, fmt.Errorf("making a mount point: %w", err)
	}
	type reply struct {
		fd  int
		err error
	}
	done := make(chan reply)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends here
		fd, err := l.mountHere(point, writable)
		done <- reply{fd, err}
	}()
	r := <-done
	if r.err != nil {
		return mounted{}, r.err
	}
	return mounted{os.NewFile(uintptr(r.fd), point)}, nil
}

func (l layers) mountHere(point string, writable bool) (int, error) {
	if err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS); err != nil {
		return 0, fmt.Errorf("leaving the mount namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return 0, fmt.Errorf("making mounts private: %w", err)
	}
	if err := unix.Chdir(l.under); err != nil {
		return 0, fmt.Errorf("entering %s: %w", l.under, err)
	}
	flags := uintptr(unix.MS_NODEV | unix.MS_NOSUID | unix.MS_NOEXEC)
	if !writable {
		flags |= unix.MS_RDONLY
	}
	if err := unix.Mount("overlay", point, "overlay", flags, l.options(writable)); err != nil {
		return 0, fmt.Errorf("mounting an overlay: %w", err)
	}
	fd, err := unix.Open(point, unix.O_DIRECTORY|unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if detached := unix.Unmount(point, unix.MNT_DETACH); err == nil && detached != nil {
		unix.Close(fd)
		err = detached
	}
	if err != nil {
		return 0, fmt.Errorf("opening an overlay: %w", err)
	}
	return fd, nil
}
