package harness

import "sync"

// outputRatio is how many times Limits.Output a job may print before it is
// ended for OutputLimit.
const outputRatio = 10

// Capture keeps what a job prints within a bound: the first half of the limit
// and the last half, and how many bytes came between. It is a Writer that
// never fails, may be written to by several goroutines, and keeps at most the
// limit in memory regardless of the output.
type Capture struct {
	mu       sync.Mutex
	limit    int64
	total    int64
	head     []byte
	ring     []byte // the bytes after head; wraps at start once it is full
	start    int    // of the oldest byte in ring
	overflow func()
}

// NewCapture returns a Capture that keeps limit bytes (DefaultLimits' when
// limit is not positive). The first write that raises the total above ten
// times the limit calls overflow, once, from the writer's goroutine; nil is
// allowed.
func NewCapture(limit int64, overflow func()) *Capture {
	if limit <= 0 {
		limit = DefaultLimits().Output
	}
	return &Capture{limit: limit, overflow: overflow}
}

// Write takes p in whole. It keeps nothing of p itself.
func (c *Capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	before := c.total
	c.total += int64(len(p))
	c.keep(p)
	over := before <= outputRatio*c.limit && c.total > outputRatio*c.limit
	c.mu.Unlock()
	if over && c.overflow != nil {
		c.overflow()
	}
	return len(p), nil
}

// Exceeded reports whether more than ten times the limit was written.
func (c *Capture) Exceeded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total > outputRatio*c.limit
}

// Output returns what was kept so far, as a copy.
func (c *Capture) Output() Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	head := append([]byte(nil), c.head...)
	tail := append(append([]byte(nil), c.ring[c.start:]...), c.ring[:c.start]...)
	omitted := c.total - int64(len(head)+len(tail))
	if omitted == 0 {
		return Output{Head: append(head, tail...)}
	}
	return Output{Head: head, Tail: tail, Omitted: omitted}
}

// keep puts p into head while that has room and into the ring after it.
func (c *Capture) keep(p []byte) {
	if room := int(c.limit/2) - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	size := int(c.limit - c.limit/2)
	if len(p) > size {
		p = p[len(p)-size:]
	}
	if room := size - len(c.ring); room > 0 {
		n := min(room, len(p))
		c.ring = append(c.ring, p[:n]...)
		p = p[n:]
	}
	for len(p) > 0 {
		n := copy(c.ring[c.start:], p)
		c.start = (c.start + n) % size
		p = p[n:]
	}
}
