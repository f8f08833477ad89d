// Package worktree finds what an agent changed in a tree, and makes a patch of the
// changes that count. It looks at listings and contents only: it runs nothing that
// the agent left, and does not use the git repository of its tree.
package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/harness"
	"assay/internal/mirror"
	"assay/internal/patch"
)

// Start is the tree at which an attempt begins.
type Start struct {
	// Entries are all files of the environment's tree, by path, without .git.
	Entries map[string]harness.Entry
	// Tracked are the files of the repository at the start, which patches are
	// on. Not all of them need be in the environment.
	Tracked map[string]bool
	// Read returns the content of tracked files.
	Read func(ctx context.Context, paths []string) (map[string]patch.Entry, error)
}

// LeftOut is a change that is not part of the submission.
type LeftOut struct{ Path, Reason string }

// Taken is what was taken of a tree.
type Taken struct {
	Patch   string
	LeftOut []LeftOut // sorted by path
	// Files are the paths in the patch as they are in the end; deleted ones
	// are absent.
	Files map[string]patch.Entry
	// Paths are all paths in the patch, sorted.
	Paths []string
}

// Index lists entries by their paths, without directories.
func Index(entries []harness.Entry) map[string]harness.Entry {
	out := map[string]harness.Entry{}
	for _, e := range entries {
		if !e.Mode.IsDir() {
			e.Data = nil
			out[e.Path] = e
		}
	}
	return out
}

// Known are the hashes of the start's files, for a harness.TreeQuery.
func (s Start) Known() map[string]string {
	out := map[string]string{}
	for p, e := range s.Entries {
		if e.SHA256 != "" {
			out[p] = e.SHA256
		}
	}
	return out
}

// Take compares the tree in the end with the start. own are globs of files that
// the agent leaves (harness.MatchGlob's rules, relative to the tree).
func Take(ctx context.Context, start Start, end []harness.Entry, own []string) (Taken, error) {
	now := map[string]harness.Entry{}
	for _, e := range end {
		if !e.Mode.IsDir() {
			now[e.Path] = e
		}
	}
	changed := start.changed(now)
	rules, err := start.rules(ctx)
	if err != nil {
		return Taken{}, err
	}
	ignored, err := mirror.Ignored(ctx, rules, start.created(changed))
	if err != nil {
		return Taken{}, err
	}
	f := filter{start: start, now: now, own: own, ignored: ignored, builds: buildDirs(now), sources: sourceDirs(start.Tracked)}
	var out Taken
	for _, p := range changed {
		if reason := f.leftOut(p); reason != "" {
			out.LeftOut = append(out.LeftOut, LeftOut{p, reason})
			continue
		}
		out.Paths = append(out.Paths, p)
	}
	return out, out.diff(ctx, start, now)
}

// changed lists the paths that differ, sorted.
func (s Start) changed(now map[string]harness.Entry) []string {
	var out []string
	for p, e := range now {
		if before, ok := s.Entries[p]; !ok || !same(before, e) {
			out = append(out, p)
		}
	}
	for p := range s.Entries {
		if _, ok := now[p]; !ok {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// same compares what git keeps of an entry: type, whether it is executable, and
// content.
func same(a, b harness.Entry) bool {
	if a.Mode.Type() != b.Mode.Type() {
		return false
	}
	switch {
	case a.Mode&fs.ModeSymlink != 0:
		return a.Link == b.Link
	case !a.Mode.IsRegular():
		return true
	case executable(a) != executable(b):
		return false
	}
	return a.SHA256 == b.SHA256 && a.Size == b.Size
}

func executable(e harness.Entry) bool { return e.Mode&0o100 != 0 }

// rules are the .gitignore files of the repository at the start.
func (s Start) rules(ctx context.Context) (map[string][]byte, error) {
	var paths []string
	for p := range s.Tracked {
		if p == ".gitignore" || strings.HasSuffix(p, "/.gitignore") {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	entries, err := s.Read(ctx, paths)
	if err != nil {
		return nil, fmt.Errorf("reading .gitignore: %w", err)
	}
	out := map[string][]byte{}
	for p, e := range entries {
		if e.Mode != patch.ModeSymlink {
			out[p] = e.Data
		}
	}
	return out, nil
}

// created are those of the paths that the repository does not have.
func (s Start) created(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return s.Tracked[p] })
}

// diff makes the patch of the paths that count.
func (t *Taken) diff(ctx context.Context, start Start, now map[string]harness.Entry) error {
	var known []string
	for _, p := range t.Paths {
		if start.Tracked[p] {
			known = append(known, p)
		}
	}
	old, err := start.Read(ctx, known)
	if err != nil {
		return fmt.Errorf("reading the start: %w", err)
	}
	t.Files = map[string]patch.Entry{}
	t.Paths = slices.DeleteFunc(t.Paths, func(p string) bool {
		e, ok := now[p]
		if !ok {
			return false
		}
		if start.Entries[p].SHA256 == e.SHA256 && e.Data == nil {
			e.Data = old[p].Data // only its mode changed, so that it was not sent
		}
		if !whole(e) {
			t.LeftOut = append(t.LeftOut, LeftOut{p, "its content is the environment's, and only its mode changed"})
			delete(old, p)
			return true
		}
		t.Files[p] = gitEntry(e)
		return false
	})
	slices.SortFunc(t.LeftOut, func(a, b LeftOut) int { return strings.Compare(a.Path, b.Path) })
	t.LeftOut = shorten(t.LeftOut)
	text, err := mirror.Diff(ctx, old, t.Files)
	t.Patch = string(text)
	return err
}

// whole reports whether a file's content is that of its hash.
func whole(e harness.Entry) bool {
	sum := sha256.Sum256(e.Data)
	return !e.Mode.IsRegular() || hex.EncodeToString(sum[:]) == e.SHA256
}

// gitEntry is a file or a link as git keeps it.
func gitEntry(e harness.Entry) patch.Entry {
	switch {
	case e.Mode&fs.ModeSymlink != 0:
		return patch.Entry{Data: []byte(e.Link), Mode: patch.ModeSymlink}
	case executable(e):
		return patch.Entry{Data: e.Data, Mode: patch.ModeExecutable}
	}
	return patch.Entry{Data: e.Data, Mode: patch.ModeFile}
}

// maxListed bounds the list of what is left out.
const maxListed = 1000

// shorten cuts a long list and adds how much is missing.
func shorten(all []LeftOut) []LeftOut {
	if len(all) <= maxListed {
		return all
	}
	more := LeftOut{"", fmt.Sprintf("and %d more", len(all)-maxListed)}
	return append(slices.Clone(all[:maxListed]), more)
}
