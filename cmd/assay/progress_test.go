package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

// showing judges one of two submissions on a simulated executor: it makes an
// environment of two layers in forty seconds each, and tests for ten more.
// No step ends when a tick comes, so that what is shown is the same each time.
func showing(t *testing.T, o evalFlags, set func(*progress)) string {
	t.Helper()
	var out bytes.Buffer
	a := &app{stderr: &out}
	p := a.newEvalProgress(o)
	known := &report.Summary{}
	known.Add(bench.Result{Verdict: bench.Unresolved})
	s := engine.Start{Total: 3, Todo: 2, Jobs: 2, Known: known, Executor: "fake", Folder: "runs/x"}
	p.prepare(s)
	set(p.progress)
	p.announce(s)
	ctx, ended := p.Begin(t.Context(), tasks.Item{Name: "bugfix/one", Instance: "one", Model: "gold"})
	harness.Notify(ctx, languages.Cloning, "owner/name")
	fake := &harnesstest.Fake{}
	low := harness.Recipe{Name: "python", Script: "echo Unpacking python3\nsleep 40.3"}
	top := harness.Recipe{Name: "one", Parent: &low, Script: "echo Collecting pytest\nsleep 40.4", Archives: []harness.Archive{emptyArchive()}}
	env, err := fake.Prepare(ctx, top)
	require.NoError(t, err)
	harness.Notify(ctx, languages.Testing, "gold")
	_, err = fake.Run(ctx, harness.Job{Environment: env, Script: "echo collected 3 items\nsleep 10.4"})
	require.NoError(t, err)
	ended()
	p.Result("bugfix/one", bench.Result{Task: "bugfix", InstanceID: "one", Model: "gold", Verdict: bench.Resolved, Timing: &bench.Timing{Seconds: 90}})
	p.Result("bugfix/two", bench.Result{Task: "bugfix", InstanceID: "two", Model: "gold", Verdict: bench.Infra, Reason: "no network"})
	p.finish()
	return out.String()
}

// emptyArchive stands for a repository.
func emptyArchive() harness.Archive {
	return harness.Archive{Dest: "/src", Digest: "empty", Open: func() (io.ReadCloser, error) {
		var buf bytes.Buffer
		err := tar.NewWriter(&buf).Close()
		return io.NopCloser(&buf), err
	}}
}

func TestProgressPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := `3 submissions on fake, 2 at a time; 1 are already judged
  bugfix/one (gold): installing python
1 of 3 done: 1 unresolved
     25s  bugfix/one (gold): installing python | Unpacking python3
  bugfix/one (gold): building
1 of 3 done: 1 unresolved
     25s  bugfix/one (gold): building | Collecting pytest
1 of 3 done: 1 unresolved
     10s  bugfix/one (gold): testing gold | collected 3 items
[2/3] resolved      bugfix/one (gold) 90.0s, about 1m31s left
[3/3] infra         bugfix/two (gold) 0.0s
      no network
`
		require.Equal(t, want, showing(t, evalFlags{}, func(*progress) {}))
	})
}

func TestProgressQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.Empty(t, showing(t, evalFlags{quiet: true}, func(*progress) {}))
	})
}

// TestProgressEvents: phases as they begin, and the status in between.
func TestProgressEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := showing(t, evalFlags{json: true}, func(*progress) {})
		var kinds []string
		var status map[string]any
		for line := range strings.Lines(out) {
			var e map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &e))
			kind := e["event"].(string)
			if kind == "phase" {
				require.Equal(t, "one", e["instance_id"])
				kind = e["phase"].(string) + " " + e["about"].(string)
			}
			if kind == "status" && status == nil {
				status = e
			}
			kinds = append(kinds, kind)
		}
		require.Equal(t, []string{
			"start", "cloning owner/name", "installing python", "status", "building one", "status", "testing gold", "result", "result", "end",
		}, kinds)
		require.Equal(t, map[string]any{
			"event": "status", "finished": 1.0, "total": 3.0, "verdicts": map[string]any{"unresolved": 1.0},
			"running": []any{map[string]any{
				"name": "bugfix/one (gold)", "instance_id": "one", "phase": "installing", "about": "python", "line": "Unpacking python3",
				"seconds": 25.0, "phase_seconds": 25.0,
			}},
		}, status)
	})
}

// TestProgressLive: on a terminal lines are rewritten, and results stay above.
func TestProgressLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := showing(t, evalFlags{}, func(p *progress) { p.mode = liveLines })
		frames := strings.Split(out, "\x1b[2A\r\x1b[J")
		require.Equal(t, "3 submissions on fake, 2 at a time; 1 are already judged\n"+
			"1 of 3 done: 1 unresolved\n      0s  bugfix/one (gold): installing python | Unpacking python3\n", frames[0])
		require.Contains(t, frames, "1 of 3 done: 1 unresolved\n     39s  bugfix/one (gold): building | Collecting pytest\n")
		require.Contains(t, frames, "1 of 3 done: 1 unresolved\n      9s  bugfix/one (gold): testing gold | collected 3 items\n")
		require.Equal(t, "[2/3] resolved      bugfix/one (gold) 90.0s\n[3/3] infra         bugfix/two (gold) 0.0s\n      no network\n", frames[len(frames)-1])
	})
}

// TestStatus: long lines are cut, and a crowd is counted.
func TestStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, liveLines, 100, 100, 30)
		for range mostShown + 3 {
			ctx, _ := p.begin(t.Context(), "name", "name")
			harness.Notify(ctx, harness.Waiting, strings.Repeat("ab", 60))
		}
		lines := p.status()
		require.Len(t, lines, mostShown+2)
		require.Equal(t, "  and 3 more", lines[mostShown+1])
		p.screen.draw(lines[:2])
		require.Equal(t, "0 of 100 done\n      0s  name: waiting for "+strings.Repeat("ab", 25)+"…\n", out.String())
		out.Reset()
		p.aside(func() { out.WriteString("something else\n") })
		require.Equal(t, "\x1b[2A\r\x1b[Jsomething else\n", out.String())
	})
}

func TestLeft(t *testing.T) {
	tests := map[string]struct {
		total, already, finished, jobs int
		estimate                       float64
		want                           time.Duration
		known                          bool
	}{
		"nothing is known": {10, 4, 4, 2, 0, 0, false},
		"by pace":          {10, 4, 6, 2, 0, 2 * time.Minute, true},
		"by history":       {10, 4, 4, 2, 100, 30 * time.Second, true},
		"all done":         {10, 4, 10, 2, 100, 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newProgress(&bytes.Buffer{}, plainLines, tt.total, tt.total-tt.already, tt.jobs)
				time.Sleep(time.Minute)
				p.finished, p.estimate = tt.finished, tt.estimate
				left, known := p.left()
				require.Equal(t, tt.known, known)
				require.Equal(t, tt.want, left)
			})
		})
	}
}

// TestEachShows: other commands than eval show their work, too.
func TestEachShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		a := &app{stderr: &out}
		a.each(t.Context(), batch{
			workers: 1, n: 2, name: func(i int) string { return []string{"one", "two"}[i] }, statusLine: a.statusLine,
			do: func(ctx context.Context, i int) string {
				harness.NotifyLayer(ctx, harness.Recipe{Name: "tools"})
				time.Sleep(30500 * time.Millisecond)
				return []string{"one is done", ""}[i]
			},
		})
		require.Equal(t, `  one: installing tools
0 of 2 done
     25s  one: installing tools
one is done
  two: installing tools
1 of 2 done, about 56s left
     25s  two: installing tools
`, out.String())
	})
}
