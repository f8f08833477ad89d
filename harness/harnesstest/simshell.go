package harnesstest

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"assay/harness"
)

// simShell runs one script.
type simShell struct {
	ctx     context.Context
	fs      *simFS
	env     []string
	dir     string
	uid     string
	limits  harness.Limits
	out     *harness.Capture
	printed io.Writer // out and the observer
	written int64     // bytes written to files, against limits.Disk
	trouble error     // errBeyond, when the script could not be simulated
	end     harness.End
	stop    bool         // the script has ended
	stopped *atomic.Bool // by the job's Stop
	code    int
}

// simCall is a command with its streams.
type simCall struct {
	args           []string
	stdout, stderr io.Writer
}

func newSimShell(ctx context.Context, fs *simFS, env []string, job harness.Job, limits harness.Limits) (*simShell, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	stopped := new(atomic.Bool)
	if job.Stop != nil {
		go func() {
			select {
			case <-job.Stop:
				stopped.Store(true)
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	env = append([]string{"PATH=/usr/bin:/bin"}, env...)
	dir := path.Clean("/" + job.Workdir)
	fs.mkdir(dir)
	out := harness.NewCapture(limits.Output, nil)
	return &simShell{
		ctx: ctx, fs: fs, env: env, dir: dir, uid: userID(job.User), limits: limits,
		out: out, printed: io.MultiWriter(out, harness.Lines(ctx)), end: harness.Exited, stopped: stopped,
	}, cancel
}

// runScript runs a script to its end and describes how it ended.
func (s *simShell) runScript(script string, errexit bool) harness.Result {
	began := time.Now()
	s.interpret(script, errexit)
	if s.ctx.Err() != nil {
		s.end, s.code = harness.TimedOut, -1
		if s.stopped.Load() {
			s.end = harness.Stopped
		}
	}
	return harness.Result{End: s.end, ExitCode: s.code, Timings: harness.Timings{Run: time.Since(began)}}
}

func (s *simShell) interpret(script string, errexit bool) {
	words, err := simLex(script, s.getenv)
	if err != nil {
		s.trouble, s.stop = err, true
		return
	}
	for len(words) > 0 && !s.stop {
		n := 0
		for n < len(words) && !(words[n].op && (words[n].text == ";" || words[n].text == "&")) {
			n++
		}
		switch {
		case n == len(words) || words[n].text == ";":
			s.list(words[:n], errexit)
		case words[0].text != "sleep": // a sleeper leaves no trace
			s.beyond("background " + words[0].text)
		}
		words = words[min(n+1, len(words)):]
	}
}

// list runs commands joined by && and ||.
func (s *simShell) list(words []simWord, errexit bool) {
	skip := false
	for len(words) > 0 && !s.stop {
		n := 0
		for n < len(words) && !(words[n].op && (words[n].text == "&&" || words[n].text == "||")) {
			n++
		}
		if !skip {
			s.code = s.command(words[:n])
		}
		if n == len(words) {
			s.stop = s.stop || errexit && !skip && s.code != 0
			return
		}
		skip = (words[n].text == "&&") != (s.code == 0)
		words = words[n+1:]
	}
}

// command runs a simple command and returns its exit code.
func (s *simShell) command(words []simWord) int {
	c := simCall{stdout: s.printed, stderr: s.printed}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.op {
			c.args = append(c.args, w.text)
			continue
		}
		switch w.text {
		case "2>&1":
			c.stderr = c.stdout
		case ">&2":
			c.stdout = c.stderr
		case "2>/dev/null":
			c.stderr = io.Discard
		default:
			if i++; i == len(words) {
				return s.beyond("a redirection to nowhere")
			}
			c.stdout = s.open(words[i].text, w.text == ">>")
		}
	}
	if len(c.args) == 0 {
		return 0
	}
	if s.ctx.Err() != nil {
		s.stop = true
		return -1
	}
	return s.call(c)
}

func (s *simShell) beyond(what string) int {
	s.trouble, s.stop = errors.Join(errBeyond, errors.New(what)), true
	return 2
}

// getenv finds a variable; the last setting counts.
func (s *simShell) getenv(name string) string {
	for i := len(s.env) - 1; i >= 0; i-- {
		if k, v, _ := strings.Cut(s.env[i], "="); k == name {
			return v
		}
	}
	return ""
}

func (s *simShell) abs(p string) string {
	if path.IsAbs(p) {
		return path.Clean(p)
	}
	return path.Join(s.dir, p)
}

// open opens a file for writing. The null device takes everything.
func (s *simShell) open(p string, appending bool) io.Writer {
	if p == "/dev/null" {
		return io.Discard
	}
	f := &simFile{shell: s, path: s.fs.resolve(s.abs(p))}
	old, _ := s.fs.read(f.path)
	if !appending {
		old = nil
	}
	f.node = simNode{mode: harness.FileMode, data: old[:len(old):len(old)]}
	s.fs.set(f.path, f.node)
	return f
}

// simFile is an open file.
type simFile struct {
	shell *simShell
	path  string
	node  simNode
}

func (f *simFile) Write(p []byte) (int, error) {
	if f.shell.written+int64(len(p)) > f.shell.limits.Disk {
		return 0, errors.New("No space left on device")
	}
	f.shell.written += int64(len(p))
	f.node.data = append(f.node.data, p...)
	f.shell.fs.set(f.path, f.node)
	return len(p), nil
}
