package llm

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

// CacheOptions are the settings of a cache of answers.
type CacheOptions struct {
	Dir string // made when the first answer is stored
	// BaseURL is part of the key: two servers may call different models by
	// one name.
	BaseURL string
	// WholeOnly leaves out answers that the limit on their length cut short: the
	// limit may be what was left of a budget, which is not part of the key.
	WholeOnly bool
	// OnError is called with the error of answers that could not be stored;
	// nil ignores it.
	OnError func(error)
}

// Cache returns an answer again when the same model at the same base URL was
// asked the same, with the same settings and Sample. Answers are in one file
// each, written atomically, so that processes may share the directory; what
// cannot be read there counts as absent. Errors are never stored, and a
// failure of the directory never affects an answer. Equal requests of one
// process at the same moment go out once.
func Cache(next Client, opts CacheOptions) Client {
	return &cache{next: next, opts: opts, flights: map[string]chan struct{}{}}
}

type cache struct {
	next Client
	opts CacheOptions

	mu      sync.Mutex
	flights map[string]chan struct{} // closed when the answer is there or failed
}

type cacheEntry struct {
	Key      string         `json:"key"`
	Response storedResponse `json:"response"`
}

func (c *cache) Complete(ctx context.Context, req Request) (Response, error) {
	key := sentOf(req, c.opts.BaseURL).digest()
	for {
		if err := ctx.Err(); err != nil {
			return Response{}, err
		}
		done, mine := c.board(key)
		if mine {
			return c.lead(ctx, key, req)
		}
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}

func (c *cache) board(key string) (done chan struct{}, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if done, flying := c.flights[key]; flying {
		return done, false
	}
	done = make(chan struct{})
	c.flights[key] = done
	return done, true
}

func (c *cache) lead(ctx context.Context, key string, req Request) (Response, error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.flights[key])
		delete(c.flights, key)
	}()
	if res, ok := c.load(key); ok && c.wanted(res) {
		return res, nil
	}
	res, err := c.next.Complete(ctx, req)
	if err != nil || res.Cached || !c.wanted(res) {
		return res, err
	}
	entry := cacheEntry{Key: key, Response: storedOf(res)}
	if err := writeJSON(c.file(key), entry); err != nil && c.opts.OnError != nil {
		c.opts.OnError(err)
	}
	return res, nil
}

func (c *cache) wanted(res Response) bool {
	return !c.opts.WholeOnly || res.Stop != StopLength
}

func (c *cache) load(key string) (Response, bool) {
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return Response{}, false
	}
	var entry cacheEntry
	if json.Unmarshal(data, &entry) != nil || entry.Key != key {
		return Response{}, false
	}
	return entry.Response.response(), true
}

func (c *cache) file(key string) string {
	return filepath.Join(c.opts.Dir, key[:2], key+".json")
}
