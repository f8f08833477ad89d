package agents

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/agents/adapter"
	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/languages"
	"assay/samples"
	"assay/tasks"
)

// fakeSession is a session that answers nothing.
type fakeSession struct{ spent chan struct{} }

func (fakeSession) Serve(c net.Conn)         { c.Close() }
func (fakeSession) Key() string              { return "dummy-key" }
func (f fakeSession) Spent() <-chan struct{} { return f.spent }

// world is a sample instance, and a runner whose agent changes the tree as
// change says.
type world struct {
	inst   *bench.Instance
	fake   *harnesstest.Fake
	work   Work
	change func(tree map[string]harness.Entry)
	end    harness.Result
	jobs   []harness.Job

	withoutGit int // the exit code of who looks for git
}

func newWorld(t *testing.T, kind string) *world {
	t.Helper()
	paths, err := samples.Write(t.Context(), t.TempDir())
	require.NoError(t, err)
	set, err := bench.OpenDataset(paths.Dataset)
	require.NoError(t, err)
	defer set.Close()
	entries, err := set.Index(t.Context())
	require.NoError(t, err)
	inst, err := set.Read(entries[0])
	require.NoError(t, err)
	k, err := tasks.Default(nil, nil).Lookup(kind)
	require.NoError(t, err)
	if kind == "review" {
		inst.BadPatches = []bench.BadPatch{{Index: 0, Patch: badPatch(t, paths.Repos, &inst)}}
		inst.Reviews = []bench.Review{{BadPatch: 0, Text: "Not so."}}
	}
	all, err := k.Build(&inst)
	require.NoError(t, err)
	w := &world{inst: &inst, fake: &harnesstest.Fake{}, change: func(map[string]harness.Entry) {}, end: harness.Result{End: harness.Exited}}
	w.fake.Handle = w.run
	w.work = Work{
		Task: all[0], Attempt: 3, Model: "openai/some-model", Prompt: "Fix it.", Session: fakeSession{make(chan struct{})}, Limits: harness.Limits{Time: time.Minute},
		Machine: languages.Machine{
			Runner: w.fake, Preparer: w.fake, Sources: &mirror.Store{Dir: paths.Repos, Cache: t.TempDir()}, Secret: []byte("s"),
			Pythons: []languages.Interpreter{{Version: "3.12", Path: "/usr/bin/python3.12"}},
		},
	}
	return w
}

// badPatch changes the first line of the file that gold changes.
func badPatch(t *testing.T, repos string, inst *bench.Instance) string {
	t.Helper()
	bed, err := languages.Machine{Sources: &mirror.Store{Dir: repos, Cache: t.TempDir()}}.Open(t.Context(), inst)
	require.NoError(t, err)
	p := patch.PathsIn(inst.Patch)[0]
	tree, _, err := bed.Tree(t.Context(), languages.Variant{})
	require.NoError(t, err)
	e, err := tree.Read(p)
	require.NoError(t, err)
	return string(patch.Between(p, e.Data, append([]byte("# bad\n"), e.Data...)))
}

// run answers with the tree of base and the job's files on it, and with the
// agent's changes where the job starts one.
func (w *world) run(ctx context.Context, job harness.Job) (harness.Result, error) {
	if job.Tree == nil { // does the environment have git?
		return harness.Result{End: harness.Exited, ExitCode: w.withoutGit}, nil
	}
	w.jobs = append(w.jobs, job)
	bed, err := w.work.Machine.Open(ctx, w.inst)
	if err != nil {
		return harness.Result{}, err
	}
	tree, paths, err := bed.Tree(ctx, languages.Variant{})
	if err != nil {
		return harness.Result{}, err
	}
	all := map[string]harness.Entry{"made-by-setup.txt": fileEntry("made-by-setup.txt", []byte("x"), 0o644)}
	for _, p := range paths {
		e, err := tree.Read(p)
		if err != nil {
			return harness.Result{}, err
		}
		all[p] = fileEntry(p, e.Data, fs.FileMode(e.Mode&0o777))
	}
	for _, f := range job.Files {
		if p, ok := strings.CutPrefix(f.Path, "/testbed/"); ok && !strings.HasPrefix(p, ".git/") {
			all[p] = fileEntry(p, f.Data, f.Mode)
		}
	}
	res := harness.Result{End: harness.Exited}
	if job.Script != "" {
		w.change(all)
		res = w.end
	}
	for p, e := range all {
		if job.Tree.Known[p] == e.SHA256 {
			e.Data = nil
		}
		res.Tree = append(res.Tree, e)
	}
	slices.SortFunc(res.Tree, func(a, b harness.Entry) int { return strings.Compare(a.Path, b.Path) })
	return res, nil
}

func fileEntry(p string, data []byte, mode fs.FileMode) harness.Entry {
	sum := sha256.Sum256(data)
	return harness.Entry{Path: p, Mode: mode, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Data: data}
}

