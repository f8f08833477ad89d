package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// recorder keeps the jobs that ran a script: what the bare loops repeat.
type recorder struct {
	harness.Runner
	mu   sync.Mutex
	jobs []harness.Job
}

func (r *recorder) Run(ctx context.Context, job harness.Job) (harness.Result, error) {
	if job.Script != "" {
		r.mu.Lock()
		r.jobs = append(r.jobs, job)
		r.mu.Unlock()
	}
	return r.Runner.Run(ctx, job)
}

// bareScript is a job as one would write it by hand: the same files, the same
// commands, and the reports printed in the end. They describe what passed,
// not the status: tests of assay's own are meant to fail in the same start.
func bareScript(job harness.Job) string {
	const end = "END-OF-FILE-8d1f0b"
	var b strings.Builder
	for _, p := range job.Remove {
		fmt.Fprintf(&b, "rm -rf '%s'\n", p)
	}
	for _, f := range job.Files {
		fmt.Fprintf(&b, "mkdir -p '%s'\ncat >'%s' <<'%s'\n%s\n%s\n", filepath.Dir(f.Path), f.Path, end, bytes.TrimSuffix(f.Data, []byte("\n")), end)
	}
	fmt.Fprintf(&b, "cd '%s' || exit 125\n(\n%s)\ncat %s 2>/dev/null\nexit 0\n", job.Workdir, job.Script, strings.Join(job.Collect, " "))
	return b.String()
}

// inParallel does all jobs, a number of them at a time.
func inParallel(b *testing.B, jobs []harness.Job, workers int, do func(harness.Job) error) {
	queue := make(chan harness.Job)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	for range workers {
		wg.Go(func() {
			for job := range queue {
				if err := do(job); err != nil {
					mu.Lock()
					failed = append(failed, fmt.Errorf("%s: %w", job.Name, err))
					mu.Unlock()
				}
			}
		})
	}
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	wg.Wait()
	require.Empty(b, failed)
}

// passes checks that a bare run did the work: a loop that fails fast would
// make a fine figure.
func passes(output []byte) error {
	if n := bytes.Count(output, []byte(`"passed"`)); n < 6 {
		return fmt.Errorf("%d of 6 tests passed: %s", n, output[:min(len(output), 2000)])
	}
	return nil
}

// engineAPI speaks to Docker's socket with nothing in between.
type engineAPI struct{ http.Client }

func newEngineAPI(b *testing.B) engineAPI {
	host := os.Getenv("DOCKER_HOST")
	if host == "" {
		host = "unix:///var/run/docker.sock"
	}
	path, ok := strings.CutPrefix(host, "unix://")
	if !ok {
		b.Skipf("the bare loop speaks to a socket on this machine, not to %s", host)
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}
	return engineAPI{http.Client{Transport: &http.Transport{DialContext: dial}}}
}

func (e engineAPI) call(method, path string, body any) ([]byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(method, "http://engine/v1.41"+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := e.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, out)
	}
	return out, err
}

// Environments carry the labels of the process that made them, and containers
// inherit these: without another owner, an assay that starts elsewhere on this
// machine would take the loop's containers for those of a dead process.
const (
	bareLabel = "assay.host"
	bareOwner = "bare loop"
)

// run is create, start, wait, logs and remove.
func (e engineAPI) run(job harness.Job) error {
	out, err := e.call("POST", "/containers/create", map[string]any{
		"Image": job.Environment, "Env": job.Env, "Entrypoint": []string{"/bin/sh", "-c", bareScript(job)},
		"HostConfig": map[string]any{"NetworkMode": "none"}, "Labels": map[string]string{bareLabel: bareOwner},
	})
	if err != nil {
		return err
	}
	var made struct{ ID string }
	if err := json.Unmarshal(out, &made); err != nil {
		return err
	}
	path := "/containers/" + made.ID
	for _, step := range []string{"/start", "/wait"} {
		if _, err := e.call("POST", path+step, nil); err != nil {
			return err
		}
	}
	if out, err = e.call("GET", path+"/logs?stdout=1&stderr=1", nil); err != nil {
		return err
	}
	if _, err := e.call("DELETE", path, nil); err != nil {
		return err
	}
	return passes(out)
}

// dockerCommand is the same by the docker command, as a shell loop has it.
func dockerCommand(job harness.Job) error {
	args := []string{"create", "--network", "none", "--entrypoint", "/bin/sh", "--label", bareLabel + "=" + bareOwner}
	for _, v := range job.Env {
		args = append(args, "-e", v)
	}
	id, err := exec.Command("docker", append(args, job.Environment, "-c", bareScript(job))...).Output()
	if err != nil {
		return fmt.Errorf("docker create: %w", err)
	}
	name := strings.TrimSpace(string(id))
	out, err := exec.Command("docker", "start", "--attach", name).Output()
	if err != nil {
		return fmt.Errorf("docker start: %w", err)
	}
	if err := exec.Command("docker", "rm", name).Run(); err != nil {
		return fmt.Errorf("docker rm: %w", err)
	}
	return passes(out)
}

// shell runs jobs on this machine, each in a fresh copy of the repository, with
// nothing around them but process numbers of their own: a job's script kills
// every process that it can see when the tests are over.
type shell struct {
	source, scratch, python string
}

func (s shell) run(job harness.Job) error {
	dir, err := os.MkdirTemp(s.scratch, "task")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("cp", "-r", s.source, dir+"/testbed").CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	move := strings.NewReplacer("/testbed", dir+"/testbed", "/assay/", dir+"/assay/")
	cmd := exec.Command("unshare", "--pid", "--fork", "/bin/sh", "-c", move.Replace(bareScript(job)))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "ASSAY_PYTHON=" + s.python}
	for _, v := range job.Env {
		cmd.Env = append(cmd.Env, move.Replace(v))
	}
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	return passes(out)
}

// diskUse is what the files below a folder take of the disk, each counted once.
func diskUse(b *testing.B, dir string) float64 {
	out, err := exec.Command("du", "-s", "-k", dir).Output()
	require.NoError(b, err)
	var kilobytes float64
	_, err = fmt.Sscan(string(out), &kilobytes)
	require.NoError(b, err)
	return kilobytes / 1024
}

// median of an odd or even number of values; the values are sorted.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}
