//go:build linux

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
)

// Layer is a prepared layer on disk.
type Layer struct {
	Name    string    // of the environment of which it is the top
	Label   string    // the recipe's name
	Parent  string    // name of the layer below; "" for the host
	Size    int64     // bytes on disk
	Created time.Time // end of the preparation
}

// layerMeta is the file meta.json of a layer. It is written last.
type layerMeta struct {
	Label   string    `json:"label"`
	Parent  string    `json:"parent,omitempty"`
	Env     []string  `json:"env,omitempty"`
	Size    int64     `json:"size"`
	Created time.Time `json:"created"`
}

func (d *Driver) layerDir(name string) string { return filepath.Join(d.dir, "layers", name) }

// environment is a row of layers, locked so that they are not removed.
type environment struct {
	dirs  []string // of their trees, topmost first
	env   []string
	locks []*os.File
}

func (e *environment) release() {
	for _, l := range e.locks {
		l.Close()
	}
}

// errUnknown says that there is no such environment.
var errUnknown = errors.New("no such environment")

func validName(name string) bool { return regexp.MustCompile(`^local-[0-9a-f]{32}$`).MatchString(name) }

// hold finds an environment and keeps its layers from being removed until it
// is released. The name "" is the host's tool chains alone.
func (d *Driver) hold(ctx context.Context, name string) (*environment, error) {
	e := &environment{}
	for name != "" {
		if !validName(name) {
			e.release()
			return nil, fmt.Errorf("%w: %q", errUnknown, name)
		}
		lock, err := lockFile(ctx, d.lockName(name), unix.LOCK_SH)
		if err != nil {
			e.release()
			return nil, err
		}
		e.locks = append(e.locks, lock)
		meta, err := d.readMeta(name)
		if err != nil {
			e.release()
			return nil, err
		}
		e.dirs = append(e.dirs, filepath.Join(d.layerDir(name), "fs"))
		e.env = append(append([]string{}, meta.Env...), e.env...)
		name = meta.Parent
	}
	return e, nil
}

func (d *Driver) lockName(name string) string { return filepath.Join(d.dir, "locks", name) }

func (d *Driver) readMeta(name string) (layerMeta, error) {
	var m layerMeta
	data, err := os.ReadFile(filepath.Join(d.layerDir(name), "meta.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%w: %s", errUnknown, name)
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m, fmt.Errorf("reading the description of layer %s: %w", name, err)
	}
	return m, nil
}

// Layers lists the prepared layers in order of their names.
func (d *Driver) Layers() ([]Layer, error) {
	entries, err := os.ReadDir(filepath.Join(d.dir, "layers"))
	if err != nil {
		return nil, fmt.Errorf("listing layers: %w", err)
	}
	var out []Layer
	for _, e := range entries {
		m, err := d.readMeta(e.Name())
		if err != nil {
			continue // removed meanwhile
		}
		out = append(out, Layer{e.Name(), m.Label, m.Parent, m.Size, m.Created})
	}
	return out, nil
}

// RemoveLayer removes a layer, once no job runs on it; an absent one is not
// an error. Layers above it are of no use any more and are made again when
// they are asked for. What it shared with no other layer stays until
// SweepShared.
func (d *Driver) RemoveLayer(ctx context.Context, name string) error {
	if !validName(name) {
		return fmt.Errorf("removing a layer: %w: %q", errUnknown, name)
	}
	lock, err := lockFile(ctx, d.lockName(name), unix.LOCK_EX)
	if err != nil {
		return fmt.Errorf("removing layer %s: %w", name, err)
	}
	defer lock.Close()
	// Out of sight first, so that a crash leaves no half of it.
	trash, err := d.scratch.newDir()
	if err != nil {
		return fmt.Errorf("removing layer %s: %w", name, err)
	}
	err = os.Rename(d.layerDir(name), filepath.Join(trash, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing layer %s: %w", name, err)
	}
	return removeAll(trash)
}

// diskUsage sums up what is below a directory, in bytes on disk. A file with
// several names counts once.
func diskUsage(dir string) (total int64) {
	linked := map[uint64]bool{}
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // vanished or not for us
		}
		var st unix.Stat_t
		if unix.Lstat(p, &st) != nil {
			return nil
		}
		if st.Nlink > 1 && !e.IsDir() {
			if linked[st.Ino] {
				return nil
			}
			linked[st.Ino] = true
		}
		total += st.Blocks * 512
		return nil
	})
	return total
}
