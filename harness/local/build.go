//go:build linux

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// build makes the job's root file system and moves into it. The job's tmpfs
// has this layout:
//
//	l/0, l/1 ...  links to the layers: short names, as all the options of an
//	              overlay mount must fit one page
//	m/            what hides and stands in for files of the host
//	u/ w/         the upper and work directories, or links to them
//	shm/          /dev/shm
//	root/         the new root
func (c *child) build() error {
	r := &c.spec.Root
	if err := mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return step("making mounts private", err)
	}
	inodes := max(r.Disk/4096, 65536)
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=755", r.Disk, inodes)
	if err := mount("assay", r.Mount, "tmpfs", unix.MS_NODEV|unix.MS_NOATIME, options); err != nil {
		return step("mounting the job's tmpfs", err)
	}
	if err := os.Chdir(r.Mount); err != nil {
		return err
	}
	var err error
	if c.scratch, err = os.Open("."); err != nil {
		return err
	}
	for _, f := range []func() error{
		r.layOut, r.mask, r.overlays, r.proc, r.devices, r.lend, r.pivot,
		func() error { return protectProc(r.Weak.Proc) },
		func() error { return network(c.spec.Process.Network, r.Weak.Network) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func mount(source, target, kind string, flags uintptr, options string) error {
	if err := unix.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mounting %s on %s (%s): %w", kind, target, options, err)
	}
	return nil
}

func (r *root) layOut() error {
	for _, d := range []string{"l", "m", "shm", "root"} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return err
		}
	}
	if err := os.Chmod("shm", 0o777|os.ModeSticky); err != nil {
		return err
	}
	if err := r.upperDirs(); err != nil {
		return err
	}
	for i, dir := range r.Layers {
		if err := os.Symlink(dir, "l/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *root) upperDirs() error {
	if r.Upper != "" {
		if err := os.Symlink(r.Upper, "u"); err != nil {
			return err
		}
		if err := os.Symlink(r.Work, "w"); err != nil {
			return err
		}
	} else if err := mkdirs("u", "w"); err != nil {
		return err
	}
	for _, t := range r.all() {
		for _, d := range []string{"u/" + t.Key, "w/" + t.Key} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				return err
			}
		}
		if err := os.Chmod("u/"+t.Key, os.FileMode(t.Mode)); err != nil {
			return err
		}
	}
	return nil
}

// all lists the trees with the root, which comes first.
func (r *root) all() []tree {
	return append([]tree{{Path: "/", Key: rootTree, Mode: 0o755}}, r.Trees...)
}

// overlays mounts every tree: what the job writes over the layers, over the
// mask, over the host's directory.
func (r *root) overlays() error {
	for _, t := range r.all() {
		lower := []string{}
		for i, dir := range r.Layers {
			if _, err := os.Stat(filepath.Join(dir, t.Key)); err == nil {
				lower = append(lower, fmt.Sprintf("l/%d/%s", i, t.Key))
			}
		}
		lower = append(lower, "m/"+t.Key)
		if t.Path != "/" {
			lower = append(lower, strings.NewReplacer(`\`, `\\`, ":", `\:`, ",", `\,`).Replace(t.Path))
		}
		options := fmt.Sprintf("lowerdir=%s,upperdir=u/%s,workdir=w/%s", strings.Join(lower, ":"), t.Key, t.Key)
		options += r.overlayOptions()
		if err := mount("assay", filepath.Join("root", t.Path), "overlay", unix.MS_NODEV, options); err != nil {
			return step("mounting an overlay", err)
		}
	}
	return nil
}

// overlayOptions: user namespaces have extended attributes of their own, and
// no renaming of directories across layers. Nothing in a half-made layer
// survives a crash, so that nothing need be synced before it is whole.
func (r *root) overlayOptions() string {
	options := ",redirect_dir=on"
	if r.User {
		options = ",userxattr"
	}
	if r.Upper != "" {
		options += ",volatile"
	}
	return options
}

// pivot makes the new root the only one.
func (r *root) pivot() error {
	if err := os.Chdir("root"); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return step("changing the root", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return step("detaching the old root", err)
	}
	return os.Chdir("/")
}

func mkdirs(paths ...string) error {
	for _, p := range paths {
		if err := os.MkdirAll(p, 0o755); err != nil {
			return err
		}
	}
	return nil
}