func lookup(t *testing.T, name string) CLI {
	t.Helper()
	all, err := CLIs()
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(c CLI) bool { return c.Name() == name })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}

// TestSolve: the agent gets its task and nothing else, and what it changed is the
// patch.
func TestSolve(t *testing.T) {
	w := newWorld(t, "bugfix")
	target := patch.PathsIn(w.inst.Patch)[0]
	var log bytes.Buffer
	w.work.Log = &log
	w.change = func(tree map[string]harness.Entry) {
		tree[target] = fileEntry(target, append([]byte("# fixed\n"), tree[target].Data...), 0o644)
		tree["new.py"] = fileEntry("new.py", []byte("X = 1\n"), 0o755)
		tree[".aider.chat"] = fileEntry(".aider.chat", []byte("x"), 0o644)
		tree["made-by-setup.txt"] = fileEntry("made-by-setup.txt", []byte("y"), 0o644)
	}
	w.end = harness.Result{
		End: harness.Exited, ExitCode: 0, Output: harness.Output{Head: []byte("begin"), Tail: []byte("end"), Omitted: 7},
		Files: map[string][]byte{"/assay-agent/chat.md": []byte("chat"), "/root/.x/a b\x1b.json": []byte("{}")},
	}
	out, err := lookup(t, "aider").Solve(t.Context(), w.work)
	require.NoError(t, err)
	require.Equal(t, Done, out.End)
	require.Empty(t, out.Detail)
	require.Contains(t, out.Patch, "+# fixed\n")
	require.Equal(t, []string{"new.py", target}, patch.PathsIn(out.Patch))
	require.Contains(t, out.Patch, "new file mode 100755")
	require.Equal(t, []LeftOut{{Path: ".aider.chat", Reason: "a file of the agent's own"}, {Path: "made-by-setup.txt", Reason: "not in the repository: the environment has it"}}, out.LeftOut)
	require.Equal(t, "begin\n[... 7 bytes left out ...]\nend", log.String())
	require.Equal(t, map[string][]byte{"chat.md": []byte("chat"), "x_a_b_.json": []byte("{}")}, out.Files)
	require.Equal(t, "0.86.2", out.Version)
	require.Contains(t, out.Seconds, "prepare")

	require.Len(t, w.jobs, 2)
	job := w.jobs[1]
	require.False(t, job.Network)
	require.Equal(t, "/testbed", job.Workdir)
	require.Equal(t, 3, job.Attempt)
	require.Equal(t, time.Minute, job.Limits.Time)
	require.Len(t, job.Relays, 1)
	require.Equal(t, port, job.Relays[0].Port)
	require.NotNil(t, job.Stop)
	require.Len(t, job.Attach, 1)
	require.Equal(t, adapter.Dir, job.Attach[0].Dir)
	require.Contains(t, job.Env, "OPENAI_API_KEY=dummy-key")
	require.Contains(t, job.Remove, "/testbed/.git/hooks")
	require.Contains(t, job.Remove, "/assay")
	require.Contains(t, job.Script, "/venv/bin/aider")
	for _, f := range job.Files {
		require.NotContains(t, f.Path, "/testbed/", "the tree is the environment's")
		for _, secret := range []string{w.inst.TestPatch, w.inst.Patch} {
			require.NotContains(t, string(f.Data), secret)
		}
	}
	install := w.fake.Recipes()[len(w.fake.Recipes())-1]
	require.Equal(t, "agent aider", install.Name)
	require.Nil(t, install.Parent)
	require.True(t, install.Network)
}

// TestSolveWithoutGit: an environment that has no git gets it for agents.
func TestSolveWithoutGit(t *testing.T) {
	w := newWorld(t, "bugfix")
	agent := lookup(t, "mini-swe-agent")
	_, err := agent.Solve(t.Context(), w.work)
	require.NoError(t, err)
	require.Empty(t, w.fake.Recipes()[0].Packages)
	plain := w.jobs[0].Environment

	w.withoutGit = 127
	_, err = agent.Solve(t.Context(), w.work)
	require.NoError(t, err)
	top := w.fake.Recipes()[3]
	require.Equal(t, []string{"git"}, top.Packages)
	require.Equal(t, plain, "fake:"+harness.Digest(*top.Parent))
	require.Equal(t, "fake:"+harness.Digest(top), w.jobs[len(w.jobs)-1].Environment)
}

