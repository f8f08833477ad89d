package mirror

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Archive is a tree at one commit, to be unpacked into an environment.
type Archive struct {
	// Digest names the content: the git tree and what part of it is taken.
	Digest string
	open   func() (io.ReadCloser, error)
}

// Open streams the archive as tar: the work tree and a .git folder that holds
// one commit without parents, no remotes, no other refs, no reflog and no
// object that this commit does not need.
func (a Archive) Open() (io.ReadCloser, error) { return a.open() }

// Archive describes the archive of a commit. sparse holds git's sparse
// patterns; none means everything.
func (r *Repo) Archive(ctx context.Context, commit string, sparse []string) (Archive, error) {
	tree, err := r.header(ctx, commit, "tree")
	if err != nil {
		return Archive{}, fmt.Errorf("looking for the tree of %s: %w", commit, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "archive 3\n%s\n%s\n", tree, strings.Join(sparse, "\n"))
	return Archive{
		Digest: hex.EncodeToString(h.Sum(nil)),
		open:   func() (io.ReadCloser, error) { return r.openArchive(ctx, tree, sparse) },
	}, nil
}

func (r *Repo) openArchive(ctx context.Context, tree string, sparse []string) (io.ReadCloser, error) {
	dir, err := os.MkdirTemp(r.scratch, ".source-*")
	if err != nil {
		return nil, err
	}
	if err := r.checkout(ctx, tree, sparse, dir); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("cutting history: %w", err)
	}
	read, write := io.Pipe()
	go func() {
		err := writeTar(write, dir)
		os.RemoveAll(dir)
		write.CloseWithError(err)
	}()
	return read, nil
}

// checkout makes a repository of a single commit in dir. The objects are
// borrowed from the mirror first and then copied, so that only those that the
// commit reaches come along.
func (r *Repo) checkout(ctx context.Context, tree string, sparse []string, dir string) error {
	alternates, err := r.borrow(ctx, sparse, dir)
	if err != nil {
		return err
	}
	if _, err := git(ctx, dir, "-c", "core.autocrlf=false", "read-tree", "-mu", tree); err != nil {
		return err
	}
	if len(sparse) > 0 {
		if tree, err = dropSparse(ctx, dir); err != nil {
			return err
		}
	}
	commit, err := git(ctx, dir, "commit-tree", tree, "-m", "base")
	if err != nil {
		return err
	}
	id := strings.TrimSpace(string(commit))
	if _, err := git(ctx, dir, "update-ref", "refs/heads/main", id); err != nil {
		return err
	}
	return r.keep(ctx, dir, id, alternates)
}

// keep replaces the objects that the steps before wrote by those that the
// commit reaches, and no others.
func (r *Repo) keep(ctx context.Context, dir, commit, alternates string) error {
	if err := ownObjects(ctx, dir, commit, alternates); err != nil {
		return err
	}
	if _, err := git(ctx, dir, "prune-packed", "-q"); err != nil {
		return err
	}
	return setApart(dir)
}

// borrow makes an empty repository in dir that reads the mirror's objects,
// and returns the file that makes it do so.
func (r *Repo) borrow(ctx context.Context, sparse []string, dir string) (alternates string, err error) {
	objects, err := filepath.Abs(filepath.Join(r.gitDir, "objects"))
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--initial-branch=main"},
		{"config", "core.logAllRefUpdates", "false"},
		{"config", "gc.auto", "0"},
	} {
		if _, err := git(ctx, dir, args...); err != nil {
			return "", err
		}
	}
	info := filepath.Join(dir, ".git", "info")
	if err := os.MkdirAll(info, 0o755); err != nil {
		return "", err
	}
	// Files come as git holds them, which is how patches see them.
	plain := "* -text -eol -ident -filter -working-tree-encoding\n"
	if err := os.WriteFile(filepath.Join(info, "attributes"), []byte(plain), 0o644); err != nil {
		return "", err
	}
	alternates = filepath.Join(dir, ".git", "objects", "info", "alternates")
	if err := os.WriteFile(alternates, []byte(objects+"\n"), 0o644); err != nil || len(sparse) == 0 {
		return alternates, err
	}
	if _, err := git(ctx, dir, "config", "core.sparseCheckout", "true"); err != nil {
		return "", err
	}
	return alternates, os.WriteFile(filepath.Join(info, "sparse-checkout"), []byte(strings.Join(sparse, "\n")+"\n"), 0o644)
}

// dropSparse takes what the patterns leave out from the tree altogether, since
// a mirror need not have it, and returns the tree of the rest.
func dropSparse(ctx context.Context, dir string) (string, error) {
	list, err := git(ctx, dir, "ls-files", "-t", "-z")
	if err != nil {
		return "", err
	}
	var out []string
	for _, entry := range strings.Split(string(list), "\x00") {
		if path, ok := strings.CutPrefix(entry, "S "); ok {
			out = append(out, path)
		}
	}
	for chunk := range slices.Chunk(out, 500) {
		if _, err := git(ctx, dir, append([]string{"update-index", "--force-remove", "--"}, chunk...)...); err != nil {
			return "", err
		}
	}
	if _, err := git(ctx, dir, "config", "core.sparseCheckout", "false"); err != nil {
		return "", err
	}
	tree, err := git(ctx, dir, "write-tree")
	return strings.TrimSpace(string(tree)), err
}

// writeTar writes dir in sorted order with one time stamp, owned by root, so
// that the same tree gives the same files.
func writeTar(w io.Writer, dir string) error {
	tw := tar.NewWriter(w)
	stamp := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return writeEntry(tw, dir, path, info, stamp)
	})
	if err != nil {
		return err
	}
	return tw.Close()
}

func writeEntry(tw *tar.Writer, dir, path string, info fs.FileInfo, stamp time.Time) error {
	link := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		var err error
		if link, err = os.Readlink(path); err != nil {
			return err
		}
	}
	h, err := tar.FileInfoHeader(info, link)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	h.Name = filepath.ToSlash(rel)
	if info.IsDir() {
		h.Name += "/"
	}
	h.Mode = int64(0o644)
	if info.IsDir() || info.Mode()&0o100 != 0 {
		h.Mode = 0o755 // regardless of the umask
	}
	h.Uid, h.Gid, h.Uname, h.Gname = 0, 0, "root", "root"
	h.ModTime, h.AccessTime, h.ChangeTime = stamp, time.Time{}, time.Time{}
	if err := tw.WriteHeader(h); err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(tw, f)
	return err
}
