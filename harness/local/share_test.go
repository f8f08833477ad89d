//go:build linux

package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assay/harness"
)

// TestShare: files of several layers that are the same in path, content,
// rights and time take their place once; others, and what is stored for no
// layer, do not stay.
func TestShare(t *testing.T) {
	d := &Driver{dir: t.TempDir()}
	stamp := time.Unix(1_000_000_000, 0)
	put := func(path, text string, mode os.FileMode, at time.Time) string {
		path = filepath.Join(d.dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		require.NoError(t, os.Chtimes(path, at, at))
		return path
	}
	for _, c := range []struct {
		path, a, b     string
		modeA, modeB   os.FileMode
		timeA, timeB   time.Time
		otherB, shared bool // B's file is at another path
	}{
		{path: "x/one.py", a: "one", b: "one", shared: true},
		{path: "x/text.py", a: "one", b: "other"},
		{path: "x/mode.py", a: "one", b: "one", modeB: 0o755},
		{path: "x/later.py", a: "one", b: "one", timeB: stamp.Add(time.Nanosecond)},
		{path: "x/moved.py", a: "one", b: "one", otherB: true},
		{path: "x/empty.py"},
		{path: "x/.git/objects/ab/cd", a: "one", b: "one"},
		{path: "x/.git/index", a: "one", b: "one"},
		{path: "x/.git/shared/ab/cd", a: "one", b: "one", shared: true},
		{path: "root/.m2/repository/x.jar", a: "jar", b: "jar", timeB: stamp.Add(time.Hour), shared: true},
		{path: "x/__pycache__/x.pyc", a: "code", b: "code", timeB: stamp.Add(time.Hour), shared: true},
	} {
		at, modes, pathB := [2]time.Time{c.timeA, c.timeB}, [2]os.FileMode{c.modeA, c.modeB}, c.path
		for i := range 2 {
			if at[i].IsZero() {
				at[i] = stamp
			}
			if modes[i] == 0 {
				modes[i] = 0o644
			}
		}
		if c.otherB {
			pathB = "y/" + c.path
		}
		a := put(filepath.Join("a/fs", c.path), c.a, modes[0], at[0])
		b := put(filepath.Join("b/fs", pathB), c.b, modes[1], at[1])
		require.NoError(t, d.share(filepath.Join(d.dir, "a/fs")))
		require.NoError(t, d.share(filepath.Join(d.dir, "b/fs")))
		require.Equal(t, c.shared, inode(t, a) == inode(t, b), c.path)
		read, err := os.ReadFile(b)
		require.NoError(t, err)
		require.Equal(t, c.b, string(read))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(d.dir, "b")))
	require.NoError(t, d.SweepShared())
	stored, err := filepath.Glob(filepath.Join(d.storeDir(), "*", "*"))
	require.NoError(t, err)
	require.Len(t, stored, 8, "what the first layer has is left, but for the empty file and those of a repository")
	require.NoError(t, (&Driver{dir: t.TempDir()}).SweepShared())
}

func inode(t *testing.T, path string) uint64 {
	var st unix.Stat_t
	require.NoError(t, unix.Lstat(path, &st))
	return st.Ino
}

// TestShareWithinLayer: two files of one layer stay two files for a job, which
// could not copy one to the other otherwise.
func TestShareWithinLayer(t *testing.T) {
	d := newDriver(t)
	name, err := d.Prepare(t.Context(), harness.Recipe{Name: "twins", Script: `echo same > /opt/a
echo same > /opt/b
touch -d @1000000000 /opt/a /opt/b`})
	require.NoError(t, err)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "cp /opt/a /opt/b"})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode, string(res.Output.Head))
}

// TestShareClones: a job clones by links a repository that has objects which
// two layers share.
func TestShareClones(t *testing.T) {
	d := newDriver(t)
	make := func(name string) string {
		layer, err := d.Prepare(t.Context(), harness.Recipe{Name: name, Script: `git init -q /opt/r && cd /opt/r
seq 10000 > a; echo ` + name + ` > b
git add a b && git -c user.name=a -c user.email=a@example.org commit -q -m one
mkdir .git/shared && mv .git/objects/?? .git/shared && echo ../shared > .git/objects/info/alternates
touch -d @1000000000 .git/shared/*/*`})
		require.NoError(t, err)
		return layer
	}
	one, two := make("one"), make("two")
	object := func(layer string) string {
		found, err := filepath.Glob(filepath.Join(d.layerDir(layer), "fs/opt/r/.git/shared/*/*"))
		require.NoError(t, err)
		for _, f := range found {
			if st, err := os.Stat(f); err == nil && st.Size() > 10000 {
				return f
			}
		}
		return ""
	}
	require.Equal(t, inode(t, object(one)), inode(t, object(two)))
	res, err := d.Run(t.Context(), harness.Job{Environment: two, Script: "git config --global --add safe.directory '*' && git clone -q /opt/r /opt/c && cmp /opt/r/a /opt/c/a && git -C /opt/c fsck"})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode, string(res.Output.Head)+string(res.Output.Tail))
}

