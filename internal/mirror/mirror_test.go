package mirror

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// history makes a repository of two commits: base and the fix after it.
func history(t *testing.T, dir string) (base, fix string) {
	t.Helper()
	run := func(args ...string) string {
		out, err := git(context.Background(), dir, args...)
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	run("init", "--quiet", "--template=", "--initial-branch=main")
	write := func(name, text string, mode os.FileMode) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
	write("src/a.py", "bug\n", 0o644)
	write("run.sh", "#!/bin/sh\n", 0o755)
	write("tests/data/big.txt", "data\n", 0o644)
	// Archives made by git archive would leave this out.
	write(".gitattributes", "tests export-ignore\n*.txt text eol=crlf\n", 0o644)
	write(".gitignore", "ignored\n", 0o644)
	write("ignored/kept.txt", "tracked all the same\n", 0o644)
	require.NoError(t, os.Symlink("src/a.py", filepath.Join(dir, "link")))
	run("add", "-f", "-A")
	run("commit", "-q", "-m", "start")
	base = run("rev-parse", "HEAD")
	write("src/a.py", "the secret fix\n", 0o644)
	run("commit", "-q", "-a", "-m", "fix")
	run("tag", "v1")
	return base, run("rev-parse", "HEAD")
}

func TestFindSpellings(t *testing.T) {
	for name, place := range map[string]string{
		"owner/name":               "Owner/Name",
		"owner/name.git":           "owner/name.git",
		"owner__name":              "OWNER__name",
		"owner__name.git":          "owner__name.git",
		"owner+name":               "owner+name",
		"folder of one repository": "owner+name/repo",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			history(t, filepath.Join(dir, place))
			got, ok := Find(dir, "owner/name")
			require.True(t, ok)
			require.Equal(t, filepath.Join(dir, place, ".git"), got)
		})
	}
	t.Run("clone URL", func(t *testing.T) {
		dir := t.TempDir()
		history(t, filepath.Join(dir, "owner__name"))
		_, ok := Find(dir, "https://host.example/owner/name.git")
		require.True(t, ok)
	})
	t.Run("bare", func(t *testing.T) {
		dir := t.TempDir()
		history(t, filepath.Join(dir, "work"))
		bare := filepath.Join(dir, "owner__name.git")
		_, err := git(context.Background(), "", "clone", "-q", "--bare", filepath.Join(dir, "work"), bare)
		require.NoError(t, err)
		got, ok := Find(dir, "owner/name")
		require.True(t, ok)
		require.Equal(t, bare, got)
	})
	t.Run("a folder of two repositories says nothing", func(t *testing.T) {
		dir := t.TempDir()
		history(t, filepath.Join(dir, "owner__name/a"))
		history(t, filepath.Join(dir, "owner__name/b"))
		_, ok := Find(dir, "owner/name")
		require.False(t, ok)
	})
	t.Run("another repository", func(t *testing.T) {
		dir := t.TempDir()
		history(t, filepath.Join(dir, "owner__names"))
		_, ok := Find(dir, "owner/name")
		require.False(t, ok)
	})
}

