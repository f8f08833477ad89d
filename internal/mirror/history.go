package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit as the history lists it.
type Commit struct {
	ID        string
	Parents   []string
	Author    string
	Authored  time.Time // UTC
	Committed time.Time // UTC
	// Message is the whole message, its subject first, as valid UTF-8.
	Message string
}

// Subject is the first line of the message.
func (c Commit) Subject() string {
	line, _, _ := strings.Cut(c.Message, "\n")
	return strings.TrimSpace(line)
}

// History lists the commits that revisions reach, children before parents. A
// revision that begins with ^ leaves out what it reaches.
func (r *Repo) History(ctx context.Context, revisions ...string) ([]Commit, error) {
	out, err := r.feed(ctx, revisions, "log", "--stdin", "--topo-order", "-z", "--encoding=UTF-8", "--format=%H%n%P%n%an%n%at%n%ct%n%B")
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	var commits []Commit
	for _, text := range strings.Split(string(out), "\x00") {
		if text == "" {
			continue
		}
		c, err := readCommit(text)
		if err != nil {
			return nil, fmt.Errorf("reading the history: %w", err)
		}
		commits = append(commits, c)
	}
	return commits, nil
}

func readCommit(text string) (Commit, error) {
	parts := strings.SplitN(text, "\n", 6)
	if len(parts) != 6 {
		return Commit{}, fmt.Errorf("git log says %.80q of a commit", text)
	}
	authored, err := strconv.ParseInt(parts[3], 10, 64)
	committed, err2 := strconv.ParseInt(parts[4], 10, 64)
	if err := errors.Join(err, err2); err != nil {
		return Commit{}, fmt.Errorf("commit %s: %w", parts[0], err)
	}
	return Commit{
		ID: parts[0], Parents: strings.Fields(parts[1]), Author: strings.ToValidUTF8(parts[2], "\uFFFD"),
		Authored: time.Unix(authored, 0).UTC(), Committed: time.Unix(committed, 0).UTC(),
		Message: strings.TrimSpace(strings.ToValidUTF8(parts[5], "\uFFFD")),
	}, nil
}

// pullRef is the name under which a forge keeps the head of a change: GitHub's,
// GitLab's, Bitbucket's.
var pullRef = regexp.MustCompile(`^refs/(?:pull/(\d+)/head|merge-requests/(\d+)/head|pull-requests/(\d+)/from)$`)

// Pulls are the heads of pull requests that the repository holds, by number.
func (r *Repo) Pulls(ctx context.Context) (map[int]string, error) {
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(objecttype)", "refs/pull", "refs/merge-requests", "refs/pull-requests")
	if err != nil {
		return nil, fmt.Errorf("listing pull requests: %w", err)
	}
	pulls := map[int]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) != 3 || words[2] != "commit" {
			continue
		}
		if m := pullRef.FindStringSubmatch(words[0]); m != nil {
			if n, err := strconv.Atoi(m[1] + m[2] + m[3]); err == nil {
				pulls[n] = words[1]
			}
		}
	}
	return pulls, nil
}

// Changed lists the paths that each of the commits changed against its first
// parent, in their order. Renames are a removal and an addition. No content is
// read, so that mirrors that lack some do as well.
func (r *Repo) Changed(ctx context.Context, commits []string) (map[string][]string, error) {
	out, err := r.feed(ctx, commits, "diff-tree", "--stdin", "-r", "-z", "--root", "--no-renames", "--diff-merges=first-parent", "--raw", "--abbrev=4")
	if err != nil {
		return nil, fmt.Errorf("reading what commits change: %w", err)
	}
	changed, at, path := map[string][]string{}, "", false
	for _, entry := range strings.Split(string(out), "\x00") {
		switch {
		case path:
			changed[at] = append(changed[at], entry)
			path = false
		case strings.HasPrefix(entry, ":"):
			path = true
		default:
			at = strings.TrimSpace(entry) // the commit's own line
		}
	}
	return changed, nil
}

// AddedLines are the lines that a commit adds to a file.
type AddedLines struct {
	Path  string
	Lines []string
	New   bool // the commit adds the file
}

