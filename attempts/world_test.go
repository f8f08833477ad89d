package attempts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/tasks"
)

// scripted is an agent that does what a function says.
type scripted struct {
	digest string
	solve  func(ctx context.Context, w agents.Work) (agents.Outcome, error)

	mu    sync.Mutex
	calls []string // task and number of each try
}

func (*scripted) Name() string             { return "scripted" }
func (*scripted) Solves(k tasks.Kind) bool { return true }
func (s *scripted) Digest() string         { return s.digest }

func (s *scripted) Solve(ctx context.Context, w agents.Work) (agents.Outcome, error) {
	s.mu.Lock()
	s.calls = append(s.calls, fmt.Sprintf("%s#%d", w.Task.Name(), w.Attempt))
	s.mu.Unlock()
	return s.solve(ctx, w)
}

// bank is what all sessions of a run spend from, as the proxy's ledger is.
type bank struct {
	mu    sync.Mutex
	left  float64 // 0: no limit
	spent float64
}

// session is a model whose calls cost what the agent says.
type session struct {
	o     SessionOptions
	bank  *bank
	mu    sync.Mutex
	t     Totals
	spent chan struct{}
}

func (*session) Serve(c net.Conn)         { _ = c.Close() }
func (*session) Key() string              { return "dummy" }
func (s *session) Spent() <-chan struct{} { return s.spent }
func (s *session) Close() Totals          { s.mu.Lock(); defer s.mu.Unlock(); return s.t }
func (s *session) end(e SessionEnd) bool {
	s.t.End, s.t.Cause = e, "cause of "+string(e)
	close(s.spent)
	return false
}

// call makes one call of the model, as the proxy does: reserved, then recorded.
func (s *session) call(usd float64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bank.mu.Lock()
	defer s.bank.mu.Unlock()
	if s.o.Limit > 0 && s.t.USD+usd > s.o.Limit+1e-9 {
		return s.end(OverBudget)
	}
	if s.bank.left > 0 && s.bank.spent+usd > s.bank.left+1e-9 {
		return s.end(OverRunBudget)
	}
	s.bank.spent += usd
	s.t.Calls, s.t.USD, s.t.Input, s.t.Output = s.t.Calls+1, s.t.USD+usd, s.t.Input+100, s.t.Output+10
	fmt.Fprintf(s.o.Record, "{\"n\":%d,\"reserved_usd\":%g}\n", s.t.Calls, 2*usd)
	fmt.Fprintf(s.o.Record, "{\"n\":%d,\"usd\":%g,\"usage\":{\"prompt\":100,\"completion\":10}}\n", s.t.Calls, usd)
	s.o.Observe(s.t)
	return true
}

// watcher notes what a run shows.
type watcher struct {
	mu     sync.Mutex
	start  Start
	tried  []string
	left   int
	broken []string
}

func (w *watcher) Start(s Start) { w.start = s }
func (w *watcher) Begin(ctx context.Context, attempt, _ string) (context.Context, func(Totals), func()) {
	return ctx, func(Totals) {}, func() {}
}
func (w *watcher) Tried(r Record, again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tried = append(w.tried, fmt.Sprintf("%s %s %t", r.slot(), r.End, again))
}
func (w *watcher) Left(string) { w.mu.Lock(); defer w.mu.Unlock(); w.left++ }

func (w *watcher) Broken(task string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = append(w.broken, task+": "+err.Error())
}

// world is a runner over made-up tasks.
type world struct {
	*Runner
	agent *scripted
	watch *watcher
	bank  *bank
	slept []time.Duration
}

// open opens a runner on a folder, as one call of the command does.
func open(t *testing.T, dir string, budget float64, solve func(ctx context.Context, w agents.Work) (agents.Outcome, error)) *world {
	t.Helper()
	f, err := OpenFolder(dir, Identity{Agent: "scripted", Model: "p/m"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	w := &world{agent: &scripted{solve: solve}, watch: &watcher{}, bank: &bank{left: f.Left(budget)}}
	w.Runner = &Runner{
		Agent: w.agent, Model: "p/m", Folder: f, Attempts: 1, Jobs: 4, Retries: 2, Budget: budget, Watch: w.watch,
		Open: func(o SessionOptions) (Session, error) {
			return &session{o: o, bank: w.bank, spent: make(chan struct{})}, nil
		},
		Prompt:  func(t tasks.Task) (string, error) { return "solve " + t.Name(), nil },
		Visible: func(t tasks.Task, prompt string) (string, error) { return t.ID() + prompt, nil },
		Sleep:   func(_ context.Context, d time.Duration) error { w.slept = append(w.slept, d); return nil },
		Trajectory: func(r Record, calls io.Reader, _ []byte) ([]byte, error) {
			text, err := io.ReadAll(calls)
			return []byte(fmt.Sprintf("%d bytes of calls", len(text))), err
		},
	}
	return w
}

// list makes n tasks.
func list(n int) []Task {
	var out []Task
	for i := range n {
		id := fmt.Sprintf("o__r-%d", i+1)
		out = append(out, Task{Name: "bugfix/" + id, Instance: id, Load: func() (tasks.Task, error) {
			return tasks.Task{Kind: "bugfix", Instance: &bench.Instance{ID: id, Language: "python"}}, nil
		}})
	}
	return out
}

// spends is an agent that makes some calls of one price, and then submits.
func spends(calls int, usd float64) func(context.Context, agents.Work) (agents.Outcome, error) {
	return func(_ context.Context, w agents.Work) (agents.Outcome, error) {
		for range calls {
			if !w.Session.(*session).call(usd) {
				return agents.Outcome{End: agents.Budget, Patch: "half of it\n"}, nil
			}
		}
		return agents.Outcome{End: agents.Done, Patch: "fix of " + w.Task.Name() + "\n", Version: "1.0"}, nil
	}
}

// predictions reads a file of them.
func predictions(t *testing.T, path string) []bench.Prediction {
	t.Helper()
	out, err := bench.ReadPredictions(t.Context(), path)
	require.NoError(t, err)
	return out
}

func jsonLines(t *testing.T, text string) []Record {
	t.Helper()
	var out []Record
	for line := range strings.Lines(text) {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		out = append(out, r)
	}
	return out
}
