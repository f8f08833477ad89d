package mirror

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "owner", "name")
	base, _ := history(t, dir)
	store := &Store{Dir: filepath.Dir(filepath.Dir(dir)), Cache: t.TempDir()}
	repo, err := store.Open(context.Background(), "owner/name", base)
	require.NoError(t, err)
	tree, err := repo.Tree(context.Background(), base)
	require.NoError(t, err)
	missing, err := tree.Missing(context.Background())
	require.NoError(t, err)
	require.Empty(t, missing)
	require.Empty(t, Without(missing))
	before, err := tree.Sizes(context.Background())
	require.NoError(t, err)
	require.Len(t, before, len(tree.Paths()))
	for path, size := range before {
		e, err := tree.Read(path)
		require.NoError(t, err)
		require.Len(t, e.Data, int(size), path)
	}

	id, err := git(context.Background(), dir, "rev-parse", base+":tests/data/big.txt")
	require.NoError(t, err)
	object := strings.TrimSpace(string(id))
	require.NoError(t, os.Remove(filepath.Join(dir, ".git", "objects", object[:2], object[2:])))
	missing, err = tree.Missing(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"tests/data/big.txt"}, missing)
	sizes, err := tree.Sizes(context.Background())
	require.NoError(t, err)
	delete(before, "tests/data/big.txt")
	require.Equal(t, before, sizes)
	_, err = tree.Read("tests/data/big.txt")
	require.ErrorContains(t, err, "no object")
	require.NotErrorIs(t, err, fs.ErrNotExist, "the file is there")
	_, err = tree.Read("tests/data/other.txt")
	require.ErrorIs(t, err, fs.ErrNotExist)

	a, err := repo.Archive(context.Background(), base, Without(missing))
	require.NoError(t, err)
	out := unpack(t, a)
	require.FileExists(t, filepath.Join(out, "src", "a.py"))
	require.NoFileExists(t, filepath.Join(out, "tests", "data", "big.txt"))
}
