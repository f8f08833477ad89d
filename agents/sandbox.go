package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/agents/adapter"
	"assay/agents/worktree"
	"assay/harness"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/languages"
)

// stateDir is an attempt's own folder in the sandbox, for the agent's settings
// and logs; homeDir is root's.
const (
	stateDir = "/assay-agent"
	homeDir  = "/root"
)

// sandbox is the place of one attempt, before the agent starts.
type sandbox struct {
	bed   *languages.Testbed
	begin languages.Variant // the task's start, on base
	base  harness.Job       // environment and files, without agent
	start worktree.Start
	tree  patch.Tree
	agent string // the environment with the agent's installation; "" for none
}

// open prepares the task's environment and the agent's, and looks at the tree.
func (c CLI) open(ctx context.Context, w Work) (*sandbox, error) {
	if c.NeedsModel() && w.Session == nil {
		return nil, errNoSession
	}
	s := &sandbox{begin: languages.Variant{Name: "start", Code: w.Task.StartPatch()}}
	var err error
	if s.bed, err = w.Machine.Open(ctx, w.Task.Instance); err != nil {
		return nil, err
	}
	name, err := environment(ctx, s.bed, w)
	if err != nil {
		return nil, err
	}
	if s.agent, err = c.install(ctx, w.Machine); err != nil {
		return nil, err
	}
	put, remove, err := s.bed.Files(ctx, s.begin)
	if err != nil {
		return nil, err
	}
	s.base = harness.Job{
		Name: c.Name() + " " + w.Task.ID(), Environment: name, Files: put, Remove: append(remove, s.bed.Withheld()...),
		Workdir: s.bed.Root(), Limits: w.Limits, Attempt: w.Attempt,
	}
	if err := s.look(ctx, w); err != nil {
		return nil, fmt.Errorf("looking at the start: %w", err)
	}
	return s, nil
}

// query asks for the tree of the repository.
func (s *sandbox) query() *harness.TreeQuery {
	return &harness.TreeQuery{Dir: s.bed.Root(), Skip: []string{".git"}, Known: s.start.Known()}
}

// look lists the tree at the start, and gives it a repository of one commit
// where the environment's own will not do: it holds base, or in an image the
// whole history.
func (s *sandbox) look(ctx context.Context, w Work) error {
	tree, tracked, err := s.bed.Tree(ctx, s.begin)
	if err != nil {
		return err
	}
	s.tree = tree
	job := s.base
	job.Name, job.Tree = "look at "+w.Task.ID(), s.query()
	res, err := w.Machine.Runner.Run(ctx, job)
	if err != nil {
		return err
	}
	if res.TreeCut {
		return errors.New("the environment has more files than can be listed")
	}
	s.start = worktree.Start{Entries: worktree.Index(res.Tree), Tracked: map[string]bool{}, Read: s.read}
	image := w.Task.Instance.Image != ""
	if image && len(tracked) == 0 {
		for p, e := range s.start.Entries {
			if !e.Omitted { // no patch can be on what is not known
				tracked = append(tracked, p)
			}
		}
	}
	for _, p := range tracked {
		s.start.Tracked[p] = true
	}
	if image {
		files, err := imageFiles(ctx, w.Machine.Runner, job, res.Tree, s.start)
		if err != nil {
			return err
		}
		s.start.Read = readFrom(files)
	}
	if image || s.begin.Code != "" {
		return s.oneCommit(ctx, tracked)
	}
	s.base.Remove = append(s.base.Remove, s.inGit("hooks", "logs", "FETCH_HEAD", "ORIG_HEAD", "refs/remotes", "refs/stash")...)
	return nil
}

