package proxy

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// reply carries an answer from the exchange, which continues when the agent is
// gone, to the connection of the agent, which ends then.
type reply struct {
	parts chan part
	gone  chan struct{}
	once  sync.Once
}

// part is the head of an answer (status is set) or a piece of it. A broken
// part cuts the connection, as the provider's was cut.
type part struct {
	status int
	header http.Header
	data   []byte
	broken bool
}

func newReply() *reply { return &reply{parts: make(chan part), gone: make(chan struct{})} }

// send gives a part to the agent, if it is still there.
func (r *reply) send(p part) {
	select {
	case r.parts <- p:
	case <-r.gone:
	}
}

func (r *reply) leave() { r.once.Do(func() { close(r.gone) }) }

// copyTo writes the parts until the exchange ends or the agent goes.
func (r *reply) copyTo(w http.ResponseWriter, ctx context.Context) {
	defer r.leave()
	control := http.NewResponseController(w)
	for {
		select {
		case p, more := <-r.parts:
			if !more {
				return
			}
			if p.broken {
				panic(http.ErrAbortHandler)
			}
			_ = control.SetWriteDeadline(time.Now().Add(slowClient))
			if !p.write(w, control) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (p part) write(w http.ResponseWriter, control *http.ResponseController) bool {
	if p.status != 0 {
		for name, values := range p.header {
			w.Header()[name] = values
		}
		w.WriteHeader(p.status)
	}
	if len(p.data) == 0 {
		return true
	}
	if _, err := w.Write(p.data); err != nil {
		return false
	}
	return control.Flush() == nil
}
