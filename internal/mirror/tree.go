package mirror

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"sort"
	"strconv"
	"strings"
	"time"

	"assay/internal/patch"
)

// Tree is a repository at one commit, as patches see it.
type Tree struct {
	repo   *Repo
	commit string
	files  map[string]object
	paths  []string
}

// submodule is the mode of the entry of a submodule.
const submodule = 0o160000

type object struct {
	mode uint32
	id   string
}

// Time is when the commit was made, by its committer, in UTC.
func (r *Repo) Time(ctx context.Context, commit string) (time.Time, error) {
	line, err := r.header(ctx, commit, "committer")
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the date of %s: %w", commit, err)
	}
	// Name and address come first, the time zone last.
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return time.Time{}, fmt.Errorf("reading the date of %s: committer %q", commit, line)
	}
	seconds, err := strconv.ParseInt(fields[len(fields)-2], 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the date of %s: %w", commit, err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// header is a line of a commit's head: "tree", "committer", without that word.
func (r *Repo) header(ctx context.Context, commit, name string) (string, error) {
	_, data, err := r.objects.read(ctx, commit+"^{commit}")
	if err != nil {
		return "", err
	}
	head, _, _ := strings.Cut(string(data), "\n\n")
	for line := range strings.Lines(head) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(rest), nil
		}
	}
	return "", fmt.Errorf("commit %s has no %s", commit, name)
}

// Tree reads the list of files at the commit. File contents are read when
// asked for.
func (r *Repo) Tree(ctx context.Context, commit string) (*Tree, error) {
	out, err := r.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, fmt.Errorf("listing files at %s: %w", commit, err)
	}
	t := &Tree{repo: r, commit: commit, files: map[string]object{}}
	for _, entry := range bytes.Split(out, []byte{0}) {
		head, path, ok := strings.Cut(string(entry), "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			continue
		}
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("listing files at %s: mode %q", commit, fields[0])
		}
		t.files[path] = object{mode: uint32(mode), id: fields[2]}
		t.paths = append(t.paths, path)
	}
	sort.Strings(t.paths)
	return t, nil
}

// Paths lists all files, sorted. The slice is the tree's own.
func (t *Tree) Paths() []string { return t.paths }

// Links are the commits of submodules, by path.
func (t *Tree) Links() map[string]string {
	links := map[string]string{}
	for path, o := range t.files {
		if o.mode == submodule {
			links[path] = o.id
		}
	}
	return links
}

// Has reports whether there is a file at the path; a submodule is not one.
func (t *Tree) Has(path string) bool {
	o, ok := t.files[path]
	return ok && o.mode != submodule
}

// Read implements patch.Tree. A file that is listed and whose content the mirror
// lacks is an error, not an absent file.
func (t *Tree) Read(path string) (patch.Entry, error) {
	if !t.Has(path) {
		return patch.Entry{}, fmt.Errorf("%s at %s: %w", path, t.commit, fs.ErrNotExist)
	}
	o := t.files[path]
	_, data, err := t.repo.objects.read(context.Background(), o.id)
	if err != nil {
		return patch.Entry{}, fmt.Errorf("reading %s at %s: %w", path, t.commit, err)
	}
	return patch.Entry{Data: data, Mode: o.mode}, nil
}
