package mirror

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// keepReader is how long a reader keeps its process without a request.
const keepReader = 2 * time.Second

// reader reads objects of one repository through one git process, since a
// process for each object costs more than reading it. It starts the process
// when it is asked and ends it when there was no request for a while. It is
// safe for concurrent use.
type reader struct {
	gitDir string
	keep   time.Duration // how long the process may wait for the next question

	mu   sync.Mutex
	cmd  *exec.Cmd // nil when none runs
	in   io.WriteCloser
	out  *bufio.Reader
	idle *time.Timer
	// stderr is read when the process has ended.
	stderr *complaints
}

// missingObjectError means that a repository has no object of that name. It is
// not fs.ErrNotExist: a file whose content is missing still exists.
type missingObjectError struct{ name string }

func (e *missingObjectError) Error() string { return "no object " + e.name }

func missingObject(err error) bool {
	var missing *missingObjectError
	return errors.As(err, &missing)
}

// read returns the type and the content of an object. name is an id or any
// other name that git knows; the error is a missingObjectError where it knows
// none.
func (r *reader) read(ctx context.Context, name string) (kind string, data []byte, err error) {
	if name == "" || strings.ContainsAny(name, " \t\r\n\x00") {
		return "", nil, &missingObjectError{strconv.Quote(name)}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	running := r.cmd != nil
	kind, data, err = r.try(ctx, name)
	if running && err != nil && !missingObject(err) && ctx.Err() == nil {
		kind, data, err = r.try(ctx, name) // somebody ended the process meanwhile
	}
	return kind, data, err
}

func (r *reader) try(ctx context.Context, name string) (kind string, data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	if err := r.start(); err != nil {
		return "", nil, fmt.Errorf("starting git cat-file: %w", err)
	}
	process := r.cmd.Process
	// A clone without all objects fetches them from its remote.
	ended := context.AfterFunc(ctx, func() { _ = process.Kill() })
	kind, data, err = r.ask(name)
	if !ended() || err != nil && !missingObject(err) {
		r.stop() // the next answer could be the rest of this one
	}
	if err != nil && !missingObject(err) {
		err = fmt.Errorf("git cat-file: %w: %s", cmp.Or(ctx.Err(), err), strings.TrimSpace(r.stderr.text.String()))
	}
	if r.cmd != nil {
		r.idle.Reset(r.keep)
	}
	return kind, data, err
}

// complaints keeps the beginning of what a process writes.
type complaints struct{ text strings.Builder }

func (c *complaints) Write(p []byte) (int, error) {
	c.text.Write(p[:min(len(p), max(0, 4096-c.text.Len()))])
	return len(p), nil
}

func (r *reader) start() error {
	if r.cmd != nil {
		return nil
	}
	cmd := exec.Command("git", "--git-dir", r.gitDir, "cat-file", "--batch")
	r.stderr = &complaints{}
	cmd.Env, cmd.Stderr = gitEnv(), r.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.cmd, r.in, r.out = cmd, in, bufio.NewReader(out)
	r.idle = time.AfterFunc(r.keep, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.cmd == cmd {
			r.stop()
		}
	})
	return nil
}

// stop ends the process, which ends by itself when its input does.
func (r *reader) stop() {
	if r.cmd == nil {
		return
	}
	r.idle.Stop()
	r.in.Close()
	// A process that has more to write would wait for ever for its reader. How it
	// ends, and whether it had ended already, does not matter.
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	r.cmd = nil
}

// ask sends one name and reads one answer: "<id> <type> <size>" and the
// content, or the name and a word for the reason why it is missing.
func (r *reader) ask(name string) (kind string, data []byte, err error) {
	if _, err := io.WriteString(r.in, name+"\n"); err != nil {
		return "", nil, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	head := strings.Fields(line)
	if len(head) != 3 {
		return "", nil, &missingObjectError{name}
	}
	size, err := strconv.Atoi(head[2])
	if err != nil {
		return "", nil, fmt.Errorf("answer %q", strings.TrimSpace(line))
	}
	data = make([]byte, size+1)
	if _, err := io.ReadFull(r.out, data); err != nil {
		return "", nil, err
	}
	return head[1], data[:size:size], nil // the answer ends with a newline of its own
}
