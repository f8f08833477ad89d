//go:build linux

package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"assay/harness"
)

// layoutVersion changes when layers made by an older version of this package
// must not be used any more.
const layoutVersion = 1

// fingerprint identifies the host's tool chains, which are below all layers:
// the distribution and its installed packages, which of them are chosen, and
// what is in the directories for software installed by hand. The host's file
// system begins at root.
func fingerprint(root string, trees []tree, links []link, user bool) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{layoutVersion, runtime.GOARCH, user, trees, links}); err != nil {
		return "", fmt.Errorf("identifying the host: %w", err)
	}
	for _, p := range []string{"/etc/os-release", "/var/lib/dpkg/status"} {
		hashFile(h, filepath.Join(root, p))
	}
	hashNames(h, filepath.Join(root, "/opt"))
	for _, dir := range []string{"/etc/alternatives", "/usr/local"} {
		hashTree(h, filepath.Join(root, dir))
	}
	for _, dir := range interpreterDirs() {
		hashNames(h, filepath.Join(root, dir))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile adds a file; one that is absent is a fact too.
func hashFile(h hash.Hash, p string) {
	fmt.Fprintf(h, "%s\n", p)
	f, err := os.Open(p)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = io.Copy(h, f) // an unreadable file counts as an empty one
}

func hashNames(h hash.Hash, dir string) {
	entries, _ := os.ReadDir(dir) // absent: no names
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", filepath.Join(dir, e.Name()), info.Size(), info.ModTime().UnixNano())
		}
	}
}

// hashTree adds all below a directory: files with size and time of change,
// and where links lead. Bytecode that Python keeps next to its sources is
// left out, as it comes and goes with use; so are the times of directories,
// which it changes. Files are not read, which would take too long.
func hashTree(h hash.Hash, dir string) {
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // absent or not for us: no names
		}
		if e.Name() == "__pycache__" {
			return fs.SkipDir
		}
		if e.IsDir() {
			fmt.Fprintf(h, "%q\n", p)
			return nil
		}
		if target, err := os.Readlink(p); err == nil {
			fmt.Fprintf(h, "%q -> %q\n", p, target)
		} else if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%q %v %d %d\n", p, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
}

// Name returns the name that Prepare gives the environment of a recipe,
// without making it.
func (d *Driver) Name(_ context.Context, r harness.Recipe) (string, error) {
	return d.layerName(r), nil
}

// layerName names the layer of a recipe over this host.
func (d *Driver) layerName(r harness.Recipe) string {
	sum := sha256.Sum256([]byte(d.fingerprint + "\n" + harness.Digest(r)))
	return "local-" + hex.EncodeToString(sum[:16])
}
