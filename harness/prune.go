package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/internal/atomicfile"
)

// CacheEntry is one outcome on disk.
type CacheEntry struct {
	Key   string
	Bytes int64 // of the file
	Used  time.Time
}

// abandoned is the age from which a half-written file has no writer any more.
const abandoned = time.Hour

// Entries lists the outcomes, the one that was not used for longest first.
func (c *Cache) Entries() ([]CacheEntry, error) {
	entries, _, err := c.walk()
	return entries, err
}

// Prune removes outcomes, those not used for longest first, until the rest
// takes at most maxBytes, and what killed processes left half-written. It
// returns what it removed. Jobs may run meanwhile: an outcome that is removed
// is run again.
func (c *Cache) Prune(maxBytes int64) ([]CacheEntry, error) {
	entries, stale, err := c.walk()
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, name := range stale {
		errs = append(errs, removeFile(name))
	}
	var total int64
	for _, e := range entries {
		total += e.Bytes
	}
	n := 0
	for ; n < len(entries) && total > maxBytes; n++ {
		errs = append(errs, removeFile(c.path(entries[n].Key)))
		total -= entries[n].Bytes
	}
	return entries[:n], errors.Join(errs...)
}

func removeFile(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// walk finds the entries, and half-written files that no process writes any
// longer.
func (c *Cache) walk() (entries []CacheEntry, stale []string, err error) {
	err = filepath.WalkDir(c.Dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the whole cache, or an entry that another process pruned
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		key := filepath.Base(filepath.Dir(name)) + strings.TrimSuffix(d.Name(), entrySuffix)
		switch {
		case atomicfile.IsTemporary(name):
			if time.Since(info.ModTime()) > abandoned {
				stale = append(stale, name)
			}
		case strings.HasSuffix(name, entrySuffix) && name == c.path(key):
			entries = append(entries, CacheEntry{key, info.Size(), info.ModTime()})
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("listing the cache %s: %w", c.Dir, err)
	}
	slices.SortFunc(entries, func(a, b CacheEntry) int {
		return cmp.Or(a.Used.Compare(b.Used), cmp.Compare(a.Key, b.Key))
	})
	return entries, stale, nil
}