// read reads tracked files as they are at the start.
func (s *sandbox) read(_ context.Context, paths []string) (map[string]patch.Entry, error) {
	out := map[string]patch.Entry{}
	for _, p := range paths {
		e, err := s.tree.Read(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[p] = e
	}
	return out, nil
}

// mostListings bounds how often the tree of an image is listed: each answer
// holds harness.TreeLimit of content.
const mostListings = 8

// imageFiles are the tracked files of an image with their content. What did not
// fit the first listing, which has the content of all other files too, is asked
// for again. Files of more than harness.TreeLimit stay without content.
func imageFiles(ctx context.Context, runner harness.Runner, job harness.Job, first []harness.Entry, start worktree.Start) ([]harness.Entry, error) {
	files := map[string]harness.Entry{}
	listed, query := first, *job.Tree
	for n := 1; ; n++ {
		left := 0
		query.Known = start.Known()
		for _, e := range listed {
			had, ok := files[e.Path]
			if !start.Tracked[e.Path] || ok && !had.Omitted {
				continue
			}
			files[e.Path] = e
			if e.Omitted && e.SHA256 != "" {
				delete(query.Known, e.Path)
				left++
			}
		}
		switch {
		case left == 0:
			return slices.Collect(maps.Values(files)), nil
		case n == mostListings:
			return nil, fmt.Errorf("the repository has more content than can be read: %d files are left", left)
		}
		job.Tree = &query
		res, err := runner.Run(ctx, job)
		if err != nil {
			return nil, err
		}
		listed = res.Tree
	}
}

// readFrom reads tracked files of an image from its listing.
func readFrom(entries []harness.Entry) func(context.Context, []string) (map[string]patch.Entry, error) {
	all := map[string]patch.Entry{}
	for _, e := range entries {
		switch {
		case e.Mode&fs.ModeSymlink != 0:
			all[e.Path] = patch.Entry{Data: []byte(e.Link), Mode: patch.ModeSymlink}
		case e.Mode.IsRegular() && !e.Omitted && e.Mode&0o100 != 0:
			all[e.Path] = patch.Entry{Data: e.Data, Mode: patch.ModeExecutable}
		case e.Mode.IsRegular() && !e.Omitted:
			all[e.Path] = patch.Entry{Data: e.Data, Mode: patch.ModeFile}
		}
	}
	return func(_ context.Context, paths []string) (map[string]patch.Entry, error) {
		out := map[string]patch.Entry{}
		for _, p := range paths {
			if e, ok := all[p]; ok {
				out[p] = e
			}
		}
		return out, nil
	}
}

// oneCommit replaces the repository's .git by one that holds the start and
// nothing else.
func (s *sandbox) oneCommit(ctx context.Context, tracked []string) error {
	there := slices.DeleteFunc(slices.Clone(tracked), func(p string) bool {
		_, ok := s.start.Entries[p]
		return !ok
	})
	entries, err := s.start.Read(ctx, there)
	if err != nil {
		return err
	}
	files, err := mirror.OneCommit(ctx, entries)
	if err != nil {
		return err
	}
	s.base.Remove = append(s.base.Remove, s.inGit("")...)
	for p, data := range files {
		s.base.Files = append(s.base.Files, harness.File{Path: s.inGit(p)[0], Data: data})
	}
	slices.SortFunc(s.base.Files, func(a, b harness.File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// inGit are paths in the repository's .git.
func (s *sandbox) inGit(names ...string) []string {
	for i, n := range names {
		names[i] = path.Join(s.bed.Root(), ".git", n)
	}
	return names
}

// job is the run of the agent, and how it is called in it.
func (c CLI) job(s *sandbox, w Work) (harness.Job, adapter.Call, error) {
	set := adapter.Setting{
		Dir: adapter.Dir, State: stateDir, Home: homeDir, Root: s.bed.Root(), URL: fmt.Sprintf("http://127.0.0.1:%d", port),
		Prompt: w.Prompt, Attempt: w.Attempt,
	}
	var speech adapter.Speech
	if w.Session != nil {
		set.Provider, set.Model, _ = strings.Cut(w.Model, "/")
		set.Key = w.Session.Key()
		var ok bool
		if speech, ok = c.Adapter.Speech(set.Provider, offered(set.Provider)); !ok {
			return harness.Job{}, adapter.Call{}, fmt.Errorf("it cannot use models of %q", set.Provider)
		}
	}
	call, err := c.Adapter.Call(set, speech)
	if err != nil {
		return harness.Job{}, call, err
	}
	job := s.base
	job.Files = append(slices.Clone(job.Files), call.Files...)
	job.Env = slices.Concat([]string{"LANG=C.UTF-8", "TZ=UTC", "HOME=" + homeDir}, s.bed.Vars(), call.Env)
	if w.Task.Instance.Image != "" {
		job.Env = append(job.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*") // the tree may be another user's
	}
	job.Script = preamble + s.bed.Shell() + loginPath + call.Script
	job.Collect, job.Tree = call.Logs, s.query()
	if s.agent != "" {
		job.Attach = []harness.Attachment{{Environment: s.agent, Dir: adapter.Dir}}
	}
	if w.Session != nil {
		job.Relays = []harness.Relay{{Port: port, Serve: w.Session.Serve}}
	}
	return job, call, nil
}

// preamble makes the temporary folders, which are the attempt's own, and puts
// the agent's tools after those of the task in PATH.
const preamble = `umask 022
mkdir -p -m 1777 /tmp /var/tmp
PATH=$PATH:` + adapter.Dir + `/bin
export PATH
`

// loginPath keeps the PATH for login shells, which some agents start for every
// command: /etc/profile overwrites it, and then reads these files.
const loginPath = `mkdir -p /etc/profile.d
printf 'PATH="%s"\nexport PATH\n' "$PATH" >/etc/profile.d/zz-task-path.sh
`

// check applies the patch to a fresh start and compares what it gives with what
// the agent left.
func (s *sandbox) check(ctx context.Context, taken worktree.Taken) error {
	tree, _, err := s.bed.Tree(ctx, languages.Variant{Name: "taken", Start: s.begin.Code, Code: taken.Patch}, taken.Paths...)
	if err != nil {
		return err
	}
	for _, p := range taken.Paths {
		got, err := tree.Read(p)
		want, there := taken.Files[p]
		switch {
		case !there && errors.Is(err, fs.ErrNotExist):
		case !there && err == nil:
			return fmt.Errorf("%s is still there", p)
		case err != nil:
			return err
		case got.Mode != want.Mode || !bytes.Equal(got.Data, want.Data):
			return fmt.Errorf("%s differs", p)
		}
	}
	return nil
}

var oddRunes = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// logs are the agent's own files under names that are safe anywhere.
func (s *sandbox) logs(files map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for p, data := range files {
		name := strings.TrimPrefix(strings.TrimPrefix(p, stateDir+"/"), homeDir+"/")
		name = strings.TrimLeft(oddRunes.ReplaceAllString(name, "_"), ".")
		out[name[max(0, len(name)-150):]] = data
	}
	return out
}