// TestShareLeavesRepositories: a job clones a layer's repository by links, and
// git finds every object to be the one that it looked at before.
func TestShareLeavesRepositories(t *testing.T) {
	d := newDriver(t)
	name, err := d.Prepare(t.Context(), harness.Recipe{Name: "repository", Script: `git init -q /opt/r && cd /opt/r
seq 100 > a
git add a && git -c user.name=a -c user.email=a@example.org commit -q -m one`})
	require.NoError(t, err)
	res, err := d.Run(t.Context(), harness.Job{Environment: name, Script: "git config --global --add safe.directory '*' && git clone -q /opt/r /opt/c && cmp /opt/r/a /opt/c/a"})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode, string(res.Output.Head)+string(res.Output.Tail))
}

// TestSharedStays: nothing that a job or a layer above does to a shared file
// changes it for others.
func TestSharedStays(t *testing.T) {
	notInShortMode(t)
	d := newDriver(t)
	recipe := func(name string) harness.Recipe {
		return harness.Recipe{Name: name, Script: `for f in 1 2 3 4 5 6 7; do echo kept > /opt/f$f; done
touch -d @1000000000 /opt/f*
echo ` + name + ` > /opt/name`}
	}
	one, two := recipe("one"), recipe("two")
	first, err := d.Prepare(t.Context(), one)
	require.NoError(t, err)
	second, err := d.Prepare(t.Context(), two)
	require.NoError(t, err)
	files := func(layer string) []string {
		found, err := filepath.Glob(filepath.Join(d.layerDir(layer), "fs", "*", "f?"))
		require.NoError(t, err)
		require.Len(t, found, 7)
		return found
	}
	for i, f := range files(first) {
		require.Equal(t, inode(t, f), inode(t, files(second)[i]))
	}
	change := `echo lost > /opt/f1
echo lost >> /opt/f2
chmod 777 /opt/f3
touch /opt/f4
ln /opt/f5 /opt/g && echo lost > /opt/g
mv /opt/f6 /opt/h && truncate -s 0 /opt/h
python3 -c 'import mmap; f = open("/opt/f7", "r+b"); m = mmap.mmap(f.fileno(), 0); m[:4] = b"lost"; m.flush()'
`
	res, err := d.Run(t.Context(), harness.Job{Environment: first, Script: change})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode, string(res.Output.Head))
	_, err = d.Prepare(t.Context(), harness.Recipe{Name: "above", Parent: &one, Script: change})
	require.NoError(t, err)
	for _, layer := range []string{first, second} {
		for _, f := range files(layer) {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			require.Equal(t, "kept\n", string(text), f)
			info, err := os.Stat(f)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o644), info.Mode(), f)
			require.Equal(t, int64(1000000000), info.ModTime().Unix(), f)
		}
	}
}

// TestStamp: a script gets a time between the layers below and itself, and
// layers over the same one get the same time.
func TestStamp(t *testing.T) {
	d := newDriver(t)
	low := harness.Recipe{Name: "low", Script: `test -z "$ASSAY_STAMP"; echo low > /opt/low`}
	var seen []string
	for _, name := range []string{"one", "two"} {
		env, err := d.Prepare(t.Context(), harness.Recipe{Name: name, Parent: &low, Script: `echo ` + name + ` > /opt/name
test -z "$(find /opt/low -newermt "@$ASSAY_STAMP")"
test -n "$(find /opt/name -newermt "@$ASSAY_STAMP")"
echo "$ASSAY_STAMP" > /opt/stamp`})
		require.NoError(t, err)
		res, err := d.Run(t.Context(), harness.Job{Environment: env, Script: `cat /opt/stamp; test -z "$ASSAY_STAMP"`})
		require.NoError(t, err)
		require.Zero(t, res.ExitCode)
		seen = append(seen, string(res.Output.Head))
	}
	require.Equal(t, seen[0], seen[1])
}
