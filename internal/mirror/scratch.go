package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/internal/patch"
)

// scratch makes an empty repository in a temporary folder.
func scratch(ctx context.Context) (dir string, remove func(), err error) {
	sweep(os.TempDir(), time.Now())
	if dir, err = os.MkdirTemp("", scratchPrefix+"*"); err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--initial-branch=main"},
		{"config", "core.logAllRefUpdates", "false"},
		{"config", "gc.auto", "0"},
	} {
		if _, err = git(ctx, dir, args...); err != nil {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}

const scratchPrefix = "assay-git-"

// sweep removes the temporary repositories that killed processes left: one is
// used for seconds, and goes after an hour.
func sweep(dir string, now time.Time) {
	old, _ := filepath.Glob(filepath.Join(dir, scratchPrefix+"*"))
	for _, p := range old {
		if info, err := os.Lstat(p); err == nil && info.IsDir() && now.Sub(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(p) // another user's stay
		}
	}
}

// stream writes trees as commits without parents, as git fast-import reads
// them. Everything in it is fixed, so that equal trees give equal commits.
type stream struct{ bytes.Buffer }

func (s *stream) commit(branch string, tree map[string]patch.Entry) {
	const who = "assay <assay@localhost> 978307200 +0000"
	fmt.Fprintf(s, "commit refs/heads/%s\nauthor %s\ncommitter %s\ndata 5\nbase\n", branch, who, who)
	for _, p := range slices.Sorted(maps.Keys(tree)) {
		e := tree[p]
		fmt.Fprintf(s, "M %o inline %s\ndata %d\n", e.Mode, quotePath(p), len(e.Data))
		s.Write(e.Data)
		s.WriteByte('\n')
	}
}

// quotePath is a path as fast-import reads it; the path may contain any bytes.
func quotePath(p string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		switch c := p[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// read gives the stream to git in dir. It does not pack few objects by itself.
func (s *stream) read(ctx context.Context, dir string) error {
	_, err := gitReading(ctx, dir, s, "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet")
	return err
}

// Diff is git's patch from one tree to another, with binary content and modes.
// A renamed file is deleted and created. No attributes, filters or settings take
// part. The patch is UTF-8, as predictions have to be: files that are not are
// changed as binary ones. Links that are not make it something else.
func Diff(ctx context.Context, old, new map[string]patch.Entry) ([]byte, error) {
	dir, remove, err := scratch(ctx)
	if err != nil {
		return nil, fmt.Errorf("making a patch: %w", err)
	}
	defer remove()
	var s stream
	for _, encoded := range []bool{true, false} {
		name := map[bool]string{true: "", false: "-binary"}[encoded]
		s.commit("old"+name, only(old, old, new, encoded))
		s.commit("new"+name, only(new, old, new, encoded))
	}
	if err := s.read(ctx, dir); err != nil {
		return nil, fmt.Errorf("making a patch: %w", err)
	}
	binary := filepath.Join(dir, "binary")
	if err := os.WriteFile(binary, []byte("* -diff\n"), 0o600); err != nil {
		return nil, fmt.Errorf("making a patch: %w", err)
	}
	args := []string{"diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"}
	out, err := git(ctx, dir, append(args, "old", "new")...)
	if err != nil {
		return nil, fmt.Errorf("making a patch: %w", err)
	}
	more, err := git(ctx, dir, append(append([]string{"-c", "core.attributesFile=" + binary}, args...), "old-binary", "new-binary")...)
	if err != nil {
		return nil, fmt.Errorf("making a patch: %w", err)
	}
	return append(out, more...), nil
}

// only returns the part of a tree that is UTF-8 before and after, or the other.
func only(tree, old, new map[string]patch.Entry, encoded bool) map[string]patch.Entry {
	out := map[string]patch.Entry{}
	for p, e := range tree {
		if (utf8.Valid(old[p].Data) && utf8.Valid(new[p].Data)) == encoded {
			out[p] = e
		}
	}
	return out
}

// OneCommit is a .git folder for a tree: one commit without parents, packed, on
// the branch main; no remotes, no reflog, no hooks. Files are by path below
// .git.
func OneCommit(ctx context.Context, tree map[string]patch.Entry) (map[string][]byte, error) {
	dir, remove, err := scratch(ctx)
	if err != nil {
		return nil, fmt.Errorf("making a repository: %w", err)
	}
	defer remove()
	var s stream
	s.commit("main", tree)
	if err := s.read(ctx, dir); err != nil {
		return nil, fmt.Errorf("making a repository: %w", err)
	}
	if _, err := git(ctx, dir, "read-tree", "main"); err != nil {
		return nil, fmt.Errorf("making a repository: %w", err)
	}
	return filesIn(filepath.Join(dir, ".git"))
}

// filesIn reads all files of a folder, by path below it.
func filesIn(dir string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return out, err
}

// Ignored returns which of some paths the .gitignore files of a tree leave out:
// by path the rule, as FILE:LINE:PATTERN. rules are those files by their paths.
func Ignored(ctx context.Context, rules map[string][]byte, paths []string) (map[string]string, error) {
	if len(rules) == 0 || len(paths) == 0 {
		return nil, nil
	}
	dir, remove, err := scratch(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading .gitignore: %w", err)
	}
	defer remove()
	if err := writeRules(dir, rules); err != nil {
		return nil, fmt.Errorf("reading .gitignore: %w", err)
	}
	out, err := gitReading(ctx, dir, strings.NewReader(asPaths(paths)),
		"-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // none of the paths is ignored
	}
	if err != nil {
		return nil, fmt.Errorf("reading .gitignore: %w", err)
	}
	return ignoredIn(string(out)), nil
}

// asPaths is a list of paths as check-ignore reads it. A name that begins with a
// colon would be a pattern with magic there, and check-ignore knows no
// --literal-pathspecs: the folder before it makes it a name.
func asPaths(paths []string) string {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(here + p + "\x00")
	}
	return b.String()
}

const here = "./"

// writeRules writes the .gitignore files of a tree, and nothing else of it.
func writeRules(dir string, rules map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range slices.Sorted(maps.Keys(rules)) {
		name := filepath.FromSlash(p)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, rules[p], 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// ignoredIn reads what check-ignore prints: file, line, pattern and path, each
// ended by NUL. A pattern that begins with ! takes a path back in.
func ignoredIn(out string) map[string]string {
	found := map[string]string{}
	fields := strings.Split(out, "\x00")
	for ; len(fields) >= 4; fields = fields[4:] {
		if file, line, pattern := fields[0], fields[1], fields[2]; file != "" && !strings.HasPrefix(pattern, "!") {
			found[strings.TrimPrefix(fields[3], here)] = file + ":" + line + ":" + pattern
		}
	}
	return found
}