// TestSolveReview: the start is base with the bad patch, as one commit.
func TestSolveReview(t *testing.T) {
	w := newWorld(t, "review")
	target := patch.PathsIn(w.inst.Patch)[0]
	w.change = func(tree map[string]harness.Entry) {
		require.True(t, bytes.HasPrefix(tree[target].Data, []byte("# bad\n")))
		tree[target] = fileEntry(target, bytes.TrimPrefix(tree[target].Data, []byte("# bad\n")), 0o644)
	}
	out, err := lookup(t, "mini-swe-agent").Solve(t.Context(), w.work)
	require.NoError(t, err)
	require.Empty(t, out.Detail)
	require.Contains(t, out.Patch, "-# bad\n")
	job := w.jobs[1]
	require.Contains(t, job.Remove, "/testbed/.git")
	var heads []string
	for _, f := range job.Files {
		if strings.HasPrefix(f.Path, "/testbed/.git/") {
			heads = append(heads, f.Path)
		}
	}
	require.Contains(t, heads, "/testbed/.git/HEAD")
	require.Contains(t, heads, "/testbed/.git/index")
}

// TestSolveEnds: how an attempt ended, regardless of what the agent prints.
func TestSolveEnds(t *testing.T) {
	spent := make(chan struct{})
	close(spent)
	w := newWorld(t, "bugfix")
	for name, c := range map[string]struct {
		res    harness.Result
		spent  chan struct{}
		end    End
		detail string
	}{
		"done":               {harness.Result{End: harness.Exited}, nil, Done, ""},
		"a code":             {harness.Result{End: harness.Exited, ExitCode: 2}, nil, GaveUp, "exit code 2"},
		"time":               {harness.Result{End: harness.TimedOut, ExitCode: -1}, nil, Time, ""},
		"memory":             {harness.Result{End: harness.OutOfMemory, ExitCode: 137}, nil, Limit, "out_of_memory"},
		"output":             {harness.Result{End: harness.OutputLimit}, nil, Limit, "output_limit"},
		"disk":               {harness.Result{End: harness.DiskLimit}, nil, Limit, "disk_limit"},
		"large logs":         {harness.Result{End: harness.CollectLimit}, nil, Done, "its own logs were too large to keep"},
		"budget, done":       {harness.Result{End: harness.Exited}, spent, Budget, ""},
		"budget, stopped":    {harness.Result{End: harness.Stopped}, spent, Budget, ""},
		"budget and a code":  {harness.Result{End: harness.Exited, ExitCode: 1}, spent, Budget, ""},
		"too many files":     {harness.Result{End: harness.Exited, TreeCut: true}, nil, Limit, "it left too many files to list"},
		"stopped some other": {harness.Result{End: harness.Stopped}, nil, Budget, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w.end, w.work.Session = c.res, fakeSession{make(chan struct{})}
			if c.spent != nil {
				w.work.Session = fakeSession{c.spent}
			}
			out, err := lookup(t, "aider").Solve(t.Context(), w.work)
			require.NoError(t, err)
			require.Equal(t, c.end, out.End)
			require.Equal(t, c.detail, out.Detail)
			require.Empty(t, out.Patch)
		})
	}
}

// TestSolveCannot: what an agent cannot be given is an error, before anything
// is run.
func TestSolveCannot(t *testing.T) {
	w := newWorld(t, "bugfix")
	w.work.Session = nil
	_, err := lookup(t, "aider").Solve(t.Context(), w.work)
	require.EqualError(t, err, "agent aider: it needs a model: give one as provider/model")

	w.work.Session, w.work.Model = fakeSession{}, "gemini/x"
	_, err = lookup(t, "claude-code").Solve(t.Context(), w.work)
	require.EqualError(t, err, `agent claude-code: it cannot use models of "gemini"`)

	w.work.Model, w.work.Machine.Pythons = "openai/x", nil
	_, err = lookup(t, "aider").Solve(t.Context(), w.work)
	require.ErrorContains(t, err, "agent aider: it needs Python 3.12 or 3.11 or 3.10, and the executor has none")
}

// TestCommandAgent needs neither an installation nor a model.
func TestCommandAgent(t *testing.T) {
	w := newWorld(t, "bugfix")
	w.work.Session, w.work.Model = nil, ""
	c, err := Command("sed -i s/a/b/ x", "")
	require.NoError(t, err)
	out, err := c.Solve(t.Context(), w.work)
	require.NoError(t, err)
	require.Equal(t, Done, out.End)
	job := w.jobs[1]
	require.Empty(t, job.Attach)
	require.Empty(t, job.Relays)
	require.Contains(t, job.Script, "sh -c 'sed -i s/a/b/ x' </assay-agent/prompt\n")
	require.Contains(t, job.Env, "ASSAY_PROMPT=/assay-agent/prompt")
}

// TestInstallFolder: the user's folder comes along.
func TestInstallFolder(t *testing.T) {
	w := newWorld(t, "bugfix")
	c, err := Command("x", t.TempDir())
	require.NoError(t, err)
	r, err := c.Recipe(t.Context(), w.work.Machine)
	require.NoError(t, err)
	require.Len(t, r.Archives, 1)
	require.Equal(t, "/opt/assay-agent/own", r.Archives[0].Dest)
	stream, err := r.Archives[0].Open()
	require.NoError(t, err)
	defer stream.Close()
	_, err = io.Copy(io.Discard, stream)
	require.NoError(t, err)
}
