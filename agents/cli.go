package agents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"assay/agents/adapter"
	"assay/agents/worktree"
	"assay/harness"
	"assay/llm"
	"assay/tasks"
)

// CLI is an agent that is a program: an adapter describes how it is installed
// and called.
type CLI struct {
	Adapter adapter.Adapter
	// Folder is what relative paths of the adapter are relative to.
	Folder string
}

var (
	_ Modeled    = CLI{}
	_ Identified = CLI{}
)

// Name implements Agent.
func (c CLI) Name() string { return c.Adapter.Name }

// Solves implements Agent.
func (c CLI) Solves(k tasks.Kind) bool {
	return len(c.Adapter.Kinds) == 0 || slices.Contains(c.Adapter.Kinds, k.Name())
}

// Protocol implements Modeled.
func (c CLI) Protocol(provider string) (string, bool) {
	s, ok := c.Adapter.Speech(provider, offered(provider))
	return s.Protocol, ok
}

// NeedsModel reports whether the agent cannot do without a model.
func (c CLI) NeedsModel() bool { return len(c.Adapter.Speaks) > 0 && !c.Adapter.ModelOptional }

// offered are the protocols that a provider's models can be used in.
func offered(provider string) []string {
	for _, p := range llm.Providers() {
		if p.Name != provider {
			continue
		}
		switch p.Protocol {
		case llm.ProtocolAnthropic:
			return []string{"messages"}
		case llm.ProtocolGemini:
			return []string{"generate"}
		}
		if p.Name == "openai" {
			return []string{"responses", "chat"}
		}
		return []string{"chat"}
	}
	return nil
}

// Digest implements Identified.
func (c CLI) Digest() string {
	data, err := json.Marshal(c.Adapter)
	if err != nil {
		data = []byte(err.Error())
	}
	return digestOf(append(data, folderDigest(c.own())...))
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Running is the phase in which an agent works.
const Running harness.Phase = "running"

// port is the loopback port of the proxy, in every sandbox.
const port = 8791

// stopGrace is what an agent gets to end by itself when its session is spent.
const stopGrace = 10 * time.Second

// Solve implements Agent. The agent runs in the task's environment, on the
// task's start tree, without any network but the session.
func (c CLI) Solve(ctx context.Context, w Work) (Outcome, error) {
	began := time.Now()
	out := Outcome{Version: c.Adapter.Version, Seconds: map[string]float64{}}
	s, err := c.open(ctx, w)
	if err != nil {
		return out, fmt.Errorf("agent %s: %w", c.Name(), err)
	}
	job, call, err := c.job(s, w)
	if err != nil {
		return out, fmt.Errorf("agent %s: %w", c.Name(), err)
	}
	stop, ended := stopAfter(w.Session, stopGrace)
	job.Stop = stop
	out.Seconds["prepare"] = time.Since(began).Seconds()
	harness.Notify(ctx, Running, c.Name())
	res, err := w.Machine.Runner.Run(ctx, job)
	ended()
	if err != nil {
		return out, fmt.Errorf("agent %s: %w", c.Name(), err)
	}
	out.Seconds["run"] = res.Timings.Run.Seconds()
	began = time.Now()
	writeLog(w.Log, res.Output)
	out.ExitCode, out.Files = res.ExitCode, s.logs(res.Files)
	out.End, out.Detail = endOf(res, w.Session, call)
	err = s.take(ctx, res, c.Adapter.Leaves, &out)
	out.Seconds["take"] = time.Since(began).Seconds()
	return out, err
}

// endOf is what ended the attempt. A spent session comes first: agents end in
// different ways then.
func endOf(res harness.Result, s Session, call adapter.Call) (End, string) {
	if s != nil {
		select {
		case <-s.Spent():
			return Budget, ""
		default:
		}
	}
	switch res.End {
	case harness.TimedOut:
		return Time, ""
	case harness.OutOfMemory, harness.OutputLimit, harness.DiskLimit:
		return Limit, string(res.End)
	case harness.Stopped:
		return Budget, ""
	}
	end, detail := call.End(res.ExitCode, adapter.Said{Output: slices.Concat(res.Output.Head, res.Output.Tail), Files: res.Files})
	if res.End == harness.CollectLimit {
		detail = join(detail, "its own logs were too large to keep")
	}
	return End(end), detail
}

// stopAfter closes a channel some time after a session is spent. ended frees
// what waits for that.
func stopAfter(s Session, grace time.Duration) (stop <-chan struct{}, ended func()) {
	closed, done := make(chan struct{}), make(chan struct{})
	if s == nil {
		return closed, func() {}
	}
	go func() {
		select {
		case <-done:
			return
		case <-s.Spent():
		}
		select {
		case <-done:
		case <-time.After(grace):
			close(closed)
		}
	}()
	return closed, func() { close(done) }
}

// writeLog writes what the agent printed.
func writeLog(w io.Writer, o harness.Output) {
	if w == nil {
		return
	}
	_, _ = w.Write(o.Head)
	if o.Omitted > 0 {
		fmt.Fprintf(w, "\n[... %d bytes left out ...]\n", o.Omitted)
	}
	_, _ = w.Write(o.Tail)
}

// take compares the tree with the start and checks that the patch gives the
// same tree again.
func (s *sandbox) take(ctx context.Context, res harness.Result, own []string, out *Outcome) error {
	if res.TreeCut {
		out.End, out.Detail = Limit, "it left too many files to list"
		return nil
	}
	taken, err := worktree.Take(ctx, s.start, res.Tree, own)
	if err != nil {
		return &harness.InfraError{Op: "taking the patch", Err: err}
	}
	out.Patch, out.LeftOut = taken.Patch, taken.LeftOut
	if out.Patch == "" {
		return nil
	}
	if err := s.check(ctx, taken); err != nil {
		out.Detail = join(out.Detail, "the patch does not give the same tree on a fresh start: "+err.Error())
	}
	return nil
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// errNoSession says that an agent needs a model and was given none.
var errNoSession = errors.New("it needs a model: give one as provider/model")