func TestArchiveHoldsOneCommitOnly(t *testing.T) {
	dir := t.TempDir()
	base, fix := history(t, filepath.Join(dir, "owner__name"))
	store := &Store{Dir: dir}
	repo, err := store.Open(context.Background(), "owner/name", base)
	require.NoError(t, err)
	archive, err := repo.Archive(context.Background(), base, nil)
	require.NoError(t, err)
	work := unpack(t, archive)
	out, err := git(context.Background(), work, "rev-list", "--all", "--count")
	require.NoError(t, err)
	require.Equal(t, "1", strings.TrimSpace(string(out)))
	for _, gone := range []string{base, fix} {
		_, err = git(context.Background(), work, "cat-file", "-e", gone)
		require.Error(t, err, "the object %s came along", gone)
	}
	out, err = git(context.Background(), work, "cat-file", "--batch-all-objects", "--batch")
	require.NoError(t, err)
	require.NotContains(t, string(out), "the secret fix")
	require.Contains(t, string(out), "bug")
	for _, path := range []string{".git/logs", ".git/packed-refs", ".git/hooks", ".git/objects/info/alternates"} {
		require.NoFileExists(t, filepath.Join(work, path))
		require.NoDirExists(t, filepath.Join(work, path))
	}
	status, err := git(context.Background(), work, "status", "--porcelain")
	require.NoError(t, err)
	require.Empty(t, string(status))
	text, err := os.ReadFile(filepath.Join(work, "tests/data/big.txt"))
	require.NoError(t, err, "export-ignore must not count")
	require.Equal(t, "data\n", string(text), "files come as git holds them, as patches see them")
	require.FileExists(t, filepath.Join(work, "ignored/kept.txt"))
	info, err := os.Stat(filepath.Join(work, "run.sh"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode().Perm())
	target, err := os.Readlink(filepath.Join(work, "link"))
	require.NoError(t, err)
	require.Equal(t, "src/a.py", target)
}

func TestArchiveSparse(t *testing.T) {
	dir := t.TempDir()
	base, _ := history(t, filepath.Join(dir, "owner__name"))
	repo, err := (&Store{Dir: dir}).Open(context.Background(), "owner/name", base)
	require.NoError(t, err)
	whole, err := repo.Archive(context.Background(), base, nil)
	require.NoError(t, err)
	part, err := repo.Archive(context.Background(), base, []string{"/*", "!/tests/data/"})
	require.NoError(t, err)
	require.NotEqual(t, whole.Digest, part.Digest)
	work := unpack(t, part)
	require.NoFileExists(t, filepath.Join(work, "tests/data/big.txt"))
	require.FileExists(t, filepath.Join(work, "src/a.py"))
	status, err := git(context.Background(), work, "status", "--porcelain")
	require.NoError(t, err)
	require.Empty(t, string(status))
	out, err := git(context.Background(), work, "cat-file", "--batch-all-objects", "--batch")
	require.NoError(t, err)
	require.NotContains(t, string(out), "data\n", "what is left out need not be in the mirror, so it must not be asked for")
}

func TestTree(t *testing.T) {
	dir := t.TempDir()
	base, fix := history(t, filepath.Join(dir, "owner__name"))
	repo, err := (&Store{Dir: dir}).Open(context.Background(), "owner/name", base)
	require.NoError(t, err)
	tree, err := repo.Tree(context.Background(), base)
	require.NoError(t, err)
	require.Equal(t, []string{".gitattributes", ".gitignore", "ignored/kept.txt", "link", "run.sh", "src/a.py", "tests/data/big.txt"}, tree.Paths())
	e, err := tree.Read("src/a.py")
	require.NoError(t, err)
	require.Equal(t, "bug\n", string(e.Data))
	e, err = tree.Read("link")
	require.NoError(t, err)
	require.Equal(t, uint32(0o120000), e.Mode)
	_, err = tree.Read("nowhere")
	require.True(t, errors.Is(err, fs.ErrNotExist))
	require.True(t, tree.Has("link"))
	require.False(t, tree.Has("nowhere"))
	require.False(t, tree.Has("src"), "a folder is no file")
	later, err := repo.Tree(context.Background(), fix)
	require.NoError(t, err)
	e, err = later.Read("src/a.py")
	require.NoError(t, err)
	require.Equal(t, "the secret fix\n", string(e.Data))
}

func TestOpenClonesOnceAndTellsWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	base, _ := history(t, filepath.Join(dir, "origin"))
	store := &Store{Cache: filepath.Join(dir, "cache")}
	_, err := store.Open(context.Background(), filepath.Join(dir, "origin"), base)
	require.NoError(t, err)
	clones, err := os.ReadDir(store.Cache)
	require.NoError(t, err)
	require.Len(t, clones, 1)
	again := &Store{Cache: store.Cache}
	require.NoError(t, exec.Command("mv", filepath.Join(dir, "origin"), filepath.Join(dir, "away")).Run())
	_, err = again.Open(context.Background(), filepath.Join(dir, "origin"), base)
	require.NoError(t, err, "the clone must do without its origin")
	var missing *NotFoundError
	_, err = again.Open(context.Background(), filepath.Join(dir, "origin"), strings.Repeat("0", 40))
	require.ErrorAs(t, err, &missing)
}

func unpack(t *testing.T, a Archive) string {
	t.Helper()
	r, err := a.Open()
	require.NoError(t, err)
	defer r.Close()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	dir := t.TempDir()
	tr := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		require.NoError(t, err)
		path := filepath.Join(dir, h.Name)
		switch h.Typeflag {
		case tar.TypeDir:
			require.NoError(t, os.MkdirAll(path, 0o755))
		case tar.TypeSymlink:
			require.NoError(t, os.Symlink(h.Linkname, path))
		default:
			content, err := io.ReadAll(tr)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, content, h.FileInfo().Mode().Perm()))
		}
	}
}

func TestForeignGitVariables(t *testing.T) {
	dir := t.TempDir()
	base, _ := history(t, filepath.Join(dir, "owner__name"))
	other := filepath.Join(dir, "other")
	history(t, other)
	config, err := os.ReadFile(filepath.Join(other, ".git/config"))
	require.NoError(t, err)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	repo, err := (&Store{Dir: dir}).Open(context.Background(), "owner/name", base)
	require.NoError(t, err)
	archive, err := repo.Archive(context.Background(), base, nil)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(unpack(t, archive), "src/a.py"))
	after, err := os.ReadFile(filepath.Join(other, ".git/config"))
	require.NoError(t, err)
	require.Equal(t, string(config), string(after))
}

func TestReadIndex(t *testing.T) {
	dir := t.TempDir()
	history(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, ".git/index"))
	require.NoError(t, err)
	modes, err := ReadIndex(context.Background(), data)
	require.NoError(t, err)
	require.Equal(t, uint32(0o100755), modes["run.sh"])
	require.Equal(t, uint32(0o120000), modes["link"])
	require.Equal(t, uint32(0o100644), modes["src/a.py"])
	_, err = ReadIndex(context.Background(), []byte("no index"))
	require.Error(t, err)
}
