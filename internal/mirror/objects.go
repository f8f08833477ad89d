package mirror

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// looseFrom is the size in bytes from which a file's object is kept by itself.
// Archives of one repository have most of these in common, byte for byte, so
// that environments can share them; a pack differs wherever one object does.
const looseFrom = 4096

// sharedObjects is the folder in .git that holds these objects. It is next to
// git's own: a local clone links what is in git's, and rejects files whose inode
// changes when a link is made, as in an overlay's lower layers.
const sharedObjects = "shared"

// setApart moves the objects that are kept by themselves to sharedObjects, where
// git looks by a path that is relative, so that the repository can be moved.
func setApart(dir string) error {
	objects := filepath.Join(dir, ".git", "objects")
	folders, err := filepath.Glob(filepath.Join(objects, "[0-9a-f][0-9a-f]"))
	if err != nil || len(folders) == 0 {
		return err
	}
	shared := filepath.Join(dir, ".git", sharedObjects)
	if err := os.MkdirAll(shared, 0o755); err != nil {
		return err
	}
	for _, f := range folders {
		if err := os.Rename(f, filepath.Join(shared, filepath.Base(f))); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte("../"+sharedObjects+"\n"), 0o644)
}

// ownObjects gives the repository in dir, which borrows its objects, those that
// the commit reaches, and ends the borrowing: large files one by one, the rest
// in a pack.
func ownObjects(ctx context.Context, dir, commit, alternates string) error {
	large, rest, err := objectsBySize(ctx, dir, commit)
	if err != nil {
		return err
	}
	pack := filepath.Join(dir, ".git", "objects", "pack")
	if err := os.MkdirAll(pack, 0o755); err != nil {
		return err
	}
	if _, err := gitReading(ctx, dir, strings.NewReader(rest), "pack-objects", "-q", filepath.Join(pack, "pack")); err != nil {
		return err
	}
	var packed []byte
	if large != "" {
		if packed, err = gitReading(ctx, dir, strings.NewReader(large), "pack-objects", "-q", "--stdout"); err != nil {
			return err
		}
	}
	if err := os.Remove(alternates); err != nil || large == "" {
		return err
	}
	_, err = gitReading(ctx, dir, bytes.NewReader(packed), "unpack-objects", "-q")
	return err
}

// objectsBySize lists what a commit reaches, an id a line: large files and the
// rest.
func objectsBySize(ctx context.Context, dir, commit string) (large, rest string, err error) {
	ids, err := git(ctx, dir, "rev-list", "--objects", "--no-object-names", commit)
	if err != nil {
		return "", "", err
	}
	sizes, err := gitReading(ctx, dir, bytes.NewReader(ids), "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
	if err != nil {
		return "", "", err
	}
	var many, few strings.Builder
	for line := range strings.Lines(string(sizes)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return "", "", fmt.Errorf("git cat-file says %q of an object", strings.TrimSpace(line))
		}
		size, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return "", "", fmt.Errorf("the size of object %s: %w", words[0], err)
		}
		if words[1] == "blob" && size >= looseFrom {
			few.WriteString(words[0] + "\n")
		} else {
			many.WriteString(words[0] + "\n")
		}
	}
	return few.String(), many.String(), nil
}
