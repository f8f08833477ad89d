package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Cache keeps outcomes of jobs in a directory, one file each, under the Key
// of the job. Many goroutines and processes may use one directory at once.
// What is broken there counts as absent.
type Cache struct {
	Dir string // made when the first outcome is stored

	mu      sync.Mutex
	flights map[string]*flight
	stats   struct{ hits, shared, misses, stored, corrupt atomic.Int64 }
}

// CacheStats counts the outcome of the jobs that one Cache was asked for.
type CacheStats struct {
	Hits    int64 // read from the directory
	Shared  int64 // taken from an equal job that ran at the same moment
	Misses  int64 // run
	Stored  int64 // outcomes written
	Corrupt int64 // entries that could not be read
}

// NewCache returns a cache in dir.
func NewCache(dir string) *Cache { return &Cache{Dir: dir} }

// Stats returns the counts so far.
func (c *Cache) Stats() CacheStats {
	s := &c.stats
	return CacheStats{s.hits.Load(), s.shared.Load(), s.misses.Load(), s.stored.Load(), s.corrupt.Load()}
}

// Cached returns a Runner that answers from the cache what it can and runs
// the rest. The bytes of a Result may be shared with other callers: they are
// to be read only; its map is the caller's. Equal jobs that are asked for at
// the same moment run once, also across processes; those that did not run
// come with Result.Cached set and the timings of the one that did. Errors are
// not stored, nor are outcomes that a busy machine may cause: TimedOut,
// OutOfMemory, DiskLimit, and exits by SIGKILL. Jobs with relays, a tree or a
// Stop always run. A failure of the directory never fails a job that could
// run.
func Cached(r Runner, c *Cache) Runner { return &cached{r, c} }

type cached struct {
	runner Runner
	cache  *Cache
}

// flight is a job that is being run; its result is set before done is closed
// and not changed after.
type flight struct {
	done chan struct{}
	res  Result
	err  error
}

func (c *cached) Run(ctx context.Context, job Job) (Result, error) {
	if len(job.Relays) > 0 || job.Tree != nil || job.Stop != nil {
		return c.runner.Run(ctx, job)
	}
	key := Key(job)
	for {
		if res, err := c.cache.load(key); err == nil {
			c.cache.stats.hits.Add(1)
			return res, nil
		}
		f, mine := c.cache.board(key)
		if mine {
			defer c.cache.land(key, f)
			res, err := c.lead(ctx, key, job)
			f.res, f.err = share(res), err
			return res, err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return Result{}, fmt.Errorf("waiting for an equal job: %w", ctx.Err())
		}
		// That the other's caller gave up says nothing about this one.
		if f.err == nil || !isContextError(f.err) {
			c.cache.stats.shared.Add(1)
			return share(f.res), f.err
		}
	}
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// share marks a result as not run, with a map of its own.
func share(res Result) Result {
	res.Files = maps.Clone(res.Files)
	res.Cached = true
	return res
}

// lead runs a job for this process, unless another process has just done so.
func (c *cached) lead(ctx context.Context, key string, job Job) (Result, error) {
	unlock, err := c.cache.lock(ctx, key)
	if err != nil {
		return Result{}, fmt.Errorf("waiting for an equal job of another process: %w", err)
	}
	defer unlock()
	res, err := c.cache.load(key)
	if err == nil {
		c.cache.stats.hits.Add(1)
		return res, nil
	}
	if errors.Is(err, errCorrupt) {
		c.cache.stats.corrupt.Add(1)
	}
	c.cache.stats.misses.Add(1)
	res, err = c.runner.Run(ctx, job)
	if err == nil && storable(res) && c.cache.store(key, res) == nil {
		c.cache.stats.stored.Add(1)
	}
	return res, err
}

// board joins the flight of a job, or opens one, which is then the caller's.
func (c *Cache) board(key string) (f *flight, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[key]; f != nil {
		return f, false
	}
	if c.flights == nil {
		c.flights = map[string]*flight{}
	}
	// Should the runner unwind this goroutine, the others try on their own.
	f = &flight{done: make(chan struct{}), err: context.Canceled}
	c.flights[key] = f
	return f, true
}

func (c *Cache) land(key string, f *flight) {
	c.mu.Lock()
	delete(c.flights, key)
	c.mu.Unlock()
	close(f.done)
}

// path spreads the entries over 256 directories.
func (c *Cache) path(key string) string {
	return filepath.Join(c.Dir, key[:2], key[2:]+entrySuffix)
}

const entrySuffix = ".json.z"

// load reads an entry and notes its use in the file's time.
func (c *Cache) load(key string) (Result, error) {
	name := c.path(key)
	data, err := os.ReadFile(name)
	if err != nil {
		return Result{}, err
	}
	res, err := decodeOutcome(key, data)
	if err != nil {
		return Result{}, err
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // a cache that may only be read still serves
	res.Cached = true
	return res, nil
}

// store writes an entry in whole or not at all.
func (c *Cache) store(key string, res Result) error {
	res.Cached = false
	data, err := encodeOutcome(key, res)
	if err != nil {
		return fmt.Errorf("packing an outcome: %w", err)
	}
	return writeAtomic(c.path(key), data)
}