// Added lists the lines that each of the commits adds, against its first
// parent, to the files that the pathspecs name. A commit of which the mirror
// lacks content is left out.
func (r *Repo) Added(ctx context.Context, commits, pathspecs []string) (map[string][]AddedLines, error) {
	added, err := r.added(ctx, commits, pathspecs)
	if err == nil || ctx.Err() != nil {
		return added, err
	}
	if len(commits) == 1 {
		return nil, nil
	}
	middle := len(commits) / 2
	first, err := r.Added(ctx, commits[:middle], pathspecs)
	if err != nil {
		return nil, err
	}
	second, err := r.Added(ctx, commits[middle:], pathspecs)
	if err != nil {
		return nil, err
	}
	all := map[string][]AddedLines{}
	maps.Copy(all, first)
	maps.Copy(all, second)
	return all, nil
}

func (r *Repo) added(ctx context.Context, commits, pathspecs []string) (map[string][]AddedLines, error) {
	args := []string{"-c", "core.quotePath=false", "diff-tree", "--stdin", "-r", "-p", "-U0", "--root", "--no-renames", "--no-ext-diff", "--no-color", "--diff-merges=first-parent", "--"}
	out, err := r.feed(ctx, commits, append(args, pathspecs...)...)
	if err != nil {
		return nil, fmt.Errorf("reading what commits add: %w", err)
	}
	added, at, header, fresh := map[string][]AddedLines{}, "", true, false
	for line := range bytes.Lines(out) {
		text := strings.ToValidUTF8(strings.TrimRight(string(line), "\r\n"), "\uFFFD")
		switch {
		case isID(text):
			at, header = text, true
		case strings.HasPrefix(text, "diff --git "):
			header, fresh = true, false
		case header && text == "--- /dev/null":
			fresh = true
		case header && strings.HasPrefix(text, "+++ "):
			path := strings.TrimPrefix(strings.TrimSuffix(text[4:], "\t"), "b/")
			added[at] = append(added[at], AddedLines{Path: path, New: fresh})
		case strings.HasPrefix(text, "@@ "):
			header = false
		case !header && strings.HasPrefix(text, "+") && len(added[at]) > 0:
			last := &added[at][len(added[at])-1]
			last.Lines = append(last.Lines, text[1:])
		}
	}
	return added, nil
}

func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// MergeBase is the best common ancestor of two commits.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git(ctx, "merge-base", a, b)
	if err != nil {
		return "", fmt.Errorf("looking for the merge base of %s and %s: %w", a, b, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Diff is the patch from one commit to another, with binary data. With
// renames, a file that moved is one change.
func (r *Repo) Diff(ctx context.Context, from, to string, renames bool) ([]byte, error) {
	find := "--no-renames"
	if renames {
		find = "--find-renames"
	}
	out, err := r.git(ctx, "-c", "core.quotePath=true", "diff", find, "--no-color", "--no-ext-diff", "--no-textconv", "--binary", "--diff-algorithm=myers", "--src-prefix=a/", "--dst-prefix=b/", from, to)
	if err != nil {
		return nil, fmt.Errorf("comparing %s and %s: %w", from, to, err)
	}
	return out, nil
}

// Holds reports which of the words the text files of a commit's tree contain,
// as whole words.
func (r *Repo) Holds(ctx context.Context, commit string, words []string) (map[string]bool, error) {
	if len(words) == 0 {
		return nil, nil
	}
	out, err := r.feed(ctx, words, "grep", "-I", "-h", "-o", "-w", "-F", "-f", "-", commit)
	if err != nil && !nothingFound(err) {
		return nil, fmt.Errorf("searching %s: %w", commit, err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		found[strings.TrimSpace(line)] = true
	}
	return found, nil
}

// nothingFound recognises how git grep ends where it finds nothing.
func nothingFound(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// feed runs git with a list on its standard input, an entry a line.
func (r *Repo) feed(ctx context.Context, list []string, args ...string) ([]byte, error) {
	var input strings.Builder
	for _, entry := range list {
		input.WriteString(entry + "\n")
	}
	return gitReading(ctx, "", strings.NewReader(input.String()), append([]string{"--git-dir", r.gitDir}, args...)...)
}

// Refresh fetches what is new into a clone that the store made itself. Local
// mirrors are taken as they are.
func (s *Store) Refresh(ctx context.Context, name string) error {
	if s.Dir != "" {
		if _, ok := Find(s.Dir, name); ok {
			return nil
		}
	}
	lock := s.lock(name)
	lock.Lock()
	defer lock.Unlock()
	dir, _ := s.cloned(name)
	if !isDir(dir) {
		return nil
	}
	if _, err := git(ctx, "", "--git-dir", dir, "fetch", "--quiet", "origin", "+refs/*:refs/*"); err != nil {
		return &NotFoundError{Repo: name, Err: err}
	}
	return nil
}
